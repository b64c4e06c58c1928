#!/usr/bin/env python3
"""Servers and clients killed in a run that writes files of several writers, of all formats, in parts and as time series, in turn
at random moments and in the middle of a random call that changes a file (kill_at.cpp): the job ends in time and leaves no process,
what has its final name is whole and right, and what is left becomes a file of all records that were durable, each of which is
right. The next run starts. EPIOS_KILLS=<n> kills n runs, from EPIOS_SEED on; with EPIOS_KILL_SEED=<n> in another layout.
EPIOS_PATIENCE_S is the limit of a run.

usage: kill_random_case.py <bin> <mpiexec> <model processes> <servers> [XML variables of context xios]
"""
import functools
import os
import random
import re
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from toy_files import Dump, command_of, configuration_of, same, temperatures

SHAPE = (2, 7, 10)
# Model processes, servers and settings that EPIOS_KILL_SEED goes through: with servers of their own, and without.
SHARED, LEVELS, OWN = (f'<variable id="{name}">{value}</variable>' for name, value in (
    ("shared_record_bytes", "0"), ("using_server2", "true"), ("servers_per_process", "1")))
WITH_SERVERS = [("2", "2", SHARED), ("1", "1", ""), ("1", "3", SHARED), ("2", "2", LEVELS), ("1", "3", LEVELS)]
WITHOUT = [("2", "0", SHARED), ("1", "0", ""), ("3", "0", SHARED), ("2", "0", OWN), ("1", "0", OWN)]
STEPS = 144
PATIENCE_S = float(os.environ.get("EPIOS_PATIENCE_S", "40"))
FIELDS = """
<field field_ref="temp" name="now" operation="instant" prec="8" ts_enabled="true"/>
<field field_ref="temp" name="mean" operation="average" prec="8" ts_enabled="true"/>"""
OPERATION = {"now": "instant", "mean": "average"}
FILES = [f'<file id="{name}" output_freq="2h" sync_freq="4h" {words}>{FIELDS}</file>' for name, words in (
    ("apart", 'type="multiple_file"'),
    ("apart_cdf5", 'type="multiple_file" format="cdf5" writers_per_process="2"'),
    ("apart_deflated", 'type="multiple_file" compression_level="1"'),
    ("apart_series", 'type="multiple_file" timeseries="only" split_freq="4d"'),
    ("parts", 'split_freq="3d"'),
    ("shared_cdf5", 'format="cdf5"'),
)]


class Failure(Exception):
    pass


def expect(condition, what):
    if not condition:
        raise Failure(what)


def processes_in(folder):
    """Of the job, by the links in its own folder that it was started by: clients first."""
    found = []
    for entry in Path("/proc").iterdir():
        if not entry.name.isdigit():
            continue
        try:
            program = (entry / "cmdline").read_bytes().split(b"\0")[0].decode()
        except OSError:
            continue
        if program.startswith(str(folder)):
            found.append((Path(program).name != "toy_model", int(entry.name)))
    return [number for _, number in sorted(found)]


# Before each process of the job: it counts its calls, and the one of the rank dies in one of them.
COUNTED = """export KILL_COUNT="$0/calls.$PMI_RANK" KILL_FOLDER="$0" KILL_AT=0 LD_PRELOAD="$1"
[ "$PMI_RANK" != "$2" ] || KILL_AT=$3
shift 3; exec "$@\""""


class Run:
    def __init__(self, folder, binaries, mpiexec, processes, servers, victim=0, call=0):
        self.folder, self.jobs = folder, int(processes) + int(servers)
        for program in ("toy_model", "epios_server"):
            (folder / program).unlink(missing_ok=True)
            (folder / program).symlink_to(Path(binaries) / program)
        counted = ["bash", "-c", COUNTED, folder, Path(binaries) / "libkill_at.so", victim, call]
        levels, rows, columns = SHAPE
        command = command_of(folder, mpiexec, processes, servers,
                             ["--nx", str(columns), "--ny", str(rows), "--nz", str(levels), "--steps", str(STEPS)], counted)
        self.start = time.monotonic()
        with (folder / "out.txt").open("w") as out:
            self.job = subprocess.Popen(command, cwd=folder, stdout=out, stderr=subprocess.STDOUT)

    def calls(self, rank):
        """Of a run that nobody killed."""
        return int((self.folder / f"calls.{rank}").read_text())

    def kill(self, victim, after_s):
        """Whether there was somebody to kill."""
        while time.monotonic() - self.start < after_s or len(processes_in(self.folder)) < self.jobs:
            if self.job.poll() is not None:
                return False
            time.sleep(0.005)
        try:
            os.kill(processes_in(self.folder)[victim], signal.SIGKILL)
        except (IndexError, ProcessLookupError):
            return False
        return True

    def end(self, limit_s):
        try:
            return self.job.wait(limit_s)
        except subprocess.TimeoutExpired:
            self.job.kill()
            raise Failure(f"the job hangs: {(self.folder / 'out.txt').read_text()}") from None

    def expect_nobody_left(self):
        end = time.monotonic() + 5
        while processes_in(self.folder) and time.monotonic() < end:
            time.sleep(0.02)
        expect(not processes_in(self.folder), f"processes are left: {processes_in(self.folder)}")


def day_of(month, day):
    return {"01": 0, "02": 31}[month] + int(day) - 1


def first_record(name):
    """Of a part of a series, by its dates."""
    found = re.search(r"_2000(\d\d)(\d\d)-2000", name)
    return day_of(found[1], found[2]) * 12 if found else 0


def records_of(name):
    """Of a whole file."""
    found = re.search(r"-2000(\d\d)(\d\d)", name)
    end = min((day_of(found[1], found[2]) + 1) * 12, STEPS // 2) if found else STEPS // 2
    return end - first_record(name)


@functools.lru_cache(maxsize=None)
def wanted_values(operation, record, rows):
    return temperatures(operation, [record], SHAPE, j_range=rows)


def check_values(path, name, records):
    dump = Dump(path)
    has = dump.dimensions["time_counter"]
    expect(has == records, f"{name}: {has} records, not {records}")
    begin = int(dump.attributes.get(":jbegin", 0))
    rows = range(begin, begin + int(dump.attributes.get(":nj", SHAPE[1])))
    for field in [f for f in OPERATION if f in dump.shapes]:
        wanted = [value for record in range(first_record(name), first_record(name) + has)
                  for value in wanted_values(OPERATION[field], record, rows)]
        expect(has == 0 or same(dump.values[field], wanted), f"{name}: a value of {field} is wrong")


def is_torn(said):
    """Of a file of HDF5 that was killed while it flushed; reading may break down over it."""
    return "Then its structure is torn" in said or "as HDF5 does over damaged files" in said


def check_left(part, epios):
    """Returns "recovered" or "torn"."""
    journal = part.with_name(part.name + ".records").read_text()
    durable = [int(n) for n in re.findall(r"^(\d+) (?:now|mean)$", journal, re.M)]
    expect(durable, f"{part.name}: the journal is not whole: {journal}")
    made = part.with_suffix(".made.nc")
    run = subprocess.run([epios, "recover", "--output", made, part], capture_output=True, text=True, check=False, timeout=60)
    text = run.stdout + run.stderr
    if run.returncode != 0:
        expect(is_torn(text) and "cdf5" not in part.name, f"{part.name}: {text}")
        return "torn"
    expect(f"made.nc: {max(durable)} records" in text, f"{part.name}: {durable} were durable: {text}")
    if min(durable) == max(durable) > 0:
        check_values(made, part.name, durable[0])
    made.unlink()
    return "recovered"


def check_set(folder, epios, name):
    """What the writers of one file have left goes together again, with as many records as all have."""
    parts = sorted(folder.glob(f"{name}_[0-9].nc.part"))
    writers = len(list(folder.glob(f"{name}_[0-9].nc*"))) - len(list(folder.glob(f"{name}_[0-9].nc.part.records")))
    journals = [part.with_name(part.name + ".records") for part in parts]
    if not parts or writers != len(parts) or not all(journal.exists() for journal in journals):
        return 0
    durable = [int(n) for journal in journals for n in re.findall(r"^(\d+) (?:now|mean)$", journal.read_text(), re.M)]
    if min(durable, default=0) == 0:
        return 0
    (folder / "made").mkdir(exist_ok=True)
    for part in parts:
        run = subprocess.run([epios, "recover", "--records", str(min(durable)), "--output", folder / "made" / part.stem, part],
                             capture_output=True, text=True, check=False, timeout=60)
        if run.returncode != 0:
            expect(is_torn(run.stderr + run.stdout), f"{part.name}: {run.stdout}{run.stderr}")
            return 0
    run = subprocess.run([epios, "ls", folder / "made" / f"{name}.nc"], capture_output=True, text=True, check=False, timeout=60)
    # The other writers may have died before they had any file: then there are none of theirs.
    incomplete = "is not there" in run.stderr
    expect(incomplete or f", {min(durable)} record" in run.stdout, f"{name}: {run.stdout}{run.stderr}")
    expect(incomplete or f"lat_d={SHAPE[1]}" in run.stdout or f"lat={SHAPE[1]}" in run.stdout, f"{name}: {run.stdout}")
    return 0 if incomplete else 1


def check_run(folder, epios, counts):
    out = (folder / "out.txt").read_text()
    parts = sorted(folder.glob("*.nc.part"))
    for path in sorted(folder.glob("*.nc")):
        check_values(path, path.name, records_of(path.name))
        counts["whole"] += 1
    for part in parts:
        if part.with_name(part.name + ".records").exists():
            counts[check_left(part, epios)] += 1
    for name in ("apart", "apart_cdf5", "apart_deflated"):
        counts["together"] += check_set(folder, epios, name)
    return parts, out


class Sweep:
    def __init__(self, binaries, mpiexec, processes, servers, settings=""):
        self.job = (binaries, mpiexec, processes, servers)
        self.clients, self.processes = int(processes), int(processes) + int(servers)
        self.configuration = configuration_of(FILES, settings)
        self.epios = Path(binaries) / "epios"
        self.counts = {"whole": 0, "recovered": 0, "torn": 0, "together": 0}
        self.usual_s, self.calls = 0.0, []

    def let_go(self, folder):
        """A run to its end, perhaps from what a killed one has left. How long it takes, and how many calls each process makes."""
        run = Run(folder, *self.job)
        status = run.end(1.5 * PATIENCE_S)
        self.usual_s = time.monotonic() - run.start
        self.calls = [run.calls(rank) for rank in range(self.processes)]
        parts, out = check_run(folder, self.epios, self.counts)
        expect(status == 0 and not parts, f"a run that nobody killed ended with status {status}, left {parts}: {out}")
        expect(self.counts["whole"] > 0, "no files")

    def kill(self, folder, generator):
        """Kills a process in a call, if it makes any, or at a moment. Yields who it is and when, before it is checked."""
        victim = generator.randrange(self.processes)
        who = f"{'client' if victim < self.clients else 'server'} {victim}"
        if self.calls[victim] and generator.random() < 0.5:
            call = generator.randrange(self.calls[victim]) + 1
            yield f"{who} killed in call {call}"
            run, was_killed = Run(folder, *self.job, victim, call), True
        else:
            after_s = generator.uniform(0.0, 1.05) * self.usual_s
            yield f"{who} killed after {after_s:.3f} s"
            run = Run(folder, *self.job)
            was_killed = run.kill(victim, after_s)
        start = time.monotonic()
        status = run.end(PATIENCE_S)
        expect(time.monotonic() - start < 0.375 * PATIENCE_S or not was_killed, "the job kept its user waiting")
        run.expect_nobody_left()
        parts, out = check_run(folder, self.epios, self.counts)
        expect(status == 0 or was_killed, f"a run that nobody killed ended with status {status}: {out}")
        expect(status != 0 or not parts, f"the run ended well and left {[p.name for p in parts]}: {out}")


def main():
    layout = sys.argv[3:6]
    if seeded := os.environ.get("EPIOS_KILL_SEED"):
        layouts = WITH_SERVERS if layout[1] != "0" else WITHOUT
        layout = layouts[int(seeded) % len(layouts)]
    sweep = Sweep(*sys.argv[1:3], *layout)
    seed, tries = int(os.environ.get("EPIOS_SEED", "1")), int(os.environ.get("EPIOS_KILLS", "6"))
    what = "the first run"
    try:
        for number in range(seed - 1, seed + tries):
            with tempfile.TemporaryDirectory(prefix="epios-kills.") as place:
                folder = Path(place)
                (folder / "iodef.xml").write_text(sweep.configuration)
                if number == seed - 1:
                    sweep.let_go(folder)
                    continue
                for what in sweep.kill(folder, random.Random(number)):
                    pass
                if number == seed + tries - 1:
                    what = f"the run behind that of {what}"
                    sweep.let_go(folder)
    except Failure as failure:
        sys.exit(f"FAIL: layout {layout}, seed {number}, {what}: {failure}")
    print(f"{tries} runs of {'+'.join(layout[:2])} processes, {sweep.usual_s:.2f} s, killed: {sweep.counts}")
    if tries >= 8 and sweep.counts["recovered"] == 0:
        sys.exit("FAIL: nothing was recovered")


main()
