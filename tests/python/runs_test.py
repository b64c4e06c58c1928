"""What models in Python send is what files hold, by any number of clients and servers; what is wrong is an exception."""
import glob
import importlib.util
import os
import subprocess

import numpy as np
import pytest
from netCDF4 import Dataset

IODEF = """<simulation><context id="c">
  <calendar type="NoLeap" start_date="2000-01-01 00:00:00" timestep="1h"/>
  <domain_definition><domain id="d" type="rectilinear" ni_glo="6" nj_glo="4"/></domain_definition>
  <axis_definition><axis id="z" n_glo="3" unit="m"/></axis_definition>
  <grid_definition><grid id="g"><domain domain_ref="d"/><axis axis_ref="z"/></grid></grid_definition>
  <field_definition>
    <field id="t" grid_ref="g" unit="K" prec="8"/>
    <field id="s" domain_ref="d" prec="4"/>
    <field id="unused" domain_ref="d"/>
  </field_definition>
  <file_definition output_freq="2h"><file id="out">
    <field field_ref="t" operation="instant"/>
    <field field_ref="s" operation="average"/>
  </file></file_definition>
</context></simulation>"""

# Every client has rows first ... last - 1 of arrays of shape (3, 4, 6): levels, rows, columns.
OPEN = """
whole = np.arange(72.0).reshape(3, 4, 6)
def define(client):
    global first, last
    first, last = 4 * client.rank // client.size, 4 * (client.rank + 1) // client.size
    context = client.context("c")
    context.define("domain", "d", jbegin=first, nj=last - first, lonvalue_1d=np.arange(6) * 60.0,
                   latvalue_1d=(np.arange(4) * 30.0 - 45)[first:last])
    context.define("axis", "z", value=[5, 15, 30])
    return context
"""


@pytest.mark.parametrize("processes,servers", [(1, 0), (2, 1)])
def test_files_hold_what_was_sent(job, processes, servers):
    job.run(OPEN + """
with epios.Session("m") as session, session.client() as client, define(client) as context:
    context.close_definition()
    assert client.is_attached == (client.size == 1)
    t = context.field("t")
    for step in range(1, 5):
        context.update_calendar(step)
        assert t.is_active() and t.is_active(now=True) == (step % 2 == 0)
        t.send(step + whole[:, first:last])                                  # rows of each level: not in C order
        context.send("s", (step * whole[0, first:last]).astype("f4"))
        context.field("unused").send(np.zeros((last - first, 6)))
    assert not context.is_active("unused")
    assert context.current_date == "2000-01-01 04:00:00"
    assert context.statistics.sends > 0
    context.finalize()
    (report,) = context.file_reports
    assert report.records_written == 4 and report.records_lost == 0 and report.error == "", report
""", IODEF, processes, servers)
    whole = np.arange(72.0).reshape(3, 4, 6)
    with Dataset(job.folder / "out.nc") as file:
        assert np.array_equal(file["t"][:], np.stack([2 + whole, 4 + whole]))
        assert np.array_equal(file["s"][:], np.stack([1.5 * whole[0], 3.5 * whole[0]]).astype("f4"))
        assert list(file["z"][:]) == [5, 15, 30]


def test_records_are_received(job):
    with Dataset(job.folder / "in.nc", "w") as file:
        for name, size in (("time_counter", None), ("lat", 4), ("lon", 6)):
            file.createDimension(name, size)
        file.createVariable("s", "f8", ("time_counter", "lat", "lon"))[:] = np.arange(48.0).reshape(2, 4, 6)
    iodef = IODEF.replace('output_freq="2h"><file id="out">', 'output_freq="1h"><file id="in" mode="read">')
    iodef = iodef.replace('<field field_ref="t" operation="instant"/>', "").replace(
        'field_ref="s" operation="average"', 'field_ref="s" operation="instant"')
    job.run(OPEN + """
with epios.Session("m") as session, session.client() as client, define(client) as context:
    context.close_definition()
    for step, dtype in ((0, "f8"), (1, "f4")):
        context.update_calendar(step)
        out = np.zeros((4, 6), dtype)
        context.receive("s", out)
        assert np.array_equal(out, np.arange(24.0).reshape(4, 6) + 24 * step), out
    for wrong in (np.zeros((4, 6), int), np.zeros((6, 4)).T):
        try:
            context.receive("s", wrong)
            raise AssertionError("taken: " + str(wrong.dtype))
        except TypeError as error:
            assert "field 's'" in str(error) and "C order" in str(error), error
""", iodef)


def test_fields_are_exchanged(job):
    """Two programs, each with a field of the other: would have found that only C++ and Fortran can receive it."""
    def context(name, partner, sent, received):
        return f"""<context id="{name}">
          <calendar type="NoLeap" start_date="2000-01-01 00:00:00" timestep="1h"/>
          <domain_definition><domain id="d" type="rectilinear" ni_glo="6" nj_glo="4"/></domain_definition>
          <field_definition><field id="{sent}" domain_ref="d"/></field_definition>
          <coupler_out_definition><coupler_out context="{partner}">
            <field field_ref="{sent}" operation="average" freq_op="2h"/></coupler_out></coupler_out_definition>
          <coupler_in_definition><coupler_in context="{partner}">
            <field id="{received}" domain_ref="d" freq_op="2h"/></coupler_in></coupler_in_definition>
        </context>"""
    job.run("""
import os
rank = int(os.environ.get("PMI_RANK", os.environ.get("OMPI_COMM_WORLD_RANK", "0")))
program, name, own, other = [("ocean", "sea", "sst", "wind"), ("atm", "sky", "wind", "sst")][rank]
sign = 1 - 2 * rank
whole = np.arange(24.0).reshape(4, 6)
taken = 0
with epios.Session(program) as session, session.client() as client, client.context(name) as context:
    context.define("domain", "d", jbegin=0, nj=4, lonvalue_1d=np.arange(6) * 60.0, latvalue_1d=np.arange(4) * 30.0 - 45)
    context.close_definition()
    for step in range(1, 5):
        context.update_calendar(step)
        context.send(own, sign * (step + whole))
        if context.is_active(other, now=True):
            out = np.zeros((4, 6))
            context.receive(other, out)
            assert np.array_equal(out, -sign * (step - 0.5 + whole)), out
            taken += 1
assert taken == 2, taken
""", "<simulation>" + context("sea", "atm::sky", "sst", "wind") + context("sky", "ocean::sea", "wind", "sst") + "</simulation>", 2, 1)


def test_arrays_are_borrowed(job):
    job.run(OPEN + """
with epios.Session("m") as session, session.client() as client, define(client) as context:
    context.close_definition()
    context.update_calendar(2)
    t = context.field("t")
    lent = t.borrow()
    assert lent.shape == (72,) and lent.dtype == np.float64
    lent.reshape(3, 4, 6)[:] = whole + 7
    t.send(lent)
    def is_read_only(array):
        try:
            array[0] = 1
        except ValueError:
            return True
    assert is_read_only(lent)                        # it is on its way
    context.send("s", np.zeros((4, 6)))
    other = t.borrow("f4")
    other[:] = 0
    t.give_back()
    assert other.dtype == np.float32 and is_read_only(other)
""", IODEF)
    with Dataset(job.folder / "out.nc") as file:
        assert np.array_equal(file["t"][0], np.arange(72.0).reshape(3, 4, 6) + 7)


def test_attributes_are_read_back(job):
    job.run(OPEN + """
import datetime
with epios.Session("m") as session, session.client() as client, define(client) as context:
    d = context.find("domain", "d")
    assert context.find("domain", "none") is None
    d["mask_2d"] = np.arange(24).reshape(4, 6) > 3
    assert d["mask_2d"].dtype == bool and d["mask_2d"].shape == (4, 6) and d["mask_2d"].sum() == 20
    assert np.array_equal(d["latvalue_1d"], [-45, -15, 15, 45])
    assert d["ni_glo"] == 6 and isinstance(d["ni_glo"], int)
    assert d["type"] == "rectilinear" and "name" not in d and d.get("name", "x") == "x"
    d.set(name="horizontal", long_name="rows and columns")
    assert d["name"] == "horizontal"
    d["name"] = None
    assert "name" not in d
    try:
        d["name"]
        raise AssertionError
    except KeyError:
        pass
    z = context.find("axis", "z")
    z["label"] = ["top", "mid", "deep"]            # would have found that no list of texts could be set
    assert z["label"] == ["top", "mid", "deep"], z["label"]
    file = context.find("file", "out")
    file["output_freq"] = datetime.timedelta(hours=3)
    assert file["output_freq"] in ("0d 10800s", "10800s", "3h"), file["output_freq"]
    field = file.child("field", field_ref="s", name="u", add_offset=np.float32(2), enabled=np.bool_(False))
    assert field["add_offset"] == 2.0 and field["enabled"] is False and field.tag == "field" and field.id
    for name, value in (("nonsense", 1), ("default_value", "no number")):
        try:
            field[name] = value
            raise AssertionError
        except epios.Error as error:
            assert error.code == epios.Code.CONFIGURATION and name in str(error), (error.code, error)
    context.find("file", "out")["enabled"] = False
    context.close_definition()
""", IODEF)


def test_wrong_arrays_are_refused(job):
    job.run(OPEN + """
with epios.Session("m") as session, session.client() as client, define(client) as context:
    context.close_definition()
    context.update_calendar(2)
    for wrong in (np.zeros(72, int), "text", None, np.zeros(72, complex)):
        try:
            context.send("t", wrong)
            raise AssertionError
        except TypeError as error:
            assert "field 't'" in str(error) and "float64" in str(error), error
    try:
        context.send("t", np.zeros(71))
        raise AssertionError
    except epios.Error as error:
        assert error.code == epios.Code.ARGUMENT and "'t'" in str(error), error
    try:
        context.field("none")
        raise AssertionError
    except epios.Error as error:
        assert error.code == epios.Code.ARGUMENT, error
    context.send("t", whole)
    context.send("s", np.zeros((4, 6)))
""", IODEF)


def test_arrays_in_another_order_are_refused(job):
    iodef = IODEF.replace('<field field_ref="t" operation="instant"/>', '<field field_ref="t" operation="instant"/>' +
                          '<field field_ref="halo" operation="instant"/>')
    iodef = iodef.replace('<field id="unused"', '<field id="halo" domain_ref="h"/><field id="unused"')
    iodef = iodef.replace('</domain_definition>', '<domain id="h" type="rectilinear" ni_glo="6" nj_glo="4" data_dim="2"' +
                          ' data_ibegin="-1" data_ni="8"/></domain_definition>')
    iodef = iodef.replace('</file></file_definition>', '</file><file id="in" mode="read" output_freq="1h">' +
                          '<field id="r" domain_ref="d" operation="instant"/></file></file_definition>')
    with Dataset(job.folder / "in.nc", "w") as file:
        for name, size in (("time_counter", None), ("lat", 4), ("lon", 6)):
            file.createDimension(name, size)
        file.createVariable("r", "f8", ("time_counter", "lat", "lon"))[:] = np.arange(72.0).reshape(3, 4, 6)
    job.run(OPEN + """
def refused(call, *shapes):
    try:
        call()
    except epios.Error as error:
        assert error.code == epios.Code.ARGUMENT and all(str(shape) in str(error) for shape in shapes), error
        return
    raise AssertionError(shapes)
with epios.Session("m") as session, session.client() as client, define(client) as context:
    context.close_definition()
    context.update_calendar(2)
    t, s = context.field("t"), context.field("s")
    assert t.shape == (3, 4, 6) and s.shape == (4, 6) and context.field("halo").shape == (4, 8)
    assert context.field("unused").shape == ()
    for shape in ((6, 4, 3), (3, 6, 4), (4, 6, 3), (24, 3), (6, 12), (4, 3, 6), (2, 6, 6)):
        wrong = np.zeros(shape)
        refused(lambda: t.send(wrong), "'t'", shape, (3, 4, 6))
        refused(lambda: t.send(wrong.astype("f4").copy("F")), shape, (3, 4, 6))
        refused(lambda: context.send("t", wrong), shape, (3, 4, 6))
    refused(lambda: context.send("halo", np.zeros((8, 4))), (8, 4), (4, 8))
    refused(lambda: context.receive("r", np.zeros((6, 4))), "'r'", (6, 4), (4, 6))
    refused(lambda: s.send(np.zeros((6, 5))), (6, 5), (4, 6))                       # nor has it as many values
    lent = t.borrow()
    refused(lambda: t.send(lent.reshape(6, 4, 3)), (6, 4, 3), (3, 4, 6))
    lent.reshape(t.shape)[:] = whole
    t.send(lent.reshape(t.shape))
    s.send(np.ones((1, 4, 1, 6, 1)))
    context.send("halo", np.ones((4, 8)))
    context.send("unused", np.zeros((6, 4)))
    for shape in ((24,), (4, 6), (1, 4, 6, 1), (2, 2, 6)):
        out = np.zeros(shape)
        context.receive("r", out)
        assert np.array_equal(out.ravel(), np.arange(24.0) + 48), out
    for step, shape in ((4, (72,)), (6, (12, 6)), (8, (3, 24)), (10, (3, 2, 2, 6))):
        context.update_calendar(step)
        t.send(whole.reshape(shape))
""", iodef)
    with Dataset(job.folder / "out.nc") as file:
        assert np.array_equal(file["t"][:], np.stack([np.arange(72.0).reshape(3, 4, 6)] * 5))


@pytest.mark.parametrize("processes,servers,is_shared", [(1, 0, False), (2, 2, False), (1, 2, True)])
def test_a_refused_definition_is_closed_again(job, processes, servers, is_shared):
    """One file is refused; the others, also those of other servers, are made again, and the run ends well."""
    iodef = IODEF.replace('<file_definition output_freq="2h">', '<file_definition output_freq="1h">' + "".join(
        f'<file id="{name}"><field field_ref="s" operation="instant"/></file>' for name in "abc") +
        '<file id="kept" overwrite="never"><field field_ref="s" operation="instant"/></file>')
    if is_shared:
        iodef = iodef.replace("</simulation>", '<context id="xios"><variable_definition>' +
                              '<variable id="shared_record_bytes">0</variable></variable_definition></context></simulation>')
    (job.folder / "kept.nc").write_text("kept")
    job.run(OPEN + """
with epios.Session("m") as session, session.client() as client, define(client) as context:
    for attempt in range(2):
        try:
            context.close_definition()
            raise AssertionError
        except epios.Error as error:
            assert error.code == epios.Code.IO and "file 'kept.nc': it exists" in str(error), error
    context.find("file", "kept")["name"] = "other"
    context.close_definition()
    context.update_calendar(1)
    context.send("s", np.ones((last - first, 6)))
    context.send("t", whole[:, first:last])
""", iodef, processes, servers)
    assert (job.folder / "kept.nc").read_text() == "kept"
    assert not list(job.folder.glob("*.part*")), list(job.folder.iterdir())
    for name in ("a", "b", "c", "other", "out"):
        with Dataset(job.folder / (name + ".nc")) as file:
            assert np.array_equal(file["s"][:], np.ones((1, 4, 6)))


def test_masked_values_are_refused(job):
    job.run(OPEN + """
def refused(call):
    try:
        call()
        raise AssertionError
    except TypeError as error:
        assert "masked" in str(error) and "filled" in str(error), error
some = np.ma.masked_less(whole, 5)
with epios.Session("m") as session, session.client() as client, define(client) as context:
    refused(lambda: context.define("axis", "z", value=np.ma.masked_equal([5, 15, 30], 15)))
    refused(lambda: context.define("domain", "d", mask_2d=np.ma.masked_array(whole[0] > 3, whole[0] < 2)))
    context.close_definition()
    context.update_calendar(2)
    refused(lambda: context.send("t", some))
    refused(lambda: context.send("t", some.astype("f4")))
    refused(lambda: context.receive("t", some))
    context.send("t", np.ma.masked_less(whole, -1))                                    # nothing is masked
    context.send("s", np.ma.filled(some, 1e20)[0])
""", IODEF)
    with Dataset(job.folder / "out.nc") as file:
        assert np.array_equal(file["t"][0], np.arange(72.0).reshape(3, 4, 6))


def test_dates_and_durations_of_numpy_and_cftime(job):
    pytest.importorskip("cftime")
    job.run(OPEN + """
import cftime, datetime
with epios.Session("m") as session, session.client() as client, define(client) as context:
    calendar = context.define("calendar")
    def refused(name, value, words, kind=ValueError):
        try:
            calendar[name] = value
            raise AssertionError(words)
        except kind as error:
            assert "'" + name + "'" in str(error) and words in str(error), error
    for value in (np.datetime64("2001-02-03T04:05:06", "ns"), np.datetime64("2001-02-03T04:05:06", "s"),
                  np.array("2001-02-03T04:05:06", "M8[ns]"), datetime.datetime(2001, 2, 3, 4, 5, 6),
                  datetime.datetime(2001, 2, 3, 4, 5, 6, tzinfo=datetime.timezone.utc),
                  cftime.DatetimeNoLeap(2001, 2, 3, 4, 5, 6)):
        calendar["start_date"] = "1999-01-01"
        calendar["start_date"] = value
        assert calendar["start_date"] == "2001-02-03 04:05:06", (value, calendar["start_date"])
    calendar["start_date"] = cftime.Datetime360Day(2001, 2, 30)
    calendar["start_date"] = datetime.date(2000, 1, 1)
    assert calendar["start_date"] == "2000-01-01 00:00:00", calendar["start_date"]
    for value in (np.timedelta64(3600 * 10**9, "ns"), np.timedelta64(1, "h"), datetime.timedelta(hours=1)):
        calendar["timestep"] = "7s"
        calendar["timestep"] = value
        assert calendar["timestep"] in ("1h", "3600s", "0d 3600s"), (value, calendar["timestep"])
    east = datetime.timezone(datetime.timedelta(hours=3))
    refused("start_date", datetime.datetime(2001, 2, 3, tzinfo=east), "time zone")
    refused("start_date", datetime.datetime(2001, 2, 3, 4, 5, 6, 700000), "whole seconds")
    refused("start_date", cftime.DatetimeNoLeap(2001, 2, 3, 4, 5, 6, 7), "whole seconds")
    refused("start_date", np.datetime64("2001-02-03T04:05:06.7", "ns"), "whole seconds")
    refused("start_date", np.datetime64("NaT"), "NaT")
    refused("timestep", np.timedelta64(1500, "ms"), "whole seconds")
    refused("timestep", datetime.timedelta(milliseconds=7), "whole seconds")
    refused("timestep", {}, "a dict", TypeError)
    refused("timestep", object(), "a object", TypeError)
    refused("timestep", b"1h", "a bytes", TypeError)
    refused("timestep", 2**70, "at most")
    refused("timestep", np.uint64(2**63), "at most")
    refused("timestep", np.array([1, 2**63], np.uint64), "at most")
    context.find("file", "out")["enabled"] = False
    context.close_definition()
""", IODEF)


@pytest.mark.parametrize("processes,servers", [(1, 0), (2, 1)])
def test_an_exception_ends_the_job(job, processes, servers):
    printed = job.run(OPEN + """
with epios.Session("m") as session, session.client() as client, define(client) as context:
    context.close_definition()
    context.update_calendar(2)
    context.send("t", whole[:, first:last])
    if client.rank == 0:
        raise RuntimeError("the model has lost its heat")
    context.send("s", np.zeros((last - first, 6)))
    context.update_calendar(4)
    context.finalize()
""", IODEF, processes, servers, expect=None)
    assert "gave up (RuntimeError: the model has lost its heat" in printed, printed
    assert not (job.folder / "out.nc").exists()


def mpi_of(module):
    """Returns the names of the MPI libraries that a compiled module loads."""
    loaded = subprocess.run(["ldd", module], capture_output=True, text=True, check=True).stdout.split()
    return {word for word in loaded if word.startswith(("libmpi.", "libmpich."))}


def test_a_communicator_of_mpi4py_is_taken(job):
    mpi4py = importlib.util.find_spec("mpi4py")
    if mpi4py is None:
        pytest.skip("mpi4py is not installed")
    theirs = mpi_of(glob.glob(os.path.join(os.path.dirname(mpi4py.origin), "MPI.*.so"))[0])
    ours = mpi_of(importlib.util.find_spec("epios._core").origin)
    if theirs != ours:
        pytest.skip(f"mpi4py is made for {theirs}, EPIOS for {ours}")
    text = job.run("from mpi4py import MPI\n" + OPEN + """
turned = MPI.COMM_WORLD.Split(0, -MPI.COMM_WORLD.rank)
with epios.Session("m", comm=turned) as session, session.client() as client, define(client) as context:
    context.close_definition()
    same = MPI.Comm.f2py(session.comm)
    print("ranks", client.rank, turned.rank, same.rank, client.size, same.size)
    for step in range(1, 3):
        context.update_calendar(step)
        context.field("t").send(step + whole[:, first:last])
        context.field("s").send(whole[0, first:last])
    context.finalize()
""", IODEF, 2)
    assert sorted(line for line in text.splitlines() if line.startswith("ranks")) == ["ranks 0 0 0 2 2", "ranks 1 1 1 2 2"]
    with Dataset(job.folder / "out.nc") as file:
        assert np.array_equal(file["t"][0], 2 + np.arange(72.0).reshape(3, 4, 6))


def test_a_communicator_of_another_mpi_is_refused(job):
    text = job.run("""
def Get_library_version():
    return "Some MPI v9.9, 2031"
class Comm:
    def py2f(self):
        raise SystemExit("asked for its handle")
try:
    epios.Session("m", comm=Comm())
except RuntimeError as error:
    print("refused:", error)
""", IODEF)
    assert "refused: mpi4py uses another MPI library (Some MPI v9.9, 2031) than EPIOS (" in text
