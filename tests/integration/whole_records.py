"""Prints how many of the files exist; each that does has so many records of a variable, and every value of them.

Usage: whole_records.py RECORDS VARIABLE FILE...
"""
import os
import sys

import netCDF4
import numpy

records, variable, *files = sys.argv[1:]
files = [file for file in files if os.path.exists(file)]
for path in files:
    with netCDF4.Dataset(path) as file:
        values = file[variable][:]
    if len(values) != int(records) or numpy.ma.count_masked(values):
        sys.exit(f"{path}: {len(values)} records of {variable}, {numpy.ma.count_masked(values)} values missing")
print(len(files))
