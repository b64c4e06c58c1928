#!/bin/bash
# A job of which a process is killed ends soon, and not well.
#
# usage: check_death.sh <command...>
set -euo pipefail
status=0
timeout 50 "$@" || status=$?
if ((status == 0 || status == 124)); then
  echo "status $status, expected that of a job that failed (124: it hangs)." >&2
  exit 1
fi
