"""Rows of tables in pages whose last cell names tests in `...` (`*` stands for anything), or "left: " and why, or both."""
import collections
import pathlib
import re

Row = collections.namedtuple("Row", "page line cells tests left")


def table_rows(text):
    """Number of line and cells of what stands below the rules of tables."""
    in_table = False
    for number, line in enumerate(text.splitlines(), 1):
        if not line.startswith("|"):
            in_table = False
        elif re.fullmatch(r"[| :-]+", line):
            in_table = True
        elif in_table:
            yield number, [cell.strip() for cell in line.strip().strip("|").split(" | ")]


def rows_in(text, page=""):
    for number, cells in table_rows(text):
        named, left, _ = cells[-1].partition("left: ")
        yield Row(page, number, cells, re.findall(r"`([^`]+)`", named), bool(left))


def rows_of(page):
    return rows_in(pathlib.Path(page).read_text(encoding="utf-8"), str(page))
