#!/usr/bin/env python3
"""Dates of output: windows, lists, the state at the start, and parts of files that have no record. Values, times and
bounds against figures worked out by hand; the files that there are.

usage: dates_case.py <bin> <mpiexec> <model processes> <servers>
"""
import sys
import tempfile
from pathlib import Path

from toy_files import Dump, configuration_of, run_toy, same

START = 315360000.0  # 3,650 days of 86,400 s from 1990 to 2000
HOUR = 3600.0
STEPS = 12


def index(step):
    return 1.0 / (step + 1)


def mean(first, last):
    return sum(index(step) for step in range(first, last + 1)) / (last - first + 1)


def field(operation):
    return f'<field field_ref="index" name="{operation}" operation="{operation}" prec="8"/>'


BOTH = field("instant") + field("average")
MISSING = float("nan")
# name -> attributes and fields, instants, means, ends of the records and begins of the intervals of means, in hours
FILES = {
    "windows": ('output_freq="2h" output_dates="2000-01-01 04:00 .. 2000-01-01 08:00, +11h .."', BOTH,
                [index(4), index(6), index(8), index(12)], [MISSING, mean(5, 6), mean(7, 8), MISSING],
                [4, 6, 8, 12], [2, 4, 6, 10]),
    "list": ('output_dates="2000-01-01 01:00, 2000-01-01 06:00, +11h, 2001-01-01"', BOTH,
             [index(1), index(6), index(11)], [mean(1, 1), mean(2, 6), mean(7, 11)], [1, 6, 11], [0, 1, 6]),
    "initial": ('output_freq="4h" output_initial="true"', BOTH,
                [index(0), index(4), index(8), index(12)], [MISSING, mean(1, 4), mean(5, 8), mean(9, 12)],
                [0, 4, 8, 12], [0, 0, 4, 8]),
    "initial_list": ('output_dates="+5h" output_initial="true"', field("instant"),
                     [index(0), index(5)], None, [0, 5], None),
    # Parts of 00, 04 and 08 o'clock, of which the second alone has records.
    "split": ('output_freq="2h" split_freq="4h" split_freq_format="%h" output_dates="+4h .. +8h"', field("average"),
              None, [mean(5, 6), mean(7, 8)], [6, 8], [4, 6]),
}


def element(name):
    attributes, fields = FILES[name][:2]
    return f'<file id="{name}" {attributes}>{fields}</file>'


def is_alike(got, wanted):
    """Fill values are NaN or what netCDF has."""
    return len(got) == len(wanted) and all(
        same([a], [b], 1e-15) or (b != b and (a != a or abs(a) > 1e30)) for a, b in zip(got, wanted))


def check(dump, name):
    _, _, instants, means, ends, begins = FILES[name]
    assert dump.dimensions["time_counter"] == len(ends), f"{dump.dimensions['time_counter']} records"
    if instants:
        assert is_alike(dump.values["instant"], instants), f"instants are {dump.values['instant']}"
        times = [START + HOUR * end for end in ends]
        assert dump.values["time_instant"] == times, f"time_instant is {dump.values['time_instant']}"
    if means:
        assert is_alike(dump.values["average"], means), f"means are {dump.values['average']}"
        bounds = [START + HOUR * hour for pair in zip(begins, ends) for hour in pair]
        assert dump.values["time_centered_bounds"] == bounds, f"bounds are {dump.values['time_centered_bounds']}"
    is_list = "list" in name
    for variable in ("instant", "average"):
        if variable in dump.shapes:
            assert (f"{variable}:interval_write" in dump.attributes) != is_list, "interval_write"


def main():
    binaries, mpiexec, processes, servers = sys.argv[1:5]
    wrong = 0
    with tempfile.TemporaryDirectory(prefix="epios-dates.") as place:
        folder = Path(place)
        (folder / "iodef.xml").write_text(configuration_of([element(name) for name in FILES]))
        run_toy(folder, binaries, mpiexec, processes, servers, ["--first-step", "0", "--steps", str(STEPS)])
        wanted = {f"{name}.nc" for name in FILES if name != "split"} | {"split_04-07.nc"}
        found = {path.name for path in folder.glob("*.nc")}
        if found != wanted:
            wrong += 1
            print(f"FAIL: files {sorted(found)} instead of {sorted(wanted)}")
        for name in FILES:
            path = folder / ("split_04-07.nc" if name == "split" else f"{name}.nc")
            try:
                check(Dump(path), name)
            except (AssertionError, KeyError, OSError) as error:
                wrong += 1
                print(f"FAIL: {path.name}: {type(error).__name__} {error}")
    print(f"{len(FILES)} files, {wrong} wrong")
    sys.exit(1 if wrong else 0)


main()
