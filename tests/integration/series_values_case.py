#!/usr/bin/env python3
"""Time series of all modes in one run, with prefixes, folders and splits of their own, and files whose names hold dates or
whose records begin elsewhere: which files there are, what fields they have, and every value and date of them.

usage: series_values_case.py <bin> <mpiexec> <model processes> <servers> [XML variables of context xios]
"""
import math
import sys
import tempfile
from pathlib import Path

from toy_files import Dump, HOURS_TO_START, configuration_of, run_toy, same, temperatures

SHAPE = (2, 7, 10)
STEPS = 12
FIELDS = """
<field field_ref="temp" name="now" operation="instant" prec="8" ts_enabled="true" ts_split_freq="4h"/>
<field field_ref="temp" name="mean" operation="average" prec="8" ts_enabled="true"/>
<field field_ref="temp" name="top" operation="maximum" prec="8"/>"""
OPERATION = {"now": "instant", "mean": "average", "top": "maximum"}
FILES = [
    f'<file id="b" name_suffix="_x" output_freq="2h" split_freq="6h" timeseries="both" ts_prefix="made/%file_name%_ts">{FIELDS}</file>',
    f'<file id="o" output_freq="2h" timeseries="only" ts_prefix="lone/each" format="cdf5">{FIELDS}</file>',
    f'<file id="e" output_freq="2h" timeseries="exclusive" format="netcdf4_classic">{FIELDS}</file>',
    f'<file id="n" output_freq="2h" timeseries="none" ts_prefix="not_used">{FIELDS}</file>',
    f'<file id="d" name="made/from_%start_date%_to_%end_date%" output_freq="2h" split_freq="4h" split_freq_format="%mo-%dT%h" '
    f'split_start_offset="1h" split_end_offset="0s" split_last_date="2000-01-01 10:00:00" par_access="independent">{FIELDS}</file>',
    f'<file id="w" name="whole%start_date%%end_date%" name_suffix="_of" output_freq="2h" par_access="collective">{FIELDS}</file>',
    f'<file id="l" output_freq="2h" record_offset="2">{FIELDS}</file>',
    f'<file id="m" output_freq="2h" record_offset="-4" format="cdf5">{FIELDS}</file>',
]
ALL = ["now", "mean", "top"]
HALVES = {"_2000010100-2000010105": [0, 1, 2], "_2000010106-2000010111": [3, 4, 5]}
THIRDS = {"_2000010100-2000010103": [0, 1], "_2000010104-2000010107": [2, 3], "_2000010108-2000010111": [4, 5]}
WHOLE = {"": [0, 1, 2, 3, 4, 5]}
# Front of the name -> fields, parts.
EXPECTED = {
    "b_x": (ALL, HALVES),
    "made/b_x_ts_now": (["now"], THIRDS),
    "made/b_x_ts_mean": (["mean"], HALVES),
    "lone/each_now": (["now"], THIRDS),
    "lone/each_mean": (["mean"], WHOLE),
    "e": (["top"], WHOLE),
    "e_now": (["now"], THIRDS),
    "e_mean": (["mean"], WHOLE),
    "n": (ALL, WHOLE),
    "made/from_": (ALL, {"01-01T01_to_01-01T04": [0, 1], "01-01T05_to_01-01T08": [2, 3], "01-01T09_to_01-01T10": [4, 5]}),
    "whole_of": (ALL, WHOLE),
    "l": (ALL, {"": [None, None, 0, 1, 2, 3, 4, 5]}),  # nobody writes the first two
    "m": (ALL, {"": [4, 5]}),
}


def check_file(path, fields, records):
    dump = Dump(path)
    gaps = records.count(None)
    for name, shape in dump.shapes.items() if gaps else ():
        if shape[:1] == ["time_counter"]:
            size = len(dump.values[name]) // len(records) * gaps
            is_time = name.startswith("time_")
            assert is_time or all(math.isnan(v) for v in dump.values[name][:size]), f"{name} begins with values"
            dump.values[name] = dump.values[name][size:]
    records = records[gaps:]
    has = [name for name in dump.shapes if name in OPERATION]
    assert has == fields, f"fields {has}"
    for field in fields:
        assert dump.shapes[field] == ["time_counter", "depth", "lat", "lon"], f"{field}({dump.shapes[field]})"
        assert same(dump.values[field], temperatures(OPERATION[field], records, SHAPE)), f"other values of {field}"
    is_centered = fields != ["now"]
    end = [(HOURS_TO_START + 2 * r + 2) * 3600.0 for r in records]
    middle = [seconds - 3600.0 for seconds in end]
    times = {"time_counter": middle if is_centered else end}
    if is_centered:
        times["time_centered"] = middle
    if "now" in fields:
        times["time_instant"] = end
    has = {name for name in dump.shapes if name.startswith("time_") and not name.endswith("_bounds")}
    assert has == set(times), f"times {sorted(has)}"
    for name, values in times.items():
        assert dump.values[name] == values, f"{name} is {dump.values[name]}, not {values}"
    assert same(dump.values["depth"], [5.0, 15.0]), f"depth is {dump.values['depth']}"


def main():
    binaries, mpiexec, processes, servers = sys.argv[1:5]
    settings = sys.argv[5] if len(sys.argv) > 5 else ""
    wrong = 0
    with tempfile.TemporaryDirectory(prefix="epios-series.") as place:
        folder = Path(place)
        (folder / "iodef.xml").write_text(configuration_of(FILES, settings))
        levels, rows, columns = SHAPE
        run_toy(folder, binaries, mpiexec, processes, servers,
                ["--nx", str(columns), "--ny", str(rows), "--nz", str(levels), "--steps", str(STEPS)])
        wanted = {f"{front}{part}.nc": (fields, records)
                  for front, (fields, parts) in EXPECTED.items() for part, records in parts.items()}
        has = {str(path.relative_to(folder)) for path in folder.rglob("*.nc")}
        if has != set(wanted):
            sys.exit(f"FAIL: files that should not be there: {sorted(has - set(wanted))}, missing: {sorted(set(wanted) - has)}")
        for name, (fields, records) in wanted.items():
            try:
                check_file(folder / name, fields, records)
            except (AssertionError, KeyError, ValueError) as error:
                wrong += 1
                print(f"FAIL: {name}: {type(error).__name__} {error}")
    print(f"{len(wanted)} files, {wrong} wrong")
    sys.exit(1 if wrong else 0)


main()
