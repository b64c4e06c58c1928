#!/usr/bin/env python3
"""Does after a job what <hierarchy> does during it: interpolates records to HEALPix with given weights and writes all levels as stores
of Zarr, with xarray and zarr.

usage: levels_afterwards.py <file of the model's grid> <weights in XIOS's layout> <nside> <levels> <folder for the stores>
"""
import sys

import numpy as np
import xarray as xr

source, weights_file, nside, levels, folder = sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4]), sys.argv[5]
with xr.open_dataset(weights_file) as weights:
    base = int(weights.attrs.get("epios_index_base", 1))
    order = np.argsort(weights.dst_idx.values, kind="stable")
    columns = weights.src_idx.values[order].astype(np.int64) - base
    rows = weights.dst_idx.values[order].astype(np.int64) - base
    weight = weights.weight.values[order]
first = np.concatenate([[0], np.flatnonzero(np.diff(rows)) + 1])

with xr.open_dataset(source, decode_times=False) as data:
    field = data["field"]
    records, depth = field.shape[:2]
    fine = np.full((records, depth, 12 * nside * nside), np.nan)
    for record in range(records):
        values = field[record].values.reshape(depth, -1)
        fine[record][:, rows[first]] = np.add.reduceat(values[:, columns] * weight, first, axis=1)
for level in range(levels):
    store = xr.Dataset({"field": (("time", "level", "cell"), fine)})
    store.to_zarr(f"{folder}/level{level}.zarr", mode="w", encoding={"field": {"compressor": None, "chunks": (1,) + fine.shape[1:]}})
    fine = fine.reshape(records, depth, -1, 4).mean(axis=3)
