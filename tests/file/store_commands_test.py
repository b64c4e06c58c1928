"""`epios ls`, `info`, `diff` and `remap` say of stores of Zarr what they say of the NetCDF file that has the same values. Stores
of version 2 are made by hand here, those of version 3 by the tests' own writer: chunks, shards, both byte orders, compressed or not.

Usage: store_commands_test.py EPIOS FOLDER_OF_ZARR3
"""
import json
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, sys.argv[2])
try:
    import numpy as np
    import zarr3
    from netCDF4 import Dataset
except ModuleNotFoundError as missing:
    print(f"skipped: {missing}")
    sys.exit(77)

EPIOS = sys.argv[1]
DIMENSIONS = {"time": 3, "lat": 8, "lon": 12}
TIME = {"standard_name": "time", "units": "days since 2000-01-01", "calendar": "noleap"}
LAT = {"units": "degrees_north", "standard_name": "latitude"}
LON = {"units": "degrees_east", "standard_name": "longitude"}
ZSTD = [{"name": "zstd", "configuration": {"level": 1, "checksum": False}}, {"name": "crc32c"}]
BLOSC = [{"name": "blosc", "configuration": {"cname": "lz4", "clevel": 3, "shuffle": "shuffle", "typesize": 4, "blocksize": 0}}]


def contents():
    rng = np.random.default_rng(5)
    lat, lon = -90 + 22.5 * (np.arange(8) + 0.5), 30.0 * np.arange(12)
    field = 280 + 20 * np.cos(np.radians(lat))[:, None] * np.sin(np.radians(lon)) + 0.01 * rng.normal(size=(3, 8, 12))
    field[1] = 0  # the fill value of the stores, which marks nothing
    return {"time": (["time"], np.arange(3) + 0.5, TIME), "lat": (["lat"], lat, LAT), "lon": (["lon"], lon, LON),
            "tas": (["time", "lat", "lon"], field.astype("f4"), {"units": "K"})}


def write_netcdf(path, variables):
    with Dataset(path, "w") as file:
        for name, length in DIMENSIONS.items():
            file.createDimension(name, None if name == "time" else length)
        for name, (dims, values, attributes) in variables.items():
            variable = file.createVariable(name, values.dtype, dims)
            variable.setncatts(attributes)
            variable[:] = values


def write_second(folder, variables):
    """Version 2: chunks of one record, none consolidated."""
    folder.mkdir()
    (folder / ".zgroup").write_text('{"zarr_format": 2}')
    for name, (dims, values, attributes) in variables.items():
        (folder / name).mkdir()
        chunks = (1, *values.shape[1:]) if values.ndim > 1 else values.shape
        (folder / name / ".zarray").write_text(json.dumps({
            "zarr_format": 2, "shape": values.shape, "chunks": chunks, "dtype": values.dtype.str, "compressor": None,
            "fill_value": None, "order": "C", "filters": None}))
        (folder / name / ".zattrs").write_text(json.dumps({"_ARRAY_DIMENSIONS": dims, **attributes}))
        for n in range(values.shape[0] // chunks[0]):
            key = ".".join([str(n), *["0"] * (values.ndim - 1)])
            (folder / name / key).write_bytes(values[n * chunks[0]:(n + 1) * chunks[0]].tobytes())


def write_third(folder, variables, shard, **how):
    described = {}
    for name, (dims, values, attributes) in variables.items():
        chunk = (2, 3, 5) if values.ndim > 1 else values.shape
        described[name] = (dims, values, attributes, chunk, shard if values.ndim > 1 else None)
    zarr3.write_store(folder, DIMENSIONS, described, **how)


def epios(*words, status=0):
    done = subprocess.run([EPIOS, *map(str, words)], capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == status and (status or not done.stderr), f"epios {words}: {done.returncode} {done.stdout}{done.stderr}"
    return done.stdout + done.stderr


def table(command, path, *words):
    """What it prints of a file: first the name with the format, then rows."""
    heading, *rows = epios(command, *words, path).splitlines()
    name, rest = heading.split(": ", 1)
    assert name == str(path), heading
    kind, rest = rest.split(", ", 1)
    return kind, [rest, *rows]


def values_of(rows):
    """Rows of `ls` without how much room a field takes and how, in which formats differ."""
    return [" ".join(word for n, word in enumerate(row.split()) if n in (0, 1, 2) or n > 4) for row in rows[1:] if row.strip()]


def main():
    variables = contents()
    with tempfile.TemporaryDirectory(prefix="epios-stores.") as place:
        folder = Path(place)
        file = folder / "a.nc"
        write_netcdf(file, variables)
        write_second(folder / "second.zarr", variables)
        write_third(folder / "plain.zarr", variables, None, bare=True)
        write_third(folder / "shards.zarr", variables, (4, 6, 10), codecs=ZSTD)
        write_third(folder / "first.zarr", variables, (2, 9, 15), codecs=BLOSC, first=True, separator=".")
        write_third(folder / "big.zarr", variables, (2, 3, 5), endian="big", codecs=[{"name": "gzip", "configuration": {"level": 1}}])
        kinds = {"second": "Zarr 2", "plain": "Zarr 3", "shards": "Zarr 3", "first": "Zarr 3", "big": "Zarr 3"}
        theirs = {"ls": table("ls", file)[1], "info": table("info", file, "--record", "2")[1]}
        assert any(row.split()[:1] == ["tas"] for row in theirs["ls"]), theirs["ls"]
        epios("remap", file, "--to", "r6x4", "--method", "conservative", "-o", folder / "a_remapped.nc")
        for name, kind in kinds.items():
            store = folder / f"{name}.zarr"
            said, rows = table("ls", store)
            assert said == kind, f"{name}: {said}"
            assert rows[0] == theirs["ls"][0], f"{name}: {rows[0]} instead of {theirs['ls'][0]}"
            assert values_of(rows) == values_of(theirs["ls"]), f"{name}: {rows} instead of {theirs['ls']}"
            said, rows = table("info", store, "--record", "2")
            assert said == kind and rows == theirs["info"], f"{name}: {rows} instead of {theirs['info']}"
            assert epios("diff", "--attributes", file, store) == "", name
            epios("remap", store, "--to", "r6x4", "--method", "conservative", "-o", folder / f"{name}_remapped.nc")
            assert epios("diff", folder / "a_remapped.nc", folder / f"{name}_remapped.nc") == "", name
        refused(folder, variables)
    print("good")


def refused(folder, variables):
    """What is not known makes one array unreadable, with its reason; what is torn, the store."""
    store = folder / "strange.zarr"
    write_third(store, variables, (4, 6, 10), bare=True)
    path = store / "tas" / "zarr.json"
    good = path.read_text()
    codecs = json.loads(good)["codecs"][0]["configuration"]

    def expect(text, **sharding):
        document = json.loads(good)
        document["codecs"] = [{"name": "sharding_indexed", "configuration": {**codecs, **sharding}}]
        path.write_text(json.dumps(document))
        said = epios("diff", store, folder / "a.nc", status=2)
        assert text in said and "tas" in said, said

    expect("its chunks do not divide its shards", chunk_shape=[4, 4, 10])
    expect("its compressor is 'lzma'", codecs=[{"name": "bytes", "configuration": {"endian": "little"}}, {"name": "lzma"}])
    expect("the values in its chunks are transposed",
           codecs=[{"name": "transpose", "configuration": {"order": [2, 1, 0]}}, {"name": "bytes"}])
    expect("the index of its shards has codecs that are not known", index_codecs=[{"name": "bytes"}, {"name": "gzip"}])
    path.write_text(good[:-20])
    assert "its document 'tas/zarr.json' is not valid JSON" in epios("ls", store, status=2)
    path.write_text(json.dumps({"zarr_format": 3, "node_type": "array"}))
    assert "its document 'tas/zarr.json' is no description of an array" in epios("ls", store, status=2)
    path.write_text(good)
    assert "it is an array of Zarr, and no group" in epios("ls", store / "tas", status=2)


main()
