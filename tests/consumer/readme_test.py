"""The C++ and C that a README shows compiles as it is printed, with the folders that its module gives to others.

Usage: readme_test.py SOURCE README FOLDERS COMPILER...
       readme_test.py SOURCE --all README...

FOLDERS: include folders, with ';' between. Nothing is linked or run. With --all: no other README has such code.
"""
import pathlib
import subprocess
import sys

from page_test import BLOCK

STANDARDS = {"cpp": ["-x", "c++", "-std=c++20"], "c": ["-x", "c", "-std=c11"]}


def blocks(readme):
    """(language, text, line where it begins) of each block that a compiler understands."""
    text = readme.read_text()
    for match in BLOCK.finditer(text):
        if match[1] in STANDARDS:
            yield match[1], match[2], text.count("\n", 0, match.start(2)) + 1


def compile_blocks(readme, folders, compiler):
    found = list(blocks(readme))
    if not found:
        sys.exit(f"{readme} shows no code: it is not to be listed")
    flags = [f"-isystem{folder}" if folder.startswith("/usr/") else f"-I{folder}" for folder in folders.split(";") if folder]
    for language, text, line in found:
        done = subprocess.run([*compiler, *STANDARDS[language], "-fsyntax-only", "-Wall", "-Wextra", "-Werror", *flags, "-"],
                              input=f'#line {line} "{readme}"\n{text}', text=True)
        if done.returncode != 0:
            sys.exit(f"{readme}:{line}: the code that stands here does not compile")


def expect_all(source, listed):
    readmes = {path.relative_to(source) for folder in [".", "*", "*/*"] for path in source.glob(f"{folder}/README.md")
               if path.relative_to(source).parts[0] != "build"}
    missing = {str(path) for path in readmes if any(blocks(source / path))} - set(listed)
    if missing:
        sys.exit(f"nobody compiles the code of {', '.join(sorted(missing))} (list them in tests/consumer/CMakeLists.txt)")


def main(source, *words):
    source = pathlib.Path(source)
    if words[0] == "--all":
        expect_all(source, words[1:])
    else:
        readme, folders, *compiler = words
        compile_blocks(source / readme, folders, compiler)


if __name__ == "__main__":
    main(*sys.argv[1:])
