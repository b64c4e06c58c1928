#!/usr/bin/env bash
# A job of which some processes never call the library: one before the model, one between model and servers.
#   foreign_case.sh <as in case.sh> <"well"; "bad": it ends in an error; "waits": nobody has said who meets, and the job is ended from outside> <model options...>
# RANKS: of EPIOS_RANKS, instead of those that use the library. SAYS: what is said. SETTINGS: of context xios.
source "$(dirname "$0")/case.sh"
begin_case "$@"
kind=$6
shift 6
write_iodef "${SETTINGS:-}"
listed=1-$processes
((servers == 0)) || listed+=,$((processes + 2))-$((processes + 1 + servers))
command=("$mpiexec")
[ "$kind" = waits ] || command+=(-genv EPIOS_RANKS "${RANKS:-$listed}")
command+=(-n 1 "$bin/foreign_process" : -n "$processes" "$bin/toy_model" "$@" : -n 1 "$bin/foreign_process")
((servers == 0)) || command+=(: -n "$servers" "$bin/epios_server")
start=$SECONDS
timeout -k 5 "${AFTER:-60}" "${command[@]}" > out.txt 2>&1
status=$?
ended_after_s=$((SECONDS - start))
cat out.txt
if [ "$kind" = waits ]; then
  ((status == 124)) || fail "the job has not waited: status $status"
elif [ "$kind" = well ]; then
  expect_success
  expect_account
  expect_values . "$@"
  [ "$(grep -c "the foreign process has ended well" out.txt)" -eq 2 ] || fail "a foreign process did not end"
else
  expect_failure
  expect_end_within 20
  expect_no_final_file
fi
expect_text "${SAYS?what is said}"
