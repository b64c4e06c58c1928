#!/usr/bin/env python3
"""Dates of output: windows, lists, the state at the start, climatologies, and parts of files that have no record. Values,
times and bounds against figures worked out by hand, climatologies against CDO's; the files that there are.

usage: dates_case.py <bin> <mpiexec> <model processes> <servers>
"""
import shutil
import subprocess
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


def check_jobs(folder, binaries, mpiexec, processes, servers):
    """Two jobs from 03:00 and 08:00, whose periods are those of the day, in one file and in parts of 12 hours."""
    files = [f'<file id="{name}" append="{append}" output_freq="6h" output_anchor="calendar" {more}>{field("average")}'
             '<field field_ref="index" name="weighted" operation="average" weight="time" prec="8"/></file>'
             for name, append, more in [("whole", "true", ""),
                                        ("part", "false", 'split_freq="12h" split_freq_format="%d%h"')]]
    for start, steps in (("03", 5), ("08", 12)):
        text = configuration_of(files).replace("2000-01-01 00:00:00", f"2000-01-01 {start}:00:00")
        text = text.replace('<context id="toy">', '<context id="toy" statistics_file="waiting">')
        (folder / "iodef.xml").write_text(text)
        run_toy(folder, binaries, mpiexec, processes, servers, ["--steps", str(steps)])
    means = [mean(1, 3), (index(4) + index(5) + 4 * mean(1, 4)) / 6, mean(5, 10)]
    bounds = [START + HOUR * hour for hour in (3, 6, 6, 12, 12, 18)]
    dump = Dump(folder / "whole.nc")
    assert dump.values["time_centered_bounds"] == bounds, dump.values["time_centered_bounds"]
    for name in ("average", "weighted"):
        assert is_alike(dump.values[name], means), f"{name} is {dump.values[name]}, not {means}"
    parts = sorted(path.name for path in folder.glob("part_*.nc"))
    assert parts == ["part_0103-0111.nc", "part_0108-0111.nc", "part_0112-0123.nc"], parts
    values = [v for part in parts for v in Dump(folder / part).values["average"]]
    assert is_alike(values, means), values


DAY = 86400.0
MONTHS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]


def check_climatology(folder, binaries, mpiexec, processes, servers):
    """Two years of daily means, and what a file has of their months within years, in two jobs that end within both."""
    operations = ("average", "maximum", "minimum")
    fields = "".join(f'<field field_ref="temp" name="{o}" operation="{o}" prec="8"/>' for o in operations)
    files = ['<file id="days" append="true" output_freq="1d"><field field_ref="temp" operation="average" prec="8"/></file>',
             f'<file id="months" append="true" output_freq="1mo" climatology="year" climatology_freq="2y">{fields}</file>']
    for start, steps in (("2000-01-01", 400), ("2001-02-05", 330)):
        text = configuration_of(files).replace("2000-01-01 00:00:00", start).replace('timestep="1h"', 'timestep="1d"')
        text = text.replace('<context id="toy">', '<context id="toy" statistics_file="waiting">')
        (folder / "iodef.xml").write_text(text)
        run_toy(folder, binaries, mpiexec, processes, servers, ["--steps", str(steps), "--nx", "3", "--ny", "2", "--nz", "2"])
    dump = Dump(folder / "months.nc")
    assert dump.dimensions["time_counter"] == 12, f"{dump.dimensions['time_counter']} records"
    ends = [START + DAY * sum(MONTHS[:month + 1]) for month in range(12)]
    begins = [end - DAY * days for end, days in zip(ends, MONTHS)]
    year = 365 * DAY
    bounds = [t for begin, end in zip(begins, ends) for t in (begin, end + year)]
    middles = [year + (begin + end) / 2 for begin, end in zip(begins, ends)]
    assert dump.values["time_counter"] == middles, f"times are {dump.values['time_counter']}"
    assert dump.values["time_counter_climatology"] == bounds, dump.values["time_counter_climatology"]
    assert dump.attributes["time_counter:climatology"] == '"time_counter_climatology"'
    assert "time_counter:bounds" not in dump.attributes
    for operation, word in zip(operations, ("mean", "maximum", "minimum")):
        methods = dump.attributes[f"{operation}:cell_methods"]
        assert methods == f'"time: {word} within years (interval: 1 d) time: {word} over years"', methods
    if shutil.which("cdo") is None:
        print("cdo is not there: climatologies are not compared")
        return
    for operation, word in zip(operations, ("mean", "max", "min")):
        other = folder / f"{operation}.nc"
        subprocess.run(["cdo", "-s", f"ymon{word}", folder / "days.nc", other], check=True, timeout=60)
        wanted = Dump(other).values["temp"]
        assert is_alike(dump.values[operation], wanted), f"{operation} is {dump.values[operation]}, not {wanted}"


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
        for job in (check_jobs, check_climatology):
            jobs = folder / job.__name__
            jobs.mkdir()
            try:
                job(jobs, binaries, mpiexec, processes, servers)
            except (AssertionError, KeyError, OSError, subprocess.SubprocessError) as error:
                wrong += 1
                print(f"FAIL: {job.__name__}: {type(error).__name__} {error}")
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
