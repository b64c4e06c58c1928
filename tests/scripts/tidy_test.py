#!/usr/bin/env python3
"""scripts/tidy compiles each changed source by itself, and looks at each changed header through one source.

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

with tempfile.TemporaryDirectory() as folder:
    tidy.ROOT = Path(folder).resolve()

    def unit_of(name, text):
        source = tidy.ROOT / name
        source.parent.mkdir(exist_ok=True)
        source.write_text(text)
        return tidy.Unit({"directory": str(tidy.ROOT), "file": str(source),
                          "command": f"/usr/bin/ccache {sys.argv[2]} -I{tidy.ROOT}/include -Wall -Werror -o x.o -c {source}"})

    # Units hide what a source forgets to include, and warnings that only some builds ask for.
    for name, text, is_whole in [("whole.cpp", "#include <string>\nstd::string f();\n", True),
                                 ("forgets.cpp", "std::string f();\n", False),
                                 ("unused.cpp", "int f() { int x = 1; return 1; }\n", False)]:
        said = tidy.forgotten_include(unit_of(name, text))
        assert (said == "") == is_whole, said
        assert is_whole or f"{name}:1:" in said, said

    # b.hpp is seen by all four, a.hpp by two: one of these shows both.
    (tidy.ROOT / "include").mkdir()
    (tidy.ROOT / "include/a.hpp").write_text("#pragma once\n#include \"b.hpp\"\n")
    (tidy.ROOT / "include/b.hpp").write_text("#pragma once\n#include <vector>\n")
    units = [unit_of("src/none.cpp", "#include <vector>\n"), unit_of("src/b.cpp", '#include "b.hpp"\n'),
             unit_of("src/a.cpp", '# include <a.hpp>\n'), unit_of("src/a2.cpp", '#include "a.hpp"\n')]
    for changed, selected in [({"src/b.cpp"}, ["src/b.cpp"]), ({"include/b.hpp"}, ["src/b.cpp"]),
                              ({"include/a.hpp"}, ["src/a.cpp"]), ({"include/b.hpp", "src/a2.cpp"}, ["src/a2.cpp"]),
                              ({"include/a.hpp", "include/b.hpp"}, ["src/b.cpp", "src/a.cpp"]), ({"README.md"}, [])]:
        found = [unit.path for unit in tidy.with_includers(units, changed)]
        assert found == selected, (changed, found)

    # Sources give a header what it forgets to include.
    (tidy.ROOT / "include/leans.hpp").write_text("#pragma once\nstd::string f();\n")
    units.append(unit_of("src/leans.cpp", '#include <string>\n#include "leans.hpp"\n'))
    assert [header for header, _ in tidy.headers_with_flags(units, {"include/leans.hpp", "src/a.cpp"})] == ["include/leans.hpp"]
    leaning = [header for header, unit in tidy.headers_with_flags(units, None) if tidy.header_that_leans(header, unit)]
    assert leaning == ["include/leans.hpp"], leaning
print("tidy_test: good")
