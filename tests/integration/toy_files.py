"""Files of the toy model, for cases in Python: its runs, and readers that know nothing of EPIOS."""
import math
import re
import struct
import subprocess
from pathlib import Path

HOURS_TO_START = 10 * 365 * 24  # from time_origin, without leap days


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


def same(got, wanted, tolerance=0.0):
    return len(got) == len(wanted) and all(abs(a - b) <= tolerance for a, b in zip(got, wanted))


def command_of(binaries, mpiexec, processes, servers, options, prefix=()):
    """Of a whole job, as a list. The prefix stands before each program."""
    command = [mpiexec, "-n", processes, *prefix, Path(binaries) / "toy_model", *options]
    if str(servers) != "0":
        command += [":", "-n", servers, *prefix, Path(binaries) / "epios_server"]
    return [str(word) for word in command]


def reduced(operation, samples):
    """What a file holds of the values of one point."""
    total = samples[0]
    for sample in samples[1:]:
        total += sample
    return {"instant": samples[-1], "average": total / len(samples), "maximum": max(samples), "minimum": min(samples),
            "accumulate": total, "once": samples[0]}[operation]


def temperatures(operation, records, shape, period=2, j_range=None):
    """Of the records, of a grid of (levels, rows, columns), in the order of a file."""
    levels, rows, columns = shape
    return [reduced(operation, [temperature(i, j, k, step) for step in range(period * r + 1, period * (r + 1) + 1)])
            for r in records for k in range(levels) for j in j_range or range(rows) for i in range(columns)]


def configuration_of(files, settings=""):
    """The toy model's XML with these <file> elements."""
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


def run_toy(folder, binaries, mpiexec, processes, servers, options):
    """To its end, which must be a good one that leaves nothing half done."""
    command = command_of(binaries, mpiexec, processes, servers, options)
    run = subprocess.run(command, cwd=folder, timeout=60, capture_output=True, text=True, check=False)
    if run.returncode != 0:
        raise SystemExit(f"FAIL: the job ended with status {run.returncode}\n{run.stdout}{run.stderr}")
    left = [str(path) for path in Path(folder).rglob("*.part*")]
    if left:
        raise SystemExit(f"FAIL: left behind: {left}")
    return run.stdout + run.stderr
