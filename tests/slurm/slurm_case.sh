#!/usr/bin/env bash
# Jobs of the toy model under the Slurm that on_slurm.sh has started, by the templates of packaging/slurm.
#   slurm_case.sh <as in case.sh; processes and servers do not count> <what>
# <what>  mpiexec  servers in all places, in jobs that mpiexec starts
#         srun     the same by srun, which MPICH takes its start from as by pmi2; a heterogeneous job
source "$(dirname "${BASH_SOURCE[0]}")/../integration/case.sh"
[ -f "${SLURM_CONF:-}" ] || fail "not called by on_slurm.sh"
templates=$(cd "$(dirname "${BASH_SOURCE[0]}")/../../packaging/slurm" && pwd)
begin_case "$@"
what=$6
export EPIOS_LOG=info EPIOS_REPORT=run.json MPIEXEC="$mpiexec" SERVER="$bin/epios_server" SRUN_MPI=pmi2

# On failure the logs of the daemons are what to look at.
fail() {
  echo "FAIL: $*" >&2
  [ ! -f out.txt ] || cat out.txt
  tail -n 15 "$CASE_FOLDER"/slurm*.log
  exit 1
}

# Each job has a folder of its own.
#   new_job <name> <settings>
new_job() {
  echo "--- $1"
  cd "$work" && mkdir "$1" && cd "$1" || exit 1
  write_iodef "$2"
}

# submit <script> <options of sbatch...>: leaves the job's number in `number`.
submit() {
  local script=$1
  shift
  number=$(sbatch --parsable --export=ALL --output=out.txt --open-mode=append "$@" "$script" < /dev/null) ||
    fail "sbatch does not take $script"
}

is_over() { [ -z "$(squeue -h -j "$number" 2> /dev/null)" ]; }

# Leaves `status`, the one that Slurm has of the job's script, and `state`.
wait_for_job() {
  local tries=600 facts
  until is_over; do
    ((tries-- > 0)) || fail "job $number does not end"
    sleep 0.1
  done
  facts=$(scontrol show job "$number")
  # Of the first part of a heterogeneous one, which has the script.
  state=$(sed -nE 's/.*JobState=([A-Z]+).*/\1/p' <<< "$facts" | head -1)
  status=$(sed -nE 's/.*ExitCode=([0-9]+):.*/\1/p' <<< "$facts" | head -1)
  cat out.txt
}

size="--nx 30 --ny 20 --steps 12"
# expect_whole <line of the log>...
expect_whole() {
  expect_success
  expect_account
  # shellcheck disable=SC2086
  expect_values . $size
  local line
  for line in "$@"; do grep -Eq -- "$line" out.txt || fail "expected text not found: $line"; done
}

layouts() {
  export MODEL="$bin/toy_model $size"
  new_job dedicated "<!-- defaults -->"
  SERVERS=1 submit "$templates/dedicated.sbatch" --nodes=2 --ntasks-per-node=2
  wait_for_job
  expect_whole "server 0: process 3 on node 'node2'" "process 1 .*on node 'node1'.: client 1" \
    "opened: 3 clients .(2 by messages, 1 by shared_memory|1 by shared_memory, 2 by messages)., .*writes"

  new_job in_process "<!-- defaults -->"
  submit "$templates/in_process.sbatch" --nodes=2 --ntasks-per-node=1 --cpus-per-task=1
  wait_for_job
  expect_whole "server 1: process 1 on node 'node2' .*, beside client 1" \
    "opened: 2 clients .(1 by in_process, 1 by messages|1 by messages, 1 by in_process)., .*writes"

  new_job two_levels '<variable id="using_server2">true</variable>'
  submit "$templates/two_levels.sbatch" --nodes=2 --ntasks-per-node=2
  wait_for_job
  expect_whole "server 0: process 1 on node 'node1'" "server 1: process 3 on node 'node2'" \
    "opened: 2 clients .(1 by messages, 1 by shared_memory|1 by shared_memory, 1 by messages)., .*gathers for server 1"
}

case $what in
  mpiexec) layouts ;;
  srun)
    LAUNCHER=srun layouts
    new_job heterogeneous "<!-- defaults -->"
    cat > job.sbatch << J
#!/bin/bash
#SBATCH --nodes=1 --ntasks=2
#SBATCH hetjob
#SBATCH --nodes=1 --ntasks=1
srun --mpi=pmi2 $MODEL : $SERVER
J
    submit job.sbatch
    wait_for_job
    expect_whole "server 0: process 2 on node 'node2'" "opened: 2 clients .2 by messages., .*writes"
    ;;
  *) fail "unknown: $what" ;;
esac
