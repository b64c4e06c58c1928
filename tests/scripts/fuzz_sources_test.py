#!/usr/bin/env python3
"""What the fuzz targets are made of is there: they are built by scripts/fuzz alone, so that nobody sees when a source is renamed.

usage: fuzz_sources_test.py <top of the checkout>
"""
import re
import sys
from pathlib import Path

top = Path(sys.argv[1])
folder = top / "tests/fuzz"
text = (folder / "CMakeLists.txt").read_text()
variables = {"top": top, "c": top / "config/src", "config_folder": top / "config", "space_folder": top / "io/space"}
sources = re.findall(r"\$\{(\w+)\}(/[\w/]+\.cpp)", text)
assert len(sources) > 20, sources
missing = [f"{name}{path}" for name, path in sources if not (variables[name] / path[1:]).exists()]

modules = [path for path in (*top.glob("*/include"), *top.glob("*/src"), *top.glob("io/*/include"), *top.glob("io/*/src"))]
names = 0
for source in sorted(folder.glob("*.cpp")):
    for name in re.findall(r'^#include "([^"]+)"', source.read_text(), re.MULTILINE):
        names += 1
        if not any((root / name).exists() for root in (source.parent, *modules)):
            missing.append(f"{source.name}: {name}")
assert names > 20, names
targets = re.search(r"--target (.*)", (top / "scripts/fuzz").read_text()).group(1).split()
missing += [f"scripts/fuzz: {target}" for target in targets if not (folder / f"{target}.cpp").exists()]
if missing:
    sys.exit("fuzz targets have parts that are not there: " + ", ".join(missing))
