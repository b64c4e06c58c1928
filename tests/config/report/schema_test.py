"""Whether reports of runs are what the schema in docs says.

usage: schema_test.py <schema> <report>...
Knows what the schema uses, and refuses words that it does not know. The sum of the records must be
right, too, what was sent be written or lost, and parts of times be no longer than these; no report
may be without files.
"""

import json
import sys

TYPES = {"object": dict, "array": list, "string": str, "boolean": bool, "integer": int, "number": (int, float)}
KNOWN = {"$schema", "title", "description", "definitions", "type", "required", "additionalProperties", "properties",
         "items", "$ref", "const", "minimum", "maximum"}


def check(value, rule, root, where):
    unknown = set(rule) - KNOWN
    assert not unknown, f"the schema uses {unknown}, which this test does not know"
    if "$ref" in rule:
        return check(value, root["definitions"][rule["$ref"].rsplit("/", 1)[1]], root, where)
    if "const" in rule:
        assert value == rule["const"], f"{where} is {value!r}"
        return
    wanted = TYPES[rule["type"]]
    is_bool = isinstance(value, bool) and wanted is not bool
    assert isinstance(value, wanted) and not is_bool, f"{where} is {value!r} (no {rule['type']})"
    assert value >= rule["minimum"] if "minimum" in rule else True, f"{where} is {value}"
    assert value <= rule["maximum"] if "maximum" in rule else True, f"{where} is {value}"
    if rule["type"] == "object":
        missing = set(rule["required"]) - set(value)
        extra = set(value) - set(rule["properties"])
        assert not missing and not extra, f"{where}: missing {missing}, not in the schema {extra}"
        for name, item in value.items():
            check(item, rule["properties"][name], root, f"{where}.{name}")
    if rule["type"] == "array":
        for number, item in enumerate(value):
            check(item, rule["items"], root, f"{where}[{number}]")


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        schema = json.load(file)
    for path in sys.argv[2:]:
        with open(path, encoding="utf-8") as file:
            report = json.load(file)
        check(report, schema, schema, path)
        files = [file for context in report["contexts"] for file in context["files"]]
        assert files, f"{path} has no file"
        for figure in ("records_sent", "records_written", "records_lost"):
            fields = sum(field[figure] for file in files for field in file["fields"])
            assert report[figure] == fields, f"{path}: {figure} is {report[figure]}, of all fields {fields}"
        for file in files:
            for field in file["fields"]:
                told = field["records_written"] + field["records_lost"]
                assert file["error"] or field["records_sent"] == told, f"{path}: of {field['name']} sent, not {told}"
        inside = sum(report[figure]["sum"] for figure in ("blocked_s", "packing_s", "waited_s"))
        in_library = report["in_library_s"]["sum"]
        assert inside <= in_library + 1e-3, f"{path}: {inside} s are in {in_library} s in the library"
        print(f"{path}: {len(files)} files, {report['records_sent']} records")


main()
