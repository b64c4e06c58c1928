#!/bin/bash
# Checks that a job ends with an error code, and wholly, and that its last words were heard.
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
if [[ $output != *"about to abort"* ]]; then
  echo "check_abort: what was said before the end is lost" >&2
  exit 1
fi
if [[ $output == *"still there"* ]]; then
  echo "check_abort: a process outlived the job" >&2
  exit 1
fi
