#!/bin/bash
# What the programs about costs say of words that they do not understand: one line, and status 2.
#
# usage: check_wrong_words.sh <ep_calibrate> <ep_estimate>
set -uo pipefail
calibrate=$1 estimate=$2
failures=0

# expect <text> <command...>
expect() {
  local text=$1 output status
  shift
  output=$("$@" 2>&1)
  status=$?
  if ((status != 2)); then
    echo "$*: ended with status $status"
  elif [[ $output != "$text" ]]; then
    echo "$*: no \"$text\" but: $output"
  else
    return
  fi
  failures=$((failures + 1))
}

options="--help, --out, --batches, --disagreement, --force"
expect "ep_calibrate: there is no option '--fo\\x1bo' (known: $options)." "$calibrate" $'--fo\x1bo=3'
expect "ep_calibrate: --batches: Value 0 not in range 1 to 10000 (ep_calibrate --help says how it is used)." \
  "$calibrate" --batches 0
expect "ep_estimate: 'three' is one word too many (ep_estimate --help says how it is used)." "$estimate" all 8 three
options="--help, --costs, --most, --endpoints-per-process, --processes-per-node, --network-alpha, --network-beta"
expect "ep_estimate: there is no option '--cost' (known: $options)." "$estimate" --cost x
expect "ep_estimate: collective is required (ep_estimate --help says how it is used)." "$estimate"
for program in "$calibrate" "$estimate"; do
  "$program" --help >/dev/null || { echo "$program --help: status $?" && failures=$((failures + 1)); }
done
exit "$((failures != 0))"
