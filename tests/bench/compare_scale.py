#!/usr/bin/env python3
"""Compares the times that `epios scale` expects with those of runs of 4 to 64 endpoints, and prints them as a table in Markdown.

usage: compare_scale.py <build folder> [--repetitions 5] [--folder /dev/shm] [--quick]
       --quick: one run of the smallest job, to see that everything works

Clients are threads, and all ranks share the processors of this machine (--processors). Opening: seconds from closed definitions to open
channels, of the mean client, from reports (opening_s). Records: seconds in which the busiest server received, or wrote, a record of each
field, whichever is more; expected from the rates that the runs of the smallest job have shown, and the rate at which this machine hands out
memory. Jobs run in turn, so that all find the same
machine; times are medians, and so is the load (of the minute before each run: what these runs themselves leave is in it). Ends with status 1
if a time differs by more than 25 %.
"""
import argparse
import json
import mmap
import os
import re
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

SOURCE = Path(__file__).resolve().parent.parent / "integration"
# Clients, processes of them, servers, clients side by side.
JOBS = [(2, 2, 2, 1), (12, 2, 4, 4), (29, 1, 3, 5), (62, 2, 2, 8)]
SIZE = dict(nx=480, ny=256, nz=10)
RECORDS = 6  # of each field
TOLERANCE = 1.25


def run(folder, command, **environment):
    done = subprocess.run([str(word) for word in command], cwd=folder, capture_output=True, text=True, check=False,
                          env={**os.environ, **environment})
    if done.returncode != 0:
        sys.exit(f"compare_scale: {' '.join(map(str, command))}\n{done.stdout}{done.stderr}")
    return done.stdout


def configuration(folder):
    """All fields have as many records, no mask, and files that all servers share."""
    text = (SOURCE / "toy.xml").read_text()
    text = text.replace("<!--settings-->", '<variable id="shared_record_bytes">0</variable>')
    text = re.sub(r'output_freq="[0-9]h"', 'output_freq="4h"', text).replace('domain_ref="d_masked"', 'domain_ref="d"')
    (folder / "iodef.xml").write_text(text)


def measured(binaries, folder, job):
    """The report of one run."""
    clients, processes, servers, columns = job
    for file in folder.glob("*.nc"):
        file.unlink()
    words = [word for name, value in SIZE.items() for word in (f"--{name}", value)]
    run(folder, ["mpiexec", "-n", processes, binaries / "toy_model", "--threads", clients // processes, "--columns", columns, "--halo", 0,
                 "--steps", 4 * RECORDS, *words, ":", "-n", servers, binaries / "epios_server"],
        EPIOS_REPORT=str(folder / "run.json"))
    return json.loads((folder / "run_toy.json").read_text())


def page_rate():
    """MB/s at which a processor of this machine first writes to memory, page by page."""
    bytes_in_all = 32 << 20
    with mmap.mmap(-1, bytes_in_all) as memory:
        start = time.thread_time()
        for place in range(0, bytes_in_all, mmap.PAGESIZE):
            memory[place] = 1
        return bytes_in_all / (time.thread_time() - start) / 1e6


def expected(binaries, folder, job, rates):
    clients, processes, servers, columns = job
    sizes = [f"domain:d.ni_glo={SIZE['nx']}", f"domain:d.nj_glo={SIZE['ny']}", f"axis:levels.n_glo={SIZE['nz']}"]
    answer = run(folder, [binaries / "epios", "scale", "iodef.xml", "--context", "toy", "--clients", clients, "--servers", servers,
                          "--columns", columns, "--threads", clients // processes, "--processors", os.cpu_count(), "--json", *rates,
                          *[word for size in sizes for word in ("--set", size)]])
    return json.loads(answer)["jobs"][0]


def busiest_s(report):
    """Seconds of the busiest thread of a server for a record of each field."""
    return max(max(server["busy_s"], server["writing_s"]) for server in report["servers"]) / RECORDS


def rates_of(reports):
    """MB/s at which one server received and wrote, as options."""
    def written(report):
        return sum(file["bytes"] for context in report["contexts"] for file in context["files"])

    def rate(bytes_of, seconds):
        return statistics.median(bytes_of(report) / sum(server[seconds] for server in report["servers"]) for report in reports) / 1e6

    return ["--disk-rate", rate(written, "writing_s"), "--memory-rate", rate(lambda report: report["bytes_sent"], "busy_s")]


def main():
    arguments = argparse.ArgumentParser(usage=__doc__)
    arguments.add_argument("build", type=Path)
    arguments.add_argument("--repetitions", type=int, default=5)
    arguments.add_argument("--folder", default="/dev/shm")
    arguments.add_argument("--quick", action="store_true")
    options = arguments.parse_args()
    binaries = options.build.resolve() / "tests/integration"
    jobs, repetitions = (JOBS[:1], 1) if options.quick else (JOBS, options.repetitions)
    reports = {job: [] for job in jobs}
    loads = {job: [] for job in jobs}
    worst = 1.0
    with tempfile.TemporaryDirectory(prefix="epios-scale.", dir=options.folder) as name:
        folder = Path(name)
        configuration(folder)
        for _ in range(repetitions):
            for job in jobs:
                loads[job].append(os.getloadavg()[0])
                reports[job].append(measured(binaries, folder, job))
        rates = rates_of(reports[jobs[0]]) + ["--page-rate", statistics.median(page_rate() for _ in range(3))]
        print(" ".join(f"{word:.0f}" if isinstance(word, float) else word for word in rates) + "\n")
        print("| clients, servers | load | time | in runs | expected | in runs ÷ expected |\n| --- | --- | --- | --- | --- | --- |")
        for job in jobs:
            said = expected(binaries, folder, job, rates)
            for what, found, wanted in (
                ("opening", [report["opening_s"]["sum"] / report["clients"] for report in reports[job]], said["opening_s"]),
                ("a record of each field, busiest server", [busiest_s(report) for report in reports[job]], said["server_s"]),
            ):
                middle = statistics.median(found)
                worst = max(worst, wanted / middle, middle / wanted)
                print(f"| {job[0]}, {job[2]} | {statistics.median(loads[job]):.1f} | {what} | {1e3 * middle:.3g} ms "
                      f"({1e3 * min(found):.3g} to {1e3 * max(found):.3g}) | {1e3 * wanted:.3g} ms | {middle / wanted:.2f} |")
    if not options.quick and worst > TOLERANCE:
        sys.exit(1)


main()
