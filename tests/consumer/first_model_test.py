"""docs/first_model.md does what it says, as it is printed.

Usage: first_model_test.py SOURCE BUILD FOLDER CASES

In an empty FOLDER, the page's files are written (a block of code belongs to the **`file`** named
before it) and the commands of its consoles run, with FOLDER as home and BUILD as build/release.
What a command prints must be what the page prints after it; a line `...` stands for any lines, and
`...` inside a line for any characters. README.md and client/README.md must show the same XML and
C++. CASES: errors_test.sh, which runs the two programs where they must fail.
"""
import os
import pathlib
import re
import shutil
import subprocess
import sys

BLOCK = re.compile(r"^```(\w*)\n(.*?)^```$", re.S | re.M)
# MPI's own, now and then at the end of a good run.
UCX_NOTICE = re.compile(r"^\[.*UCX +WARN +unexpected tag-receive descriptor.*\n", re.M)
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
        said = UCX_NOTICE.sub("", done.stdout)
        if done.returncode != 0 and "error:" not in printed:
            sys.exit(f"status {done.returncode} of: {command}")
        if not pattern(printed).fullmatch(said):
            sys.exit(f"printed is not what the page prints after: {command}\n{printed}")


def expect_same(page, language, wanted):
    shown = [text for kind, text, _ in blocks(page) if kind == language]
    if wanted not in shown:
        sys.exit(f"{page}: its {language} is not that of docs/first_model.md")


def main(source, build, folder, cases):
    source, folder = pathlib.Path(source), pathlib.Path(folder)
    shutil.rmtree(folder, ignore_errors=True)
    (folder / "build").mkdir(parents=True)
    (folder / "build/release").symlink_to(build)
    environment = dict(os.environ, HOME=str(folder), LC_ALL="C")
    page = list(blocks(source / "docs/first_model.md"))
    written = {}
    for language, text, name in page:
        if language == "console":
            run(text, folder, environment)
            (folder / "build/release").unlink(missing_ok=True)  # only what is installed
        else:
            if name is None:
                sys.exit(f"a block of {language} without the name of its file")
            (folder / name).write_text(text)
            written[language] = text
    for language in ("c", "cpp"):
        lines = len(written[language].splitlines())
        if lines > 55:
            sys.exit(f"{lines} lines of {language}: nobody's first model")
    expect_same(source / "README.md", "xml", written["xml"])
    expect_same(source / "client/README.md", "cpp", written["cpp"])
    subprocess.run(["bash", cases], cwd=folder, env=environment, check=True, timeout=100)


if __name__ == "__main__":
    main(*sys.argv[1:])
