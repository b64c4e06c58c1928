#!/usr/bin/env bash
# Modules, tests and the generated accessors are Fortran for flang, too. Syntax and semantics; nothing is linked.
#   second_compiler_test.sh <flang> <folder of mpif.h> <folder of the build> <python3>
set -euo pipefail
flang=$1 mpi=$2 build=$3 python=$4
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
work=$(mktemp -d "${TMPDIR:-/tmp}/epios-flang.XXXXXX")
trap 'rm -rf "$work"' EXIT
cd "$work"
# MPICH's own module is for gfortran alone.
printf 'module mpi\n  implicit none\n  include "mpif.h"\nend module mpi\n' > mpi.f90
status=0
take() {
  "$flang" -fsyntax-only -fopenmp -I "$mpi" -I "$root/client/fortran" -I "$build/client/fortran" "$1" > said.txt 2>&1 && return
  echo "FAIL: $1" >&2
  grep -E -A4 "error:" said.txt >&2 || cat said.txt >&2
  status=1
}
take mpi.f90
# In the order in which they need each other.
for module in xios_c xios_time xios_elements xios_run; do take "$root/client/fortran/$module.f90"; done
take "$build/client/fortran/xios_modules.f90"
for module in xios_forwards xios epios_c epios_base epios_dates epios_clients epios_elements epios_fields epios_contexts epios; do
  take "$root/client/fortran/$module.f90"
done
take "$root/client/mock/epios_mock.f90"
for model in "$root"/tests/fortran/*.f90 "$root"/tests/mock/*.f90 "$root"/examples/*/*.f90; do
  if grep -q 'use mpi_f08' "$model"; then
    echo "left out, for mpi_f08: $model"
  elif grep -q 'image_index' "$model"; then
    echo "left out, for coarrays: $model"
  elif [ "$(basename "$model")" != accessor_checks.f90 ]; then
    take "$model"
  fi
done
# Each name of each module beside module xios.
"$python" "$root/tests/fortran/modules_test.py" --sources .
take singly.f90
take whole.f90
take "$root/tests/fortran/accessor_checks.f90"
take "$build/tests/fortran/accessors.f90"
exit $status
