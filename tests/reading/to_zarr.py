#!/usr/bin/env python3
"""Makes ancil.zarr of ancil.nc, which it removes, by the distribution's xarray and zarr. Ends with 77 if one is missing.

  to_zarr.py [--codec zstd|blosc|gzip|lzma] [--shuffle] [--chunks N,N,N] [--nested] [--big] [--bare] [--fill]
    --nested  chunks are in folders; --big  numbers are big-endian; --bare  without consolidated metadata; --fill  NaN is
    the fill value
"""
import argparse
import os
import sys

try:
    import netCDF4  # noqa: F401  pylint: disable=unused-import
    import numcodecs
    import xarray
    import zarr
except ModuleNotFoundError as missing:
    print(f"skipped: {missing}")
    sys.exit(77)

CODECS = {"zstd": numcodecs.Zstd(3), "blosc": numcodecs.Blosc("lz4", 5, numcodecs.Blosc.BITSHUFFLE),
          "gzip": numcodecs.GZip(4), "lzma": numcodecs.LZMA(preset=1)}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--codec", choices=CODECS)
    parser.add_argument("--chunks")
    for flag in ("shuffle", "nested", "big", "bare", "fill"):
        parser.add_argument(f"--{flag}", action="store_true")
    words = parser.parse_args()
    data = xarray.open_dataset("ancil.nc", decode_cf=False).load()
    if words.big:
        data["sst"] = data["sst"].astype(data["sst"].dtype.newbyteorder(">"))
    encoding = {}
    if words.codec:
        encoding["compressor"] = CODECS[words.codec]
    if words.shuffle:
        encoding["filters"] = [numcodecs.Shuffle(data["sst"].dtype.itemsize)]
    if words.chunks:
        encoding["chunks"] = tuple(int(n) for n in words.chunks.split(","))
    if words.fill:
        data["sst"].attrs["_FillValue"] = data["sst"].dtype.type("nan")
    store = (zarr.NestedDirectoryStore if words.nested else zarr.DirectoryStore)("ancil.zarr")
    data.to_zarr(store, mode="w", consolidated=not words.bare, encoding={"sst": encoding})
    assert (zarr.open("ancil.zarr", mode="r")["sst"].dtype.byteorder == ">") == words.big
    assert os.path.exists("ancil.zarr/.zmetadata") != words.bare
    assert os.path.isdir("ancil.zarr/sst/0") == words.nested
    os.remove("ancil.nc")


main()
