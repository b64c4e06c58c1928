"""No call of `module xios` crashes or hangs, whenever it comes: it works, or ends the job with a text.

Usage: calls_test.py PROGRAM MPIEXEC XML TABLE [--fifth]

With --fifth each call comes in one or two of the states, and each state after a fifth of the calls. TABLE has lines
"call | states | outcome": each call in each of the states (separated by blanks) ends as it says: "works" (and so does what the
program calls after it), or the text of the error. A call without a line for a state of the program is an error of the table.
With EPIOS_WRITE_GOLDEN=1 the table is written instead: look at the difference.
"""
import collections
import concurrent.futures
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

STATES = ["unbegun", "begun", "defining", "closed", "stepping", "finalized", "ended"]


def calls_of(program_source):
    body = program_source.read_text().split("subroutine make")[1]
    return re.findall(r"case \('(\w+)'\)", body)


def outcome_of(program, mpiexec, xml, call, state):
    with tempfile.TemporaryDirectory() as folder:
        shutil.copy(xml, folder + "/iodef.xml")
        run = subprocess.run([mpiexec, "-n", "1", program, state, call], cwd=folder, timeout=60, check=False,
                             stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    lines = [line for line in run.stdout.splitlines() if line]
    errors = [line for line in lines if line.startswith("epios: error: ")]
    warnings = "".join(" warning: " + line.removeprefix("epios: warning: ") for line in lines
                       if line.startswith("epios: warning: ") and "no data at" not in line)
    if run.returncode == 0 and "done" in lines and not errors:
        return "works" + warnings
    if run.returncode == 1 and len(errors) == 1:
        when = "later: " if "done" in lines else ""
        return when + errors[0].removeprefix("epios: error: ")
    return f"exit code {run.returncode}: " + " / ".join(lines)


def read_table(table):
    """The outcome of each case."""
    outcomes = {}
    for line in pathlib.Path(table).read_text().splitlines():
        call, states, outcome = line.split(" | ", 2)
        outcomes.update({(call, state): outcome for state in states.split()})
    return outcomes


def main():
    program, mpiexec, xml, table = sys.argv[1:5]
    step = 5 if sys.argv[5:] == ["--fifth"] else 1
    calls = calls_of(pathlib.Path(__file__).parent / "calls.f90")
    cases = [(call, state) for i, call in enumerate(calls) for state in STATES[i % step::step]]
    with concurrent.futures.ThreadPoolExecutor(len(os.sched_getaffinity(0))) as some_at_once:
        outcomes = some_at_once.map(lambda case: outcome_of(program, mpiexec, xml, *case), cases)
        found = dict(zip(cases, outcomes))
    if os.environ.get("EPIOS_WRITE_GOLDEN") == "1" and step == 1:
        lines = []
        for call in calls:
            states = collections.defaultdict(list)
            for state in STATES:
                states[found[call, state]].append(state)
            lines += [f"{call} | {' '.join(names)} | {outcome}" for outcome, names in states.items()]
        pathlib.Path(table).write_text("\n".join(lines) + "\n")
        return 0
    expected = read_table(table)
    wrong = [case for case in cases if found[case] != expected.get(case)]
    for case in wrong:
        print(*case, "\nexpected:", expected.get(case), "\nfound:   ", found[case])
    unknown = sorted(expected.keys() - found.keys()) if step == 1 else []
    for case in unknown:
        print(*case, "is in the table, but there is no such call")
    return 1 if wrong or unknown else 0


sys.exit(main())
