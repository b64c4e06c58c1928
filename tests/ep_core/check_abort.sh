#!/bin/bash
# Checks that a job ends with an error code and says that and where it was aborted.
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
for text in "about to abort" "MPI_Abort(MPI_COMM_WORLD, $expected)"; do
  if [[ $output != *"$text"* ]]; then
    echo "check_abort: the job did not say '$text'" >&2
    exit 1
  fi
done
if [[ $output == *"still there"* ]]; then
  echo "check_abort: a process outlived the job" >&2
  exit 1
fi
