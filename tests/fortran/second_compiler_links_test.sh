#!/usr/bin/env bash
# A second compiler builds libxios over an installation, into a prefix of its own, and models with it, that run.
#   second_compiler_links_test.sh <flang> <installed prefix> <folder of the build> <work folder> <cmake> <python3> <mpiexec> <C++ wrapper>
set -euo pipefail
flang=$1 installed=$2 build=$3 work=$4 cmake=$5 python=$6 mpiexec=$7 cxx=$8
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
rm -rf "$work"
mkdir -p "$work"
cp -r "$installed" "$work/prefix"
rm "$work"/prefix/include/epios/fortran/* "$work"/prefix/lib/libepios_fortran.so* "$work"/prefix/lib/libxios.*
{
  "$cmake" -S "$root/tests/fortran/second_compiler" -B "$work/build" -DEPIOS_SOURCE="$root" -DEPIOS_BUILD="$build" \
    -DCMAKE_Fortran_COMPILER="$flang" -DCMAKE_INSTALL_PREFIX="$work/prefix"
  "$cmake" --build "$work/build"
  "$cmake" --install "$work/build"
} > "$work/said.txt" 2>&1 || { cat "$work/said.txt"; exit 1; }
"$python" "$root/tests/fortran/modules_test.py" "$work/prefix" "$work/models" "$mpiexec" "$flang" "$cxx"
