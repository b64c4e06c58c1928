#!/usr/bin/env python3
"""Files of all kinds opened by xarray, which knows CF and nothing of EPIOS: values, missing ones, dates and their bounds,
coordinates by their names, and files of several writers put together by their coordinates. Skipped where xarray is not
installed (python3-xarray, python3-netcdf4; CDF-5 needs the latter).

usage: xarray_case.py <bin> <mpiexec> <model processes> <servers> [XML variables of context xios]
"""
import sys
import tempfile
import warnings
from pathlib import Path

try:
    import cftime
    import netCDF4  # noqa: F401  pylint: disable=unused-import
    import xarray
except ModuleNotFoundError as missing:
    print(f"skipped: {missing}")
    sys.exit(77)

from toy_files import configuration_of, run_toy, same, temperatures

SHAPE = (2, 7, 10)
STEPS = 12
RECORDS = range(STEPS // 2)
PACKED = 'prec="2" scale_factor="0.001" add_offset="15"'
# Name of the file -> attributes of it, and of field `now` (instants) and `mean`.
FILES = {
    "plain": ("", 'prec="8"'),
    "classic": ('format="netcdf4_classic"', 'prec="8"'),
    "cdf": ('format="cdf5"', 'prec="8"'),
    "deflated": ('compression_level="1"', 'prec="8"'),
    "packed": ("", PACKED),
    "days": ('time_units="days" time_counter="instant"', 'prec="8"'),
    "apart": ('type="multiple_file"', 'prec="8"'),
    "parts": ('split_freq="4h"', 'prec="8"'),
}


def file_of(name, words, how):
    return f"""<file id="{name}" output_freq="2h" {words}>
<field field_ref="temp" name="now" operation="instant" {how}/>
<field field_ref="temp" name="mean" operation="average" {how}/>
<field field_ref="surface" name="sea" operation="instant" default_value="-999" prec="8"/>
</file>"""


def dates(hours):
    return [cftime.DatetimeNoLeap(2000, 1, 1 + hour // 24, hour % 24) for hour in hours]


def paths_of(folder, name):
    paths = sorted(folder.glob(f"{name}.nc")) or sorted(folder.glob(f"{name}_*.nc"))
    assert paths, "it is not there"
    return paths


def put_together(files):
    """By coordinates, of one domain after the other."""
    if len(files) == 1 or "parts" in files[0].encoding["source"]:
        return xarray.combine_by_coords(files, combine_attrs="override")
    wholes = [xarray.combine_by_coords([file.drop_dims(other) for file in files], data_vars="minimal", combine_attrs="override")
              for other in ("lat_d", "lat_d_masked")]
    return xarray.merge(wholes, compat="override", combine_attrs="override")


def check(data, name, how):
    is_packed = how == PACKED
    for field, operation in (("now", "instant"), ("mean", "average")):
        variable = data[field]
        # A record dimension and what the grid has, slowest first.
        assert variable.dims == ("time_counter", "depth", "lat_d", "lon_d"), f"{field}{variable.dims}"
        got = [float(v) for v in variable.values.ravel()]
        wanted = temperatures(operation, RECORDS, SHAPE)
        assert same(got, wanted, 0.00051 if is_packed else 0.0), f"other values of {field}"
    ends = dates(2 * r + 2 for r in RECORDS)
    middles = dates(2 * r + 1 for r in RECORDS)
    assert list(data["time_instant"].values) == ends, f"time_instant {data['time_instant'].values}"
    assert list(data["time_centered"].values) == middles, f"time_centered {data['time_centered'].values}"
    wanted = ends if name == "days" else middles
    assert list(data["time_counter"].values) == wanted, f"time_counter {data['time_counter'].values}"
    bounds = data["time_centered_bounds"].values
    assert list(bounds[:, 0]) == dates(2 * r for r in RECORDS) and list(bounds[:, 1]) == ends, f"bounds {bounds}"
    # Named by the fields: what xarray calls coordinates.
    assert "time_instant" in data["now"].coords and "time_centered" in data["mean"].coords, "coordinates of fields"
    land = [(i * 5 + j * 3) % 7 == 0 for j in range(SHAPE[1]) for i in range(SHAPE[2])]
    for record in data["sea"].values:
        assert list(data["sea"].isnull().values[0].ravel()) == land and record.shape == SHAPE[1:], "missing values of sea"
    lon, lat = data["lon_d"], data["lat_d"]
    assert lon.attrs["units"] == "degrees_east" and lat.attrs["units"] == "degrees_north"
    assert same([float(x) for x in lon.values], [36.0 * (i + 0.5) for i in range(10)], 1e-12), f"lon {lon.values}"
    point = data["now"].sel(lat_d=0.0, lon_d=90.0, depth=15.0, method="nearest")
    assert point.dims == ("time_counter",), "a point by its coordinates"


def main():
    binaries, mpiexec, processes, servers = sys.argv[1:5]
    settings = sys.argv[5] if len(sys.argv) > 5 else ""
    warnings.simplefilter("error")  # of what cannot be decoded
    wrong = 0
    with tempfile.TemporaryDirectory(prefix="epios-xarray.") as place:
        folder = Path(place)
        (folder / "iodef.xml").write_text(configuration_of([file_of(n, *f) for n, f in FILES.items()], settings))
        levels, rows, columns = SHAPE
        run_toy(folder, binaries, mpiexec, processes, servers,
                ["--nx", str(columns), "--ny", str(rows), "--nz", str(levels), "--steps", str(STEPS)])
        for name, (_, how) in FILES.items():
            try:
                data = [xarray.open_dataset(path, use_cftime=True) for path in paths_of(folder, name)]
                check(put_together(data), name, how)
                for one in data:
                    one.close()
            except (AssertionError, KeyError, ValueError, RuntimeError, OSError, Warning) as error:
                wrong += 1
                print(f"FAIL: {name}: {type(error).__name__} {error}")
    print(f"{len(FILES)} files, {wrong} wrong")
    sys.exit(1 if wrong else 0)


main()
