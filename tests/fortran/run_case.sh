#!/usr/bin/env bash
# A Fortran model and its servers in a folder of its own; the files must be those of the reference.
#   run_case.sh <model> <epios_server> <mpiexec> <model processes> <servers> <xml> <file=reference.cdl>...
# CHECK in the environment is a program that looks at each of the files, too, and CHECK_ALL one that looks at all together; MODEL_OPTIONS are the model's; EDIT is a script of sed
# that changes the XML.
# With EPIOS in the environment, the job is recorded, and the files are those of `epios replay` with REPLAY_OPTIONS.
# With EPIOS_WRITE_GOLDEN=1 the references are written instead.
set -euo pipefail
model=$1 server=$2 mpiexec=$3 processes=$4 servers=$5 xml=$6
shift 6
export MODEL_SERVERS=$servers  # a model that has some needs no threads of MPI
work=$(mktemp -d "${TMPDIR:-/tmp}/epios-fortran.XXXXXX")
trap 'rm -rf "$work"' EXIT
cp "$xml" "$work/iodef.xml"
cd "$work"
if [[ -n ${EDIT-} ]]; then
  sed -E -i -e "$EDIT" iodef.xml
  ! cmp -s "$xml" iodef.xml || { echo "FAIL: the XML has nothing for EDIT" >&2; exit 1; }
fi
read -ra options <<< "${MODEL_OPTIONS-}"
job=("$mpiexec" -n "$processes" "$model" "${options[@]}")
((servers == 0)) || job+=(: -n "$servers" "$server")
[[ -z ${EPIOS-} ]] || export EPIOS_SET="record = calls"
"${job[@]}" >out.txt 2>&1 || { cat out.txt >&2; echo "FAIL: the job ended with an error" >&2; exit 1; }
if [[ -n ${EPIOS-} ]]; then
  rm ./*.nc
  read -ra options <<< "${REPLAY_OPTIONS-}"
  "$EPIOS" replay calls --mpiexec "$mpiexec" --folder . "${options[@]}" >out.txt 2>&1 ||
    { cat out.txt >&2; echo "FAIL: the replay ended with an error" >&2; exit 1; }
fi
status=0
for pair in "$@"; do
  file=${pair%%=*} reference=${pair#*=}
  [[ -z ${CHECK-} ]] || "$CHECK" "$file" || status=1
  # What differs from run to run.
  ncdump "$file" | grep -vE ':(timeStamp|uuid|history) = ' >found.cdl
  if [[ ${EPIOS_WRITE_GOLDEN-} == 1 ]]; then
    cp found.cdl "$reference"
  elif ! diff "$reference" found.cdl >&2; then
    echo "FAIL: $file differs from $reference" >&2
    status=1
  fi
done
[[ -z ${CHECK_ALL-} ]] || "$CHECK_ALL" "${@%%=*}" || status=1
exit $status
