#!/bin/bash
# What CMake says of the machine's own NetCDF and HDF5, where these are too old, or cannot write in parallel.
#
# usage: system_netcdf_test.sh <source folder>
set -uo pipefail
work=$(mktemp -d "${TMPDIR:-/tmp}/epios-netcdf.XXXXXX")
trap 'rm -rf "$work"' EXIT
failures=0

# The project's own file, in a project that has nothing else.
cat >"$work/CMakeLists.txt" <<EOF
cmake_minimum_required(VERSION 3.25)
project(system_netcdf LANGUAGES C)
find_package(PkgConfig REQUIRED)
add_library(epios_mpi INTERFACE)
set(MPI_C_LIBRARIES "$work/libmpi.so")
include("$1/cmake/EpiosNetcdf.cmake")
EOF

# library <name> <version> <header> <content>: a library that pkg-config finds.
library() {
  mkdir -p "$work/pc" "$work/$1"
  printf '%s\n' "prefix=$work/$1" "Name: $1" "Description: none" "Version: $2" "Cflags: -I$work/$1/include" >"$work/pc/$1.pc"
  mkdir -p "$work/$1/include"
  printf '%s\n' "$4" >"$work/$1/include/$3"
}

# expect <text> [options of CMake]: what configuring says, in one line.
expect() {
  local text=$1 out
  shift
  out=$(PKG_CONFIG_PATH=$work/pc cmake -S "$work" -B "$work/build" -DEPIOS_SYSTEM_NETCDF=ON "$@" 2>&1 | tr -s ' \n' ' ')
  rm -rf "$work/build"
  [[ $out == *"$text"* ]] || { echo "FAIL: no \"$text\" but: $out" >&2; failures=$((failures + 1)); }
}

library old_netcdf 4.6.3 netcdf_meta.h "#define NC_HAS_PARALLEL4 1"
library serial_netcdf 4.9.2 netcdf_meta.h "#define NC_HAS_PARALLEL4 0"
touch "$work/old_netcdf/include/netcdf_par.h" "$work/serial_netcdf/include/netcdf_par.h"
library good_netcdf 4.9.2 netcdf_meta.h "#define NC_HAS_PARALLEL4 1"
touch "$work/good_netcdf/include/netcdf_par.h"
library old_hdf5 1.8.23 H5pubconf.h "#define H5_HAVE_PARALLEL 1"
library serial_hdf5 1.14.3 H5pubconf.h "/* #undef H5_HAVE_PARALLEL */"
library good_hdf5 1.14.3 H5pubconf.h '#include "H5pubconf-64.h"'
echo "#define H5_HAVE_PARALLEL 1" >"$work/good_hdf5/include/H5pubconf-64.h"

expect "no NetCDF for parallel writing with this MPI: old_netcdf: 4.6.3 is too old (4.7.0 or later is needed) serial_netcdf: 4.9.2 cannot write in parallel (" \
  "-DEPIOS_NETCDF_PACKAGES=old_netcdf;serial_netcdf"
expect "no HDF5 for parallel writing: old_hdf5: 1.8.23 is too old (1.10.0 or later is needed) serial_hdf5: 1.14.3 cannot write in parallel (H5pubconf.h in" \
  "-DEPIOS_NETCDF_PACKAGES=good_netcdf" "-DEPIOS_HDF5_PACKAGES=old_hdf5;serial_hdf5"
expect "absent: pkg-config does not find it" "-DEPIOS_NETCDF_PACKAGES=good_netcdf" -DEPIOS_HDF5_PACKAGES=absent
expect "NetCDF: the machine's own 'good_netcdf' 4.9.2, parallel" "-DEPIOS_NETCDF_PACKAGES=old_netcdf;good_netcdf" \
  "-DEPIOS_HDF5_PACKAGES=serial_hdf5;good_hdf5"
expect "HDF5: the machine's own 'good_hdf5' 1.14.3, parallel" "-DEPIOS_NETCDF_PACKAGES=good_netcdf" \
  "-DEPIOS_HDF5_PACKAGES=serial_hdf5;good_hdf5"
exit $((failures > 0))
