#!/usr/bin/env python3
"""Writes random dates as cftime has them, for config_calendar_reference_test.

Each line: CF calendar, milliseconds since 0000-01-01, year, month, day, hour, minute, second,
millisecond, day of the year from 1.
"""

import random
import sys
import warnings

import cftime

# Without a change of calendar in 1582, as climate models count.
CALENDARS = {
    "gregorian": "proleptic_gregorian",
    "julian": "julian",
    "noleap": "noleap",
    "all_leap": "all_leap",
    "360_day": "360_day",
}
DATES_PER_CALENDAR = 20000
YEAR_MS = 365 * 86400 * 1000


def main():
    warnings.simplefilter("ignore", cftime._cftime.CFWarning)  # of years before 1
    numbers = random.Random(20260101)
    with open(sys.argv[1], "w", encoding="ascii") as table:
        for name, calendar in CALENDARS.items():
            instants = [numbers.randint(-3000 * YEAR_MS, 12000 * YEAR_MS)
                        for _ in range(DATES_PER_CALENDAR)]
            dates = cftime.num2date(instants, "milliseconds since 0000-01-01 00:00:00",
                                    calendar=calendar, has_year_zero=True)
            for ms, date in zip(instants, dates):
                table.write(f"{name} {ms} {date.year} {date.month} {date.day} {date.hour} "
                            f"{date.minute} {date.second} {date.microsecond // 1000} "
                            f"{date.dayofyr}\n")


if __name__ == "__main__":
    main()
