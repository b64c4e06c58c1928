#!/usr/bin/env python3
"""One run that writes many small files: kinds x formats x time modes x operations x storage, every pair of
them at least once. Each is read back by ncdump, those of format cdf5 also by a reader of their bytes that is
no netCDF, and all by python3-netcdf4 where that is installed; values, times and which variables there are
must be what the attributes say.

usage: matrix_case.py <bin> <mpiexec> <model processes> <servers> <seed> [XML variables of context xios]
"""
import itertools
import random
import re
import subprocess
import sys
import tempfile
from pathlib import Path

from toy_files import Dump, HOURS_TO_START, configuration_of, read_cdf5, run_toy, same, temperature

NX, NY, NZ, STEPS = 10, 7, 2, 12
CHOICES = {
    "type": ["one_file", "multiple_file"],
    "format": ["netcdf4", "netcdf4_classic", "cdf5"],
    "time_counter": ["", "centered", "instant", "centered_exclusive", "instant_exclusive", "exclusive", "record", "none"],
    "time_units": ["seconds", "days"],
    "operation": ["instant", "average", "maximum", "minimum", "accumulate", "once"],
    "storage": ["double", "packed"],
    "split_freq": ["", "4h"],
    "timeseries": ["none", "only"],
    "writers_per_process": ["1", "2"],
    "par_access": ["", "collective", "independent"],
}


def is_possible(row):
    return row.get("writers_per_process", "1") == "1" or row.get("format", "cdf5") == "cdf5"


def rows_of(generator):
    """Rows so that every pair of choices that can be together is in one: greedy, the best of some tries."""
    names = list(CHOICES)
    left = {((a, x), (b, y)) for a, b in itertools.combinations(names, 2) for x in CHOICES[a] for y in CHOICES[b]
            if is_possible({a: x, b: y})}
    rows = []
    while left:
        best, best_pairs = None, set()
        must = generator.choice(sorted(left))
        for _ in range(30):
            row = {name: generator.choice(CHOICES[name]) for name in names}
            row.update(dict(must))
            if not is_possible(row):
                row["writers_per_process" if must[1][0] != "writers_per_process" else "format"] = \
                    "1" if must[1][0] != "writers_per_process" else "cdf5"
            if not is_possible(row):
                continue
            pairs = {p for p in left if all(row[n] == v for n, v in p)}
            if best is None or len(pairs) > len(best_pairs):
                best, best_pairs = row, pairs
        if best is not None:
            rows.append(best)
        left -= best_pairs
    return rows


def configuration(rows, settings):
    files = []
    for number, row in enumerate(rows):
        words = " ".join(f'{n}="{row[n]}"' for n in ("type", "format", "time_counter", "time_units", "split_freq", "timeseries",
                                                    "par_access")
                         if row[n])
        if row["format"] == "cdf5":
            words += f' writers_per_process="{row["writers_per_process"]}"'
        how = 'prec="2" scale_factor="0.001" add_offset="15"' if row["storage"] == "packed" else 'prec="8"'
        if row["operation"] == "accumulate":
            how = how.replace("15", "30")
        files.append(f'<file id="m{number:02}" output_freq="2h" {words}>'
                     f'<field field_ref="temp" operation="{row["operation"]}" ts_enabled="true" {how}/></file>')
    return configuration_of(files, settings)


def expected(row, records, j_range, i_range):
    reduce = {"instant": lambda a, b: b, "average": lambda a, b: (a + b) / 2.0, "maximum": max, "minimum": min,
              "accumulate": lambda a, b: a + b, "once": lambda a, b: a}[row["operation"]]
    out = []
    for record in records:
        for k in range(NZ):
            for j in j_range:
                for i in i_range:
                    value = reduce(temperature(i, j, k, 2 * record + 1), temperature(i, j, k, 2 * record + 2))
                    if row["storage"] == "packed":
                        value = float(round((value - (30 if row["operation"] == "accumulate" else 15)) / 0.001))
                    out.append(value)
    return out


def times(row, records):
    """Variable -> values."""
    if row["operation"] == "once":
        return {}
    is_centered = row["operation"] != "instant"
    unit = 3600.0 if row["time_units"] == "seconds" else 1 / 24
    bounds = [((HOURS_TO_START + 2 * r) * unit, (HOURS_TO_START + 2 * r + 2) * unit) for r in records]
    its_bounds = bounds if is_centered else [(b[1], b[1]) for b in bounds]
    its = [(b[0] + b[1]) / 2 for b in its_bounds]
    mode = row["time_counter"]
    out = {}

    def add(name):
        out[name] = its
        out[name + "_bounds"] = [v for b in its_bounds for v in b]

    if is_centered and mode not in ("centered_exclusive", "exclusive"):
        add("time_centered")
    if not is_centered and mode not in ("instant_exclusive", "exclusive"):
        add("time_instant")
    if mode in ("", "exclusive") or (mode.startswith("centered") and is_centered) or \
            (mode.startswith("instant") and not is_centered):
        add("time_counter")
    if mode == "record":
        out["time_counter"] = [float(n) for n in range(len(records))]
    return out


def check_file(path, row, records):
    dump = Dump(path)
    kind = subprocess.run(["ncdump", "-k", str(path)], check=True, capture_output=True, text=True).stdout.strip()
    wanted_kind = {"netcdf4": "netCDF-4", "netcdf4_classic": "netCDF-4 classic model", "cdf5": "cdf5"}[row["format"]]
    assert kind == wanted_kind, f"it is {kind}"
    j_range, i_range = range(NY), range(NX)
    if ":jbegin" in dump.attributes:
        begin, size = int(dump.attributes[":jbegin"]), int(dump.attributes[":nj"])
        j_range = range(begin, begin + size)
        begin, size = int(dump.attributes[":ibegin"]), int(dump.attributes[":ni"])
        i_range = range(begin, begin + size)
    is_once = row["operation"] == "once"
    wanted = {"temp": expected(row, [0] if is_once else records, j_range, i_range)}
    assert ("time_counter" in dump.shapes["temp"]) == (not is_once), f"dimensions {dump.shapes['temp']}"
    assert same(dump.values["temp"], wanted["temp"]), "other values of temp"
    wanted_times = times(row, records)
    has = {n for n in dump.shapes if n.startswith("time_")}
    assert has == set(wanted_times), f"times {sorted(has)} instead of {sorted(wanted_times)}"
    for name, values in wanted_times.items():
        assert same(dump.values[name], values, 1e-9), f"{name} is {dump.values[name]}, not {values}"
    others = [read_cdf5(path)] if row["format"] == "cdf5" else []
    try:
        import netCDF4  # pylint: disable=import-outside-toplevel
        with netCDF4.Dataset(path) as file:
            file.set_auto_maskandscale(False)
            others.append({n: [float(x) for x in v[:].ravel()] for n, v in file.variables.items() if v.dtype != "S1"})
    except ModuleNotFoundError:
        pass
    for other in others:
        for name, values in other.items():
            assert same(values, dump.values[name]), f"{name} differs between two readers"
    return len(j_range) * len(i_range)


def check_row(number, row, folder):
    """Parts in time, and of each the files of its writers."""
    name = f"m{number:02}" + ("_temp" if row["timeseries"] == "only" else "")
    shape = re.compile(rf"{name}(_\d+-\d+)?(_\d+)?\.nc")
    parts = {}
    for path in sorted(folder.iterdir()):
        if found := shape.fullmatch(path.name):
            parts.setdefault(found[1] or "", []).append(path)
    is_cut = row["split_freq"] != "" and row["operation"] != "once"
    if row["operation"] == "once":
        lengths = [6] * len(parts)
    else:
        lengths = [2] * 3 if is_cut else [6]
    assert len(parts) == len(lengths) and parts, f"parts {sorted(parts)}"
    first = 0
    for part, length in zip(sorted(parts), lengths):
        points = sum(check_file(path, row, list(range(first, first + length))) for path in parts[part])
        assert points == NX * NY, f"part '{part}' has {points} points of a level"
        first += length


def main():
    binaries, mpiexec, processes, servers, seed = Path(sys.argv[1]), sys.argv[2], *sys.argv[3:6]
    settings = sys.argv[6] if len(sys.argv) > 6 else ""
    rows = rows_of(random.Random(int(seed)))
    with tempfile.TemporaryDirectory(prefix="epios-matrix.") as folder:
        (Path(folder) / "iodef.xml").write_text(configuration(rows, settings))
        run_toy(folder, binaries, mpiexec, processes, servers,
                ["--nx", str(NX), "--ny", str(NY), "--nz", str(NZ), "--steps", str(STEPS)])
        wrong = 0
        for n, row in enumerate(rows):
            try:
                check_row(n, row, Path(folder))
            except (AssertionError, KeyError, ValueError, subprocess.CalledProcessError) as error:
                wrong += 1
                print(f"FAIL: m{n:02} {row}: {type(error).__name__} {error}")
    print(f"{len(rows)} files of all pairs of choices, {wrong} wrong")
    sys.exit(1 if wrong else 0)


main()
