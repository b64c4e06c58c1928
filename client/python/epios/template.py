"""Definitions from a dataset of xarray: dimensions and coordinates become elements, variables become fields."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Mapping

import numpy as np

if TYPE_CHECKING:
    import xarray

    from ._core import Context

#: Attributes of a variable that EPIOS knows, and their names in it.
_ATTRIBUTES = {"standard_name": "standard_name", "long_name": "long_name", "units": "unit", "positive": "positive",
               "valid_min": "valid_min", "valid_max": "valid_max"}


def define_template(context: Context, dataset: xarray.Dataset, part: Mapping[str, slice] | None = None) -> list[str]:
    """Defines what `dataset` describes and returns the ids of its fields, one for each variable.

    Latitude and longitude (told by `units` or `standard_name`) make a rectilinear domain if each has a dimension of its
    own, a curvilinear one if both have the same two, an unstructured one if both have the same one. Any other dimension
    makes an axis, with the values of its coordinate if it has one. The dimension of time, whose coordinate holds dates or
    has units "... since ...", makes none: the output frequency says when records are written. Attributes become those of
    fields and axes, and an encoding's _FillValue, complevel and type those of fields. No value of a variable is looked at,
    so that an empty template will do.

    `part` gives the local range of dimensions that are distributed over clients: ``{"lat": slice(0, 9)}``. Ids of
    elements are the names of dimensions, for a domain joined by "_".
    """
    template = _Template(context, dataset, dict(part or {}))
    return [template.define_field(str(name)) for name in dataset.data_vars]


def _is_time(variable: xarray.DataArray) -> bool:
    return (variable.attrs.get("standard_name") == "time" or " since " in str(variable.attrs.get("units", ""))
            or variable.dtype.kind in "mM"
            or variable.size > 0 and type(variable.values.flat[0]).__module__.startswith("cftime"))


def _precision(dtype: np.dtype) -> int:
    """Returns the bytes of a real number in a file: 2 would be a packed integer."""
    return 4 if dtype.kind == "f" and dtype.itemsize <= 4 else 8


def _is_coordinate(variable: xarray.DataArray, name: str, units: str) -> bool:
    return variable.attrs.get("standard_name") == name or str(variable.attrs.get("units", "")).startswith(units)


class _Template:
    """What of the dataset has been defined so far."""

    def __init__(self, context: Context, dataset: xarray.Dataset, part: dict[str, slice]):
        self._context = context
        self._dataset = dataset
        self._part = part
        unknown = set(part) - {str(name) for name in dataset.sizes}
        if unknown:
            raise ValueError(f"part names {sorted(unknown)} (the dimensions are {list(dataset.sizes)})")
        self._defined: dict[tuple[str, ...], tuple[str, str]] = {}
        self._latitude = self._coordinate("latitude", "degrees_north")
        self._longitude = self._coordinate("longitude", "degrees_east")

    def _coordinate(self, name: str, units: str) -> Any:
        for variable in self._dataset.coords.values():
            if _is_coordinate(variable, name, units):
                return variable
        return None

    def _range(self, dim: str) -> tuple[int, int]:
        """Returns the first local index of a dimension and the number of local ones."""
        first, last, _ = self._part.get(dim, slice(None)).indices(self._dataset.sizes[dim])
        return first, max(0, last - first)

    def _local(self, variable: xarray.DataArray) -> np.ndarray:
        chosen = {dim: self._part[dim] for dim in variable.dims if dim in self._part}
        return np.asarray(variable.isel(chosen).values, dtype=float)

    def _horizontal(self) -> tuple[str, ...]:
        """Returns the dimensions of the domain, slowest first; none if there are no coordinates of it."""
        if self._latitude is None or self._longitude is None:
            return ()
        if self._latitude.dims == self._longitude.dims:
            return tuple(self._latitude.dims)
        return (*self._latitude.dims, *self._longitude.dims)

    def _is_time_dimension(self, dim: str) -> bool:
        return dim in self._dataset.coords and _is_time(self._dataset[dim])

    def define_field(self, name: str) -> str:
        variable = self._dataset[name]
        dims = [str(dim) for dim in variable.dims if not self._is_time_dimension(str(dim))]
        elements = self._elements_of(dims, name)
        attributes: dict[str, Any] = {ours: variable.attrs[cf] for cf, ours in _ATTRIBUTES.items() if cf in variable.attrs}
        if "_FillValue" in variable.encoding and variable.encoding["_FillValue"] is not None:
            attributes["default_value"] = float(variable.encoding["_FillValue"])
        if variable.encoding.get("complevel"):
            attributes["compression_level"] = int(variable.encoding["complevel"])
        dtype = np.dtype(variable.encoding.get("dtype", variable.dtype))
        attributes["prec"] = _precision(dtype)
        grid = "_".join(id for _, id in elements) + "_grid" if elements else "scalar_grid"
        self._define_grid(grid, elements)
        self._context.define("field", name, grid_ref=grid, **attributes)
        return name

    def _elements_of(self, dims: list[str], name: str) -> list[tuple[str, str]]:
        """Returns the elements of a variable, fastest first, as EPIOS lists them."""
        horizontal = self._horizontal()
        out = []
        while dims:
            if horizontal and tuple(dims[-len(horizontal):]) == horizontal:
                out.append(self._domain(horizontal))
                del dims[-len(horizontal):]
            elif dims[-1] in horizontal and len(horizontal) == 2 and set(horizontal) <= set(dims):
                raise ValueError(f"variable '{name}' has the dimensions {dims} (those of the domain, {horizontal}, "
                                 "must follow each other in this order). Transpose it?")
            else:
                out.append(self._axis(dims.pop()))
        return out

    def _define_grid(self, grid: str, elements: list[tuple[str, str]]) -> None:
        if self._context.find("grid", grid) is not None:
            return
        element = self._context.define("grid", grid)
        for tag, id in elements:
            element.child(tag, **{f"{tag}_ref": id})
        if not elements:
            element.child("scalar")

    def _axis(self, dim: str) -> tuple[str, str]:
        if (dim,) not in self._defined:
            begin, n = self._range(dim)
            axis = self._context.define("axis", dim, n_glo=self._dataset.sizes[dim], begin=begin, n=n, name=dim)
            if dim in self._dataset.coords and self._dataset[dim].dtype.kind in "fiu":
                coordinate = self._dataset[dim]
                axis["value"] = self._local(coordinate)
                for cf in ("standard_name", "long_name", "units", "positive"):
                    if cf in coordinate.attrs:
                        axis[_ATTRIBUTES[cf]] = str(coordinate.attrs[cf])
            self._defined[dim,] = ("axis", dim)
        return self._defined[dim,]

    def _domain(self, dims: tuple[str, ...]) -> tuple[str, str]:
        if dims not in self._defined:
            id = "_".join(dims)
            latitude, longitude = self._local(self._latitude), self._local(self._longitude)
            precision = _precision(self._latitude.dtype)
            if len(dims) == 1:
                begin, n = self._range(dims[0])
                self._context.define("domain", id, type="unstructured", ni_glo=self._dataset.sizes[dims[0]], ibegin=begin,
                                     ni=n, latvalue_1d=latitude, lonvalue_1d=longitude, dim_i_name=dims[0],
                                     prec=precision)
            else:
                kind = "rectilinear" if self._latitude.ndim == 1 else "curvilinear"
                rank = "1d" if kind == "rectilinear" else "2d"
                jbegin, nj = self._range(dims[0])
                ibegin, ni = self._range(dims[1])
                self._context.define("domain", id, type=kind, ni_glo=self._dataset.sizes[dims[1]],
                                     nj_glo=self._dataset.sizes[dims[0]], ibegin=ibegin, ni=ni, jbegin=jbegin, nj=nj, prec=precision,
                                     **{f"latvalue_{rank}": latitude, f"lonvalue_{rank}": longitude})
            self._defined[dims] = ("domain", id)
        return self._defined[dims]
