"""Prints the targets of a build that the tests with label `quick` need, one a line.

Usage: targets.py BUILD

What a test runs stands in its command: a program, or a folder of the build where scripts find theirs; or a variable of its
environment names a program.
"""
import pathlib
import re
import sys


def tests_of(build):
    """Of each test its arguments, the values of its environment, the fixtures that it makes, and those that it needs."""
    arguments, environments, makes, needs = {}, {}, {}, {}
    for path in (build / "tests").rglob("CTestTestfile.cmake"):
        text = path.read_text(encoding="utf-8")
        for name, rest in re.findall(r'^add_test\(\[=*\[(.+?)\]=*\] (".*?")\)$', text, re.MULTILINE | re.DOTALL):
            arguments[name] = re.findall(r'"((?:[^"\\]|\\.)*)"', rest)
        for name, rest in re.findall(r"^set_tests_properties\(\[=*\[(.+?)\]=*\] PROPERTIES (.*)\)$", text, re.MULTILINE):
            for found, word in [(makes, "FIXTURES_SETUP"), (needs, "FIXTURES_REQUIRED"), (environments, "ENVIRONMENT")]:
                words = re.search(rf'(?<!\w){word} "([^"]*)"', rest)
                found[name] = words.group(1).split(";") if words else []
    environments = {name: [word.partition("=")[2] for word in words] for name, words in environments.items()}
    return arguments, environments, makes, needs


def with_fixtures(names, makes, needs):
    found, open_names = set(), list(names)
    while open_names:
        name = open_names.pop()
        if name not in found:
            found.add(name)
            open_names += [other for other in makes if set(makes[other]) & set(needs.get(name, []))]
    return found


def programs_of(values, build, outputs):
    """What of the build values of an environment name: programs alone, since folders are those of libraries, too."""
    inside = [value.removeprefix(f"{build}/") for value in values if value.startswith(f"{build}/")]
    return [name for name in inside if name in outputs]


def targets_of(argument, build, outputs):
    """What of the build an argument names."""
    for begin in ("build=", "prefix=", ""):
        if f"{argument}/".startswith(f"{begin}{build}/"):
            path = pathlib.Path(argument[len(begin):])
            break
    else:
        return []
    inside = path.relative_to(build).as_posix()
    if inside in outputs:
        return [inside]
    if inside == ".":
        # What is installed, or the programs of examples.
        tops = {output.split("/")[0] for output in outputs if output.endswith("/all")} - {"tests", "all"}
        return sorted(f"{top}/all" for top in tops if f"{top}/all" in outputs)
    if path.suffix == "" and f"{inside}/all" in outputs:
        return [f"{inside}/all"]
    return []


def main():
    build = pathlib.Path(sys.argv[1]).resolve()
    labels = (build / "tests/tiers/labels.cmake").read_text(encoding="utf-8")
    quick = re.findall(r"^set_tests_properties\((\S+) PROPERTIES LABELS quick\)$", labels, re.MULTILINE)
    arguments, environments, makes, needs = tests_of(build)
    outputs = set()
    for line in (build / "build.ninja").read_text(encoding="utf-8").splitlines():
        if line.startswith("build "):
            for side in re.sub(r"\$ ", " ", line[6:].partition(": ")[0]).split(" | "):
                outputs.update(side.split())
    outputs = {output.replace("${cmake_ninja_workdir}", "").removeprefix(f"{build}/") for output in outputs}
    targets = set()
    for name in with_fixtures(quick, makes, needs):
        for argument in arguments.get(name, []):
            targets.update(targets_of(argument, build, outputs))
        targets.update(programs_of(environments.get(name, []), build, outputs))
    if not targets:
        sys.exit("targets.py: no test with label 'quick' names anything of the build")
    print("\n".join(sorted(targets)))


if __name__ == "__main__":
    main()
