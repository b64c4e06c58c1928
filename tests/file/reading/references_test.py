#!/usr/bin/env python3
"""`epios references` on files of the distribution's NetCDF: read through the references by zarr, each variable has the values,
the type and the attributes that NetCDF reads. Skipped where python3-netcdf4, python3-xarray or python3-zarr is missing.

  references_test.py <epios>
"""
import base64
import json
import subprocess
import sys
import tempfile
from pathlib import Path

try:
    import netCDF4
    import numpy
    import xarray
    import zarr  # noqa: F401  pylint: disable=unused-import
except ModuleNotFoundError as missing:
    print(f"skipped: {missing}")
    sys.exit(77)

EPIOS = sys.argv[1]


def epios(*words):
    return subprocess.run([EPIOS, "references", *map(str, words)], capture_output=True, text=True, timeout=30, check=False)


def store_of(document):
    """The keys and bytes of the store that references describe."""
    data = json.loads(document.read_text())
    assert data["version"] == 1
    store = {}
    for key, value in data["refs"].items():
        if isinstance(value, list):
            path, offset, length = value
            for name, text in data["templates"].items():
                path = path.replace("{{" + name + "}}", text)
            with open(path, "rb") as file:
                file.seek(offset)
                store[key] = file.read(length)
            assert len(store[key]) == length
        elif value.startswith("base64:"):
            store[key] = base64.b64decode(value[len("base64:"):])
        else:
            store[key] = value.encode()
    return store


def make(path):
    """Every kind of storage that the distribution's NetCDF has."""
    numbers = numpy.random.default_rng(1)
    with netCDF4.Dataset(path, "w") as file:
        file.title = "Wärme"
        file.numbers = numpy.array([1.5, numpy.nan])
        file.createDimension("time", None)
        file.createDimension("y", 5)
        file.createDimension("x", 7)
        file.createDimension("n", 4)
        time = file.createVariable("time", "f8", ("time",))
        time.units = "days since 2000-01-01"
        shape = (3, 5, 7)
        kinds = {
            "plain": ("f4", {}),
            "chunked": ("f8", {"chunksizes": (1, 2, 3)}),
            "deflated": ("f4", {"zlib": True, "complevel": 4, "shuffle": True, "chunksizes": (2, 2, 3)}),
            "unshuffled": ("i4", {"zlib": True, "shuffle": False, "chunksizes": (1, 5, 7)}),
            "checked": ("i2", {"fletcher32": True, "chunksizes": (1, 5, 7)}),
            "filled": ("f4", {"fill_value": 1e20, "zlib": True}),
            "small": ("i1", {}),
            "large": ("u8", {}),
        }
        for name, (kind, options) in kinds.items():
            variable = file.createVariable(name, kind, ("time", "y", "x"), **options)
            variable.units = "K"
            variable[:] = numpy.round(numbers.random(shape) * 100).astype(kind)
        time[:] = [0, 1, 2]
        file["filled"][1, 2, 3:] = 1e20
        file.createVariable("big", "f8", ("y",), endian="big")[:] = numpy.arange(5) + 0.25
        file.createVariable("contiguous", "f4", ("y", "x"), contiguous=True)[:] = numpy.arange(35).reshape(5, 7)
        file.createVariable("crs", "i4", ()).grid_mapping_name = "healpix"
        file["crs"][...] = 7
        file.createVariable("label", "S1", ("y", "n"))[:] = netCDF4.stringtochar(numpy.array(["a", "bc", "def", "", "g"], "S4"))
        gaps = file.createVariable("gaps", "i4", ("time", "y", "x"), chunksizes=(1, 5, 7), fill_value=-9)
        gaps[2] = numpy.arange(35).reshape(5, 7)
        # Has fewer records than time has, or none. Would have found a store that xarray does not open (time is 3 and 1 long), and
        # texts without a value for what nobody wrote.
        file.createVariable("late", "f4", ("time", "y", "x"), chunksizes=(2, 5, 7))[0] = 5
        file.createVariable("never", "i2", ("time", "y", "x"))
        file.createVariable("letters", "S1", ("time", "n"))
        file.createVariable("dashes", "S1", ("time", "n"), fill_value="-")


def attributes_of(variable):
    """Readers of Zarr take a fill_value, which stands for chunks that are not there, for an attribute."""
    its = {name: str(value) for name, value in variable.attrs.items()}
    if variable.name in ("late", "never", "letters"):
        its.pop("_FillValue", None)
    return its


def compare(path, document):
    store = store_of(document)
    with xarray.open_dataset(path, decode_cf=False) as theirs, \
            xarray.open_zarr(store, decode_cf=False, consolidated=False) as ours:
        assert set(ours.variables) == set(theirs.variables), f"{sorted(ours.variables)}"
        for name in theirs.variables:
            one, other = ours[name], theirs[name]
            assert one.dims == other.dims and one.dtype.kind == other.dtype.kind and one.dtype.itemsize == other.dtype.itemsize, \
                f"{name} is {one.dims} {one.dtype} instead of {other.dims} {other.dtype}"
            assert numpy.array_equal(one.values, other.values), f"{name} has other values"
            assert attributes_of(one) == attributes_of(other), \
                f"{name} has the attributes {one.attrs} instead of {other.attrs}"
        assert {k: str(v) for k, v in ours.attrs.items()}.keys() == theirs.attrs.keys()
        assert ours.attrs["title"] == theirs.attrs["title"]


def check_many(path):
    """Not each chunk may look at all others: HDF5 would be taken for one that does not come to an end."""
    count = 40000
    with netCDF4.Dataset(path, "w") as file:
        file.createDimension("time", None)
        file.createDimension("x", 2)
        file.createVariable("v", "i4", ("time", "x"), chunksizes=(1, 2))[:] = numpy.arange(2 * count).reshape(-1, 2)
    made = epios(path)
    assert made.returncode == 0, made.stderr
    references = json.loads(Path(str(path) + ".json").read_text())["refs"]
    with open(path, "rb") as file:
        for record in (0, 1, count // 2, count - 1):
            _, offset, length = references[f"v/{record}.0"]
            file.seek(offset)
            assert numpy.frombuffer(file.read(length), "i4").tolist() == [2 * record, 2 * record + 1]


def main():
    with tempfile.TemporaryDirectory(prefix="epios-references.") as place:
        folder = Path(place)
        path = folder / "a.nc"
        make(path)
        made = epios(path)
        document = folder / "a.nc.json"
        assert made.returncode == 0 and not made.stderr, made.stderr + made.stdout
        assert made.stdout.startswith(f"{document}: 18 variables, "), made.stdout
        compare(path, document)
        keys = json.loads(document.read_text())["refs"]
        assert "gaps/2.0.0" in keys and "gaps/0.0.0" not in keys, "chunks that nobody wrote are referred to"
        assert "late/0.0.0" in keys and "late/1.0.0" not in keys and "never/0.0.0" not in keys, "records that nobody wrote are"
        # Readers elsewhere.
        other = folder / "other.json"
        assert epios(path, "--url", "s3://bucket/a.nc", "-o", other).returncode == 0
        assert json.loads(other.read_text())["templates"] == {"u": "s3://bucket/a.nc"}
        # What Zarr cannot say is said, and the rest is there.
        with netCDF4.Dataset(path, "a") as file:
            file.createVariable("names", str, ("y",))
            file.createGroup("deep").createVariable("number", "i4", ())  # would have found that groups are passed over in silence
        made = epios(path)
        assert made.returncode == 1, made.stdout
        assert made.stderr == (f"epios: file '{path}' has a variable that cannot be referred to: "
                               "names (its values are no numbers or characters)\n"
                               f"epios: file '{path}' has a variable that cannot be referred to: "
                               "deep/* (variables in groups are not looked at)\n"), made.stderr
        assert not any(key.startswith("names/") for key in json.loads(document.read_text())["refs"])
        check_many(folder / "many.nc")
        classic = folder / "classic.nc"
        with netCDF4.Dataset(classic, "w", format="NETCDF3_CLASSIC") as file:
            file.createDimension("x", 2)
        made = epios(classic)
        assert made.returncode == 2
        assert made.stderr == (f"epios: file '{classic}' cannot be referred to (its format is a classic one, whose records are no "
                               "chunks). Is it a NetCDF-4 file, and whole?\n"), made.stderr


main()
