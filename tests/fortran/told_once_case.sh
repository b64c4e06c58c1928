#!/usr/bin/env bash
# A mistake that all processes of a job meet is told once, and the job ends.
#   told_once_case.sh <model> <epios_server> <mpiexec> <xml>
set -euo pipefail
model=$1 server=$2 mpiexec=$3 xml=$4
work=$(mktemp -d "${TMPDIR:-/tmp}/epios-fortran.XXXXXX")
trap 'rm -rf "$work"' EXIT
sed 's/output_freq="1h"/output_frec="1h"/' "$xml" > "$work/iodef.xml"
cd "$work"
status=0
"$mpiexec" -n 3 "$model" : -n 2 "$server" > out.txt 2>&1 || status=$?
cat out.txt
((status == 1)) || { echo "FAIL: the job ended with status $status" >&2; exit 1; }
told=$(grep -c "unknown attribute 'output_frec' of <file>. Did you mean 'output_freq'" out.txt)
((told == 1)) || { echo "FAIL: the mistake is told $told times" >&2; exit 1; }
[ "$(echo *)" = "iodef.xml out.txt" ] || { echo "FAIL: other files: $(echo *)" >&2; exit 1; }
