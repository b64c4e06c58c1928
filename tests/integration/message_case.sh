#!/usr/bin/env bash
# A run in which every message between processes is taken by whom it was sent to.
#   message_case.sh <as in case.sh> <settings> <message_spy> <model options...>
source "$(dirname "$0")/case.sh"
begin_case "$@"
settings=$6 spy=$7
shift 7
write_iodef "$settings"
export LD_PRELOAD=$spy MESSAGE_SPY_TAGS=yes EP_SHM=0 # it sees messages of MPI
run_job 60 "$@"
unset LD_PRELOAD EP_SHM
expect_success
expect_text "^message_spy: [1-9][0-9]* messages sent, 0 never taken$"
