"""Parts one after the other hold the records of a whole file, to the last bit, of each variable with records.

Usage: same_records.py [--left "1 3 ..."] WHOLE PART...

--left: which records of WHOLE, from 1 on, the parts have. A part without a variable has no record of it.
"""
import argparse
import sys

import netCDF4
import numpy


def records_of(path):
    """Numbers as they are stored, by the name of the variable."""
    with netCDF4.Dataset(path) as file:
        file.set_auto_maskandscale(False)
        unlimited = {name for name, dimension in file.dimensions.items() if dimension.isunlimited()}
        return {name: variable[:] for name, variable in file.variables.items()
                if variable.dimensions and variable.dimensions[0] in unlimited and variable.dtype.kind in "fiu"}


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--left", type=lambda text: [int(word) - 1 for word in text.split()])
    parser.add_argument("whole")
    parser.add_argument("parts", nargs="+")
    arguments = parser.parse_args()
    whole = records_of(arguments.whole)
    parts = [records_of(path) for path in arguments.parts]
    if not any(values.size for values in whole.values()):
        sys.exit(f"{arguments.whole} has no records")
    wrong = []
    for name, expected in whole.items():
        if arguments.left is not None:
            expected = expected[arguments.left]
        pieces = [part[name] for part in parts if name in part]
        if not pieces:
            wrong.append(f"{name}: no part has it")
            continue
        found = numpy.concatenate(pieces)
        if found.dtype != expected.dtype or found.shape != expected.shape:
            wrong.append(f"{name}: {found.dtype} {found.shape} instead of {expected.dtype} {expected.shape}")
        elif found.tobytes() != expected.tobytes():
            differing = [i + 1 for i in range(len(found)) if found[i].tobytes() != expected[i].tobytes()]
            wrong.append(f"{name}: records {differing} differ")
    more = set().union(*parts) - set(whole)
    if more:
        wrong.append(f"only in parts: {sorted(more)}")
    for line in wrong:
        print(f"{arguments.whole}, {len(parts)} parts: {line}")
    return 1 if wrong else 0


sys.exit(main())
