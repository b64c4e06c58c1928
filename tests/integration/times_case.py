#!/usr/bin/env python3
"""Fields of all operations side by side in one file, in each mode of time_counter and in two formats: values, times
and their bounds against figures worked out by hand from what XIOS writes (its fields of periods and of instants share
one time counter).

usage: times_case.py <bin> <mpiexec> <model processes> <servers> [XML variables of context xios]
"""
import math
import sys
import tempfile
from fractions import Fraction
from pathlib import Path

from toy_files import Dump, configuration_of, read_cdf5, run_toy, same, temperatures

SHAPE = (2, 7, 10)
FORMATS = ["netcdf4", "cdf5"]
# 3,650 days of 86,400 s from 1990 to 2000, then records of 7,200 s.
INSTANT = [315367200.0, 315374400.0, 315381600.0]
INSTANT_BOUNDS = [315367200.0, 315367200.0, 315374400.0, 315374400.0, 315381600.0, 315381600.0]
CENTERED = [315363600.0, 315370800.0, 315378000.0]
CENTERED_BOUNDS = [315360000.0, 315367200.0, 315367200.0, 315374400.0, 315374400.0, 315381600.0]
# time_counter -> its values, its bounds, whether there is a time_instant, whether there is a time_centered
MODES = {
    "": (CENTERED, CENTERED_BOUNDS, True, True),
    "centered": (CENTERED, CENTERED_BOUNDS, True, True),
    "instant": (INSTANT, INSTANT_BOUNDS, True, True),
    "centered_exclusive": (CENTERED, CENTERED_BOUNDS, True, False),
    "instant_exclusive": (INSTANT, INSTANT_BOUNDS, False, True),
    "exclusive": (CENTERED, CENTERED_BOUNDS, True, False),
    "record": ([0.0, 1.0, 2.0], None, True, True),
    "none": (None, None, True, True),
}
# What the model sends of `index` is 1/2, 1/3 ... 1/7 at the six steps.
INDEX = {
    "instant": [Fraction(1, 3), Fraction(1, 5), Fraction(1, 7)],
    "average": [Fraction(5, 12), Fraction(9, 40), Fraction(13, 84)],
    "accumulate": [Fraction(5, 6), Fraction(9, 20), Fraction(13, 42)],
    "minimum": [Fraction(1, 3), Fraction(1, 5), Fraction(1, 7)],
    "maximum": [Fraction(1, 2), Fraction(1, 4), Fraction(1, 6)],
    "once": [Fraction(1, 2)],
}


def file_of(mode, form):
    fields = "".join(f'<field field_ref="{field}" name="{field}_{operation}" operation="{operation}" prec="8"/>'
                     for operation in INDEX for field in ("index", "temp"))
    words = f' time_counter="{mode}"' if mode else ""
    return f'<file id="{name_of(mode, form)}" output_freq="2h" format="{form}"{words}>{fields}</file>'


def name_of(mode, form):
    return f"{form}_{mode or 'unset'}"


def check_times(dump, mode):
    counter, bounds, has_instant, has_centered = MODES[mode]
    wanted = {}
    if counter:
        wanted["time_counter"] = counter
    if bounds:
        wanted["time_counter_bounds"] = bounds
    if has_instant:
        wanted |= {"time_instant": INSTANT, "time_instant_bounds": INSTANT_BOUNDS}
    if has_centered:
        wanted |= {"time_centered": CENTERED, "time_centered_bounds": CENTERED_BOUNDS}
    has = {name for name in dump.shapes if name.startswith("time_")}
    assert has == set(wanted), f"times {sorted(has)} instead of {sorted(wanted)}"
    assert dump.dimensions["time_counter"] == 3, f"{dump.dimensions['time_counter']} records"
    for name, values in wanted.items():
        assert dump.values[name] == values, f"{name} is {dump.values[name]}, not {values}"
        if name.endswith("_bounds"):
            continue
        attributes = {"long_name": '"Time axis"', "standard_name": '"time"', "calendar": '"noleap"',
                      "units": '"seconds since 1990-01-01 00:00:00"', "time_origin": '"1990-01-01 00:00:00"',
                      "bounds": f'"{name}_bounds"', "axis": '"T"' if name == "time_counter" else None}
        if name == "time_counter" and mode == "record":  # a number is no time
            attributes |= {"long_name": '"Record number"', "standard_name": None, "calendar": None, "units": None,
                           "time_origin": None, "bounds": None}
        for attribute, value in attributes.items():
            found = dump.attributes.get(f"{name}:{attribute}")
            assert found == value, f"{name}:{attribute} is {found}, not {value}"


def check_fields(dump, mode):
    _, _, has_instant, has_centered = MODES[mode]
    for operation, figures in INDEX.items():
        is_once = operation == "once"
        for field, rest in (("index", []), ("temp", ["depth", "lat", "lon"])):
            name = f"{field}_{operation}"
            shape = rest if is_once else ["time_counter"] + rest
            assert dump.shapes[name] == shape, f"{name}({dump.shapes[name]})"
            own = "time_instant" if operation == "instant" else "time_centered"
            is_there = not is_once and (has_instant if operation == "instant" else has_centered)
            found = dump.attributes.get(f"{name}:coordinates")
            assert found == (f'"{own}"' if is_there else None), f"{name}:coordinates is {found}"
        got = dump.values[f"index_{operation}"]
        assert same(got, [float(f) for f in figures], 2e-16), f"index_{operation} is {got}"
        records = [0] if is_once else [0, 1, 2]
        assert same(dump.values[f"temp_{operation}"], temperatures(operation, records, SHAPE)), f"temp_{operation}"


def main():
    binaries, mpiexec, processes, servers = sys.argv[1:5]
    settings = sys.argv[5] if len(sys.argv) > 5 else ""
    cases = [(mode, form) for mode in MODES for form in FORMATS]
    wrong = 0
    with tempfile.TemporaryDirectory(prefix="epios-times.") as place:
        folder = Path(place)
        (folder / "iodef.xml").write_text(configuration_of([file_of(*case) for case in cases], settings))
        levels, rows, columns = SHAPE
        run_toy(folder, binaries, mpiexec, processes, servers,
                ["--nx", str(columns), "--ny", str(rows), "--nz", str(levels), "--steps", "6"])
        for mode, form in cases:
            path = folder / f"{name_of(mode, form)}.nc"
            try:
                dump = Dump(path)
                check_times(dump, mode)
                check_fields(dump, mode)
                for name, values in read_cdf5(path).items() if form == "cdf5" else ():
                    assert all(a == b or (math.isnan(a) and math.isnan(b)) for a, b in zip(values, dump.values[name])), name
            except (AssertionError, KeyError, ValueError) as error:
                wrong += 1
                print(f"FAIL: {path.name}: {type(error).__name__} {error}")
    print(f"{len(cases)} files, {wrong} wrong")
    sys.exit(1 if wrong else 0)


main()
