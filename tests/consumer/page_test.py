"""A page of the documentation does what it says, as it is printed.

Usage: page_test.py PAGE FOLDER COMMANDS

In an empty FOLDER, the page's files are written (a block of code belongs to the **`file`** named
before it) and the commands of its consoles run, with FOLDER as home and COMMANDS in front of PATH.
What a command prints must be what the page prints after it; a line `...` stands for any lines, and
`...` inside a line for any characters.
"""
import os
import pathlib
import re
import shutil
import subprocess
import sys

BLOCK = re.compile(r"^```(\w*)\n(.*?)^```$", re.S | re.M)
TITLE = re.compile(r"\*\*`([^`]+)`\*\*")


def blocks(page):
    """(language, text, name of the file) of each block of code."""
    text = page.read_text()
    end = 0
    for match in BLOCK.finditer(text):
        titles = TITLE.findall(text[end:match.start()])
        yield match.group(1), match.group(2), titles[-1] if titles else None
        end = match.end()


def commands(console):
    """(command, what it prints) of a console."""
    for part in re.split(r"^\$ ", console, flags=re.M)[1:]:
        command, _, printed = part.partition("\n")
        while command.endswith("\\"):
            more, _, printed = printed.partition("\n")
            command += "\n" + more
        yield command, printed


def pattern(printed):
    lines = [r"(?:[^\n]*\n)*?" if line.strip() == "..." else
             re.escape(line).replace(re.escape("..."), "[^\n]*") + "\n"
             for line in printed.splitlines()]
    return re.compile("".join(lines))


def run(console, folder, environment):
    for command, printed in commands(console):
        done = subprocess.run(["bash", "-c", command], cwd=folder, env=environment, text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=100)
        print(f"$ {command}\n{done.stdout}", end="")
        if done.returncode != 0 and "error:" not in printed:
            sys.exit(f"status {done.returncode} of: {command}")
        if not pattern(printed).fullmatch(done.stdout):
            sys.exit(f"printed is not what the page prints after: {command}\n{printed}")


def try_page(page, folder, environment, after_console=lambda: None):
    """Text of the last block of each language."""
    written = {}
    for language, text, name in blocks(page):
        if language == "console":
            run(text, folder, environment)
            after_console()
        elif name is None:
            sys.exit(f"a block of {language} without the name of its file")
        else:
            (folder / name).write_text(text)
            written[language] = text
    return written


def main(page, folder, commands):
    folder = pathlib.Path(folder)
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    environment = dict(os.environ, HOME=str(folder), LC_ALL="C",
                       PATH=commands + os.pathsep + os.environ["PATH"])
    try_page(pathlib.Path(page), folder, environment)


if __name__ == "__main__":
    main(*sys.argv[1:])
