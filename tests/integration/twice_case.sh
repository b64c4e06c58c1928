#!/usr/bin/env bash
# A launcher that starts everything twice, as one inside another one does: two whole jobs in one folder. The second says that
# its files are being written, ends, and touches nothing of the first.
#   twice_case.sh <as in case.sh> <model options...>
source "$(dirname "$0")/case.sh"
begin_case "$@"
shift 5
all_are_open() { [ -e instant.nc.part.records ] && [ -e means.nc.part.records ] && [ -e surface.nc.part.records ]; }

write_iodef "<!-- defaults -->"
start_job 60 "$@"
wait_for "its files were open" all_are_open
# So that the first is there as long as it takes.
pkill -STOP -f "^$work/toy_model" || fail "no model to stop: the run was too short"
timeout -k 5 30 "${command[@]}" > second.txt 2>&1
status=$?
cat second.txt
pkill -CONT -f "^$work/toy_model"
expect_failure
grep -Eq "file '(instant|means|surface).nc': cannot be created .it is locked.. Does another job or context write the same file" second.txt ||
  fail "nobody says that another job writes the file"
wait_for_end
expect_success
expect_account
expect_values . "$@"
