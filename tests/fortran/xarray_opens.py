#!/usr/bin/python3
"""A file of meshes opened by xarray: what the topology names is there, indices are those of cells and nodes, and fields lie on
the dimension of their location. Nothing is looked at where xarray is not installed (python3-xarray, python3-netcdf4).

usage: xarray_opens.py <file>
"""
import sys
import warnings

try:
    import netCDF4  # noqa: F401  pylint: disable=unused-import
    import xarray
except ModuleNotFoundError as missing:
    print(f"skipped: {missing}")
    sys.exit(0)

LOCATIONS = ("node", "edge", "face")


def expect(condition, what):
    if not condition:
        sys.exit(f"FAIL: {sys.argv[1]}: {what}")


def dimension_of(data, mesh, location):
    # Edges and faces may have no positions of their own.
    names = mesh.attrs.get(f"{location}_coordinates", mesh.attrs.get(f"{location}_node_connectivity"))
    return data[names.split()[0]].dims[0]


def check_topology(data, mesh):
    for attribute, names in mesh.attrs.items():
        if not attribute.endswith(("_coordinates", "_connectivity")):
            continue
        for name in names.split():
            expect(name in data.variables, f"{attribute} names '{name}', which is not there")
        if attribute.endswith("_connectivity"):
            of, to = attribute.split("_")[:2]
            indices = data[names]
            start = indices.attrs.get("start_index", 0)
            there = indices.values[indices.notnull().values]
            expect(indices.dims[0] == dimension_of(data, mesh, of), f"{names}{indices.dims}")
            count = data.sizes[dimension_of(data, mesh, to)]
            expect(there.size > 0 and there.min() >= start and there.max() < start + count, f"{names} is no index of {to}s")


def main():
    warnings.simplefilter("error")  # of what cannot be decoded
    with xarray.open_dataset(sys.argv[1], use_cftime=True) as data:
        meshes = {name: v for name, v in data.variables.items() if v.attrs.get("cf_role") == "mesh_topology"}
        expect(meshes, "no mesh")
        for mesh in meshes.values():
            check_topology(data, mesh)
        fields = [v for v in data.variables.values() if v.attrs.get("location") in LOCATIONS]
        expect(fields, "no fields")
        for field in fields:
            expect(field.dims[-1] == dimension_of(data, meshes[field.attrs["mesh"]], field.attrs["location"]), f"{field.dims}")
            expect(bool((field.notnull()).all()), "missing values")


main()
