#!/bin/bash
# Runs a program built by MPI's compiler wrapper and its twin built by epcc or epcxx, and compares
# exit status and output, lines sorted since ranks print independently.
#
# usage: same_output.sh <mpiexec> <epexec> <program of MPI> <program of ep> <ranks> <layout>... [-- argument...]
#        a layout is processes x endpoints: 2x2
set -euo pipefail
# Sorting is by bytes, and a hang is told from a failure.
export LC_ALL=C

mpiexec=$1 epexec=$(realpath "$2") of_mpi=$(realpath "$3") of_ep=$(realpath "$4") ranks=$5
shift 5
layouts=()
while (($#)) && [[ $1 != -- ]]; do
  layouts+=("$1")
  shift
done
if (($#)); then shift; fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
input="one line
and another"

# run <name> <command> <argument...>: output, sorted, and status in files of that name. Processes write
# to files of their own: mpiexec mixes lines.
run() {
  local name=$1 command=$2 status=0
  shift 2
  mkdir "$work/$name.folder" "$work/$name.lines"
  (cd "$work/$name.folder" &&
    timeout 40 "$command" -outfile-pattern "$work/$name.lines/%r" "$@" <<<"$input") 2>"$work/$name.err" ||
    status=$?
  find "$work/$name.lines" -type f -exec cat {} + | sort >"$work/$name"
  echo "exit status $status" >>"$work/$name"
}

run mpi "$mpiexec" -n "$ranks" "$of_mpi" "$@"
(($(wc -l <"$work/mpi") > 1)) || {
  echo "same_output.sh: $of_mpi prints nothing (what would be compared?)." >&2
  cat "$work/mpi.err" >&2
  exit 1
}
failures=0
for layout in "${layouts[@]}"; do
  run "$layout" "$epexec" -n "${layout%x*}" -endpoints "${layout#*x}" "$of_ep" "$@"
  if diff --text "$work/mpi" "$work/$layout" >"$work/difference"; then continue; fi
  echo "layout $layout differs (< $ranks processes of MPI, > endpoints):"
  head -12 "$work/difference"
  tail -12 "$work/$layout.err"
  failures=$((failures + 1))
done
exit $((failures > 0))
