#!/usr/bin/env bash
# Jobs of the toy model under the Slurm that on_slurm.sh has started, by the templates of packaging/slurm.
#   slurm_case.sh <as in case.sh; processes and servers do not count> <what>
# <what>  mpiexec  servers in all places, in jobs that mpiexec starts
#         srun     the same by srun, which MPICH takes its start from as by pmi2; a heterogeneous job; srun that MPI knows nothing of
#         signals  scancel ends a job, or sends it a signal of stop_on_signal: its files are whole
#         limit    the same at --signal before the time limit, at which Slurm looks twice a minute
source "$(dirname "${BASH_SOURCE[0]}")/../integration/case.sh"
source "$(dirname "${BASH_SOURCE[0]}")/../integration/stopped.sh"
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
  number=$(sbatch --parsable --export=ALL --output=out.txt --open-mode=append --signal=USR1@1 --time=5 "$@" "$script" < /dev/null) ||
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

# wait_for_records: until the job has written some.
wait_for_records() {
  until [ "$(stat -c %s instant.nc.part.records 2> /dev/null || echo 0)" -gt 0 ]; do
    ! is_over || fail "the job ended before there were records"
    sleep 0.05
  done
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

# stopped_job <name> <signal> <options of sbatch...>: starts a job that runs for long.
long="--nx 60 --ny 40 --steps 1000000"
start_long_job() {
  export MODEL="$bin/toy_model $long"
  new_job "$1" '<variable id="stop_on_signal">TERM+USR1</variable>'
  shift
  SERVERS=1 submit "$templates/dedicated.sbatch" --nodes=2 --ntasks-per-node=1 "$@"
  wait_for_records
}

# The files get their names while the job runs.
wait_for_the_files() {
  until [ -s surface.nc ] && [ -s means.nc ] && [ -s instant.nc ] && [ -s run_toy.json ]; do
    ! is_over || fail "the job ended without files"
    sleep 0.05
  done
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

    new_job unknown_to_mpi "<!-- defaults -->"
    SRUN_MPI=none LAUNCHER=srun submit "$templates/in_process.sbatch" --nodes=2 --ntasks-per-node=1 --cpus-per-task=1
    wait_for_job
    [ "$status" -ne 0 ] || fail "processes that do not know each other wrote the same files"
    grep -q "this process is one of 2 that srun has started (SLURM_STEP_NUM_TASKS), .*Tell srun how to start this MPI (srun --mpi=list" out.txt ||
      fail "nobody says that srun has started them apart"
    ;;
  signals)
    # Slurm sends SIGTERM, and KillWait later SIGKILL.
    start_long_job cancelled
    scancel "$number"
    wait_for_the_files
    wait_for_job
    [ "$state" = CANCELLED ] || fail "the job is $state"
    # shellcheck disable=SC2086
    expect_stopped SIGTERM $long
    for LAUNCHER in hydra srun; do
      export LAUNCHER
      start_long_job "signalled_$LAUNCHER"
      scancel --signal=USR1 "$number"
      wait_for_the_files
      ! is_over || fail "the job did not go on"
      scancel --signal=KILL "$number"
      wait_for_job
      # shellcheck disable=SC2086
      expect_stopped SIGUSR1 $long
    done
    ;;
  limit)
    start_long_job limit --time=1 --signal=USR1@50
    wait_for_the_files
    scancel --signal=KILL "$number"
    wait_for_job
    # shellcheck disable=SC2086
    expect_stopped SIGUSR1 $long
    ;;
  *) fail "unknown: $what" ;;
esac
