"""Prints the slowest tests of CTest's last run.

Usage: slowest.py LOG NUMBER       (LOG is Testing/Temporary/LastTest.log of a build)
"""
import pathlib
import re
import sys


def times_of(log):
    """Seconds and names. What a test prints lies between: only whole lines of CTest count."""
    name = None
    for line in log.splitlines():
        begun = re.fullmatch(r"\d+/\d+ Test: (\S+)", line)
        if begun:
            name = begun.group(1)
        ended = re.fullmatch(r"Test time = +([0-9.]+) sec", line)
        if ended and name:
            yield float(ended.group(1)), name
            name = None


def main():
    path, number = sys.argv[1:]
    times = sorted(times_of(pathlib.Path(path).read_text(encoding="utf-8", errors="replace")), reverse=True)
    total = sum(seconds for seconds, _ in times)
    shown = times[:int(number)]
    print(f"\nThe {len(shown)} slowest of {len(times)} tests, which took {total:.0f} s one after the other:")
    for seconds, name in shown:
        print(f"{seconds:8.1f} s  {name}")
    print()


if __name__ == "__main__":
    main()
