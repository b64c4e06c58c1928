#!/bin/bash
# Checks that a job ends with an error code, and wholly. What it said may be lost: the launcher kills
# at once.
#
# usage: check_abort.sh <error code> <command>...
set -uo pipefail

expected=$1
shift
output=$("$@" 2>&1)
code=$?
echo "$output"
if [[ $code -ne $expected ]]; then
  echo "check_abort: the job ended with $code, not with $expected" >&2
  exit 1
fi
if [[ $output == *"still there"* ]]; then
  echo "check_abort: a process outlived the job" >&2
  exit 1
fi
