#!/usr/bin/env python3
"""Records that are read straight into the channel of their only client. Ends with 77 without netCDF4.

usage: large_records.py fill <file> [damage]     values of variable large; damage: a bit of its second record changes
       large_records.py compare <file> <copy>    the records of the copy are the last ones of the file
"""
import struct
import sys
from pathlib import Path

try:
    import netCDF4
    import numpy
except ModuleNotFoundError as missing:
    print(f"skipped: {missing}")
    sys.exit(77)


def fill(path, damages):
    with netCDF4.Dataset(path, "a") as file:
        large = file["large"]
        for record in range(3):
            large[record] = 1e6 * record + numpy.arange(large.shape[1])
    if not damages:
        return
    data = bytearray(Path(path).read_bytes())
    data[data.index(struct.pack("<3d", 1e6, 1e6 + 1, 1e6 + 2))] ^= 1
    Path(path).write_bytes(data)


def compare(path, copy):
    with netCDF4.Dataset(path) as file, netCDF4.Dataset(copy) as written:
        values = written["large"][:]
        if len(values) < 2:
            sys.exit(f"{copy} has {len(values)} records of large (expected 2 or 3)")
        if not numpy.array_equal(values, file["large"][-len(values):]):
            sys.exit(f"{copy} has other values than {path}")


if sys.argv[1] == "fill":
    fill(sys.argv[2], sys.argv[3:] == ["damage"])
else:
    compare(sys.argv[2], sys.argv[3])
