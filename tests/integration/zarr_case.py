#!/usr/bin/env python3
"""Stores of Zarr beside the NetCDF files of the same run: each <file> of a configuration is there twice, and xarray must open
both to equal datasets, attributes included. Skipped where python3-xarray, python3-netcdf4 or python3-zarr is missing.

`epios diff`, which reads both, must find no difference either. With --append the run goes on in a second one.

usage: zarr_case.py --epios EPIOS [--append] [--words WORDS] [--fields WORDS] <mpiexec> <model processes> <servers> <epios_server> <model> <xml> [options of the model]
  --words WORDS   further attributes of the stores: "compression_level=1 live=true", or "format=zarr3": those are read by zarr3.py
  --fields WORDS  attributes of the fields in them
"""
import argparse
import base64
import copy
import json
import os
import subprocess
import sys
import tempfile
import warnings
import xml.etree.ElementTree as Xml
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
try:
    import netCDF4  # noqa: F401  pylint: disable=unused-import
    import numpy
    import xarray
    import zarr
    import zarr3
except ModuleNotFoundError as missing:
    print(f"skipped: {missing}")
    sys.exit(77)

PREFIX = "zarr_"
# What differs from file to file by its meaning.
OWN_ATTRIBUTES = {"name", "uuid", "timeStamp", "history"}


def words_of(text):
    return dict(word.split("=", 1) for word in (text or "").split())


def without_ids(element):
    for child in element.iter():
        its_id = child.attrib.pop("id", None)
        if child.tag == "variable" and its_id is not None:  # its name in the file
            child.attrib.setdefault("name", its_id)


def add_stores(root, words, field_words, is_continued):
    """Beside each file one of format zarr. Returns how many."""
    count = 0
    parents = [(parent, child) for parent in root.iter() for child in list(parent) if child.tag == "file"]
    for parent, file in parents:
        if file.get("mode", "write") != "write" or file.get("enabled", "true") != "true":
            continue
        if file.get("format", "netcdf4").startswith("netcdf4"):
            file.set("references", "kerchunk")
        store = copy.deepcopy(file)
        its_id, name = file.get("id"), file.get("name", file.get("id"))
        without_ids(store)
        store.set("id", PREFIX + its_id)
        store.set("name", PREFIX + name)
        store.set("format", "zarr")
        for other in ("append", "writers_per_process", "references"):
            store.attrib.pop(other, None)
        store.attrib.update(words)
        if is_continued:
            file.set("append", "true")
            store.set("append", "true")
        for field in store.iter("field"):
            field.attrib.update(field_words)
        parent.append(store)
        count += 1
    return count


def run(arguments, folder):
    command = [arguments.mpiexec, "-n", arguments.processes, arguments.model, *arguments.options]
    if arguments.servers != "0":
        command += [":", "-n", arguments.servers, arguments.server]
    job = subprocess.run(command, cwd=folder, timeout=100, capture_output=True, text=True, check=False,
                         env={**os.environ, "MODEL_SERVERS": arguments.servers})
    assert job.returncode == 0, f"the job ended with status {job.returncode}\n{job.stdout}{job.stderr}"
    left = [str(path) for path in folder.rglob("*") if ".part" in path.name or path.name == ".epios.lock"]
    assert not left, f"left behind: {left}"


def set_start(root, date):
    for context in root.iter("context"):
        for calendar in context.iter("calendar"):
            calendar.set("start_date", date)


def compare_by_epios(epios, store, file):
    """The only difference is the name that each says of itself."""
    job = subprocess.run([epios, "diff", "--attributes", file, store], timeout=60, capture_output=True, text=True, check=False)
    said = [line for line in job.stdout.splitlines() if not line.startswith("attribute 'name' of the file: ")]
    assert not said and job.returncode in (0, 1) and not job.stderr, f"epios diff says {said[:5]} {job.stderr}"


def is_hdf5(file):
    with open(file, "rb") as data:
        return data.read(4) == b"\x89HDF"


def compare_by_references(file):
    """What zarr reads through the references to a NetCDF file is what NetCDF reads."""
    store = {}
    for key, value in json.loads(Path(f"{file}.json").read_text())["refs"].items():
        if isinstance(value, list):
            with open(file, "rb") as data:
                data.seek(value[1])
                store[key] = data.read(value[2])
        else:
            store[key] = base64.b64decode(value[7:]) if value.startswith("base64:") else value.encode()
    with xarray.open_dataset(file, decode_cf=False) as theirs, xarray.open_zarr(store, decode_cf=False, consolidated=False) as ours:
        xarray.testing.assert_equal(ours, theirs)


def same_attributes(ours, theirs, where):
    names, others = set(ours) - OWN_ATTRIBUTES, set(theirs) - OWN_ATTRIBUTES
    assert names == others, f"{where} has {sorted(names)} instead of {sorted(others)}"
    for name in names:
        one, other = numpy.asarray(ours[name]), numpy.asarray(theirs[name])
        assert numpy.array_equal(one, other, equal_nan=one.dtype.kind == other.dtype.kind == "f"), \
            f"{where}:{name} is {ours[name]!r} instead of {theirs[name]!r}"


def opened(store, is_third, **how):
    if not is_third:
        return xarray.open_dataset(store, engine="zarr", consolidated=True, **how)
    data = zarr3.Store(store).dataset()
    return data if how.get("decode_cf") is False else xarray.decode_cf(data, **how)


def compare(store, file, is_third):
    """Opens both as they are, too: decoding could hide a difference."""
    for how in ({"use_cftime": True}, {"decode_cf": False}):
        with xarray.open_dataset(file, **how) as theirs, opened(store, is_third, **how) as ours:
            assert dict(ours.sizes) == dict(theirs.sizes), f"dimensions {ours.sizes} instead of {theirs.sizes}"
            xarray.testing.assert_equal(ours, theirs)
            same_attributes(ours.attrs, theirs.attrs, "the store")
            for name in theirs.variables:
                one, other = ours[name], theirs[name]
                assert one.dims == other.dims and one.dtype == other.dtype, f"{name}{one.dims} is {one.dtype}"
                same_attributes(one.attrs, other.attrs, name)
                assert one.encoding.get("coordinates") == other.encoding.get("coordinates"), f"coordinates of {name}"


def check_documents(store):
    """The consolidated documents are those of the folder, and each array has all of its chunks and no more."""
    consolidated = json.loads((store / ".zmetadata").read_text())["metadata"]
    documents = {str(path.relative_to(store)): json.loads(path.read_text()) for path in store.rglob(".z*")
                 if path.name != ".zmetadata"}
    assert consolidated == documents, "other consolidated documents"
    for path in store.rglob(".zarray"):
        its = json.loads(path.read_text())
        counts = [-(-n // c) for n, c in zip(its["shape"], its["chunks"])]
        wanted = {".".join(map(str, index)) or "0" for index in numpy.ndindex(*counts)}
        found = {chunk.name for chunk in path.parent.iterdir()} - {".zarray", ".zattrs"}
        assert found == wanted, f"{path.parent.name} has the chunks {sorted(found)} instead of {sorted(wanted)}"
    group = zarr.open_consolidated(str(store), mode="r")
    return {name: array for name, array in group.arrays()}


def check_words(arrays, words, field_words):
    """Those fields that have points are compressed as asked; without words, as the model's configuration says."""
    if not words and not field_words:
        return
    level = int(words.get("compression_level", field_words.get("compression_level", "0")))
    fields = [a for a in arrays.values() if "online_operation" in a.attrs and a.ndim > 1]
    for array in fields:
        codec = array.compressor.get_config() if array.compressor else {"id": None}
        wanted = {"gzip": "zlib", "zstd": "zstd", "blosc_lz4": "blosc", "blosc_zstd": "blosc"}[
            field_words.get("compression_type", "gzip")] if level else None
        assert codec["id"] == wanted, f"{array.name} is compressed by {codec}"
        if wanted == "blosc":
            assert codec["cname"] == field_words["compression_type"][len("blosc_"):] and codec["clevel"] == level, f"{codec}"
        if "chunking_records" in field_words and "interval_write" in array.attrs:
            assert array.chunks[0] == int(field_words["chunking_records"]), f"{array.name} has chunks {array.chunks}"


def check_third(store, words, field_words):
    """The files of a store of version 3, and the codecs and shards of its fields."""
    group = zarr3.Store(store)
    group.check_files()
    level = int(words.get("compression_level", "0"))
    kind = field_words.get("compression_type", "gzip")
    for name, array in group.arrays.items():
        if "online_operation" not in array.node["attributes"] or len(array.shape) < 2:
            continue
        names = [codec["name"] for codec in array.codecs]
        assert names[0] == "bytes" and names[-1] == "crc32c", f"{name} has the codecs {names}"
        if level:  # else as the model's configuration says
            assert names[1:-1] == [kind.split("_")[0]], f"{name} has the codecs {names}"
        if array.node["dimension_names"][0] != "time_counter":
            continue
        in_shard = int(field_words.get("sharding_records", "0"))
        assert bool(array.sharding) == bool(in_shard or "sharding_blocksize_target" in field_words), f"{name}: {array.codecs}"
        assert array.chunk[0] == int(field_words.get("chunking_records", array.chunk[0])), f"{name} has chunks {array.chunk}"
        assert in_shard in (0, array.in_file[0]), f"{name} has shards {array.in_file}"
        if "sharding_blocksize_target" in field_words and len(array.shape) > 3:
            assert array.in_file[1:] != array.chunk[1:], f"{name} has one chunk of each time in a shard"


def check_both_days(store, is_third):
    with opened(store, is_third, use_cftime=True) as data:
        name = next((name for name in data.coords if data[name].attrs.get("axis") == "T"), None) or "time_counter"
        days = {date.day for date in data[name].values}
        assert {1, 2} <= days, f"the store has the days {sorted(days)}"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--words")
    parser.add_argument("--fields")
    parser.add_argument("--epios", required=True)
    parser.add_argument("--append", action="store_true")
    for name in ("mpiexec", "processes", "servers", "server", "model", "xml"):
        parser.add_argument(name)
    parser.add_argument("options", nargs="*")
    arguments = parser.parse_args()
    words, field_words = words_of(arguments.words), words_of(arguments.fields)
    is_third = words.get("format") == "zarr3"
    warnings.simplefilter("error", xarray.SerializationWarning)
    warnings.simplefilter("error", RuntimeWarning)  # the store is not consolidated
    wrong = 0
    with tempfile.TemporaryDirectory(prefix="epios-zarr.") as place:
        folder = Path(place)
        document = Xml.parse(arguments.xml)
        stores = add_stores(document.getroot(), words, field_words, arguments.append)
        assert stores > 0, "the configuration has no file"
        for date in ["2000-01-01 00:00:00", "2000-01-02 00:00:00"] if arguments.append else [None]:
            if date:
                set_start(document.getroot(), date)
            document.write(folder / "iodef.xml")
            run(arguments, folder)
        found = sorted(folder.rglob(f"{PREFIX}*.zarr"))
        for store in found:
            file = store.with_name(store.name[len(PREFIX):]).with_suffix(".nc")
            try:
                if is_third:
                    check_third(store, words, field_words)
                else:
                    check_words(check_documents(store), words, field_words)
                compare(store, file, is_third)
                compare_by_epios(arguments.epios, store, file)
                if is_hdf5(file):
                    compare_by_references(file)
                if arguments.append:
                    check_both_days(store, is_third)
            except (AssertionError, KeyError, ValueError, TypeError, RuntimeError, OSError, Warning) as error:
                wrong += 1
                print(f"FAIL: {store.name}: {type(error).__name__} {error}")
        named = tuple(file.get("name", file.get("id")) for file in document.getroot().iter("file"))
        files = {PREFIX + file.stem for file in folder.rglob("*.nc") if file.stem.startswith(named)}  # others are the model's
        assert {store.stem for store in found} == files, f"files {sorted(files)}, but the stores {[s.name for s in found]}"
    print(f"{len(found)} stores, {wrong} wrong")
    sys.exit(1 if wrong else 0)


main()
