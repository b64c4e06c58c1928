"""All that `cmake --install` copies from a build folder is built by its target `programs`.

Usage: programs_are_all.py BUILD NINJA

docs/install.md builds that target and installs; no file may be missing then. Exits with 77 where the build
is not Ninja's.
"""
import os
import pathlib
import re
import subprocess
import sys


def ask(build, ninja, tool, name):
    return subprocess.run([ninja, "-C", build, "-t", tool, name], check=True, capture_output=True,
                          text=True).stdout


def main(build, ninja):
    if not pathlib.Path(build, "build.ninja").exists():
        print("skipped: no Ninja build")
        return 77
    commands = set(re.split(r"[\s=]+", ask(build, ninja, "commands", "programs")))
    built = {str(pathlib.Path(build, line.split(": ")[0]))
             for line in ask(build, ninja, "targets", "all").splitlines()}
    installed = set()
    for script in pathlib.Path(build).rglob("cmake_install.cmake"):
        if "consumer" in script.parts:
            continue
        installed |= set(re.findall(rf'"({re.escape(build)}/[^"]+)"', script.read_text()))
    missing = sorted(path for path in installed & built
                     if not {path, os.path.relpath(path, build)} & commands)
    print("\n".join(f"installed, but not built by 'programs': {path}" for path in missing) or
          f"{len(installed & built)} built files are installed, all by 'programs'")
    return 1 if missing or not installed & built else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
