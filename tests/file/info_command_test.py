"""`epios info` says what the definition says: mutual information of bits of neighbours, by numpy, one bit at a time.

Usage: info_command_test.py EPIOS FOLDER
"""
import math
import re
import subprocess
import sys

import numpy as np
from netCDF4 import Dataset

SIZES = {"float": (np.uint32, 32, 9), "double": (np.uint64, 64, 12)}


def information(values, kind):
    """Mean over the dimensions; masked pairs are left out. Returns information and which bits are even, as noise is."""
    word, bits, _ = SIZES[kind]
    words = np.ma.getdata(values).view(word)
    there = ~np.ma.getmaskarray(values)
    found, even = [], []
    for axis in range(values.ndim):
        if values.shape[axis] < 2:
            continue
        front, back = [np.take(words, range(*r), axis) for r in ((0, values.shape[axis] - 1), (1, values.shape[axis]))]
        good = np.take(there, range(values.shape[axis] - 1), axis) & np.take(there, range(1, values.shape[axis]), axis)
        front, back = front[good], back[good]
        n = front.size
        p = min(1, 0.5 + 2.5758293035489 / 2 / math.sqrt(n))
        chance = 1 + p * math.log2(p) + (1 - p) * math.log2(1 - p) if p < 1 else 1
        line, same = [], []
        for bit in range(bits - 1, -1, -1):
            a, b = (front >> word(bit)) & word(1), (back >> word(bit)) & word(1)
            table = np.histogram2d(a, b, bins=[[0, 1, 2], [0, 1, 2]])[0] / n
            outer = table.sum(1, keepdims=True) * table.sum(0, keepdims=True)
            m = (table[table > 0] * np.log2(table[table > 0] / outer[table > 0])).sum()
            line.append(m if m > chance else 0)
            same.append(0.25 < (a.mean() + b.mean()) / 2 < 0.75)
        found.append(line)
        even.append(same)
    return np.mean(found, 0), np.all(even, 0)


def kept(values, kind, share):
    found, even = information(values, kind)
    before = SIZES[kind][2]
    last = found[-4:]
    floor = 1.5 * last.max() if (last > 0).sum() > 1 else 0
    noise = (found <= floor) & (even | (floor > 0))
    end = next((b for b in range(before, len(found)) if noise[b] and (b + 1 == len(found) or noise[b + 1])), len(found))
    total = found[:end].sum()
    last = int(np.searchsorted(np.cumsum(found[:end]), share * total)) + 1
    return max(0, last - before), total


def main(epios, folder):
    rng = np.random.default_rng(3)
    y, x = np.meshgrid(np.arange(80), np.arange(120), indexing="ij")
    smooth = 280 + 15 * np.sin(x / 20) * np.cos(y / 15)
    levels = np.stack([smooth + rng.normal(size=smooth.shape) * noise for noise in (0.05, 0.5, 5)])
    fields = {"fine": ("float", np.stack([smooth, smooth + 0.1 * rng.normal(size=smooth.shape)])),
              "deep": ("double", np.stack([levels, levels + 1])),
              "masked": ("float", np.ma.masked_where(np.stack([(x + y) % 7 == 0] * 2), np.stack([smooth, smooth + rng.normal(size=smooth.shape)]))),
              "constant": ("float", np.full((2, *smooth.shape), 4.0))}
    path = f"{folder}/info.nc"
    with Dataset(path, "w") as file:
        for name, length in (("time", None), ("z", 3), ("y", 80), ("x", 120)):
            file.createDimension(name, length)
        for name, (kind, values) in fields.items():
            dims = ("time", "z", "y", "x")[:1] + ("time", "z", "y", "x")[5 - values.ndim:]
            variable = file.createVariable(name, {"float": "f4", "double": "f8"}[kind], dims, fill_value=1e20)
            variable[:] = values
            fields[name] = (kind, np.ma.asarray(values.astype("f4" if kind == "float" else "f8")))
        packed = file.createVariable("packed", "i2", ("time", "y", "x"))
        packed.scale_factor = 0.01
        packed[:] = np.stack([smooth, smooth])

    def lines(*words):
        done = subprocess.run([epios, "info", *words, path], capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        return done.stdout

    for words, record, share in (((), 1, 0.99), (("--record", "0", "--keep", "0.999"), 0, 0.999)):
        text = lines(*words)
        for name in ("fine", "deep", "masked"):
            kind, values = fields[name]
            bits, total = kept(values[record], kind, share)
            row = re.search(rf"^ +{name} +{kind} .*", text, re.M).group(0)
            assert f"round to {bits} of {23 if kind == 'float' else 52} mantissa bits" in row, (row, bits)
            assert abs(float(row.split()[-1]) - total) < 0.006, (row, total)
        assert re.search(r"^ +constant .* constant +0.00$", text, re.M), text
        assert re.search(r"^ +packed +short .*packed: its bits are not those of the model", text, re.M), text
    text = lines("--levels")
    rows = re.findall(r"^ +\[(\d)\] .* round to (\d+) of 52", text, re.M)
    assert len(rows) == 3, text
    wanted = [(str(level), str(kept(fields["deep"][1][1, level], "double", 0.99)[0])) for level in range(3)]
    assert rows == wanted, (rows, wanted)
    done = subprocess.run([epios, "info", "--record", "7", path], capture_output=True, text=True, check=False)
    assert done.returncode == 2 and "has no record 7 (it has 2, counted from 0)" in done.stderr, done


if __name__ == "__main__":
    main(*sys.argv[1:])
