"""Every sentence and code that config can print about a configuration is in a golden folder.

Usage: messages_test.py SOURCES GOLDEN EXCEPTIONS TESTS CODES

A sentence is a string literal in SOURCES/*.cpp or *.hpp (neighbouring literals are one) that holds
two words. Each must be found, with anything for its {placeholders}, in a findings.txt below GOLDEN
or be listed in EXCEPTIONS: lines "file | sentence", the file anywhere below TESTS. A listed
sentence must be in its test word for word, and must still exist: the list cannot rot.

A code is a row of CODES. Each is used in SOURCES and shown in a findings.txt, or in a test by its
number where no golden folder can; every finding of a golden folder has one. (That a code in use has
a row, the compiler sees.)
"""
import pathlib
import re
import sys

# Comments, characters, raw strings and strings; what is between them does not matter.
TOKEN = re.compile(
    r'//[^\n]*|/\*.*?\*/|\'(?:\\.|[^\'\\])\'|R"\(.*?\)"|"(?:\\.|[^"\\\n])*"|#[^\n]*|[^\s]', re.S)
TWO_WORDS = re.compile(r"[A-Za-z]{2,}[^A-Za-z{}]* [^A-Za-z{}]*[a-z]+|[a-z]+ \{|\}'? [a-z]{2,}")
# Programs around the library, whose texts have tests of their own, and what prints no message.
ELSEWHERE = {"advice.cpp", "attributes.def", "command_graph.cpp", "command_migrate.cpp", "command_plan.cpp", "command_report.cpp", "commands.cpp", "coupled_contexts_codec.cpp", "coupled_grids.cpp", "top_screen.cpp",
             "epios_main.cpp", "failure_text.cpp", "file_dates.cpp", "file_look.cpp", "open_metrics.cpp", "page_reader.cpp", "run_page.cpp", "watch_json.cpp", "watch_table.cpp", "watched_runs.cpp", "first_edition.cpp", "flow_graph.cpp", "grammar.cpp", "live_client.cpp", "live_main.cpp", "live_page.cpp", "live_server.cpp", "model_codec.cpp", "model_xml.cpp", "plan.cpp", "read_reach_check.cpp",
             "reference_page.cpp", "report_comparison.cpp", "report_page.cpp", "report_plots.cpp", "report_text.cpp", "run_report_json.cpp", "run_variables.cpp", "xml_schema.cpp"}


def sentences(path):
    """String literals of a source file, neighbours joined."""
    parts = []
    for match in TOKEN.finditer(path.read_text()):
        token = match.group()
        if token.startswith('"'):
            parts.append(token[1:-1].replace('\\"', '"').replace("\\\\", "\\"))
        elif not token.startswith(("//", "/*")):
            if parts:
                yield "".join(parts)
            parts = []


def pattern(sentence):
    """A regular expression with anything for {placeholders}."""
    pieces = re.split(r"\{[^{}]*\}", sentence.replace("{{", "\0").replace("}}", "\1"))
    pieces = [re.escape(piece.replace("\0", "{").replace("\1", "}")) for piece in pieces]
    return re.compile(r"[^\n]*".join(pieces))


ROW = re.compile(r"^CODE\((\d+), (\w+),", re.M)


def unproven_codes(sources, findings, tests, table):
    """Codes that nobody gives, or that no test has seen; findings without one."""
    used = "".join(path.read_text() for path in pathlib.Path(sources).rglob("*.[ch]pp"))
    tested = "".join(path.read_text() for path in pathlib.Path(tests).rglob("*_test.cpp"))
    for number, name in ROW.findall(pathlib.Path(table).read_text()):
        if not re.search(rf"\bCode::{name}\b", used):
            yield f"{table}: nothing has code E{number} ({name})"
        if f"[E{number}]" not in findings and f"[E{number}]" not in tested:
            yield f"{table}: no golden folder shows code E{number} ({name})"
    for line in findings.splitlines():
        if line and not re.search(r" \[E\d{4}\]$", line):
            yield f"a finding without code: {line}"


def main(sources, golden, exceptions, tests, table):
    messages = {}
    for path in sorted(pathlib.Path(sources).rglob("*.[ch]pp")):
        if path.name in ELSEWHERE:
            continue
        for sentence in sentences(path):
            if TWO_WORDS.search(sentence):
                messages.setdefault(sentence, path.name)
    shown = "".join(path.read_text() for path in sorted(pathlib.Path(golden).rglob("findings.txt")))
    mistakes = list(unproven_codes(sources, shown, tests, table))
    shown += (pathlib.Path(golden) / "commands/help.txt").read_text()
    excused = {}
    for line in pathlib.Path(exceptions).read_text().splitlines():
        if line and not line.startswith("#"):
            test, sentence = line.split(" | ", 1)
            excused[sentence] = test

    test_files = {path.name: path for path in pathlib.Path(tests).rglob("*_test.cpp")}
    for sentence, source in messages.items():
        if sentence not in excused and not pattern(sentence).search(shown):
            mistakes.append(f"{source}: no golden folder shows: {sentence}")
    for sentence, test in excused.items():
        if sentence not in messages:
            mistakes.append(f"{exceptions}: no message any more: {sentence}")
        elif test != "-":
            text = "".join(sentences(test_files[test]))
            if not pattern(sentence).search(text):
                mistakes.append(f"{test}: does not test: {sentence}")
    print("\n".join(mistakes) or f"{len(messages)} sentences, all shown")
    return 1 if mistakes else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
