#!/usr/bin/env python3
"""Compares the layout that `epios advise` names with all others: records a run of the toy model, plays it on each layout, and prints
how long each took, as a table in Markdown.

usage: compare_advice.py <build folder> [--repetitions 5] [--folder /dev/shm] [--only shared] [--quick]
       --folder: where files go; memory unless another is given: what a disk does in the background for one run slows the next
       --only: the runs that have this in their names
       --quick: a tiny run, to see that everything works

Times are those of reports (alive_s), medians. Ends with status 1 if the advised layout takes more than 1.15 times as long as the best.
"""
import argparse
import json
import os
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

SOURCE = Path(__file__).resolve().parent.parent / "integration"
# Name, servers, variables of context xios.
LAYOUTS = [
    ("no servers (attached)", 0, []),
    ("a server in each process", 0, ["servers_per_process=1"]),
    ("1 server", 1, []),
    ("1 server, messages", 1, ["carrier=messages"]),
    ("2 servers", 2, []),
    ("2 servers, messages", 2, ["carrier=messages"]),
]
ADVISED = {0: "no servers (attached)", 1: "1 server", 2: "2 servers"}
TARGET = 1.15


class Workload:
    def __init__(self, name, options, recorded_time, edit=None, variables=()):
        self.name, self.options, self.recorded_time = name, options, recorded_time
        self.edit, self.variables = edit, list(variables)


def workloads(quick):
    if quick:
        return [Workload("tiny", dict(nx=40, ny=30, nz=3, steps=12), False)]
    size = dict(nx=360, ny=180, nz=10, steps=144)
    deflate = (r'<file id="(\w+)"', r'<file id="\1" compression_level="4"')
    return [
        Workload("as the model computed", {**size, "steps": 48}, True),
        Workload("as fast as possible", size, False),
        Workload("as fast as possible, compressed", size, False, edit=deflate),
        Workload("as fast as possible, files shared", size, False, variables=["shared_record_bytes=0"]),
    ]


class Comparison:
    def __init__(self, build, folder, repetitions):
        self.bin = build / "tests/integration"
        self.folder = folder
        self.repetitions = repetitions

    def run(self, command, **environment):
        done = subprocess.run([str(word) for word in command], cwd=self.folder, capture_output=True, text=True, check=False,
                              env={**os.environ, **environment})
        if done.returncode != 0:
            sys.exit(f"compare_advice: {' '.join(map(str, command))}\n{done.stdout}{done.stderr}")
        return done.stdout

    def record(self, work):
        text = (SOURCE / "toy.xml").read_text()
        variables = "".join('<variable id="{}">{}</variable>'.format(*v.split("=")) for v in work.variables)
        text = text.replace("<!--settings-->", variables)
        if work.edit:
            text = re.sub(*work.edit, text)
        (self.folder / "iodef.xml").write_text(text)
        shutil.rmtree(self.folder / "calls", ignore_errors=True)
        options = [word for name, value in work.options.items() for word in (f"--{name}", value)]
        self.run(["mpiexec", "-n", 1, self.bin / "toy_model", *options, ":", "-n", 1, self.bin / "epios_server"],
                 EPIOS_SET="record=calls; record_data=sizes")

    def play(self, work, servers, settings):
        """Seconds of one run on a layout; its report is in report_toy.json."""
        words = [word for setting in settings for word in ("--set", setting)]
        words += ["--recorded-time"] if work.recorded_time else []
        self.run([self.bin / "epios", "replay", "calls", "--folder", "played", "--servers", servers, *words],
                 EPIOS_REPORT=str(self.folder / "report.json"))
        return json.loads((self.folder / "report_toy.json").read_text())["alive_s"]

    def advice(self, work):
        size = work.options
        answer = self.run([self.bin / "epios", "advise", "iodef.xml", "--context", "toy", "--nodes", 1, "--per-node", 2,
                           "--clients", 1, "--duration", f"{size['steps']}h", "--report", "base.json", "--json",
                           "--set", f"domain:d.ni_glo={size['nx']}", "--set", f"domain:d.nj_glo={size['ny']}",
                           "--set", f"domain:d_masked.ni_glo={size['nx']}", "--set", f"domain:d_masked.nj_glo={size['ny']}",
                           "--set", f"axis:levels.n_glo={size['nz']}"])
        return json.loads(answer)

    def compare(self, work):
        self.record(work)
        self.play(work, 1, [])
        shutil.copy(self.folder / "report_toy.json", self.folder / "base.json")
        advice = self.advice(work)
        times = {name: [] for name, _, _ in LAYOUTS}
        # In turn, so that all find the same machine.
        for _ in range(self.repetitions):
            for name, servers, settings in LAYOUTS:
                times[name].append(self.play(work, servers, settings))
        medians = {name: statistics.median(found) for name, found in times.items()}
        advised = ADVISED[advice["advice"]["servers"]]
        expected = {ADVISED[one["servers"]]: one["total_s"] for one in advice["compared"]}
        best = min(medians.values())
        for name, found in times.items():
            mark = " (advised)" if name == advised else ""
            print(f"| {work.name} | {name}{mark} | {medians[name]:.3g} s ({min(found):.3g} to {max(found):.3g}) "
                  f"| {expected[name]:.3g} s |" if name in expected else
                  f"| {work.name} | {name} | {medians[name]:.3g} s ({min(found):.3g} to {max(found):.3g}) | |")
        return medians[advised] / best


def main():
    arguments = argparse.ArgumentParser(usage=__doc__)
    arguments.add_argument("build", type=Path)
    arguments.add_argument("--repetitions", type=int, default=5)
    arguments.add_argument("--folder", default="/dev/shm")
    arguments.add_argument("--only", default="")
    arguments.add_argument("--quick", action="store_true")
    options = arguments.parse_args()
    worst = 0
    print("| run | layout | took | expected |\n| --- | --- | --- | --- |")
    ratios = []
    for work in workloads(options.quick):
        if options.only not in work.name:
            continue
        with tempfile.TemporaryDirectory(prefix="epios-advice.", dir=options.folder) as folder:
            comparison = Comparison(options.build.resolve(), Path(folder), 1 if options.quick else options.repetitions)
            ratio = comparison.compare(work)
        ratios.append(f"{work.name}: advised ÷ best = {ratio:.2f}")
        worst = max(worst, ratio)
    print("\n" + "\n".join(ratios))
    if not options.quick and worst > TARGET:
        sys.exit(1)


main()
