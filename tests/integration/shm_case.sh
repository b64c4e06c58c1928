#!/usr/bin/env bash
# One run on a node with little shared memory, inside a private mount namespace.
#   shm_case.sh <bin> <mpiexec> <name> <model processes> <servers> <size> <expected text or 'success'> \
#               <settings> <model options...>
# Exit 77 (skipped) where mounting is not allowed.
set -uo pipefail
if [ "${INSIDE:-}" != yes ]; then
  if ! unshare --mount true 2> /dev/null; then
    echo "skipped: no permission to mount a file system"
    exit 77
  fi
  INSIDE=yes exec unshare --mount "$0" "$@"
fi
bin=$1 mpiexec=$2 name=$3 processes=$4 servers=$5 size=$6 expected=$7 settings=$8
shift 8
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d "${TMPDIR:-/tmp}/epios-$name.XXXXXX")
trap 'umount /dev/shm 2> /dev/null; rm -rf "$work"' EXIT
cd "$work" || exit 1
if ! mount -t tmpfs -o "size=$size" tmpfs /dev/shm; then
  echo "skipped: cannot mount a tmpfs"
  exit 77
fi
sed "s|<!--settings-->|$settings|" "$here/toy.xml" > iodef.xml
command=("$mpiexec" -n "$processes" "$bin/toy_model" "$@")
if [ "$servers" -gt 0 ]; then command+=(: -n "$servers" "$bin/epios_server"); fi
timeout -k 5 60 "${command[@]}" > out.txt 2>&1
status=$?
cat out.txt
if [ "$status" -eq 124 ] || [ "$status" -eq 137 ]; then echo "FAIL: the job hung" >&2; exit 1; fi
left=$(find /dev/shm -name 'epios-*')
if [ -n "$left" ] && [ "$servers" -gt 0 ]; then echo "FAIL: left in shared memory: $left" >&2; exit 1; fi
if [ "$expected" = success ]; then exit "$status"; fi
if [ "$status" -eq 0 ]; then echo "FAIL: the job succeeded" >&2; exit 1; fi
if ! grep -Eq -- "$expected" out.txt; then echo "FAIL: expected text not found: $expected" >&2; exit 1; fi
final=$(find . -name '*.nc')
if [ -n "$final" ]; then echo "FAIL: final files exist: $final" >&2; exit 1; fi
echo "failed as it should, status $status"
