"""Opens the levels that levels.sh has written, and compares the mean temperature of each with that of the finest."""

import sys

import numpy as np
import xarray as xr

folder = sys.argv[1]
finest = None
for store in ["ocean.zarr"] + [f"ocean_level{level}.zarr" for level in (1, 2, 3)]:
    level = xr.open_zarr(f"{folder}/{store}")
    nside = int(np.sqrt(level.sizes["cell"] / 12))
    mean = float(level["sst"].isel(time=-1).mean())
    finest = mean if finest is None else finest
    print(f"{store:18} nside {nside:3}  {level.sizes['cell']:6} pixels  {level.sizes['time']} days  mean {mean:.2f} degC")
    # Coarse pixels along coasts count whole or not at all.
    if not abs(mean - finest) < 1:
        sys.exit(f"{store}: the mean is {mean}, that of the finest level {finest}")
stations = xr.open_dataset(f"{folder}/ocean_islands.nc")
for name, sst, distance in zip(stations["station_name"].values, stations["sst"].values[-1], stations["station_distance"].values):
    print(f"{name.decode():18} {sst:.2f} degC, {distance:.0f} km away")
