#!/usr/bin/env bash
# One run that must succeed, and the check of its files.
#   run_case.sh <as in case.sh> <settings> <expected text> <model options...>
source "$(dirname "$0")/case.sh"
begin_case "$@"
settings=$6 expected=$7
shift 7
write_iodef "$settings"
export EPIOS_LOG=info
run_job 100 "$@"
expect_success
expect_text "$expected"
! grep -E "(never|always|again) .*sent|sent again" out.txt || fail "warned of data that were sent"
expect_layout "$settings"
[[ " $* " == *" no_finalize "* ]] || expect_account
expect_values . "$@"
