"""A compiler launcher that takes an object file from another build of the same sources.

Usage: take_object.py OTHER_BUILD COMPILER ARGUMENTS...

Where the other build has made the object by the same command (but for the folder of the build) after
the source last changed, it is copied; otherwise the compiler runs.
"""
import json
import os
import pathlib
import re
import shlex
import shutil
import sys


def essence(command, build):
    """What decides about the object: from the compiler on, without the names of dependency files. Warnings are errors
    only in builds of developers, and change no object."""
    while command and os.path.basename(command[0]) in ("ccache", "distcc"):
        command = command[1:]
    kept = []
    words = iter(command)
    for word in words:
        if word in ("-MF", "-MT", "-MQ"):
            next(words)
        elif word not in ("-MD", "-MMD", "-Werror"):
            kept.append(word.replace(build, "<build>"))
    return kept


def last_change(source):
    """When a source last changed, or one of those that a unit of several includes."""
    times = [source.stat().st_mtime]
    if source.parent.name == "Unity":
        included = re.findall(r'^#include "([^"]+)"', source.read_text(), re.MULTILINE)
        times = [pathlib.Path(name).stat().st_mtime for name in included]
    return max(times)


def take(other, command):
    """Copies the object if it is the same; says whether it did."""
    output = command[command.index("-o") + 1]
    theirs = pathlib.Path(other, output)
    own_build = os.getcwd()
    for entry in json.loads(pathlib.Path(other, "compile_commands.json").read_text()):
        if f" -o {output} " not in entry["command"]:
            continue
        source = pathlib.Path(entry["file"])
        if essence(shlex.split(entry["command"]), other) != essence(command, own_build):
            return False
        if not theirs.exists() or theirs.stat().st_mtime < last_change(source):
            return False
        shutil.copyfile(theirs, output)
        if "-MF" in command:
            pathlib.Path(command[command.index("-MF") + 1]).write_text(f"{output}: {source}\n")
        return True
    return False


def main(other, *command):
    if "-o" in command and "-c" in command and take(other, list(command)):
        return
    os.execvp(command[0], command)


if __name__ == "__main__":
    main(*sys.argv[1:])
