#!/usr/bin/env python3
"""Asks what a loss of power may leave of the files of a run whose calls disk_recorder.cpp recorded, before any of these calls.

The file system of the model keeps as little as POSIX allows, except that names of a folder change in order, as they do in all that
keep a log:
- What was written to a file, and its length, is there if a sync of the file began behind it and has ended.
- What was done to the names of a folder is there by a sync of this folder. A sync of a file brings no name.
- Of what was written to a file since, any pages of 4096 bytes may be there; of the names of a folder, any first changes.

At some moments, each with the least that may be there, with all of it, and with a part by chance: is what has its final name whole,
and is each record there that was acknowledged or that a journal counts? `epios recover` must make a file of it, and other readers
find the values of the whole one. A record counts as acknowledged as soon as the process that has put it into the journal does another thing than
to sync, and a file likewise when its journal has been removed, so that a sync that is missing is not excused by being missing.

usage: power_loss.py RECORD FOLDER WHOLE [options]
       FOLDER   that of the recorded run, as it has left it: RECORD must account for every byte
       --before FOLDER          what it was before, whole as it was
       --forget data|journals|folders   as if they were never synced: then something must be lost
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

sys.path.insert(0, str(Path(__file__).parent.parent / "integration"))
import zarr3  # noqa: E402  pylint: disable=wrong-import-position

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
    def __init__(self, name=""):
        super().__init__()
        self.kind = "journals" if JOURNAL in name else "data"

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
    kind = "folders"

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
            folder.change(at, {name: File(name)})
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
        if node is not None and node.kind != self.forget:
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


class Values:
    """Of a variable: a list for each record, or one list if it has no records."""

    def __init__(self, lists, has_records):
        self.lists, self.has_records = lists, has_records

    def differs(self, whole, records):
        return self.has_records != whole.has_records or self.lists != (whole.lists[:records] if self.has_records else whole.lists)


def netcdf_values(path):
    text = subprocess.run(["ncdump", "-p", "9,17", path], capture_output=True, text=True, check=True).stdout
    records = int(re.search(r"UNLIMITED ; // \((\d+) currently\)", text).group(1))
    timed = set(re.findall(r"^\t\w+ (\w+)\(time_counter", text, re.M))
    out = {}
    for variable, numbers in re.findall(r"^ (\w+) =\s(.*?) ;$", text[text.index("\ndata:"):], re.M | re.S):
        words = numbers.split(",")
        size = len(words) // records if variable in timed else len(words)
        out[variable] = Values([words[i:i + size] for i in range(0, len(words), size)], variable in timed)
    return out


def array_values(array, dimensions):
    has_records = dimensions[:1] == ["time_counter"]
    return Values([part.tobytes() for part in array] if has_records else [array.tobytes()], has_records)


def zarr3_values(path):
    arrays = zarr3.Store(path).arrays
    return {name: array_values(array.values(), array.node["dimension_names"]) for name, array in arrays.items()}


def zarr2_values(path):
    import zarr  # pylint: disable=import-outside-toplevel
    arrays = zarr.open_consolidated(str(path), mode="r").arrays()
    return {name: array_values(array[...], array.attrs["_ARRAY_DIMENSIONS"]) for name, array in arrays}


class Checker:
    def __init__(self, options, disk, before, left):
        self.options, self.disk, self.before, self.whole = options, disk, before, left
        self.counts, self.known, self.wholes = collections.Counter(), {}, {}

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
        if records == 0:
            return
        state = repr((name, sorted((key, node) for key, node in tree.items() if key.startswith(name))))
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
            reader = netcdf_values if made.suffix == ".nc" else zarr3_values if (made / "zarr.json").exists() else zarr2_values
            if name not in self.wholes:
                self.wholes[name] = reader(self.options.folder / name)
            own, whole = reader(made), self.wholes[name]
            wrong = sorted(variable for variable in own.keys() | whole.keys()
                           if variable not in own or variable not in whole or own[variable].differs(whole[variable], records))
            if wrong:
                raise Lost(f"{name}: a record that was durable is wrong: {', '.join(wrong)}")
            return "recovered"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("record", type=Path)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--before", type=Path)
    parser.add_argument("--moments", type=int, default=12)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--forget", choices=("data", "journals", "folders"))
    parser.add_argument("--may-be-torn", action="store_true")
    parser.add_argument("--epios", type=Path, required=True)
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
