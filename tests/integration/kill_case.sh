#!/usr/bin/env bash
# One run of which a process is killed while files are open: the whole job ends in time, and what has
# its final name is whole.
#   kill_case.sh <as in case.sh> <toy_model|epios_server> <settings> <model options...>
source "$(dirname "$0")/case.sh"
begin_case "$@"
victim=$6 settings=$7
shift 7
write_iodef "$settings"
export EPIOS_LOG=info
start_job 60 "$@"
wait_for "the first file" test -s instant.nc.part.records
sleep 0.3
kill_one "$victim"
expect_failure
ls -l
expect_end_within 15
expect_layout "$settings"
ls ./*.part > /dev/null 2>&1 || fail "no file was open"
expect_whole_files .
