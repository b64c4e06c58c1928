#!/bin/bash
# Runs a program built by MPI's compiler wrapper and its twin built by epcc or epcxx, and compares
# exit status and output, lines sorted since ranks print independently.
#
# usage: same_output.sh <mpiexec> <epexec> <program of MPI> <program of ep> <ranks> <layout>... [-- argument...]
#        a layout is processes x endpoints: 2x2
set -euo pipefail
# Sorting is by bytes, and a hang is told from a failure.
export LC_ALL=C
# Open MPI would end the others where one ends with an error, as some of these programs do on all ranks.
export OMPI_MCA_orte_abort_on_non_zero_status=0

mpiexec=$1 epexec=$(realpath "$2") of_mpi=$(realpath "$3") of_ep=$(realpath "$4") ranks=$5
shift 5
layouts=()
while (($#)) && [[ $1 != -- ]]; do
  layouts+=("$1")
  shift
done
if (($#)); then shift; fi
arguments=("$@")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
input="one line
and another"

# In each process: its output goes to a file of its own, since launchers mix lines.
apart='exec "$@" >"$0/${PMI_RANK:-${OMPI_COMM_WORLD_RANK:?the launcher says no rank}}"'

# run <name> <program> <command that starts it...>: output, sorted, and status in files of that name.
run() {
  local name=$1 program=$2 status=0
  shift 2
  mkdir "$work/$name.folder" "$work/$name.lines"
  (cd "$work/$name.folder" &&
    timeout 40 "$@" sh -c "$apart" "$work/$name.lines" "$program" "${arguments[@]}" <<<"$input") 2>"$work/$name.err" ||
    status=$?
  find "$work/$name.lines" -type f -exec cat {} + | sort >"$work/$name"
  echo "exit status $status" >>"$work/$name"
}

run mpi "$of_mpi" "$mpiexec" -n "$ranks"
(($(wc -l <"$work/mpi") > 1)) || {
  echo "same_output.sh: $of_mpi prints nothing (what would be compared?)." >&2
  cat "$work/mpi.err" >&2
  exit 1
}
failures=0
for layout in "${layouts[@]}"; do
  run "$layout" "$of_ep" "$epexec" -n "${layout%x*}" -endpoints "${layout#*x}"
  if diff --text "$work/mpi" "$work/$layout" >"$work/difference"; then continue; fi
  echo "layout $layout differs (< $ranks processes of MPI, > endpoints):"
  head -12 "$work/difference"
  tail -12 "$work/$layout.err"
  failures=$((failures + 1))
done
exit $((failures > 0))
