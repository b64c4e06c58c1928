#!/bin/bash
# What the scripts and models of the examples do with words that they cannot understand: a script says
# what is wrong before it starts anything; a model ends the job, whose servers wait for it.
#
# usage: check_example_words.sh <examples> <model of hexagons> <model of tsunami> <server>
set -uo pipefail
examples=$1 server=$4
declare -A model=([hexagons]=$2 [tsunami]=$3)
failures=0

# expect <status>[|<status>] <text> <command...>
expect() {
  local status=$1 text=$2 said
  shift 2
  said=$(timeout 60 "$@" 2>&1)
  local got=$?
  [[ "|$status|" == *"|$got|"* && $said == *"$text"* ]] && return
  echo "$*: status $got (124: it hung) instead of $status, or no \"$text\" in: $said" >&2
  failures=$((failures + 1))
}

for example in hexagons tsunami ocean_heat shallow_water coupled; do
  script=$examples/$example/run.sh
  expect 1 "run.sh: --processes has no value" "$script" /tmp --processes
  expect 1 "run.sh: --output has no value" "$script" /tmp --output ""
  expect 1 "run.sh: --servers two is no count" "$script" /tmp --servers two
done
for example in hexagons tsunami; do
  program=${model[$example]}
  # 9: the server, which sees the models gone, was faster than the launcher.
  expect "2|9" "$example: The following argument was not expected: --tomatoes" \
    "${EPIOS_MPIEXEC:-mpiexec.mpich}" -n 2 "$program" --tomatoes : -n 1 "$server"
  expect 0 "usage" bash -c '"$0" --help | tr A-Z a-z' "$program"
done
exit "$failures"
