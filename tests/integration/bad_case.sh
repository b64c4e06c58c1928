#!/usr/bin/env bash
# One run that must fail: non-zero exit in time, the expected text, and no final file.
#   bad_case.sh <bin> <mpiexec> <name> <model processes> <servers> <sed script on toy.xml> \
#               <expected text (extended regex)> <model options...>
set -uo pipefail
bin=$1 mpiexec=$2 name=$3 processes=$4 servers=$5 edit=$6 expected=$7
shift 7
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d "${TMPDIR:-/tmp}/epios-$name.XXXXXX")
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
sed -E "$edit" "$here/toy.xml" > iodef.xml
command=("$mpiexec" -n "$processes" "$bin/toy_model" "$@")
if [ "$servers" -gt 0 ]; then command+=(: -n "$servers" "$bin/epios_server"); fi
timeout -k 5 40 "${command[@]}" > out.txt 2>&1
status=$?
cat out.txt
if [ "$status" -eq 0 ]; then echo "FAIL: the job succeeded" >&2; exit 1; fi
if [ "$status" -eq 124 ] || [ "$status" -eq 137 ]; then
  echo "FAIL: the job hung (status $status)" >&2
  exit 1
fi
if [ -n "$expected" ] && ! grep -Eq -- "$expected" out.txt; then
  echo "FAIL: expected text not found: $expected" >&2
  exit 1
fi
final=$(find . -name '*.nc')
if [ -n "$final" ] && [ -z "${ALLOW_FINAL:-}" ]; then
  echo "FAIL: final files exist: $final" >&2
  exit 1
fi
echo "failed as it should, status $status"
