#!/usr/bin/env python3
"""scripts/hardening passes a program that has all flags, and names each flag that one lacks.

usage: hardening_test.py <scripts/hardening> <C compiler>
"""
import subprocess
import sys
import tempfile
from pathlib import Path

script, compiler = sys.argv[1:]
SOURCE = "#include <stdio.h>\n#include <string.h>\n" + "".join(
    f"int f{i}(int c, char** v) {{ char b[64]; strcpy(b, v[c]); return puts(b); }}\n" for i in range(20)) + (
        "int main(int c, char** v) { return " + " + ".join(f"f{i}(c - 1, v)" for i in range(20)) + "; }\n")
GOOD = ["-O2", "-fPIE", "-U_FORTIFY_SOURCE", "-D_FORTIFY_SOURCE=3", "-fstack-protector-strong", "-fcf-protection", "-fno-inline",
        "-pie", "-Wl,-z,relro,-z,now"]
# In whose place, what, and the message.
BAD = [("-pie", ["-no-pie"], "is not position independent (-pie)"),
       ("-Wl,-z,relro,-z,now", ["-Wl,-z,norelro,-z,now"], "has no part that becomes read-only (-z relro)"),
       ("-Wl,-z,relro,-z,now", ["-Wl,-z,relro,-z,lazy"], "looks functions up while it runs (-z now)"),
       ("-Wl,-z,relro,-z,now", ["-Wl,-z,relro,-z,now,-z,execstack"], "has a stack that can be executed"),
       ("-fstack-protector-strong", ["-fno-stack-protector"], "does not check its stack (-fstack-protector-strong)"),
       ("-D_FORTIFY_SOURCE=3", [], "does not check its buffers (_FORTIFY_SOURCE)"),
       ("-fcf-protection", ["-fcf-protection=none"], "has no marked targets of jumps (-fcf-protection)")]


def compiled(folder, flags):
    program = folder / "program"
    subprocess.run([compiler, "-x", "c", "-", "-o", program, *flags], input=SOURCE, text=True, check=True, stderr=subprocess.PIPE)
    return program


def checked(program):
    return subprocess.run([sys.executable, script, program], capture_output=True, text=True)


with tempfile.TemporaryDirectory() as name:
    folder = Path(name)
    if subprocess.run([compiler, *GOOD, "-x", "c", "-", "-o", folder / "p"], input=SOURCE, text=True, stderr=subprocess.DEVNULL).returncode:
        print("this compiler has other flags")
        sys.exit(77)
    result = checked(compiled(folder, GOOD))
    assert result.returncode == 0 and result.stdout == "hardening: 1 files, 0 problems\n", result.stdout + result.stderr
    for flag, instead, message in BAD:
        result = checked(compiled(folder, [f for word in GOOD for f in (instead if word == flag else [word])]))
        expected = f"{folder}/program: {message}\nhardening: 1 files, 1 problems\n"
        assert result.returncode == 1 and result.stdout == expected, f"without {flag}: {result.stdout}{result.stderr}"
print(f"{len(BAD)} missing flags are named")
