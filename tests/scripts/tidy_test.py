#!/usr/bin/env python3
"""scripts/tidy looks at sources as they are: without precompiled headers, each by itself.

usage: tidy_test.py <scripts/tidy> <C++ compiler>
"""
import importlib.machinery
import importlib.util
import sys
import tempfile
from pathlib import Path

loader = importlib.machinery.SourceFileLoader("tidy", sys.argv[1])
sys.dont_write_bytecode = True
tidy = importlib.util.module_from_spec(importlib.util.spec_from_loader("tidy", loader))
loader.exec_module(tidy)

flags = "-O1 -Winvalid-pch -include /b/CMakeFiles/m.dir/cmake_pch.hxx -include own.h -MD -o x.o -c x.cpp".split()
left = tidy.without_precompiled(flags)
assert left == ["-O1", "-include", "own.h", "-MD", "-c", "x.cpp"], left

with tempfile.TemporaryDirectory() as folder:
    header = Path(folder) / "cmake_pch.hxx"
    header.write_text("#include <string>\n")
    for name, text, is_whole in [("whole.cpp", "#include <string>\nstd::string f();\n", True),
                                 ("forgets.cpp", "std::string f();\n", False)]:
        source = Path(folder) / name
        source.write_text(text)
        unit = tidy.Unit({"directory": folder, "file": str(source),
                          "command": f"{sys.argv[2]} -Winvalid-pch -include {header} -o x.o -c {source}"})
        assert unit.has_precompiled
        said = tidy.forgotten_include(unit)
        assert (said == "") == is_whole, said
        assert is_whole or "forgets.cpp:1:" in said, said
print("tidy_test: good")
