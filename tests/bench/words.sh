#!/bin/bash
# Programs that are given a word they do not know say so and leave with status 2; help is no mistake.
# Programs after the first may not have been built.
#   words.sh <program> [<program>...]
set -uo pipefail
failures=0
[[ -x $1 ]] || { echo "no $1" >&2; exit 1; }
for program in "$@"; do
  [[ -x $program ]] || { echo "$(basename "$program") is not built (target benchmarks)"; continue; }
  name=$(basename "$program")
  said=$("$program" --nonsense 2>&1)
  status=$?
  if ((status != 2)) || [[ $said != "$name: "*"--nonsense"* ]]; then
    echo "$name --nonsense: status $status: $said" >&2
    failures=1
  fi
  "$program" --help >/dev/null || { echo "$name --help: status $?" >&2; failures=1; }
done
exit "$failures"
