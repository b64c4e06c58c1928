#!/usr/bin/env python3
"""scripts/abi finds an interface that programs compiled before could not use, and lets it grow.

usage: abi_test.py <checkout> <build>
"""
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

checkout, build = map(Path, sys.argv[1:])


def compared(*words):
    done = subprocess.run([sys.executable, checkout / "scripts/abi", "--build", build, *words], capture_output=True, text=True)
    if done.returncode == 77:
        print(done.stdout)
        sys.exit(77)
    return done.returncode, done.stdout + done.stderr


def check(found, status, *texts):
    code, text = found
    if code != status or any(part not in text for part in texts):
        sys.exit(f"expected status {status} and {texts}, but got {code}:\n{text}")


check(compared(), 0, "0 removed; types are as released")
with tempfile.TemporaryDirectory() as name:
    headers = Path(name) / "include"
    shutil.copytree(checkout / "client/include/epios", headers / "epios")
    calendar = headers / "epios/calendar.h"
    text = calendar.read_text()
    members = "typedef struct epios_date {\n"
    assert members in text
    calendar.write_text(text.replace(members, members + "  double weight;\n"))
    check(compared("--include", headers), 1, "epios_date", "weight", "types are other ones")

    released = Path(name) / "released"
    shutil.copytree(checkout / "packaging/abi", released)
    names = released / "names.txt"
    names.write_text("libepios_client.so epios_of_before\n"
                     + names.read_text().replace("libepios_client.so epios_find\n", ""))
    check(compared("--released", released), 1, "libepios_client.so no longer has epios_of_before", "1 of them new, 1 removed")
