# Sourced by cases of runs that are stopped by a signal, after case.sh.

# steps_until_stop: the steps of the toy model at the end of which the run says that it was stopped.
steps_until_stop() {
  local date
  date=$(sed -nE "s/.*context 'toy' was stopped by SIG[A-Z0-9]+ at ([0-9: -]+) \(stop_on_signal\).*/\1/p" out.txt | head -1)
  [ -n "$date" ] || fail "nobody says that the run was stopped"
  echo $((($(date -ud "$date" +%s) - $(date -ud 2000-01-01 +%s)) / 3600))
}

# The files are whole, have what was sent until the date that the run names, and the report has that date.
#   expect_stopped <signal> <model options...>
expect_stopped() {
  local signal=$1 steps left
  shift
  says_stop="context 'toy' was stopped by $signal at [0-9: -]+ .stop_on_signal.: its files are closed"
  [ "$(grep -Ec -- "$says_stop" out.txt)" -eq 1 ] || fail "not said once: $says_stop"
  steps=$(steps_until_stop) || exit 1
  left=$(find . -name '*.part*')
  [ -z "$left" ] || fail "left behind: $left"
  expect_values . "$@" --steps "$steps"
  grep -q "\"stopped\": \"$signal at " run_toy.json || fail "the report does not say that the run was stopped"
}
