#!/usr/bin/env bash
# A run that gets a signal of stop_on_signal: its files are whole, and end where the run says that it was stopped.
#   signal_case.sh <as in case.sh> <who> <signal> <settings> <model options...>
# <who>   model    one process of the model gets the signal, and all go on computing
#         server   one server alone
#         all      mpiexec, which hands it on
#         unasked  one process of the model, without stop_on_signal: it dies at once, and `epios recover` finds what was acknowledged
source "$(dirname "${BASH_SOURCE[0]}")/case.sh"
source "$(dirname "${BASH_SOURCE[0]}")/stopped.sh"
begin_case "$@"
who=$6 signal=$7 settings=$8
shift 8
export EPIOS_REPORT=run.json
says() { grep -Eq -- "$1" out.txt; }
# More than one record, of some 20 kB: before the first a client may not have opened its context yet.
has_records() { [ "$(stat -c %s instant.nc.part 2> /dev/null || echo 0)" -gt 500000 ]; }

write_iodef "$settings"
start_job 60 "$@"
wait_for "there were records" has_records
case $who in
  model | unasked) kill "-$signal" "$(pgrep -n -f "^$work/toy_model")" ;;
  server) kill "-$signal" "$(pgrep -n -f "^$work/epios_server")" ;;
  all) kill "-$signal" "$(pgrep -P "$job")" ;;
  *) fail "unknown: $who" ;;
esac
if [ "$who" = unasked ]; then
  wait_for_end
  expect_failure
  expect_no_final_file
  for part in *.part; do
    [ -s "$part.records" ] || continue
    acknowledged=$("$bin/epios" recover --output "whole_${part%.part}" "$part") || fail "$part is not recovered"
    echo "$acknowledged"
    ncdump "whole_${part%.part}" > /dev/null || fail "what was recovered of $part is not whole"
  done
  [ -e whole_instant.nc ] || fail "nothing was acknowledged"
  exit 0
fi
wait_for_end
# The mpiexec of MPICH that has handed on a signal ends with 0 now and then, although its processes have not.
[ "$who" = all ] || expect_failure
expect_stopped "SIG$signal" "$@"
expect_text "context 'toy' was stopped by SIG$signal at .*: [0-9]+ fields that were sent after that are not in its files"
