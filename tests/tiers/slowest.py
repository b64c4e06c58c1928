"""Prints the slowest tests of a run.

Usage: slowest.py RESULTS NUMBER       (RESULTS is what ctest --output-junit wrote)
"""
import re
import sys

# Found as text: what tests print may be no XML, and is escaped where it looks like it.
CASE = re.compile(r'<testcase name="([^"]+)"[^>]* time="([0-9.]+)" status="(\w+)"')


def times_of(results):
    """Seconds and names of the tests that ran."""
    for name, seconds, status in CASE.findall(results):
        if status != "notrun":
            yield float(seconds), name


def main():
    path, number = sys.argv[1:]
    with open(path, encoding="utf-8", errors="replace") as results:
        times = sorted(times_of(results.read()), reverse=True)
    total = sum(seconds for seconds, _ in times)
    shown = times[:int(number)]
    print(f"\nThe {len(shown)} slowest of {len(times)} tests, which took {total:.0f} s one after the other:")
    for seconds, name in shown:
        print(f"{seconds:8.1f} s  {name}")
    print()


if __name__ == "__main__":
    main()
