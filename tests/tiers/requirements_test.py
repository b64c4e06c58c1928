"""No row of a page is without its tests: each that it names is there, and each row, and each group of names in it, has one
in the default tier, so that what `scripts/test` leaves out is only more of the same.

Usage: requirements_test.py CTEST BUILD SOURCES PAGE...

Prints the list of all rows, with how many of their tests are quick, default and full. A name that is not a test of BUILD must stand
in a CMakeLists.txt: some tests are for machines that have what they need.
"""
import fnmatch
import json
import pathlib
import re
import subprocess
import sys

import rows

# At least so many rows of a page are known: a table that is not found would be no mistake otherwise.
LEAST_ROWS = {"requirements.md": 50, "pain_points.md": 50}
FEW_ROWS = 10
# Cells of a row: what is promised or was met, where or what is done, tests; others have more between.
CELLS = {"reliability.md": 5}


def labels_of_tests(ctest, build):
    listing = subprocess.run([ctest, "--test-dir", build, "--show-only=json-v1"], check=True, stdout=subprocess.PIPE, text=True)
    found = {}
    for test in json.loads(listing.stdout)["tests"]:
        properties = {entry["name"]: entry["value"] for entry in test.get("properties", [])}
        found[test["name"]] = set(properties.get("LABELS", []))
    return found


def conditional_tests(sources):
    return [name for path in (pathlib.Path(sources) / "tests").rglob("CMakeLists.txt")
            for name in re.findall(r"add_test\(NAME (\w+)\b(?![$])", path.read_text(encoding="utf-8"))]


def complaints_of(row, labels, conditional, families):
    if len(row.cells) != CELLS.get(pathlib.Path(row.page).name, 3):
        yield f"{len(row.cells)} cells (expected: what is promised or was met, where or what is done, tests)"
    if not row.tests and not row.left:
        yield "neither a test nor 'left: ' and why"
    is_known = False
    for name in row.tests:
        # Where Fortran is not built its tests are not there.
        if name.split("_")[0] in ("fortran", "coarray", "dropin") and name.split("_")[0] not in families:
            is_known = True
            continue
        tests = fnmatch.filter(labels, name)
        if not tests:
            if fnmatch.filter(conditional, name):
                is_known = True
            else:
                yield f"there is no test '{name}'"
            continue
        is_known = True
        if all("full" in labels[test] for test in tests):
            yield f"no test of '{name}' is in the default tier"
    if is_known and not any("quick" in labels[test] for name in row.tests for test in fnmatch.filter(labels, name)):
        if any(fnmatch.filter(labels, name) for name in row.tests):
            yield "none of its tests has the label 'quick'"


def tiers_of(row, labels):
    tests = {test for name in row.tests for test in fnmatch.filter(labels, name)}
    quick = sum("quick" in labels[test] for test in tests)
    full = sum("full" in labels[test] for test in tests)
    return f"{quick} quick, {len(tests) - full} default, {full} full"


def main():
    ctest, build, sources, *pages = sys.argv[1:]
    labels = labels_of_tests(ctest, build)
    conditional = conditional_tests(sources)
    families = {name.split("_")[0] for name in labels}
    status = 0
    for page in pages:
        number = 0
        for number, row in enumerate(rows.rows_of(page), 1):
            print(f"{pathlib.Path(page).name}:{row.line}: {row.cells[0][:70]}: {tiers_of(row, labels)}")
            for complaint in complaints_of(row, labels, conditional, families):
                print(f"{page}:{row.line}: error: {complaint}")
                status = 1
        if number < LEAST_ROWS.get(pathlib.Path(page).name, FEW_ROWS):
            print(f"{page}: error: only {number} rows were found")
            status = 1
    full = sum("full" in of_test for of_test in labels.values())
    print(f"{len(labels)} tests: {len(labels) - full} in the default tier")
    if not full:
        print("error: no test has the label 'full' (tests/tiers/CMakeLists.txt sets it)")
        status = 1
    return status


if __name__ == "__main__":
    sys.exit(main())
