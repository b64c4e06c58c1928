#!/usr/bin/env bash
# Two contexts that share the servers of one job; the second ends earlier and has another grid when it
# belongs to a model of its own.
#   pair_case.sh <as in case.sh> <contexts: of one model | components: two models | inside: the same, whose processes have servers | over_budget: the same, without room for both> <settings>
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
  components | inside)
    sibling=(--nx 11 --steps 8)
    second_model=(--code-id second --contexts sibling "${sibling[@]}")
    run_job 100
    ;;
  over_budget)
    # Whichever model comes second, also while the first one's context is being opened.
    second_model=(--code-id second --contexts sibling --nx 11 --steps 2000)
    run_job 60 --steps 2000
    expect_failure
    expect_text "context '(toy|sibling)': .*the channels of a server need at least [0-9]+ bytes .the budget is 9000, of which other contexts and couplings hold [0-9]+"
    exit 0
    ;;
  *) fail "unknown pair: $pair" ;;
esac
expect_success
if [ "$pair" = inside ]; then
  # One group of those of both models, and of others.
  expect_text "epios server 0: info: server $((processes + servers)): process [0-9]+ on node"
else
  expect_layout "$settings"
fi
expect_account
expect_values .
expect_values sibling "${sibling[@]}"
