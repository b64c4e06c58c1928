#!/bin/bash
# Weights between grids against CDO: processor time of one process each, medians; wall time of two threads.
#
# usage: run_remap.sh <build folder> [repeats, default 5]
set -euo pipefail
[[ $# -ge 1 && -d $1 ]] || {
  echo "run_remap.sh: no build folder (give it first, of preset release)" >&2
  exit 1
}
cmake --build "$1" --target bench_remap >/dev/null
command -v cdo >/dev/null || { echo "run_remap.sh: no cdo (apt package cdo)" >&2; exit 1; }
bench=$(cd "$1" && pwd)/tests/bench/bench_remap
repeats=${2:-5}
work=$(mktemp -d /dev/shm/bench.XXXXXX)
trap 'rm -rf "$work"' EXIT
cd "$work"
# seconds <bash's format of times> <command...>: of processor (%U) or clock (%R)
seconds() {
  local TIMEFORMAT=$1
  shift
  { time "$@" >/dev/null 2>&1; } 2>&1
}
middle() { sort -g | awk '{v[NR] = $1} END {print v[int((NR + 1) / 2)]}'; }
echo "| weights of first order | processor time ÷ CDO gencon | 2 threads, clock ÷ CDO's clock | ours, s |"
echo "| --- | --- | --- | --- |"
for pair in "360x180 1440x720" "1440x720 360x180"; do
  read -r from to <<<"$pair"
  cdo -s -f nc const,1,"r$from" source.nc
  for ((n = 0; n < repeats; ++n)); do
    seconds %U "$bench" "$from" "$to" 1 >>"own.$from"
    seconds %R "$bench" "$from" "$to" 2 >>"two.$from"
    seconds %U cdo -s -P 1 "gencon,r$to" source.nc weights.nc >>"cdo.$from"
    seconds %R cdo -s -P 1 "gencon,r$to" source.nc weights.nc >>"clock.$from"
  done
  awk -v o="$(middle <"own.$from")" -v t="$(middle <"two.$from")" -v c="$(middle <"cdo.$from")" -v k="$(middle <"clock.$from")" \
    -v name="$from to $to" 'BEGIN {printf "| %s | %.2f | %.2f | %.2f |\n", name, o / c, t / k, o}'
done
