#!/usr/bin/env bash
# A simulation that is cut into jobs at random steps, each job with other processes, threads and servers, against the
# same in one job.
#   cuts_case.sh <bin> <mpiexec> <name> <turns> <anew|append> [seed]
source "$(dirname "$0")/../integration/case.sh"
turns=$4 way=$5
begin_case "$1" "$2" "$3" 1 0
RANDOM=${6:-${EPIOS_TEST_SEED:-1}}
export MODEL=cut_model
"$bin/cut_model" --iodef > iodef.xml

# job <begin> <end> <folder> <processes> <threads> <servers>
job() {
  processes=$4 servers=$6
  run_job 60 "$1" "$2" "$3" "$RANDOM" "$5" "$way" > /dev/null
  if [ "$status" -ne 0 ]; then grep -v ': warning: ' out.txt; fi
  expect_success
}
job 0 60 whole 1 1 1
for turn in $(seq "$turns"); do
  rm -f state.nc
  folders=() begin=0
  for end in $(for _ in 1 2 3; do echo $((RANDOM % 59 + 1)); done | sort -nu) 60; do
    if [ "$way" = append ]; then folder=turn$turn; else folder=turn${turn}_$begin; fi
    folders+=("$folder")
    processes=$((RANDOM % 3 + 1)) threads=$((RANDOM % 3 + 1)) servers=$((RANDOM % 3))
    echo "turn $turn: steps $begin to $end on $processes x $threads clients, $servers servers"
    job "$begin" "$end" "$folder" "$processes" "$threads" "$servers"
    begin=$end
  done
  "$bin/check_cuts" whole "${folders[@]}" || fail "other files in turn $turn"
done
