#!/usr/bin/env bash
# Two contexts that share the servers of one job; the second ends earlier and has another grid when it
# belongs to a model of its own.
#   pair_case.sh <as in case.sh> <contexts: of one model | components: two models> <settings>
source "$(dirname "$0")/case.sh"
begin_case "$@"
pair=$6 settings=$7
write_iodef "$settings"
export EPIOS_LOG=info
add_context sibling sibling
case $pair in
  contexts)
    run_job 100 --contexts toy,sibling
    sibling=()
    ;;
  components)
    sibling=(--nx 11 --steps 8)
    second_model=(--code-id second --contexts sibling "${sibling[@]}")
    run_job 100
    ;;
  *) fail "unknown pair: $pair" ;;
esac
expect_success
expect_layout "$settings"
expect_account
expect_values .
expect_values sibling "${sibling[@]}"
