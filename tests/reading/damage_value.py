#!/usr/bin/env python3
"""Changes one bit of the first of some neighbouring 4 byte numbers of a file.

usage: damage_value.py <file> <number> <number>...
"""
import struct
import sys
from pathlib import Path

path = Path(sys.argv[1])
data = bytearray(path.read_bytes())
numbers = [float(word) for word in sys.argv[2:]]
at = data.find(struct.pack(f"<{len(numbers)}f", *numbers))
if at < 0:
    sys.exit(f"{path} has no such numbers")
data[at] ^= 1
path.write_bytes(data)
