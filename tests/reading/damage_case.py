#!/usr/bin/env python3
"""Runs that read a file with damages at random bytes: each ends in seconds, well or with an error that names the file.
EPIOS_DAMAGES=<n> makes n runs, from EPIOS_SEED on.

usage: damage_case.py <bin> <mpiexec> <model processes> <servers>
"""
import os
import random
import re
import subprocess
import sys
import tempfile
from pathlib import Path

STEPS, LIMIT_S = 3, 30
KINDS = {"nc4": "", "deflated": " sst:_DeflateLevel = 4 ;\n sst:_Shuffle = \"true\" ;\n", "checked": " sst:_Fletcher32 = \"true\" ;\n",
         "nc3": "", "cdf5": ""}
SETS = {"set of nc4": "nc4", "set of nc3": "nc3"}  # type="multiple_file": two files, one of which is damaged


def make_files(folder, own):
    text = (own / "ancil.cdl").read_text()
    for kind, storage in KINDS.items():
        described = re.sub(r"(float sst\(.*\n)", lambda found: found[1] + storage, text, count=1)
        (folder / "a.cdl").write_text(described)
        subprocess.run(["ncgen", "-k", kind if kind in ("nc3", "cdf5") else "nc4", "-o", folder / f"{kind}.whole", folder / "a.cdl"],
                       check=True)
    for kind, form in SETS.items():
        for number, rows in enumerate(((0, 1), (2,))):
            (folder / "a.cdl").write_text(member_text(text, number, rows))
            subprocess.run(["ncgen", "-k", form, "-o", folder / f"{kind}_{number}.whole", folder / "a.cdl"], check=True)


def member_text(text, number, rows):
    """What one of two servers would have of the file."""
    text = text.replace("lat = 3", f"lat = {len(rows)}")
    values = ", ".join(str(100 * record + 10 * row + column) for record in range(3) for row in rows for column in range(4))
    text = re.sub(r" sst = [^;]*;", f" sst = {values} ;", text)
    place = f""" :DOMAIN_number_total = 2 ;
 :DOMAIN_number = {number} ;
 :DOMAIN_dimensions_ids = 3, 2 ;
 :DOMAIN_size_global = 4, 3 ;
 :DOMAIN_position_first = 1, {rows[0] + 1} ;
data:"""
    return text.replace("data:", place, 1)


def damage(generator, whole):
    data = bytearray(whole)
    # The structure of a file is mostly where it begins.
    at = generator.randrange(len(data) if generator.random() < 0.3 else min(len(data), 6000))
    if generator.random() < 0.25:
        return data[:at], f"cut at {at}"
    count = generator.choice([1, 8, 64])
    data[at:at + count] = generator.randbytes(count)
    return data[:len(whole)], f"{count} bytes damaged at {at}"


def main():
    binaries, mpiexec, processes, servers = sys.argv[1:5]
    own = Path(__file__).resolve().parent
    first, tries = int(os.environ.get("EPIOS_SEED", "1")), int(os.environ.get("EPIOS_DAMAGES", "20"))
    command = [mpiexec, "-n", processes, f"{binaries}/forcing_model", "sst", str(STEPS)]
    if servers != "0":
        command += [":", "-n", servers, f"{binaries}/epios_server"]
    counts = {"well": 0, "error": 0, "broke down": 0}
    with tempfile.TemporaryDirectory(prefix="epios-damage.") as place:
        folder = Path(place)
        make_files(folder, own)
        # Each of several servers reads rows of its own.
        (folder / "iodef.xml").write_text((own / "forcing.xml").read_text().replace(
            "<!--settings-->", '<variable id="shared_record_bytes">0</variable>'))
        for seed in range(first, first + tries):
            generator = random.Random(seed)
            kind = generator.choice(list(KINDS) + list(SETS))
            for old in folder.glob("ancil*.nc"):
                old.unlink()
            number = generator.choice((0, 1))
            whole = f"{kind}_{number}.whole" if kind in SETS else f"{kind}.whole"
            data, how = damage(generator, (folder / whole).read_bytes())
            if kind in SETS:
                (folder / f"ancil_{1 - number}.nc").write_bytes((folder / f"{kind}_{1 - number}.whole").read_bytes())
            (folder / (f"ancil_{number}.nc" if kind in SETS else "ancil.nc")).write_bytes(data)
            what = f"seed {seed}: {kind}, {how}"
            try:
                run = subprocess.run(command, cwd=folder, timeout=LIMIT_S, capture_output=True, text=True, errors="replace",
                                     check=False)
            except subprocess.TimeoutExpired:
                sys.exit(f"FAIL: {what}: the job does not end")
            said = run.stdout + run.stderr
            if run.returncode == 0:
                counts["well"] += 1
                continue
            counts["broke down" if "cannot be read (reading " in said else "error"] += 1
            if not re.search(r"(error|epios): .*ancil(_[01])?\.nc", said):
                sys.exit(f"FAIL: {what}: no error that names the file (status {run.returncode}): {said}")
    print(f"{tries} runs: {counts}")
    if tries >= 15 and counts["error"] == 0:
        sys.exit("FAIL: no damage was found")


main()
