#!/usr/bin/env bash
# One run of which a process is killed while files are open: the whole job ends in time, and what has
# its final name is whole.
#   kill_case.sh <bin> <mpiexec> <name> <toy_model|epios_server> <model processes> <servers> <settings> \
#                <model options...>
set -uo pipefail
bin=$1 mpiexec=$2 name=$3 victim=$4 processes=$5 servers=$6 settings=$7
shift 7
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d "${TMPDIR:-/tmp}/epios-$name.XXXXXX")
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
sed "s|<!--settings-->|$settings|" "$here/toy.xml" > iodef.xml
# Names of their own, so that the right process is found.
ln -s "$bin/toy_model" "$work/toy_model"
ln -s "$bin/epios_server" "$work/epios_server"
command=("$mpiexec" -n "$processes" "$work/toy_model" "$@")
if [ "$servers" -gt 0 ]; then command+=(: -n "$servers" "$work/epios_server"); fi
timeout -k 5 60 "${command[@]}" > out.txt 2>&1 &
job=$!
for _ in $(seq 200); do
  if [ -s instant.nc.part.records ]; then break; fi
  sleep 0.05
done
sleep 0.3
# mpiexec's own command line names the programs, too, but does not begin with them.
pid=$(pgrep -n -f "^$work/$victim")
if [ -z "$pid" ]; then
  wait "$job"
  cat out.txt
  echo "FAIL: no $victim to kill: the run was too short or did not start" >&2
  exit 1
fi
kill -KILL "$pid"
start=$SECONDS
wait "$job"
status=$?
cat out.txt
ls -l
if [ "$status" -eq 0 ]; then echo "FAIL: the job succeeded" >&2; exit 1; fi
if [ $((SECONDS - start)) -gt 15 ]; then echo "FAIL: the job ended only after $((SECONDS - start)) s" >&2; exit 1; fi
if ! ls ./*.part > /dev/null 2>&1; then echo "FAIL: no file was open" >&2; exit 1; fi
for file in *.nc; do
  [ -e "$file" ] || continue
  ncdump "$file" > /dev/null || { echo "FAIL: $file is not whole" >&2; exit 1; }
done
echo "ended as it should, status $status"
