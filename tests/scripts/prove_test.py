#!/usr/bin/env python3
"""scripts/prove goes on from its log, adds up what the sweeps say, and fails where one fails.

usage: prove_test.py <scripts/prove>
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
loader = importlib.machinery.SourceFileLoader("prove", sys.argv[1])
prove = importlib.util.module_from_spec(importlib.util.spec_from_loader("prove", loader))
loader.exec_module(prove)

FAKE = """#!/bin/sh
case "$*" in
  *--show-only*)
    for test in kill_calls_a kill_random_b kill_server run_x kill_random_mute power_loss_c; do
      tests="$tests, {\\"name\\": \\"$test\\", \\"command\\": [\\"$0\\", \\"$test\\", \\"two words\\"],
        \\"properties\\": [{\\"name\\": \\"ENVIRONMENT\\", \\"value\\": [\\"OWN=x=y\\", \\"EPIOS_KILL_TRIES=4\\"]}]}"
    done
    echo "{\\"tests\\": [${tests#, }]}" ;;
  "kill_calls_a two words")
    [ "$OWN" = "x=y" ] && [ "$EPIOS_KILL_TRIES" = 40 ] && echo "120 calls, killed at 14: 9 recovered, 2 torn and refused"
    [ "$EPIOS_KILL_SEED" != "$BAD_SEED" ] ;;
  *kill_random_mute*) echo "skipped: nobody may kill here"; exit 77 ;;
  *kill_random_b*) echo "8 runs of 2+2 processes, 0.50 s, killed: {'whole': 3, 'recovered': 20, 'torn': 1, 'together': 4}" ;;
  *power_loss_c*) echo "215 calls, power lost at 27: 6 recovered, 1 torn" ;;
esac
"""


def called(*options):
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        sys.argv = ["prove", *options]
        status = prove.main()
    return status, out.getvalue()


with tempfile.TemporaryDirectory() as name:
    folder = Path(name)
    (folder / "ctest").write_text(FAKE)
    (folder / "ctest").chmod(0o755)
    os.environ["PATH"] = f"{folder}:{os.environ['PATH']}"
    os.environ["BAD_SEED"] = "5"
    prove.BUILD, prove.LOG = folder, folder / "log/log.tsv"
    # Without time each call runs one sweep: those that were run least come first.
    for expected in ["kill_calls_a\t1", "kill_random_b\t1", "kill_calls_a\t2", "kill_random_b\t2"]:
        status, said = called("--only", "_[ab]$")
        last = prove.LOG.read_text().splitlines()[-1]
        assert status == 0 and f"\t{expected}\tpassed\t" in last, last
    status, said = called("--table")
    assert status == 0
    assert "| kill_calls_a | 2 | 28 | 18 | 4 | 0 | 0 | 0.00 |" in said, said
    assert "| kill_random_b | 2 | 16 | 40 | 2 | 0 | 0 | 0.00 |" in said, said
    assert "with 0 failures in 44 kills and faults the rate is below 6.8e-02" in said, said
    status, said = called("--only", "power")
    assert status == 0 and "| power_loss_c | 1 | 27 | 6 | 1 | 0 | 0 | 0.00 |" in said, said
    # A sweep that kills nothing proves nothing. The end of a call that was killed is a line cut short.
    status, said = called("--only", "mute")
    assert status == 1 and "| kill_random_mute | 1 | 0 | 0 | 0 | 0 | 1 | 0.00 |" in said and "nothing was killed" in said, said
    prove.LOG.write_bytes(prove.LOG.read_bytes()[:-9])
    status, said = called("--only", "_b$")
    assert status == 0 and "| kill_random_b | 3 | 24 | 60 | 3 | 0 | 0 | 0.00 |" in said and "mute" not in said, said
    # A failure keeps its output and says how to have it again.
    status, said = called("--only", "calls", "--seed", "3")
    assert status == 1 and "kill_calls_a failed: env OWN=x=y EPIOS_KILL_TRIES=40 EPIOS_KILL_SEED=5 " in said, said
    assert "kill_calls_a 'two words'" in said, said
    assert (folder / "log/kill_calls_a.5.txt").exists()
    status, said = called("--table")
    assert status == 1 and "rate is below" not in said, said
    try:
        called("--only", "nothing")
        raise AssertionError("a choice of no sweep is accepted")
    except SystemExit as end:
        assert "no sweeps" in str(end), end
print("prove: the log, the table and a failure are right")
