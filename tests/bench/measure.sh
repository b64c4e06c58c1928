# What scripts share that measure and print tables of medians; sourced by them, with their own words:
#   <build folder> [repeats, default 5] [folder for the files, default /dev/shm]
# `needed` names the programs of tests/bench that they run, which are built if they are not. Sets build, repeats, work (an empty folder
# that goes with the script), server, launcher and pinned.
script=$(basename "$0")

fail() {
  echo "$script: $*" >&2
  exit 1
}

to_build="Build preset release, targets programs $(printf '%s ' "${needed[@]}")"
[[ $# -ge 1 && -d $1 ]] || fail "no build folder (give it first). $to_build"
build=$(cd "$1" && pwd)
cmake --build "$build" --target programs "${needed[@]}" >/dev/null || fail "the build has failed. $to_build"
repeats=${2:-5}
server=$build/server/epios_server
for program in "${needed[@]/#/$build/tests/bench/}" "$server"; do
  [[ -x $program ]] || fail "no $program (it is not built). $to_build"
done
launcher=${EPIOS_MPIEXEC:-$(command -v mpiexec.mpich || command -v mpiexec.hydra)} ||
  fail "no mpiexec.mpich or mpiexec.hydra (the package mpich is missing). Run ./scripts/setup."
awk -v script="$script" '$1 > 0.5 {
  print script ": load average is " $1 ": others use this machine, the figures mean little" >"/dev/stderr"}' /proc/loadavg
# Two cores, as everywhere in docs/performance.md: with more, the figures are others.
pinned=()
(($(nproc) <= 2)) || pinned=(taskset -c 0,1)
. "$here/crowd.sh"
work=$(mktemp -d "${3:-/dev/shm}/bench.XXXXXX")
notes=$(mktemp -d)
trap 'rm -rf "$work" "$notes"' EXIT

# value <lines "name value"> <name>
value() { awk -v name="$2" '$1 == name {print $2}' <<<"$1"; }
calculate() { awk "BEGIN {printf \"%.4g\", $*}"; }
# note <figure> <number>
note() { echo "$2" >>"$notes/$1"; }
middle() { sort -g "$notes/$1" | awk '{v[NR] = $1} END {print v[int((NR + 1) / 2)]}'; }
range() { sort -g "$notes/$1" | awk 'NR == 1 {low = $1} {high = $1} END {print low " to " high}'; }
# row <what> <target> <figure>
row() { printf '| %s | %s | %s | %s |\n' "$1" "$2" "$(middle "$3")" "$(range "$3")"; }
