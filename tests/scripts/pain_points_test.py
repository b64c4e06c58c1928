"""Every row of docs/pain_points.md names tests that there are, or says why there is none.

Usage: pain_points_test.py PAGE CTEST BUILD SOURCES

The last cell of a row has names of tests in `...` (`*` stands for anything), or "left: " and why, or both in this order. A name
is that of a test of BUILD, or stands as NAME ... in a CMakeLists.txt below SOURCES: some tests are for machines that have what they need.
"""
import fnmatch
import pathlib
import re
import subprocess
import sys


def tests_of(ctest, build):
    listing = subprocess.run([ctest, "--test-dir", build, "-N"], check=True, stdout=subprocess.PIPE, text=True).stdout
    return re.findall(r"^ *Test +#\d+: (\S+)$", listing, re.MULTILINE)


def conditional_tests(sources):
    return [name for path in pathlib.Path(sources).rglob("CMakeLists.txt")
            for name in re.findall(r"add_test\(NAME (\w+)\b(?![$])", path.read_text())]


def rows_of(page):
    """Number of line and cells of what stands below the rules of tables."""
    in_table = False
    for number, line in enumerate(page.splitlines(), 1):
        if not line.startswith("|"):
            in_table = False
        elif re.fullmatch(r"[| :-]+", line):
            in_table = True
        elif in_table:
            yield number, [cell.strip() for cell in line.strip().strip("|").split(" | ")]


def complaints_of(page, known):
    # Where Fortran is not built its tests are not there.
    families = {name.split("_")[0] for name in known}
    rows = 0
    for number, cells in rows_of(page):
        rows += 1
        if len(cells) != 3:
            yield f"{number}: {len(cells)} cells (expected: what was met, what is done, tests)"
            continue
        names = re.findall(r"`([^`]+)`", cells[-1].partition("left: ")[0])
        if not names and not cells[-1].startswith("left: "):
            yield f"{number}: neither a test nor 'left: ' and why"
        for name in names:
            if name.startswith("fortran_") and "fortran" not in families:
                continue
            if not fnmatch.filter(known, name):
                yield f"{number}: there is no test '{name}'"
    if rows < 50:
        yield f"only {rows} rows were found"


def main():
    page, ctest, build, sources = sys.argv[1:]
    known = tests_of(ctest, build) + conditional_tests(sources)
    complaints = list(complaints_of(pathlib.Path(page).read_text(), known))
    for complaint in complaints:
        print(f"{page}:{complaint}")
    # What would be noticed.
    table = "| a | b | c |\n| --- | --- | --- |\n"
    for bad in ["| a | b | |", "| a | b | `no_such_test` |", "| a | b | `no_such_*`, left: it is |", "| a | b |"]:
        if len(list(complaints_of(table + bad, known))) < 2:
            print("not noticed:", bad)
            return 1
    return 1 if complaints else 0


sys.exit(main())
