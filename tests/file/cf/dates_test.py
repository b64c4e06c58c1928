#!/usr/bin/env python3
"""Decodes the times of files as cftime does, for CF's readers: they must give the model's dates.

  dates_test.py <dates_table>
"""

import datetime
import subprocess
import sys
import warnings

import cftime


def check(line):
    """The mistake in one line of the table, or nothing."""
    calendar, units, value, *expected = line.split("|")
    *wanted, millisecond = [int(number) for number in expected]
    try:
        # As xarray and others do it: whether there is a year 0 is the reader's choice.
        date = cftime.num2date(float(value), units, calendar=calendar)
    except ValueError as error:
        return f"{line}: {error}"
    right = cftime.datetime(*wanted, 1000 * millisecond, calendar=date.calendar,
                            has_year_zero=date.has_year_zero)
    # Days of a distant origin are exact to some microseconds.
    if abs(date - right) < datetime.timedelta(milliseconds=1):
        return None
    return f"{line}: decoded as {date}"


def main():
    warnings.simplefilter("ignore", cftime._cftime.CFWarning)
    table = subprocess.run([sys.argv[1]], check=True, capture_output=True, text=True)
    lines = table.stdout.splitlines()
    mistakes = [mistake for mistake in map(check, lines) if mistake]
    print("\n".join(mistakes[:20]))
    calendars = {line.split("|")[0] for line in lines}
    wanted = {"standard", "proleptic_gregorian", "julian", "noleap", "all_leap", "360_day"}
    if calendars != wanted:
        sys.exit(f"the table has the calendars {sorted(calendars)}")
    if mistakes or len(lines) < 10000:
        sys.exit(f"{len(mistakes)} of {len(lines)} dates are wrong")
    print(f"{len(lines)} dates")


if __name__ == "__main__":
    main()
