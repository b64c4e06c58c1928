#!/usr/bin/env python3
"""Runs a whole configuration, made small, with a model that sends every field that is asked for, and works out
again what each file must hold: expressions, means over time, sections, masks. Nothing may be missing.

usage: whole_configuration_test.py <configuration folder> <model> <epios_server> <mpiexec> <clients> <servers>
"""
import glob
import os
import re
import shutil
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ET

import netCDF4
import numpy as np

# What makes each configuration small, and what its model says: pattern -> replacement, elements, steps; what
# becomes of values on grids that are made of others.
CASES = {
    "ocean": {
        "context": "nemo",
        "edits": [
            (r'timestep="45mi"', 'timestep="12h"'),
            (r'ni_glo="362" nj_glo="332"', 'ni_glo="24" nj_glo="12"'),
            (r'jbegin="186" ni="362"', 'jbegin="6" ni="24"'),
            (r'ibegin="(\d+)" jbegin="186" ni="1"', r'ibegin="4" jbegin="6" ni="1"'),
            (r'ni_glo="1" nj_glo="332"', 'ni_glo="1" nj_glo="12"'),
            (r'ni_glo="360" nj_glo="180"', 'ni_glo="8" nj_glo="4"'),
            (r'n_glo="75"', 'n_glo="6"'),
            (r'begin="0" n="35"', 'begin="0" n="4"'),
            (r'n_glo="1000"', 'n_glo="3"'),
            (r'<field field_ref="toce" name="votemper".*/>', ""),  # a domain alone is no section of a volume
            (r'name="eORCA1_tao" output_freq="6h" (.*)enabled=".FALSE."',
             r'name="eORCA1_tao" output_freq="12h" \1enabled=".TRUE."'),
        ],
        "domains": [("curvilinear", f"grid_{point}", 24, 12) for point in "TUVWF"] + [("rectilinear", "gznl", 1, 12)],
        "axes": {"deptht": 6, "depthu": 6, "depthv": 6, "depthw": 6, "profsed": 11, "icbcla": 10, "ncatice": 5,
                 "basin": 5, "nstrait": 21},
        "given_axes": {"iax_20C": 1},  # the XML says all of them
        "hours": 12,
        "steps": 124,
        "months": [(1, 62), (63, 120)],
        "parts": {"domain:0n156eT": np.s_[..., 6:7, 4:5], "domain:0n140wT": np.s_[..., 6:7, 4:5],
                  "EqT_3D": np.s_[..., 6:7, :], "grid_T_3D_300": np.s_[:, :4]},
        "ranges": ["regular_2D"],
    },
    "atmosphere": {
        "context": "LMDZ",
        "edits": [
            (r'timestep="15mi"', 'timestep="3h"'),
            (r'ni_glo="144" nj_glo="143"', 'ni_glo="16" nj_glo="9"'),
            (r'ibegin="60" ni="40" jbegin="12" nj="35"', 'ibegin="6" ni="4" jbegin="1" nj="3"'),
            (r'ni_glo="72" nj_glo="46"', 'ni_glo="8" nj_glo="4"'),
            (r'lat_start="-88" lat_end="88" lon_start="0" lon_end="355"', 'bounds_lat_start="-90" bounds_lat_end="90" '
             'bounds_lon_start="0" bounds_lon_end="360"'),
            (r'n_glo="79"', 'n_glo="6"'),
            (r'n_glo="80"', 'n_glo="7"'),
            (r'begin="0" n="12"', 'begin="0" n="3"'),
        ],
        "domains": [("rectilinear", "dom_glo", 16, 9)],
        "axes": {"presnivs": 6, "klevp1": 7, "Ahyb": 7, "Bhyb": 7, "spectband": 6, "nsrf": 4},
        "given_axes": {"tau": 7, "pc": 7, "sza": 5},
        "levels": {"pres": (101000, -20190)},
        "hours": 3,
        "steps": 8 * 31,
        "months": [(1, 240)],
        "parts": {"grid_europe": np.s_[..., 1:4, 6:10], "grid_europe_low": np.s_[:, :3, 1:4, 6:10]},
        "pressures": {"grid_glo_plev19": [100000, 92500, 85000, 70000, 60000, 50000, 40000, 30000, 25000, 20000, 15000,
                                          10000, 7000, 5000, 3000, 2000, 1000, 500, 100],
                      "grid_glo_plev8": [100000, 85000, 70000, 50000, 25000, 10000, 5000, 1000],
                      "grid_glo_plev3": [85000, 50000, 25000]},
        "ranges": ["grid_coarse"],
        "forcing": ("limit.nc", {"sst_in": "SST", "sic_in": "SIC"}),
    },
    "land": {
        "context": "orchidee",
        "edits": [
            (r'timestep="30mi"', 'timestep="3h"'),
            (r'freq_op="30mi"', 'freq_op="3h"'),
            (r'ni_glo="720" nj_glo="360"', 'ni_glo="12" nj_glo="8"'),
            (r'ibegin="200" ni="80" jbegin="150" nj="60"', 'ibegin="3" ni="4" jbegin="2" nj="3"'),
        ],
        "domains": [("rectilinear", "domain_landpoints", 12, 8)],
        "axes": {"nvm": 15, "nsltext": 3, "ngrnd": 18, "nsnow": 3, "ninst": 3, "nlut": 4, "nalb": 2, "nparts": 9,
                 "nlitt": 4, "nwp": 11},
        "given_axes": {"nslm": 11},
        "hours": 3,
        "steps": 8 * 32,
        "months": [(1, 248)],
        "parts": {"landpoints_ground_top": np.s_[:, :7], "region": np.s_[..., 2:5, 3:7]},
        "sums": ["landpoints_vegetation_sum"],
    },
}




def replace_in(folder, edits):
    for edit, by in edits:
        found = 0
        for path in glob.glob(f"{folder}/*.xml"):
            with open(path, encoding="utf-8") as file:
                text = file.read()
            text, count = re.subn(edit, by, text)
            found += count
            with open(path, "w", encoding="utf-8") as file:
                file.write(text)
        if found == 0:
            sys.exit(f"FAIL: the configuration has nothing for {edit}")


class Configuration:
    """What the XML says, read without any code of the library."""

    def __init__(self, folder, context):
        self.folder = folder
        root = ET.parse(f"{folder}/iodef.xml").getroot()
        element = next(c for c in root.iter("context") if c.get("id") == context)
        self.context = self.load(element)
        self.fields, self.field_groups, self.grids, self.domains, self.axes = {}, {}, {}, {}, {}
        self.constants = {v.get("id"): float(v.text) for v in self.context.iter("variable")
                          if v.get("id") and v.get("type") in ("double", "int")}
        self.files = []
        parts = [self.load(part) for part in self.context]
        fields = [part for part in parts if part.tag == "field_definition"]
        shared = {key: text for part in fields for key, text in part.attrib.items()}  # they are one group
        for part in parts:
            if part.tag == "field_definition":
                self.read_fields(part, shared)
            elif part.tag == "file_definition":
                self.read_files(part, {})
            elif part.tag == "grid_definition":
                self.grids.update({g.get("id"): g for g in part.iter("grid")})
            elif part.tag == "domain_definition":
                self.domains.update({d.get("id"): d for d in part.iter("domain")})
            elif part.tag == "axis_definition":
                self.axes.update({a.get("id"): a for a in part.iter("axis")})

    def load(self, element):
        source = element.get("src")
        return ET.parse(f"{self.folder}/{source}").getroot() if source else element

    def read_fields(self, group, inherited):
        own = {**inherited, **{k: v for k, v in group.attrib.items() if k not in ("id", "name")}}
        if group.get("id"):
            self.field_groups[group.get("id")] = group
        for child in group:
            if child.tag == "field_group":
                self.read_fields(child, own)
            elif child.get("id"):
                self.fields[child.get("id")] = {"own": dict(child.attrib), "all": {**own, **child.attrib},
                                                "expr": (child.text or "").strip()}

    def read_files(self, group, inherited):
        own = {**inherited, **group.attrib}
        for child in group:
            if child.tag == "file_group":
                self.read_files(child, own)
            else:
                file = {**own, **child.attrib, "fields": []}
                if file.get("mode") != "read":
                    self.read_written(child, {}, int(file.get("output_level", 5)), file["fields"])
                self.files.append(file)

    def read_written(self, group, inherited, level, out):
        for child in group:
            own = {**inherited, **{k: v for k, v in child.attrib.items() if k not in ("id", "group_ref")}}
            if child.tag == "field_group":
                named = self.field_groups.get(child.get("group_ref"))
                if named is not None:
                    own = {**inherited, **{k: v for k, v in named.attrib.items() if k not in ("id", "name")}}
                    own.update({k: v for k, v in child.attrib.items() if k not in ("id", "group_ref")})
                for source in [named, child]:
                    if source is not None:
                        self.read_written(source, own, level, out)
            elif child.tag == "field":
                is_here = child.get("id") and child.get("id") not in self.fields
                ref = child.get("field_ref") if is_here or not child.get("id") else child.get("id")
                whole = {**self.whole(ref), **own, "field_ref": ref, "expr": (child.text or "").strip()}
                if ref == child.get("id"):
                    whole["expr"] = ""  # its own, of which its values are made
                whole = {key: text for key, text in whole.items() if text != "_reset_"}
                if is_true(whole.get("enabled", "true")) and int(whole.get("level", 1)) <= level:
                    out.append(whole)

    def whole(self, field_id):
        """Attributes of a field with those of what it refers to."""
        field = self.fields[field_id]
        reference = field["own"].get("field_ref")
        return {**(self.whole(reference) if reference else {}), **field["all"]}

    def is_sent(self, field_id):
        field = self.fields[field_id]
        return not field["expr"] and "field_ref" not in field["own"]

    def elements_of(self, attributes):
        """Domain (or 'scalar', or '-') and axes of what has these attributes."""
        if "axis_ref" in attributes and "domain_ref" in attributes:
            return self.root_domain(attributes["domain_ref"]), [attributes["axis_ref"]]
        if "grid_ref" not in attributes:
            return self.root_domain(attributes["domain_ref"]), []
        domain, axes = "-", []
        for part in self.grids[attributes["grid_ref"]]:
            if part.tag == "domain":
                domain = self.root_domain(part.get("domain_ref"))
            elif part.tag == "axis":
                axes.append(part.get("axis_ref") or part.get("id"))
            elif domain == "-":
                domain = "scalar"
        return ("-" if axes and domain == "scalar" else domain), axes

    def root_domain(self, domain):
        element = self.domains[domain]
        return self.root_domain(element.get("domain_ref")) if element.get("domain_ref") else domain


def is_true(text):
    return text.strip(".").lower() in ("true", "t")


class Model:
    """The values that the model sends, and what becomes of them."""

    def __init__(self, configuration, case):
        self.configuration = configuration
        self.case = case
        self.sizes = {d[1]: (d[2], d[3]) for d in case["domains"]}
        self.masked = {d[1] for d in case["domains"] if d[0] == "curvilinear"}
        self.lengths = {**case["axes"], **case["given_axes"]}
        self.sent = sorted(f for f in configuration.fields if configuration.is_sent(f))
        self.numbers = {f: n + 1 for n, f in enumerate(self.sent)}
        self.cache = {}

    def write(self, folder, case):
        with open(f"{folder}/elements.txt", "w", encoding="utf-8") as out:
            print(case["context"], case["steps"], file=out)
            for kind, domain, ni, nj in case["domains"]:
                print(kind, domain, ni, nj, file=out)
            for axis, n in case["axes"].items():
                print("axis", axis, n, 0, file=out)
            for field in case.get("forcing", ("", {}))[1]:
                print("recv", field, 24 // case["hours"], 0, file=out)
        with open(f"{folder}/fields.txt", "w", encoding="utf-8") as out:
            print(len(self.sent), file=out)
            for field in self.sent:
                domain, axes = self.configuration.elements_of(self.configuration.fields[field]["all"])
                lengths = [self.lengths[a] for a in axes] + [1, 1]
                print(field, domain, len(axes), *lengths[:2], *self.levels(field), file=out)

    def levels(self, field):
        """The value of a field at its first point, and how it grows from level to level."""
        return self.case.get("levels", {}).get(field, (self.numbers[field], 0.1))

    def base(self, field):
        domain, axes = self.configuration.elements_of(self.configuration.fields[field]["all"])
        ni, nj = self.sizes.get(domain, (1, 1))
        lengths = [self.lengths[a] for a in axes] + [1, 1]
        l, k, j, i = np.ogrid[0:lengths[1], 0:lengths[0], 0:nj, 0:ni]
        first, per_level = self.levels(field)
        values = first + 0.01 * i + 0.0003 * j + per_level * k + 0.05 * l
        if domain in self.masked:
            values = np.where(i < 2, np.nan, values)
        return values

    def at_step(self, field, step):
        """Field `field` at a step; fields that others are made of, too."""
        key = (field, step)
        if key not in self.cache:
            described = self.configuration.fields[field]
            if described["expr"]:
                value = self.evaluate(described["expr"], lambda name: self.at_step(name, step))
            elif "field_ref" in described["own"]:
                value = self.at_step(described["own"]["field_ref"], step)
            else:
                value = self.base(field) * (1 + 0.001 * step)
            self.cache[key] = value
        return self.cache[key]

    def evaluate(self, expression, value_of):
        for name, constant in self.configuration.constants.items():
            expression = re.sub(rf"\${name}\b", repr(constant), expression)
        expression = expression.replace("^", "**")
        functions = {"log10": np.log10, "sqrt": np.sqrt, "max": np.maximum, "min": np.minimum}
        names = set(re.findall(r"@?\b[A-Za-z_]\w*\b", expression)) - set(functions)
        names = {n for n in names if not re.fullmatch(r"[eE]\d*", n)}
        values = {}
        for number, name in enumerate(sorted(names, key=len, reverse=True)):
            values[f"value_{number}"] = value_of(name)
            expression = re.sub(rf"(?<![\w@]){re.escape(name)}\b", f"value_{number}", expression)
        return eval(expression, {**functions, **values})  # of our own test data

    def over(self, values_at, operation, steps):
        series = np.stack([values_at(s) for s in steps])
        whole = {"average": np.mean, "maximum": np.max, "minimum": np.min, "accumulate": np.sum}
        return whole[operation](series, axis=0) if operation in whole else series[-1]

    def transformed(self, field, values, step):
        """What the grid of a field of a file makes of values."""
        grid = field.get("grid_ref", "")
        if "domain:" + field.get("domain_ref", "") in self.case.get("parts", {}):
            return values[self.case["parts"]["domain:" + field["domain_ref"]]]
        if grid in self.case.get("parts", {}):
            return values[self.case["parts"][grid]]
        if grid in self.case.get("sums", []):
            return values.sum(axis=1, keepdims=True)
        if grid in self.case.get("pressures", {}):
            return self.on_pressures(values, self.at_step("pres", step), self.case["pressures"][grid])
        return values

    def on_pressures(self, values, pressures, levels):
        out = np.full((1, len(levels), *values.shape[2:]), np.nan)
        for j, i in np.ndindex(values.shape[2:]):
            out[0, :, j, i] = np.interp(levels, pressures[0, ::-1, j, i], values[0, ::-1, j, i], np.nan, np.nan)
        return out

    def record(self, field, steps):
        """What a field of a file holds of these steps."""
        every = self.steps_of(field.get("freq_op", "1ts"))
        operation = field["operation"]
        if operation == "once":
            return self.transformed(field, self.at_step(field["field_ref"], 1), 1)
        if "@" in field["expr"]:
            return self.evaluate(field["expr"], lambda name: self.over(
                lambda step: self.at_step(name.lstrip("@"), step), "average", steps))

        def values_at(step):
            if field["expr"]:
                values = self.evaluate(field["expr"], lambda name: self.at_step(name, step))
            else:
                values = self.at_step(field["field_ref"], step)
            return self.transformed(field, values, step)
        return self.over(values_at, operation, [s for s in steps if s % every == 0])

    def steps_of(self, duration):
        """Steps of a period; 0: it is counted in months."""
        number, unit = re.fullmatch(r"(\d+)(ts|h|d|mo|y)", duration).groups()
        hours = {"ts": self.case["hours"], "h": 1, "d": 24}.get(unit, 0)
        return int(number) * hours // self.case["hours"]

    def periods(self, file):
        length = self.steps_of(file["output_freq"])
        if length > 0:
            return [range(s, s + length) for s in range(1, self.case["steps"] - length + 2, length)]
        if file["output_freq"] == "1mo":
            return [range(first, last + 1) for first, last in self.case["months"]]
        return []


class Check:
    def __init__(self, model, case):
        self.model, self.case = model, case
        self.failures, self.compared, self.variables = [], 0, 0

    def fail(self, text):
        self.failures.append(text)

    def file(self, file, folder):
        stem = f"{folder}/{file.get('name', '')}{file.get('name_suffix', '')}"
        parts = sorted(p for p in glob.glob(f"{stem}*.nc") if re.fullmatch(r"(_[\d-]+)?\.nc", p[len(stem):]))
        expected = self.model.periods(file)
        if not parts or not file["fields"]:
            if (expected and file["fields"]) or parts:
                self.fail(f"{stem}: {len(parts)} files for {len(file['fields'])} fields")
            return
        sets = [netCDF4.Dataset(p) for p in parts]
        for data in sets:
            data.set_auto_mask(False)
        for field in file["fields"]:
            self.field(file, field, sets, expected)

    def field(self, file, field, sets, expected):
        name = field.get("name") or field["field_ref"]
        place = f"{file['id']}, variable {name}"
        if any(name not in data.variables for data in sets):
            return self.fail(f"{place}: not in the file")
        self.variables += 1
        if field["operation"] == "once":
            return self.compare(place, sets[0][name][:], self.model.record(field, []), field)
        found = np.concatenate([data[name][:] for data in sets]) if expected else np.empty(0)
        if len(found) != len(expected):
            return self.fail(f"{place}: {len(found)} records, not {len(expected)}")
        for record, steps in enumerate(expected):
            wanted = self.model.record(field, steps)
            self.compare(f"{place}, record {record}", found[record], wanted, field)

    def compare(self, place, found, wanted, field):
        self.compared += 1
        gap = float(field["default_value"])
        found = np.asarray(found, dtype=float).reshape(-1)
        if field.get("grid_ref") in self.case.get("ranges", []):
            there = found[~np.isclose(found, gap, rtol=1e-6)]
            slack = 1e-5 * np.nanmax(np.abs(wanted))
            if there.size == 0 or there.min() < np.nanmin(wanted) - slack or there.max() > np.nanmax(wanted) + slack:
                self.fail(f"{place}: outside of the range of what it is made of")
            return
        wanted = wanted.reshape(-1)
        if found.size != wanted.size:
            return self.fail(f"{place}: {found.size} values, not {wanted.size}")
        missing = np.isnan(wanted)
        if missing.any() and not np.allclose(found[missing], gap, rtol=1e-6):
            return self.fail(f"{place}: {found[missing][:3]} where there is nothing")
        if not np.allclose(found[~missing], wanted[~missing], rtol=4e-6, atol=1e-12):
            worst = np.nanargmax(np.abs(found - wanted) / np.abs(wanted))
            self.fail(f"{place}: value {worst} is {found[worst]}, not {wanted[worst]}")


def write_forcing(path, names, ni, nj):
    with netCDF4.Dataset(path, "w") as data:
        for dimension, size in (("lon", ni), ("lat", nj), ("time_counter", None)):
            data.createDimension(dimension, size)
        for name in names:
            variable = data.createVariable(name, "f8", ("time_counter", "lat", "lon"))
            for day in range(31):
                variable[day] = 1000 * day + np.arange(ni) + 100 * np.arange(nj)[:, None]


def main():
    source, program, server, mpiexec, clients, servers = sys.argv[1:]
    name = os.path.basename(source)
    case = CASES[name]
    with tempfile.TemporaryDirectory(prefix="epios-whole.") as folder:
        for path in glob.glob(f"{source}/*.xml"):
            shutil.copy(path, folder)
        replace_in(folder, case["edits"])
        os.makedirs(f"{folder}/output", exist_ok=True)
        configuration = Configuration(folder, case["context"])
        model = Model(configuration, case)
        model.write(folder, case)
        if "forcing" in case:
            write_forcing(f"{folder}/{case['forcing'][0]}", case["forcing"][1].values(), *case["domains"][0][2:])
        job = [mpiexec, "-n", clients, program]
        if servers != "0":
            job += [":", "-n", servers, server]
        run = subprocess.run(job, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
        if os.environ.get("EPIOS_TEST_SHOW"):
            print(run.stdout)
        if run.returncode != 0:
            sys.exit(f"{run.stdout}\nFAIL: the job ended with {run.returncode}")
        check = Check(model, case)
        output = configuration.context.get("output_dir", ".")
        for file in configuration.files:
            if is_true(file.get("enabled", "true")) and file.get("mode") != "read":
                check.file(file, f"{folder}/{output}")
        if os.environ.get("EPIOS_TEST_KEEP"):
            shutil.copytree(folder, os.environ["EPIOS_TEST_KEEP"], dirs_exist_ok=True)
    print(f"{check.variables} variables, {check.compared} records compared")
    for failure in check.failures[:40]:
        print("FAIL:", failure)
    if check.failures or check.compared == 0:
        sys.exit(f"FAIL: {len(check.failures)} differences in {check.variables} variables, {check.compared} records")


if __name__ == "__main__":
    main()
