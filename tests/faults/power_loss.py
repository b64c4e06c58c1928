#!/usr/bin/env python3
"""Asks what a loss of power may leave of the files of a run whose calls disk_recorder.cpp recorded, before any of these calls.

The file system of the model keeps as little as POSIX allows, except that names of a folder change in order, as they do in all that
keep a log:
- What was written to a file, and its length, is there if a sync of the file began behind it and has ended.
- What was done to the names of a folder is there by a sync of this folder. A sync of a file brings no name.
- Of what was written to a file since, any pages of 4096 bytes may be there; of the names of a folder, any first changes.

At some moments, each with the least that may be there, with all of it, and with a part by chance: is what has its final name whole,
and is each record there that was acknowledged or that a journal counts? `epios recover` must make a file of it, and other readers
find the right values. A record counts as acknowledged as soon as the process that has put it into the journal does another thing than
to sync, and a file likewise when its journal has been removed, so that a sync that is missing is not excused by being missing.

usage: power_loss.py RECORD FOLDER WHOLE [options]
       FOLDER   that of the recorded run, as it has left it: RECORD must account for every byte
       --before FOLDER          what it was before, whole as it was
       --forget files|folders   as if they were never synced: then something must be lost
"""
import argparse
import collections
import random
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

PAGE = 4096
OTHERS = {"iodef.xml", "out.txt"}  # not written by processes of the run
JOURNAL = ".part.records"
SHARES = (0.0, 1.0, 0.5)
Change = collections.namedtuple("Change", "at what begin data")


class Lost(Exception):
    """Something that must be there is not."""


class Node:
    def __init__(self):
        self.changes = []
        self.syncs = []  # calls in which one ended and began

    def sure(self, until):
        """The call before which all changes are on the disk if the power goes before call `until`."""
        return max((begin for end, begin in self.syncs if end < until), default=0)


def pages(begin, data):
    at = 0
    while at < len(data):
        end = min(len(data), (begin + at) // PAGE * PAGE + PAGE - begin)
        yield begin + at, data[at:end]
        at = end


class File(Node):
    def content(self, until, share, chance):
        out, sure = bytearray(), self.sure(until)
        for change in self.changes:
            if change.at >= until:
                break
            is_sure = change.at < sure
            if change.what == "write":
                for begin, data in pages(change.begin, change.data):
                    if is_sure or chance.random() < share:
                        out.extend(bytes(max(begin + len(data) - len(out), 0)))
                        out[begin:begin + len(data)] = data
            elif is_sure or chance.random() < share:
                size = max(change.begin, len(out)) if change.what == "reserve" else change.begin
                out[size:] = bytes(max(size - len(out), 0))
        return bytes(out)


class Folder(Node):
    def __init__(self):
        super().__init__()
        self.now = {}

    def change(self, at, names):
        """Of each name, the file or folder that it leads to, or None. All at once."""
        self.changes.append((at, names))
        self.apply(self.now, names)

    @staticmethod
    def apply(to, names):
        to.update(names)
        for name in [name for name, node in names.items() if node is None]:
            del to[name]

    def left(self, until, share, chance):
        """A tree of dictionaries and bytes."""
        sure = self.sure(until)
        done = [(at, names) for at, names in self.changes if at < until]
        later = sum(at >= sure for at, _ in done)
        lost = {0.0: later, 1.0: 0}.get(share, chance.randint(0, later))
        names = {}
        for _, changed in done[:len(done) - lost]:
            names = {name: node for name, node in (names | changed).items() if node is not None}
        return {name: node.left(until, share, chance) if isinstance(node, Folder) else node.content(until, share, chance)
                for name, node in names.items()}


def node_of(tree):
    """Of what was there before the first call."""
    if isinstance(tree, bytes):
        node = File()
        node.changes.append(Change(-1, "write", 0, tree))
        return node
    node = Folder()
    node.change(-1, {name: node_of(each) for name, each in tree.items()})
    return node


class Disk:
    """Takes the calls of a record, one after the other."""

    def __init__(self, top, before, forget):
        self.top, self.forget = str(top), forget
        self.root, self.numbers, self.begun = node_of(before), {}, {}
        self.pending = collections.defaultdict(list)  # of a process: what counts as acknowledged with its next call
        self.acknowledged = []  # (call, name of a file, records, or None: the whole file)

    def find(self, path):
        node = self.root
        for name in path[len(self.top):].split("/")[1:]:
            node = node.now.get(name)
        return node

    def home(self, path):
        above, _, name = path.rpartition("/")
        return self.find(above), name

    def take(self, at, process, what, *words):
        if what not in ("sync", "synced"):
            self.acknowledge(at, process)
        getattr(self, f"take_{what}")(at, process, *words)

    def acknowledge(self, at, process):
        self.acknowledged += [(at, *words) for words in self.pending.pop(process, ())]

    def take_open(self, at, _, number, path):
        folder, name = self.home(path)
        if name not in folder.now:
            folder.change(at, {name: File()})
        self.numbers[number] = folder.now[name]

    def take_mkdir(self, at, _, path):
        folder, name = self.home(path)
        folder.change(at, {name: Folder()})

    def take_unlink(self, at, process, path):
        folder, name = self.home(path)
        folder.change(at, {name: None})
        if name.endswith(JOURNAL):
            self.pending[process].append((name.removesuffix(JOURNAL), None))

    def take_rename(self, at, process, before, after):
        folder, old = self.home(before)
        other, new = self.home(after)
        assert folder is other, "a name that goes to another folder"
        folder.change(at, {new: folder.now[old], old: None})
        if new.endswith(JOURNAL):
            text = folder.now[new].content(at, 1.0, random.Random(0)).decode()
            self.pending[process].append((new.removesuffix(JOURNAL), records_of(text)))

    def take_exchange(self, at, _, one, other):
        folder, name = self.home(one)
        _, second = self.home(other)
        folder.change(at, {name: folder.now[second], second: folder.now[name]})

    def take_write(self, at, _, number, begin, data):
        self.numbers[number].changes.append(Change(at, "write", int(begin), bytes.fromhex(data)))

    def take_size(self, at, _, number, size):
        self.numbers[number].changes.append(Change(at, "size", int(size), None))

    def take_reserve(self, at, _, number, size):
        self.numbers[number].changes.append(Change(at, "reserve", int(size), None))

    def take_sync(self, at, process, token, what):
        node = self.find(what) if what.startswith("/") else self.numbers.get(what)
        self.begun[process, token] = (at, node)

    def take_synced(self, at, process, token):
        begin, node = self.begun.pop((process, token))
        kind = "folders" if isinstance(node, Folder) else "files"
        if node is not None and kind != self.forget:
            node.syncs.append((at, begin))


def records_of(journal):
    """Least number that a journal promises of any variable."""
    if not journal.startswith("epios records 1\n"):
        raise Lost(f"the journal is not whole: '{journal}'")
    return min((int(number) for number in re.findall(r"^(\d+) ", journal, re.M)), default=0)


def tree_of(folder):
    """Of what processes of the run have written."""
    return {name: node for name, node in all_of(folder).items() if name not in OTHERS}


def all_of(folder):
    return {path.name: all_of(path) if path.is_dir() else path.read_bytes() for path in Path(folder).iterdir()}


def put(tree, folder):
    for name, content in tree.items():
        if isinstance(content, dict):
            (folder / name).mkdir()
            put(content, folder / name)
        else:
            (folder / name).write_bytes(content)


def without_lock(node):
    return {name: each for name, each in node.items() if name != ".epios.lock"} if isinstance(node, dict) else node


class Checker:
    def __init__(self, options, disk, before, left):
        self.options, self.disk, self.before, self.whole = options, disk, before, left
        self.counts, self.known = collections.Counter(), {}

    def check(self, until, share, chance):
        tree = self.disk.root.left(until, share, chance)
        for name, node in tree.items():
            is_final = name.endswith((".nc", ".zarr"))
            known = [without_lock(of[name]) for of in (self.before, self.whole) if name in of]
            if is_final and without_lock(node) not in known:
                raise Lost(f"{name} has its final name and is not whole")
        wanted = {}
        for at, name, records in self.disk.acknowledged:
            if at <= until:
                wanted[name] = records
        for name, records in wanted.items():
            if name in tree and without_lock(tree[name]) == without_lock(self.whole[name]):
                continue
            if records is None:
                raise Lost(f"{name} is not there, and was complete")
            journal = tree.get(name + JOURNAL)
            if records > 0 and (journal is None or name + ".part" not in tree):
                raise Lost(f"of {name} nothing is there, and {records} records were durable")
            if records > 0 and records_of(journal.decode()) < records:
                raise Lost(f"the journal of {name} has {records_of(journal.decode())} records, {records} were durable")
        for name in self.whole:
            if name + ".part" in tree and name + JOURNAL in tree:
                self.recover(tree, name, records_of(tree[name + JOURNAL].decode()))

    def recover(self, tree, name, records):
        """Values are known of one of the files; its journal counts what was written."""
        if records == 0 or not name.startswith("instant"):
            return
        state = repr(sorted((key, node) for key, node in tree.items() if key.startswith(name)))
        if state not in self.known:
            self.known[state] = self.recovered(tree, name, records)
        self.counts[self.known[state]] += 1

    def recovered(self, tree, name, records):
        """Returns "recovered" or "torn"."""
        with tempfile.TemporaryDirectory(prefix="epios-power.") as place:
            folder = Path(place)
            put({key: node for key, node in tree.items() if key.startswith(name)}, folder)
            made = folder / f"made{Path(name).suffix}"
            run = subprocess.run([self.options.epios, "recover", "--output", made, folder / (name + ".part")], capture_output=True,
                                 text=True, check=False, timeout=60)
            said = run.stdout + run.stderr
            is_torn = "Then its structure is torn" in said or "as HDF5 does over damaged files" in said
            if run.returncode != 0 and self.options.may_be_torn and is_torn:
                return "torn"
            if run.returncode != 0 or f": {records} record" not in said:
                raise Lost(f"{name}: {records} records were durable: {said}")
            if made.suffix == ".nc":
                command = [self.options.check_toy, made, "20", "14", "3", str(2 * records), "start"]
            else:
                command = [sys.executable, "-B", self.options.zarr3, made, Path(self.options.folder) / name, str(records)]
            check = subprocess.run([str(word) for word in command], capture_output=True, text=True, check=False, timeout=60)
            if check.returncode != 0:
                raise Lost(f"{name}: a record that was durable is wrong: {check.stdout}{check.stderr}")
            return "recovered"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("record", type=Path)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--before", type=Path)
    parser.add_argument("--moments", type=int, default=12)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--forget", choices=("files", "folders"))
    parser.add_argument("--may-be-torn", action="store_true")
    for program in ("epios", "check_toy", "zarr3"):
        parser.add_argument(f"--{program}", type=Path, required=True)
    options = parser.parse_args()
    before = tree_of(options.before) if options.before else {}
    disk, calls = Disk(options.folder.resolve(), before, options.forget), 0
    for line in options.record.read_text().splitlines():
        disk.take(calls, *line.split("\t"))
        calls += 1
    for process in list(disk.pending):
        disk.acknowledge(calls, process)
    left = tree_of(options.folder)
    if disk.root.left(calls, 1.0, random.Random(0)) != left:
        sys.exit("FAIL: the record does not account for what the run has left")
    if not any(records for _, _, records in disk.acknowledged):
        sys.exit("FAIL: no record was acknowledged before the end")
    checker, chance = Checker(options, disk, before, left), random.Random(options.seed)
    moments = sorted(chance.sample(range(1, calls), min(options.moments, calls - 1))) + [calls]
    for until in moments:
        for share in SHARES if options.forget is None else SHARES[:1]:
            try:
                checker.check(until, share, chance)
            except Lost as lost:
                if options.forget is not None:
                    print(f"without syncs of {options.forget}, at call {until} of {calls}: {lost}")
                    return
                sys.exit(f"FAIL: seed {options.seed}, power lost before call {until} of {calls}, share {share}: {lost}")
    if options.forget is not None:
        sys.exit(f"FAIL: nobody notices that {options.forget} were not synced")
    print(f"{calls} calls, power lost at {len(SHARES) * len(moments)}: {checker.counts['recovered']} recovered, "
          f"{checker.counts['torn']} torn")


main()
