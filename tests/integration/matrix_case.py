#!/usr/bin/env python3
"""One run that writes many small files: kinds x formats x time modes x operations x storage, every pair of
them at least once. Each is read back by ncdump, those of format cdf5 also by a reader of their bytes that is
no netCDF, and all by python3-netcdf4 where that is installed; values, times and which variables there are
must be what the attributes say.

usage: matrix_case.py <bin> <mpiexec> <model processes> <servers> <seed> [XML variables of context xios]
"""
import itertools
import math
import random
import re
import struct
import subprocess
import sys
import tempfile
from pathlib import Path

NX, NY, NZ, STEPS = 10, 7, 2, 12
HOURS_TO_START = 10 * 365 * 24  # from time_origin, without leap days
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
        words = " ".join(f'{n}="{row[n]}"' for n in ("type", "format", "time_counter", "time_units", "split_freq", "timeseries")
                         if row[n])
        if row["format"] == "cdf5":
            words += f' writers_per_process="{row["writers_per_process"]}"'
        how = 'prec="2" scale_factor="0.001" add_offset="15"' if row["storage"] == "packed" else 'prec="8"'
        if row["operation"] == "accumulate":
            how = how.replace("15", "30")
        files.append(f'<file id="m{number:02}" output_freq="2h" {words}>'
                     f'<field field_ref="temp" operation="{row["operation"]}" ts_enabled="true" {how}/></file>')
    return f"""<simulation>
  <context id="xios"><variable_definition>{settings}</variable_definition></context>
  <context id="toy">
    <calendar type="NoLeap" start_date="2000-01-01 00:00:00" time_origin="1990-01-01" timestep="1h"/>
    <axis_definition><axis id="levels" name="depth" unit="m" prec="8"/></axis_definition>
    <domain_definition><domain id="d" type="rectilinear" prec="8"/><domain id="d_masked" type="rectilinear"/></domain_definition>
    <grid_definition><grid id="volume"><domain domain_ref="d"/><axis axis_ref="levels"/></grid></grid_definition>
    <scalar_definition><scalar id="one"/></scalar_definition>
    <field_definition>
      <field id="temp" grid_ref="volume" unit="degC"/><field id="surface" domain_ref="d_masked"/>
      <field id="index" scalar_ref="one"/><field id="profile" axis_ref="levels"/><field id="unused" domain_ref="d"/>
    </field_definition>
    <file_definition>
      {chr(10).join(files)}
    </file_definition>
  </context>
</simulation>
"""


def number(text):
    return math.nan if text.lower().startswith("nan") else float(text.rstrip("fsdL"))


class Dump:
    """A file as ncdump shows it."""

    def __init__(self, path):
        text = subprocess.run(["ncdump", "-p", "9,17", str(path)], check=True, capture_output=True, text=True).stdout
        head, data = text.split("\ndata:\n")
        self.dimensions = {m[1]: int(m[2] or m[3])
                           for m in re.finditer(r"^\t(\w+) = (?:UNLIMITED ; // \((\d+) currently\)|(\d+) ;)", head, re.M)}
        self.shapes = {m[1]: [d for d in (m[2] or "").split(", ") if d]
                       for m in re.finditer(r"^\t(?:double|float|short|int|int64|char) (\w+)(?:\((.*)\))? ;", head, re.M)}
        self.attributes = {m[1]: m[2] for m in re.finditer(r"^\t\t(\w*:\w+) = (.*) ;", head, re.M)}
        self.values = {}
        for m in re.finditer(r"^ (\w+) =([^;]*);", data, re.M):
            self.values[m[1]] = [math.nan if v.strip() == "_" else number(v.strip()) for v in m[2].split(",")]


def read_cdf5(path):
    """Values of all variables of a CDF-5 file, from its bytes."""
    data = path.read_bytes()
    assert data[:4] == b"CDF\x05", "no CDF-5 file"
    at = 4
    sizes = {1: 1, 2: 1, 3: 2, 4: 4, 5: 4, 6: 8, 10: 8}

    def take(form):
        nonlocal at
        value = struct.unpack_from(">" + form, data, at)[0]
        at += struct.calcsize(form)
        return value

    def name():
        nonlocal at
        length = take("q")
        value = data[at:at + length].decode()
        at += (length + 3) // 4 * 4
        return value

    def attributes():
        nonlocal at
        take("i")
        for _ in range(take("q")):
            name()
            size = sizes[take("i")]
            count = take("q")
            at += (count * size + 3) // 4 * 4

    records = take("q")
    take("i")
    lengths = []
    for _ in range(take("q")):
        name()
        lengths.append(take("q"))
    attributes()
    take("i")
    variables = []
    for _ in range(take("q")):
        its_name = name()
        ids = [take("q") for _ in range(take("q"))]
        attributes()
        kind = take("i")
        size = take("q")
        variables.append((its_name, ids, kind, size, take("q")))
    timed = [v for v in variables if v[1] and lengths[v[1][0]] == 0]
    step = sum(v[3] for v in timed)
    if len(timed) == 1:
        step = sizes[timed[0][2]] * math.prod(lengths[d] for d in timed[0][1][1:])
    out = {}
    for its_name, ids, kind, _, begin in variables:
        form = {3: "h", 4: "i", 5: "f", 6: "d", 10: "q"}.get(kind)
        if form is None:
            continue
        has_records = bool(ids) and lengths[ids[0]] == 0
        count = math.prod(lengths[d] for d in (ids[1:] if has_records else ids))
        out[its_name] = []
        for record in range(records if has_records else 1):
            out[its_name] += struct.unpack_from(f">{count}{form}", data, begin + record * step)
    return out


def temperature(i, j, k, step):
    x = float(i * 7919 + j * 104729 + k * 1299709)
    return 15.0 + 10.0 * math.sin(x * 0.001 + 0.37 * float(step))


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


def same(got, wanted, tolerance=0.0):
    return len(got) == len(wanted) and all(abs(a - b) <= tolerance for a, b in zip(got, wanted))


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
        command = [mpiexec, "-n", processes, binaries / "toy_model", "--nx", str(NX), "--ny", str(NY), "--nz", str(NZ),
                   "--steps", str(STEPS)]
        if servers != "0":
            command += [":", "-n", servers, binaries / "epios_server"]
        run = subprocess.run([str(w) for w in command], cwd=folder, timeout=60, capture_output=True, text=True, check=False)
        if run.returncode != 0:
            sys.exit(f"FAIL: the job ended with status {run.returncode}\n{run.stdout}{run.stderr}")
        wrong = 0
        for n, row in enumerate(rows):
            try:
                check_row(n, row, Path(folder))
            except (AssertionError, KeyError, ValueError, subprocess.CalledProcessError) as error:
                wrong += 1
                print(f"FAIL: m{n:02} {row}: {type(error).__name__} {error}")
        left = [path.name for path in Path(folder).glob("*.part*")]
        if left:
            sys.exit(f"FAIL: left behind: {left}")
    print(f"{len(rows)} files of all pairs of choices, {wrong} wrong")
    sys.exit(1 if wrong else 0)


main()
