"""The project's sources as text and as ctags sees them, for scripts/measure, scripts/borders and scripts/budgets."""
import json
import re
import subprocess
import sys
from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path

MODULES = ["ep_core", "config", "io", "client", "server"]
C_SUFFIXES = {".hpp", ".cpp", ".h", ".c"}
SUFFIXES = C_SUFFIXES | {".f90", ".def"}

TOKEN = re.compile(r'R"(\w*)\(.*?\)\1"|"(?:[^"\\\n]|\\.)*"|(?<!\w)\'(?:[^\'\\\n]|\\.)+\'|//[^\n]*|/\*.*?\*/', re.S)
FORTRAN_TOKEN = re.compile(r'"[^"\n]*"|\'[^\'\n]*\'|![^\n]*')
INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*[<"]([^>"]+)[>"]', re.M)


def files_below(root, folders, suffixes=SUFFIXES):
    """Sources in these folders of a checkout, by their paths in it."""
    return sorted(str(path.relative_to(root)) for folder in folders
                  for path in (root / folder).rglob("*") if path.suffix in suffixes and path.is_file())


def is_comment(token):
    return token.startswith(("//", "/*", "!"))


def code_of(text, path):
    """The text with comments and strings made empty; every line stays where it is."""
    def replace(match):
        token = match.group()
        kept = "" if is_comment(token) else "''" if token[0] == "'" else '""'
        return kept + "\n" * token.count("\n")
    return (FORTRAN_TOKEN if path.endswith(".f90") else TOKEN).sub(replace, text)


@dataclass
class Function:
    name: str  # with namespaces and classes
    path: str
    line: int
    lines: int
    is_free: bool = True  # in no class


@dataclass
class Class:
    name: str
    path: str
    line: int
    end: int
    members: int = 0  # data of each object
    functions: int = 0
    public_functions: int = 0


def run_ctags(root, paths):
    command = ["ctags", "--languages=C,C++", "--langmap=C++:.cpp.hpp.h,C:.c", "--fields=+neKsaE", "--fields-C++=+{properties}",
               "--c++-kinds=cdefgmnpstuv", "--output-format=json", "--sort=no", "-L", "-", "-f", "-"]
    try:
        done = subprocess.run(command, input="\n".join(paths), cwd=root, capture_output=True, text=True, check=True)
    except FileNotFoundError:
        sys.exit("ctags not found (universal-ctags). Run ./scripts/setup.")
    except subprocess.CalledProcessError as error:
        sys.exit(f"ctags: {error.stderr.strip()} (these scripts need universal-ctags). Run ./scripts/setup.")
    return [json.loads(line) for line in done.stdout.splitlines()]


def full_name(tag):
    """As the source says it; all anonymous namespaces have one name."""
    name = f"{tag['scope']}::{tag['name']}" if "scope" in tag else tag["name"]
    return re.sub(r"__anon\w+", "(anonymous)", name)


def fortran_functions(root, path):
    """Procedures of a Fortran source, for which ctags knows no end. Interfaces of others count, too: they are as long to read."""
    opened, found = [], []
    for number, line in enumerate(code_of((root / path).read_text(), path).splitlines(), 1):
        words = line.strip().lower()
        if re.match(r"end\s*(function|subroutine)\b", words) and opened:
            name, start = opened.pop()
            found.append(Function(name, path, start, number - start + 1))
        elif match := re.match(r"(?:[\w(),*=: ]+\s)?(?:function|subroutine)\s+(\w+)", words):
            if not words.startswith(("end", "call")):
                opened.append((match[1], number))
    return found


def read_tags(root, paths):
    """(functions, classes) of sources."""
    tags = run_ctags(root, [path for path in paths if Path(path).suffix in C_SUFFIXES])
    functions = [Function(full_name(tag), tag["path"], tag["line"], tag["end"] - tag["line"] + 1,
                          tag.get("scopeKind", "namespace") == "namespace")
                 for tag in tags if tag["kind"] == "function" and "end" in tag]
    classes = {}
    for tag in tags:
        if tag["kind"] in ("class", "struct") and "end" in tag:
            classes[tag["path"], full_name(tag)] = Class(full_name(tag), tag["path"], tag["line"], tag["end"])
    for tag in tags:
        owner = classes.get((tag["path"], re.sub(r"__anon\w+", "(anonymous)", tag.get("scope", ""))))
        if owner and owner.line <= tag["line"] <= owner.end:
            properties = tag.get("properties", "").split(",")
            if tag["kind"] == "member" and "static" not in properties:
                owner.members += 1
            elif tag["kind"] in ("function", "prototype") and "delete" not in properties:
                owner.functions += 1
                owner.public_functions += tag.get("access") == "public"
    for path in paths:
        if path.endswith(".f90"):
            functions += fortran_functions(root, path)
    return functions, list(classes.values())


def module_of(path):
    """The module of a path, io's rooms apart: io/grid."""
    parts = path.split("/")
    return "/".join(parts[:2]) if parts[0] == "io" and len(parts) > 2 else parts[0]


def by(items, key):
    groups = defaultdict(list)
    for item in items:
        groups[key(item)].append(item)
    return groups
