"""Zarr 3 by numpy, written from its specification (core 3.0 with the codecs bytes, blosc, gzip, zstd, crc32c and sharding_indexed):
a reader, and a writer of what EPIOS would not write. numcodecs makes and reads the streams of compressors alone.

usage: zarr3.py STORE OTHER [RECORDS]    fails if STORE has other values than OTHER, or than its first records
"""
import base64
import json
import struct
import sys
from pathlib import Path

try:
    import numcodecs
except ModuleNotFoundError:  # then only what is not compressed can be read
    numcodecs = None
import numpy

TYPES = {"float32": "f4", "float64": "f8", "int8": "i1", "int16": "i2", "int32": "i4", "int64": "i8", "uint8": "u1"}
ABSENT = 2**64 - 1


def crc_table():
    out = []
    for byte in range(256):
        for _ in range(8):
            byte = byte >> 1 ^ (0x82F63B78 if byte & 1 else 0)
        out.append(byte)
    return out


TABLE = crc_table()


def crc32c(data):
    crc = 0xFFFFFFFF
    for byte in data:
        crc = crc >> 8 ^ TABLE[(crc ^ byte) & 255]
    return struct.pack("<I", crc ^ 0xFFFFFFFF)


def compressor(codec):
    own = codec.get("configuration", {})
    if codec["name"] == "zstd":
        return numcodecs.Zstd(own["level"])
    if codec["name"] == "gzip":
        return numcodecs.GZip(own["level"])
    if codec["name"] == "blosc":
        return numcodecs.Blosc(own["cname"], own["clevel"], ["noshuffle", "shuffle", "bitshuffle"].index(own["shuffle"]))
    raise AssertionError(f"codec {codec}")


def plain(data, codecs):
    """What codecs have made of bytes, undone."""
    for codec in reversed(codecs):
        if codec["name"] == "crc32c":
            assert "configuration" not in codec and crc32c(data[:-4]) == data[-4:], "a checksum is wrong"
            data = data[:-4]
        else:
            data = bytes(compressor(codec).decode(data))
    return data


def coded(data, codecs):
    for codec in codecs:
        data = data + crc32c(data) if codec["name"] == "crc32c" else bytes(compressor(codec).encode(data))
    return data


class Array:
    """An array of a store, as its document describes it."""

    def __init__(self, folder, node):
        self.folder, self.node = Path(folder), node
        assert node["zarr_format"] == 3 and node["node_type"] == "array"
        allowed = {"zarr_format", "node_type", "shape", "data_type", "chunk_grid", "chunk_key_encoding", "fill_value", "codecs",
                   "attributes", "dimension_names", "storage_transformers"}
        assert set(node) <= allowed, f"members {set(node) - allowed} must be understood"
        self.shape = tuple(node["shape"])
        kind = node["data_type"]
        if isinstance(kind, dict):
            assert kind == {"name": "null_terminated_bytes", "configuration": {"length_bytes": 1}}, kind
        self.dtype = numpy.dtype("S1" if isinstance(kind, dict) else TYPES[kind])
        assert node["chunk_grid"]["name"] == "regular"
        self.in_file = tuple(node["chunk_grid"]["configuration"]["chunk_shape"])
        assert len(self.in_file) == len(self.shape) and all(n > 0 for n in self.in_file)
        self.codecs, self.sharding = node["codecs"], None
        if self.codecs[0]["name"] == "sharding_indexed":
            assert len(self.codecs) == 1
            self.sharding = self.codecs[0]["configuration"]
            self.codecs = self.sharding["codecs"]
        self.chunk = tuple(self.sharding["chunk_shape"]) if self.sharding else self.in_file
        assert all(n % c == 0 for n, c in zip(self.in_file, self.chunk)), "chunks do not divide a shard"
        assert self.codecs[0]["name"] == "bytes", self.codecs
        endian = self.codecs[0].get("configuration", {}).get("endian")
        assert endian in ("little", "big") or self.dtype.itemsize == 1
        self.stored = self.dtype.newbyteorder(">" if endian == "big" else "<")

    @property
    def fill(self):
        value = self.node["fill_value"]
        if self.dtype.kind == "S":
            return base64.b64decode(value)
        return numpy.array(float(value) if isinstance(value, str) else value).astype(self.dtype)

    def key(self, position):
        encoding = self.node["chunk_key_encoding"]
        separator = encoding.get("configuration", {}).get("separator", "/" if encoding["name"] == "default" else ".")
        numbers = [str(n) for n in position]
        if encoding["name"] == "default":
            return separator.join(["c", *numbers])
        assert encoding["name"] == "v2"
        return separator.join(numbers) or "0"

    def files(self):
        """Positions of all files that the array can have."""
        return list(numpy.ndindex(*[-(-n // c) for n, c in zip(self.shape, self.in_file)]))

    def decoded(self, data):
        values = numpy.frombuffer(plain(data, self.codecs[1:]), dtype=self.stored)
        assert values.size == numpy.prod(self.chunk, dtype=int), "another number of values"
        return values.reshape(self.chunk)

    def shard(self, data):
        """All chunks of a shard, absent ones filled."""
        counts = [n // c for n, c in zip(self.in_file, self.chunk)]
        codecs = self.sharding["index_codecs"]
        assert codecs[0] == {"name": "bytes", "configuration": {"endian": "little"}}
        size = 16 * int(numpy.prod(counts)) + 4 * sum(codec["name"] == "crc32c" for codec in codecs)
        at_end = self.sharding.get("index_location", "end") == "end"
        index = plain(data[-size:] if at_end else data[:size], codecs[1:])
        places = numpy.frombuffer(index, dtype="<u8").reshape(*counts, 2)
        out = numpy.full(self.in_file, self.fill, dtype=self.dtype)
        taken = []
        for position in numpy.ndindex(*counts):
            offset, length = (int(n) for n in places[position])
            if offset == ABSENT and length == ABSENT:
                continue
            assert offset + length <= len(data)
            taken.append((offset, length))
            where = tuple(slice(p * c, (p + 1) * c) for p, c in zip(position, self.chunk))
            out[where] = self.decoded(data[offset:offset + length])
        taken.sort()
        assert all(a + n <= b for (a, n), (b, _) in zip(taken, taken[1:])), "chunks lie over each other"
        return out

    def values(self):
        out = numpy.full(self.shape, self.fill, dtype=self.dtype)
        for position in self.files():
            path = self.folder / self.key(position)
            if not path.exists():
                continue
            data = path.read_bytes()
            part = self.shard(data) if self.sharding else self.decoded(data)
            where = tuple(slice(p * n, min((p + 1) * n, length)) for p, n, length in zip(position, self.in_file, self.shape))
            out[where] = part[tuple(slice(0, s.stop - s.start) for s in where)]
        return out

    def attributes(self):
        """As xarray has them: _FillValue of reals is in base64."""
        out = dict(self.node.get("attributes", {}))
        if self.dtype.kind == "f" and "_FillValue" in out:
            out["_FillValue"] = self.dtype.type(struct.unpack("<d", base64.b64decode(out["_FillValue"]))[0])
        elif "_FillValue" in out:
            out["_FillValue"] = self.dtype.type(out["_FillValue"])
        return out


class Store:
    """A group, by its consolidated document, which must be that of its arrays."""

    def __init__(self, folder):
        self.folder = Path(folder)
        root = json.loads((self.folder / "zarr.json").read_text())
        assert root["zarr_format"] == 3 and root["node_type"] == "group"
        assert root["consolidated_metadata"]["kind"] == "inline" and root["consolidated_metadata"]["must_understand"] is False
        self.attributes = root["attributes"]
        nodes = root["consolidated_metadata"]["metadata"]
        own = {path.parent.name: json.loads(path.read_text()) for path in self.folder.glob("*/zarr.json")}
        assert nodes == own, "other consolidated documents"
        self.arrays = {name: Array(self.folder / name, node) for name, node in nodes.items()}

    def check_files(self):
        """No array has files but its own."""
        for name, array in self.arrays.items():
            found = {str(path.relative_to(array.folder)) for path in array.folder.rglob("*") if path.is_file()} - {"zarr.json"}
            extra = found - {array.key(position) for position in array.files()}
            assert not extra, f"{name} has the files {sorted(extra)}, too"

    def dataset(self):
        """As xarray.open_dataset(..., decode_cf=False) has it."""
        import xarray  # pylint: disable=import-outside-toplevel
        variables = {}
        for name, array in self.arrays.items():
            variables[name] = xarray.Variable(array.node["dimension_names"], array.values(), array.attributes())
        return xarray.Dataset(variables, attrs=self.attributes)


def write_store(folder, dimensions, variables, attributes=None, **how):
    """Makes a store. `variables`: name: (names of dimensions, values, attributes, chunk, shard or None). `how`: codecs after bytes,
    endian, separator, first (index before the chunks), bare (not consolidated)."""
    folder = Path(folder)
    nodes = {}
    for name, (dims, values, attrs, chunk, shard) in variables.items():
        assert values.shape == tuple(dimensions[d] for d in dims)
        values = values.astype(values.dtype.newbyteorder(">" if how.get("endian") == "big" else "<"))
        codecs = [{"name": "bytes", "configuration": {"endian": how.get("endian", "little")}}, *how.get("codecs", [])]
        index_codecs = [{"name": "bytes", "configuration": {"endian": "little"}}, {"name": "crc32c"}]
        location = "start" if how.get("first") else "end"
        nodes[name] = {
            "zarr_format": 3, "node_type": "array", "shape": values.shape,
            "data_type": next(t for t, code in TYPES.items() if numpy.dtype(code) == values.dtype.newbyteorder("=")),
            "chunk_grid": {"name": "regular", "configuration": {"chunk_shape": shard or chunk}},
            "chunk_key_encoding": {"name": "default", "configuration": {"separator": how.get("separator", "/")}},
            "fill_value": 0, "dimension_names": dims, "attributes": attrs,
            "codecs": codecs if not shard else [{"name": "sharding_indexed", "configuration": {
                "chunk_shape": chunk, "codecs": codecs, "index_codecs": index_codecs, "index_location": location}}]}
        (folder / name).mkdir(parents=True)
        (folder / name / "zarr.json").write_text(json.dumps(nodes[name]))
        array = Array(folder / name, json.loads(json.dumps(nodes[name])))
        for position in array.files():
            where = tuple(slice(p * n, (p + 1) * n) for p, n in zip(position, array.in_file))
            part = numpy.zeros(array.in_file, values.dtype)
            part[tuple(slice(0, n) for n in values[where].shape)] = values[where]
            path = array.folder / array.key(position)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(shard_of(array, part, location) if shard else coded(part.tobytes(), codecs[1:]))
    root = {"zarr_format": 3, "node_type": "group", "attributes": attributes or {}}
    if not how.get("bare"):
        root["consolidated_metadata"] = {"kind": "inline", "must_understand": False, "metadata": nodes}
    (folder / "zarr.json").write_text(json.dumps(root))


def shard_of(array, part, location):
    """Chunks in the wrong order, with a gap before each: both are allowed."""
    counts = [n // c for n, c in zip(array.in_file, array.chunk)]
    index = numpy.full((*counts, 2), ABSENT, dtype="<u8")
    front = index.nbytes + 4 if location == "start" else 0
    data = b""
    for position in reversed(list(numpy.ndindex(*counts))):
        chunk = part[tuple(slice(p * c, (p + 1) * c) for p, c in zip(position, array.chunk))]
        if not chunk.any():
            continue  # it is the fill value
        data += b"gap"
        stored = coded(numpy.ascontiguousarray(chunk).tobytes(), array.codecs[1:])
        index[position] = (front + len(data), len(stored))
        data += stored
    index = index.tobytes()
    index += crc32c(index)
    return index + data if location == "start" else data + index


def compare(store, whole, records):
    """Says which arrays of a store differ from those of another one, of which it may have the first records."""
    ours, theirs = Store(store), Store(whole)
    wrong = sorted(set(ours.arrays) ^ set(theirs.arrays))
    for name in set(ours.arrays) & set(theirs.arrays):
        own, other = ours.arrays[name].values(), theirs.arrays[name].values()
        if records is not None and theirs.arrays[name].node["dimension_names"][:1] == ["time_counter"]:
            other = other[:records]
        if own.shape != other.shape or own.tobytes() != other.tobytes():
            wrong.append(name)
    return wrong


if __name__ == "__main__":
    differ = compare(sys.argv[1], sys.argv[2], int(sys.argv[3]) if len(sys.argv) > 3 else None)
    if differ:
        sys.exit(f"{sys.argv[1]} differs from {sys.argv[2]} in {', '.join(differ)}")
