#!/usr/bin/env bash
# One run whose output folder is on a file system of its own, inside a private mount namespace: read-only,
# or too small. Must fail in time, with the expected text, and without final files that are not whole.
#   disk_case.sh <bin> <mpiexec> <name> <model processes> <servers> <mount options> \
#                <expected text (extended regex)> <settings> <model options...>
# Exit 77 (skipped) where mounting is not allowed.
set -uo pipefail
if [ "${INSIDE:-}" != yes ]; then
  if ! unshare --mount true 2> /dev/null; then
    echo "skipped: no permission to mount a file system"
    exit 77
  fi
  INSIDE=yes exec unshare --mount "$0" "$@"
fi
bin=$1 mpiexec=$2 name=$3 processes=$4 servers=$5 options=$6 expected=$7 settings=$8
shift 8
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d "${TMPDIR:-/tmp}/epios-$name.XXXXXX")
trap 'umount "$work/disk" 2> /dev/null; rm -rf "$work"' EXIT
cd "$work" || exit 1
mkdir disk
if ! mount -t tmpfs -o "$options" tmpfs disk; then
  echo "skipped: cannot mount a tmpfs"
  exit 77
fi
sed -E -e "s|<!--settings-->|$settings|" -e 's|<context id="toy">|<context id="toy" output_dir="disk">|' \
  "$here/toy.xml" > iodef.xml
command=("$mpiexec" -n "$processes" "$bin/toy_model" "$@")
if [ "$servers" -gt 0 ]; then command+=(: -n "$servers" "$bin/epios_server"); fi
timeout -k 5 60 "${command[@]}" > out.txt 2>&1
status=$?
cat out.txt
ls -l disk
if [ "$status" -eq 0 ]; then echo "FAIL: the job succeeded" >&2; exit 1; fi
if [ "$status" -eq 124 ] || [ "$status" -eq 137 ]; then echo "FAIL: the job hung" >&2; exit 1; fi
if ! grep -Eq -- "$expected" out.txt; then echo "FAIL: expected text not found: $expected" >&2; exit 1; fi
for file in disk/*.nc; do
  [ -e "$file" ] || continue
  # What has its final name is whole.
  ncdump "$file" > /dev/null || { echo "FAIL: $file is not whole" >&2; exit 1; }
  if grep -q "file '$file'.*No space" out.txt; then echo "FAIL: $file has lost records" >&2; exit 1; fi
done
echo "failed as it should, status $status"
