"""A dataset of xarray as template: the file of the run is the dataset again, for each kind of grid."""

import pytest

xarray = pytest.importorskip("xarray")

IODEF = """<simulation><context id="c">
  <calendar type="NoLeap" start_date="2000-01-01 00:00:00" timestep="1h"/>
  <file_definition output_freq="1h"><file id="out"/></file_definition>
</context></simulation>"""

DATASETS = """
import xarray
def degrees(dims, values, towards):
    return (dims, values, {"units": "degrees_" + towards,
                           "standard_name": {"north": "latitude", "east": "longitude"}[towards]})
def dataset(kind):
    rng = np.random.default_rng(1)
    if kind == "rectilinear":
        dims = ("lat", "lon")
        coords = {"lat": degrees("lat", np.linspace(-60, 60, 4), "north"), "lon": degrees("lon", np.arange(6) * 60.0, "east")}
    elif kind == "curvilinear":
        dims = ("y", "x")
        lat, lon = np.meshgrid(np.linspace(-60, 60, 4), np.arange(6) * 50.0, indexing="ij")
        coords = {"nav_lat": degrees(dims, lat + lon / 50, "north"), "nav_lon": degrees(dims, lon + lat / 50, "east")}
    else:
        dims = ("cell",)
        coords = {"lat": degrees(dims, rng.uniform(-80, 80, 11), "north"), "lon": degrees(dims, rng.uniform(0, 360, 11), "east")}
    coords["depth"] = ("depth", np.array([5.0, 15.0, 30.0]), {"units": "m", "positive": "down", "standard_name": "depth"})
    coords["time"] = ("time", np.arange(2), {"units": "hours since 2000-01-01", "calendar": "noleap"})
    sizes = {"rectilinear": (4, 6), "curvilinear": (4, 6), "unstructured": (11,)}[kind]
    out = xarray.Dataset(coords=coords)
    out["theta"] = (("time", "depth", *dims), rng.normal(size=(2, 3, *sizes)),
                    {"standard_name": "sea_water_potential_temperature", "units": "K"})
    out["zos"] = (("time", *dims), rng.normal(size=(2, *sizes)).astype("f4"), {"long_name": "height of the sea", "units": "m"})
    out["total"] = (("time",), rng.normal(size=2))
    out["theta"].encoding["_FillValue"] = 1e20
    return out
"""


@pytest.mark.parametrize("kind,processes,servers",
                         [("rectilinear", 2, 1), ("curvilinear", 1, 0), ("unstructured", 1, 0)])
def test_a_dataset_is_written_as_it_is(job, kind, processes, servers):
    job.run(DATASETS + f"""
data = dataset("{kind}")
with epios.Session("m") as session, session.client() as client, client.context("c") as context:
    part = {{}}
    if client.size == 2:
        part = {{"lat": slice(2 * client.rank, 2 * client.rank + 2)}}
    fields = epios.define_template(context, data, part)
    assert fields == ["theta", "zos", "total"], fields
    for field in fields:
        context.find("file", "out").child("field", field_ref=field, operation="instant")
    context.close_definition()
    for step in (1, 2):
        context.update_calendar(step)
        for field in fields:
            values = data[field].isel(time=step - 1)
            context.send(field, values.isel({{d: s for d, s in part.items() if d in values.dims}}).values)
""", IODEF, processes, servers)
    scope = {"np": __import__("numpy")}
    exec(DATASETS, scope)  # the same dataset again
    wanted = scope["dataset"](kind)
    with xarray.open_dataset(job.folder / "out.nc", decode_times=False) as got:
        for name in ("theta", "zos", "total"):
            assert got[name].dtype == wanted[name].dtype
            assert (got[name].values == wanted[name].values).all(), name
            for attribute in wanted[name].attrs:
                assert got[name].attrs[attribute] == wanted[name].attrs[attribute]
        assert list(got["depth"].values) == [5, 15, 30] and got["depth"].attrs["positive"] == "down"
        assert got["theta"].encoding["_FillValue"] == 1e20
        for coordinate in ("latitude", "longitude"):
            (ours,) = [v for v in got.variables.values() if v.attrs.get("standard_name") == coordinate]
            (theirs,) = [v for v in wanted.variables.values() if v.attrs.get("standard_name") == coordinate]
            assert abs(ours.values - theirs.values).max() < 1e-12


def test_a_template_without_records(job):
    """A file without times yet, as it is cut by isel(time=[]); what numbers are precise to in memory is no packing."""
    job.run(DATASETS + """
data = dataset("rectilinear").isel(time=[])
data["zos"] = data["zos"].astype("f2")
data = data.assign_coords(lat=data["lat"].astype("f2"))
data["time"] = ("time", np.array([], "M8[ns]"))
with epios.Session("m") as session, session.client() as client, client.context("c") as context:
    epios.define_template(context, data)
    assert context.find("axis", "time") is None
    assert context.find("field", "zos")["prec"] == 4 and context.find("field", "theta")["prec"] == 8
    context.find("file", "out")["enabled"] = False
    context.close_definition()
""", IODEF)


def test_wrong_templates_are_named(job):
    printed = job.run(DATASETS + """
with epios.Session("m") as session, session.client() as client:
    context = client.context("c")
    for make, words in ((lambda: epios.define_template(context, dataset("rectilinear"), {"latt": slice(0, 2)}), "latt"),
                        (lambda: epios.define_template(context, dataset("rectilinear").transpose("time", "lon", "lat", "depth")),
                         "Transpose")):
        try:
            make()
            raise AssertionError(words)
        except ValueError as error:
            assert words in str(error), error
    print("both named")
    raise SystemExit(1)
""", IODEF, expect=None)
    assert "both named" in printed
