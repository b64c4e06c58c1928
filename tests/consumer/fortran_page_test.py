"""A page on Fortran does what it says, as it is printed (see page_test.py).

Usage: fortran_page_test.py PAGE PREFIX FOLDER

FOLDER is home; what is installed in PREFIX is its `epios`.
"""
import os
import pathlib
import shutil
import sys

from page_test import try_page


def main(page, prefix, folder):
    folder = pathlib.Path(folder)
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    (folder / "epios").symlink_to(prefix)
    try_page(pathlib.Path(page), folder, dict(os.environ, HOME=str(folder), LC_ALL="C"))


if __name__ == "__main__":
    main(*sys.argv[1:])
