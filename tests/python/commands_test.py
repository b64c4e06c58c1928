"""check, ls and plan say as objects what the commands print; the stub has the names of the module; the example runs."""
import ast
import inspect
import os
import pathlib
import subprocess

import pytest

import epios
from epios import _core

IODEF = """<simulation><context id="c">
  <calendar type="NoLeap" start_date="2000-01-01 00:00:00" timestep="1h"/>
  <domain_definition><domain id="d" type="rectilinear" {size} nj_glo="4"/></domain_definition>
  <field_definition><field id="t" domain_ref="d" prec="8"/></field_definition>
  <file_definition output_freq="1d" split_freq="2d"><file id="out"><field field_ref="t" operation="average"/></file></file_definition>
</context></simulation>"""


def test_check_names_mistakes(tmp_path):
    file = tmp_path / "iodef.xml"
    file.write_text(IODEF.format(size='ni_glo="6" nonsense="1"'))
    found = epios.check(file)
    assert any(message.line == 3 and "nonsense" in str(message) and str(message).startswith(str(file)) for message in found)
    file.write_text(IODEF.format(size='ni_glo="6"'))
    assert [message for message in epios.check(file) if message.severity != "note"] == []
    assert any("nowhere.xml" in str(message) for message in epios.check(tmp_path / "nowhere.xml"))


def test_plan_counts_records(tmp_path):
    file = tmp_path / "iodef.xml"
    file.write_text(IODEF.format(size=""))
    with pytest.raises(ValueError, match="ni_glo"):
        epios.plan(file, "4d")
    (plan,) = epios.plan(file, "4d", values={"domain:d.ni_glo": 6})
    assert plan.context == "c" and plan.steps == 96 and plan.warnings == []
    (out,) = plan.files
    assert out.records == 4 and out.fields == {"t": 4} and len(out.paths) == 2
    assert out.bytes >= 4 * 24 * 8 and plan.details["files"][0]["id"] == "out"


def test_ls_lists_variables(tmp_path):
    file = tmp_path / "data.nc"
    cdl = ("netcdf data { dimensions: time = UNLIMITED ; x = 3 ; variables: double time(time) ; time:standard_name = \"time\" ;"
           " float t(time, x) ; t:_FillValue = -9.f ; float empty(time, x) ; empty:_FillValue = -9.f ;"
           " byte flags(time, x) ; flags:_Unsigned = \"true\" ; data: flags = 0, 0, 0, -1, -56, 4 ;"
           " time = 1, 2 ; t = 1, 2, 3, 4, -9, 6 ; empty = 1, 1, 1, -9, -9, -9 ; }")
    (tmp_path / "data.cdl").write_text(cdl)
    subprocess.run(["ncgen", "-k", "nc4", "-o", file, tmp_path / "data.cdl"], check=True)
    found = epios.ls(file)
    assert found.path == str(file) and found.record == 1
    t, empty, flags = found.variables
    assert (t.name, t.type, dict(t.dimensions)) == ("t", "float", {"time": 2, "x": 3})
    assert t.values == {"count": 3, "missing": 1, "min": 4, "mean": 5, "max": 6}
    assert empty.values == {"count": 3, "missing": 3, "min": None, "mean": None, "max": None}
    assert flags.values["mean"] == 153 and flags.values["max"] == 255  # would have found bytes without a sign taken for negative
    assert epios.ls(file, record=0).variables[0].values["mean"] == 2
    with pytest.raises(ValueError, match="nowhere.nc"):
        epios.ls(tmp_path / "nowhere.nc")


def test_stub_has_the_names_of_the_module():
    stub = ast.parse((pathlib.Path(epios.__file__).parent / "_core.pyi").read_text())
    classes = {node.name: node for node in stub.body if isinstance(node, ast.ClassDef) and not node.name.startswith("_")}
    functions = {node.name for node in stub.body if isinstance(node, ast.FunctionDef)}
    there = {name for name in vars(_core) if not name.startswith("_")}
    assert set(classes) | functions == there
    written = ("__init__", "__enter__", "__exit__", "__getitem__", "__setitem__", "__contains__")
    for name, node in classes.items():
        if name in ("Code", "Error"):
            continue
        members = {member.name: member for member in node.body if isinstance(member, ast.FunctionDef)}
        public = {m for m in vars(getattr(_core, name)) if not m.startswith("_") or m in written} - {"__init__"}
        assert set(members) - {"__init__"} == public, name
        for member, signature in members.items():
            first_line = (inspect.getdoc(getattr(getattr(_core, name), member)) or "").split("\n")[0]
            for argument in signature.args.args[1:] if "(" in first_line and not member.startswith("__") else []:
                assert f"{argument.arg}:" in first_line, (name, member, argument.arg)
    assert {name.name for name in ast.walk(stub) if isinstance(name, ast.FunctionDef)} >= {"serve", "mpi_library"}
    assert {code for code in vars(_core.Code) if code.isupper()} == {
        target.target.id for target in classes["Code"].body}


def test_communicators_of_another_mpi_are_refused(monkeypatch):
    class Comm:
        def py2f(self):
            return 0

    monkeypatch.setattr("sys.modules", dict(__import__("sys").modules), raising=True)
    import sys
    other = type(sys)("other_mpi")
    other.Get_library_version = lambda: "Another MPI v9.9\nmore"
    sys.modules["other_mpi"] = other
    Comm.__module__ = "other_mpi"
    with pytest.raises(RuntimeError, match="Another MPI v9.9"):
        epios.Session("m", comm=Comm())
    with pytest.raises(TypeError, match="comm"):
        epios.Session("m", comm="world")


def test_the_example_runs(tmp_path):
    source, build = os.environ["EPIOS_SOURCE"], os.environ["EPIOS_BUILD"]
    done = subprocess.run([f"{source}/examples/python/run.sh", build, "--servers", "1", "--output", str(tmp_path)],
                          capture_output=True, text=True, timeout=100, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "anomalies fade by" in done.stdout
    from netCDF4 import Dataset
    with Dataset(tmp_path / "diffusion_daily.nc") as days, Dataset(tmp_path / "forecast_daily.nc") as forecast:
        assert days["temperature"].shape == (30, 36, 72) and forecast["temperature"].shape == (10, 36, 72)
        assert abs(forecast["temperature"][-1] - days["temperature"][-1]).max() < 2  # kelvin
        assert (days["warmest"][:] >= days["temperature"][:] - 1e-3).all()
