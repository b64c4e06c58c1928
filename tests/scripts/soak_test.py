#!/usr/bin/env python3
"""scripts/soak lets two small jobs run, one behind the other, and fails where something is left or lost; slopes are those of lines.

usage: soak_test.py <scripts/soak> <folder of toy_model and epios_server> <mpiexec>
"""
import contextlib
import importlib.machinery
import importlib.util
import io
import os
import sys
import tempfile
from pathlib import Path

sys.dont_write_bytecode = True
loader = importlib.machinery.SourceFileLoader("soak", sys.argv[1])
soak = importlib.util.module_from_spec(importlib.util.spec_from_loader("soak", loader))
loader.exec_module(soak)
programs = sys.argv[2]
os.environ["EPIOS_MPIEXEC"] = sys.argv[3]


def called(*options):
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        sys.argv = ["soak", *options]
        status = soak.main()
    return status, out.getvalue()


rise, error = soak.slope([(x, 3 * x + 5) for x in range(10)])
assert abs(rise - 3) < 1e-9 and error < 1e-6, (rise, error)
rise, error = soak.slope([(x, x % 2) for x in range(100)])
assert abs(rise) < 3 * error, (rise, error)
# What grows within each year and goes with its file is no leak; what is left of each year is one.
sample = {kind: 5 for kind in soak.KINDS}
saw = [sample | {"files": year, "server_kb": 100 * part + 3 * year, "client_kb": 100 * part} for year in range(9) for part in range(7)]
found = soak.slopes(saw)
assert abs(found["server_kb"][0] - 3e6 / 8760) < 1e-6 and found["client_kb"] == (0.0, 0.0), found
assert soak.slopes(saw[:7 * 6]) is None, "three whole years are too few"
assert soak.date_of(0) == "2000-01-01 00:00:00"
assert soak.date_of(31 * 24 + 5) == "2000-02-01 05:00:00"
assert soak.date_of(8760 * 3 - 1) == "2002-12-31 23:00:00"
assert len({soak.layout_text(soak.drawn(1, piece)) for piece in range(60)}) > 20

with tempfile.TemporaryDirectory() as name:
    soak.STEPS_OF_A_SECOND = 24  # two days each
    options = ("--bin", programs, "--folder", name, "--piece-minutes", "0.03")
    status, text = called(*options, "--pieces", "1", "--seed", "3")
    assert status == 0, text
    status, text = called(*options, "--pieces", "1", "--seed", "3")
    assert status == 0 and text.startswith("2 pieces, 0 failed"), text
    # Both of them are in the files.
    records = soak.records_in(Path(name) / "run")
    steps = sum(int(line.steps) for line in soak.logged())
    assert records["instant"] == steps // 2 and records["surface"] == steps // 3, (records, steps)
    # What is lost is seen: a file of the piece before is gone.
    for path in (Path(name) / "run").glob("means_*.nc"):
        path.unlink()
    status, text = called(*options, "--pieces", "1", "--seed", "3")
    assert status == 0, text  # a part that is not there is begun anew
    (Path(name) / "run" / "left.part").touch()
    soak.members = lambda folder: {}
    try:
        soak.check(Path(name) / "run", 0, 48, set(), {})
    except soak.Failed as problem:
        assert "left.part" in str(problem), problem
    else:
        raise AssertionError("a .part that is left is not seen")
