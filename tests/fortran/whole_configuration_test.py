#!/usr/bin/env python3
"""Runs a whole configuration, made small, with a model that sends every field that is asked for, and works out
again what each file must hold: expressions, means over time, sections, masks. Nothing may be missing.

usage: whole_configuration_test.py <configuration folder> <model> <epios_server> <mpiexec> <clients> <servers>
"""
import glob
import math
import os
import re
import shutil
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ET

import netCDF4
import numpy as np

# What makes each configuration small, and what its model says: pattern -> replacement, elements, steps (of 12 hours).
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
            (r'name="eORCA1_tao" output_freq="6h" (.*)enabled=".FALSE."', r'name="eORCA1_tao" output_freq="12h" \1enabled=".TRUE."'),
        ],
        "domains": [("curvilinear", f"grid_{point}", 24, 12) for point in "TUVWF"] + [("rectilinear", "gznl", 1, 12)],
        "axes": {"deptht": 6, "depthu": 6, "depthv": 6, "depthw": 6, "profsed": 11, "icbcla": 10, "ncatice": 5,
                 "basin": 5, "nstrait": 21},
        "given_axes": {"iax_20C": 1},  # the XML says all of them
        "steps": 124,
    },
}
STEPS_OF = {"12h": 1, "1d": 2, "5d": 10}
MONTHS = [(1, 62), (63, 120)]
MISSING = 1e20


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
        element = next(c for c in root if c.tag == "context" and c.get("id") == context)
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
                self.read_written(child, {}, int(file.get("output_level", 5)), file["fields"])
                self.files.append(file)

    def read_written(self, group, inherited, level, out):
        for child in group:
            own = {**inherited, **{k: v for k, v in child.attrib.items() if k not in ("id", "group_ref")}}
            if child.tag == "field_group":
                named = self.field_groups.get(child.get("group_ref"))
                if named is not None:
                    own = {**{k: v for k, v in named.attrib.items() if k not in ("id", "name")}, **own}
                for source in [named, child]:
                    if source is not None:
                        self.read_written(source, own, level, out)
            elif child.tag == "field":
                ref = child.get("field_ref") or child.get("id")
                defaults = self.fields.get(ref, {"all": {}})["all"]
                whole = {**defaults, **own, "field_ref": ref, "expr": (child.text or "").strip()}
                if is_true(whole.get("enabled", "true")) and int(whole.get("level", 1)) <= level:
                    out.append(whole)

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
                axes.append(part.get("axis_ref"))
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
        with open(f"{folder}/fields.txt", "w", encoding="utf-8") as out:
            print(len(self.sent), file=out)
            for field in self.sent:
                domain, axes = self.configuration.elements_of(self.configuration.fields[field]["all"])
                lengths = [self.lengths[a] for a in axes] + [1, 1]
                print(field, domain, len(axes), *lengths[:2], file=out)

    def base(self, field):
        domain, axes = self.configuration.elements_of(self.configuration.fields[field]["all"])
        ni, nj = self.sizes.get(domain, (1, 1))
        lengths = [self.lengths[a] for a in axes] + [1, 1]
        l, k, j, i = np.ogrid[0:lengths[1], 0:lengths[0], 0:nj, 0:ni]
        values = self.numbers[field] + 0.01 * i + 0.0003 * j + 0.1 * k + 0.05 * l
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
        functions = {"log10": np.log10, "sqrt": np.sqrt, "max": np.maximum, "min": np.minimum}
        names = set(re.findall(r"@?\b[A-Za-z_]\w*\b", expression)) - set(functions)
        names = {n for n in names if not re.fullmatch(r"[eE]\d*", n)}
        values = {}
        for number, name in enumerate(sorted(names, key=len, reverse=True)):
            values[f"value_{number}"] = value_of(name)
            expression = re.sub(rf"(?<![\w@]){re.escape(name)}\b", f"value_{number}", expression)
        return eval(expression, {**functions, **values})  # of our own test data

    def over(self, field, operation, steps):
        series = np.stack([self.at_step(field, s) for s in steps])
        if operation == "average":
            return series.mean(axis=0)
        if operation == "maximum":
            return series.max(axis=0)
        if operation == "minimum":
            return series.min(axis=0)
        assert operation == "instant", operation
        return series[-1]

    def record(self, field, steps):
        """What a field of a file holds of these steps."""
        if field["expr"]:
            if "@" in field["expr"]:
                return self.evaluate(field["expr"], lambda name: self.over(name.lstrip("@"), "average", steps))
            series = np.stack([self.evaluate(field["expr"], lambda name: self.at_step(name, s)) for s in steps])
            return series.mean(axis=0) if field["operation"] == "average" else series[-1]
        return self.over(field["field_ref"], field["operation"], steps)


def periods(file, steps):
    frequency = file["output_freq"]
    if frequency in STEPS_OF:
        length = STEPS_OF[frequency]
        return [range(s, s + length) for s in range(1, steps + 1, length) if s + length - 1 <= steps]
    if frequency == "1mo":
        return [range(first, last + 1) for first, last in MONTHS]
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
        expected = periods(file, self.case["steps"])
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
        found = np.concatenate([data[name][:] for data in sets]) if expected else np.empty(0)
        if len(found) != len(expected):
            return self.fail(f"{place}: {len(found)} records, not {len(expected)}")
        for record, steps in enumerate(expected):
            wanted = self.model.record(field, steps)
            self.compare(f"{place}, record {record}", found[record], self.part(field, wanted), field)

    def part(self, field, values):
        """What transformations leave of the values, or None: only their range is known."""
        grid = field.get("grid_ref", "")
        if field.get("domain_ref", "").startswith("0n"):
            return values[..., 6:7, 4:5]
        if grid.startswith("Eq"):
            return values[..., 6:7, :]
        if grid == "grid_T_3D_300":
            return values[:, :4]
        if grid == "regular_2D":
            return (np.nanmin(values), np.nanmax(values))
        return values

    def compare(self, place, found, wanted, field):
        self.compared += 1
        if isinstance(wanted, tuple):
            there = found[found < MISSING / 2]
            slack = 1e-5 * max(abs(w) for w in wanted)
            if there.size == 0 or there.min() < wanted[0] - slack or there.max() > wanted[1] + slack:
                self.fail(f"{place}: outside of {wanted}")
            return
        wanted = wanted.reshape(-1)
        found = np.asarray(found, dtype=float).reshape(-1)
        if found.size != wanted.size:
            return self.fail(f"{place}: {found.size} values, not {wanted.size}")
        missing = np.isnan(wanted)
        if missing.any() and not np.allclose(found[missing], MISSING, rtol=1e-6):
            return self.fail(f"{place}: masked points hold {found[missing][:3]}")
        if not np.allclose(found[~missing], wanted[~missing], rtol=2e-6, atol=1e-12):
            worst = np.nanargmax(np.abs(found - wanted) / np.abs(wanted))
            self.fail(f"{place}: value {worst} is {found[worst]}, not {wanted[worst]}")


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
            if is_true(file.get("enabled", "true")):
                check.file(file, f"{folder}/{output}")
        if os.environ.get("EPIOS_TEST_KEEP"):
            shutil.copytree(folder, os.environ["EPIOS_TEST_KEEP"], dirs_exist_ok=True)
    print(f"{check.variables} variables, {check.compared} records compared")
    for failure in check.failures[:40]:
        print("FAIL:", failure)
    if check.failures or check.compared == 0:
        sys.exit(f"FAIL: {len(check.failures)} of {check.variables} variables")


if __name__ == "__main__":
    main()
