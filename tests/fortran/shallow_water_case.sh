#!/usr/bin/env bash
# The example in two layouts: the same files, but for what says when and by whom they were made.
#   shallow_water_case.sh <shallow_water> <xios_server.exe> <mpiexec> <iodef.xml>
set -euo pipefail
model=$1 server=$2 mpiexec=$3 xml=$4
work=$(mktemp -d "${TMPDIR:-/tmp}/epios-shallow.XXXXXX")
trap 'rm -rf "$work"' EXIT

run() {
  mkdir "$work/$1"
  cd "$work/$1"
  cp "$xml" iodef.xml
  shift
  "$@" >out.txt 2>&1 || { cat out.txt >&2; echo "FAIL: the job ended with an error" >&2; exit 1; }
}
OMP_NUM_THREADS=1 run one "$mpiexec" -n 1 "$model" 48
OMP_NUM_THREADS=2 run three "$mpiexec" -n 3 "$model" 48 : -n 2 "$server"

for file in shallow_water_hours.nc shallow_water_restart.nc; do
  for layout in one three; do
    ncdump -p 9,17 "$work/$layout/$file" | grep -vE ':(timeStamp|uuid|history) = ' >"$work/$layout.cdl"
  done
  diff "$work/one.cdl" "$work/three.cdl" >"$work/differences" ||
    { head -20 "$work/differences" >&2; echo "FAIL: $file depends on the layout" >&2; exit 1; }
done
# Half the run, and the other half from its restart on other processes: the same state.
OMP_NUM_THREADS=2 run half "$mpiexec" -n 2 "$model" 24 : -n 1 "$server"
OMP_NUM_THREADS=1 run rest cp ../half/shallow_water_restart.nc .
"$mpiexec" -n 3 "$model" 24 restart : -n 1 "$server" >out.txt 2>&1 ||
  { cat out.txt >&2; echo "FAIL: the run from a restart ended with an error" >&2; exit 1; }
for layout in one rest; do
  ncdump -p 9,17 -v height,u,v,steps_done "$work/$layout/shallow_water_restart.nc" | sed '1,/^data:/d' >"$work/$layout.cdl"
done
diff "$work/one.cdl" "$work/rest.cdl" >"$work/differences" ||
  { head -20 "$work/differences" >&2; echo "FAIL: a run from a restart has another state" >&2; exit 1; }
# Not of nothing: the water has moved, and the last hour of the run is what the restart holds.
[[ $(ncdump -h "$work/one/shallow_water_hours.nc") == *"2 currently"* ]] ||
  { echo "FAIL: there are not two hours" >&2; exit 1; }
height() {
  ncdump -p 9,17 -v height "$work/one/$1" | sed '1,/^ height =/d' | tr -d ' \n;}' | tr , '\n' | tail -n 9600
}
diff <(height shallow_water_hours.nc) <(height shallow_water_restart.nc) >/dev/null ||
  { echo "FAIL: the restart does not hold the last state" >&2; exit 1; }
[[ $(height shallow_water_restart.nc | sort -u | wc -l) -gt 1000 ]] || { echo "FAIL: the water is flat" >&2; exit 1; }
