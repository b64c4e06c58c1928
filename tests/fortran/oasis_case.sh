#!/usr/bin/env bash
# Two models, a foreign process and perhaps a server, all begun and ended by a coupler.
#   oasis_case.sh <program> <mpiexec> <xml> <"shared", "listed" or "alone"> <who ends first> <processes of the ocean> <servers> <file=reference.cdl>...
# Two mistakes end the job: the coupler ends first, or the second model is a "twin" of the first one.
# The foreign process comes first, so that ranks in MPI_COMM_WORLD are none of the library's.
set -euo pipefail
program=$1 mpiexec=$2 xml=$3 meets=$4 first=$5 oceans=$6 servers=$7
shift 7
work=$(mktemp -d "${TMPDIR:-/tmp}/epios-oasis.XXXXXX")
trap 'rm -rf "$work"' EXIT
cp "$xml" "$work/iodef.xml"
cd "$work"
second=atm
[ "$first" != twin ] || second=twin
job=("$mpiexec")
[ "$meets" != listed ] || job+=(-genv EPIOS_RANKS "1-$((oceans + 1 + servers))")
job+=(-n 1 "$program" "$meets" "$first"
      : -n "$oceans" -env COMPONENT ocean "$program" "$meets" "$first"
      : -n 1 -env COMPONENT "$second" "$program" "$meets" "$first")
((servers == 0)) || job+=(: -n "$servers" -env COMPONENT server "$program" "$meets" "$first")
said=
case $first in
  coupler) said="epios: error: MPI_Finalize with an open session .*Call xios_finalize first?" ;;
  twin) said="component 'ocean' is several: local_comm of process 0 has 1 process of the job, from 0 on, and that of process 1 has 1, from 1 on .all that give one name are one component.. Give each a name of its own, or number them by EPIOS_MEMBER" ;;
esac
if [ -n "$said" ]; then
  status=0
  timeout -k 5 50 "${job[@]}" >out.txt 2>&1 || status=$?
  cat out.txt
  ((status != 0 && status != 124 && status != 137)) || { echo "FAIL: the job ended with status $status" >&2; exit 1; }
  grep -q "$said" out.txt || { echo "FAIL: nobody says why" >&2; exit 1; }
  exit 0
fi
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
