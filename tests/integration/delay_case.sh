#!/usr/bin/env bash
# Runs whose messages and parts leave and arrive late, at random: no bit changes, and nobody hangs.
#   delay_case.sh <as in case.sh> <settings> <message_delays> <model options...>
source "$(dirname "$0")/case.sh"
begin_case "$@"
settings=$6 delays=$7
shift 7
write_iodef "$settings"
first=${EPIOS_SEED:-1}
for ((seed = first; seed < first + 3; ++seed)); do
  export EPIOS_TEST_DELAYS=$seed LD_PRELOAD=$delays EP_SHM=0 # what is late are messages of MPI
  run_job 60 "$@"
  unset EPIOS_TEST_DELAYS LD_PRELOAD EP_SHM
  ((status == 0)) || echo "EPIOS_TEST_DELAYS=$seed"
  expect_success
  ((processes + servers == 1)) || expect_text "^message_delays: [1-9][0-9]* pauses$"
  expect_values . "$@"
done
