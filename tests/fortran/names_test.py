"""Every name of `module xios` is called by a program of the tests.

Usage: names_test.py NAMES SOURCE...

NAMES has a name per line. Comments and texts of the sources do not count; a type is used as type(name), an operator between
operands of the module's types: that it is there at all is seen by importing it alone.
"""
import pathlib
import re
import sys

TEXTS = re.compile(r"'[^'\n]*'|\"[^\"\n]*\"")


def code_of(path):
    lines = []
    for line in pathlib.Path(path).read_text().splitlines():
        line = TEXTS.sub("''", line)
        lines.append(line.split("!")[0].lower())
    return "\n".join(line for line in lines if not line.lstrip().startswith("use "))


def is_used(name, code):
    name = name.lower()
    if match := re.fullmatch(r"(?:operator|assignment)\((.+)\)", name):
        return match.group(1) in code
    return re.search(r"\b" + re.escape(name) + r"\b", code) is not None


def main(names, sources):
    code = "\n".join(code_of(source) for source in sources)
    listed = pathlib.Path(names).read_text().split()
    missing = [name for name in listed if not is_used(name, code)]
    for name in missing:
        print(f"no test program calls {name}")
    print(f"{len(listed) - len(missing)} of {len(listed)} names are called in {len(sources)} programs")
    sys.exit(1 if missing or not listed else 0)


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2:])
