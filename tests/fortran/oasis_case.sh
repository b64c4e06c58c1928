#!/usr/bin/env bash
# Two models, a stranger and perhaps a server, all begun and ended by a coupler.
#   oasis_case.sh <program> <mpiexec> <xml> <"shared", "listed" or "alone"> <who ends first> <processes of the ocean> <servers> <file=reference.cdl>...
# The stranger comes first, so that ranks in MPI_COMM_WORLD are none of the library's.
set -euo pipefail
program=$1 mpiexec=$2 xml=$3 meets=$4 first=$5 oceans=$6 servers=$7
shift 7
work=$(mktemp -d "${TMPDIR:-/tmp}/epios-oasis.XXXXXX")
trap 'rm -rf "$work"' EXIT
cp "$xml" "$work/iodef.xml"
cd "$work"
job=("$mpiexec")
[ "$meets" != listed ] || job+=(-genv EPIOS_RANKS "1-$((oceans + 1 + servers))")
job+=(-n 1 "$program" "$meets" "$first"
      : -n "$oceans" -env COMPONENT ocean "$program" "$meets" "$first"
      : -n 1 -env COMPONENT atm "$program" "$meets" "$first")
((servers == 0)) || job+=(: -n "$servers" -env COMPONENT server "$program" "$meets" "$first")
timeout -k 5 50 "${job[@]}" >out.txt 2>&1 || { status=$?; cat out.txt >&2; echo "FAIL: the job ended with status $status" >&2; exit 1; }
cat out.txt
for component in ocean atm; do
  writers="$servers server"
  ((servers > 0)) || writers=".* in the processes of the model"
  grep -Eq "epios: report: component '$component': .*, $writers" out.txt || { echo "FAIL: $component was not served as it should" >&2; exit 1; }
done
for pair in "$@"; do
  file=${pair%%=*} reference=${pair#*=}
  ncdump "$file" | grep -vE ':(timeStamp|uuid|history) = ' >found.cdl
  if [[ ${EPIOS_WRITE_GOLDEN-} == 1 ]]; then
    cp found.cdl "$reference"
  else
    diff "$reference" found.cdl >&2 || { echo "FAIL: $file differs from $reference" >&2; exit 1; }
  fi
done
