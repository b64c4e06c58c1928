#!/usr/bin/env bash
# An error that all processes of a job have is told once, one that is of one process alone by that, and no error is lost.
#   errors_case.sh <program> <mpiexec> <xml> <"common", "own" or "taken"> <processes> <what is said> [<script of sed that changes the XML>]
set -euo pipefail
program=$1 mpiexec=$2 xml=$3 kind=$4 processes=$5 says=$6 edit=${7-}
work=$(mktemp -d "${TMPDIR:-/tmp}/epios-errors.XXXXXX")
trap 'rm -rf "$work"' EXIT
sed -E -e "$edit" "$xml" >"$work/iodef.xml"
cd "$work"
status=0
timeout -k 5 40 "$mpiexec" -n "$processes" "$program" "$kind" >out.txt 2>&1 || status=$?
cat out.txt
((status != 0 && status != 124 && status != 137)) || { echo "FAIL: the job ended with status $status" >&2; exit 1; }
told=$(grep -cE "^epios: error: .*$says" out.txt || true)
[ "$told" -eq 1 ] || { echo "FAIL: the error is told $told times" >&2; exit 1; }
