"""docs/first_model.md does what it says, as it is printed (see page_test.py).

Usage: first_model_test.py SOURCE BUILD FOLDER CASES

FOLDER is home, and BUILD is build/release. README.md and client/README.md must show the same XML and
C++. CASES: a script that runs the two programs where they must fail.
"""
import os
import pathlib
import shutil
import subprocess
import sys

from page_test import blocks, try_page


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
    installed_only = lambda: (folder / "build/release").unlink(missing_ok=True)
    written = try_page(source / "docs/first_model.md", folder, environment, installed_only)
    for language in ("c", "cpp"):
        lines = len(written[language].splitlines())
        if lines > 55:
            sys.exit(f"{lines} lines of {language}: nobody's first model")
    expect_same(source / "README.md", "xml", written["xml"])
    expect_same(source / "client/README.md", "cpp", written["cpp"])
    subprocess.run(["bash", cases], cwd=folder, env=environment, check=True, timeout=100)


if __name__ == "__main__":
    main(*sys.argv[1:])
