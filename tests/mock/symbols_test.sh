#!/usr/bin/env bash
# The mock has every function of the interface that the library has.
#   symbols_test.sh <libepios_client.so> <libepios_mock.so> <nm>
set -euo pipefail
interface() {
  "$2" -D --defined-only --without-symbol-versions "$1" | awk '$2 == "T" && $3 ~ /^epios_[a-z_]+$/ { print $3 }' | sort
}
missing=$(comm -23 <(interface "$1" "$3") <(interface "$2" "$3"))
[[ -n $(interface "$1" "$3") ]] || { echo "FAIL: the library shows no interface" >&2; exit 1; }
[[ -z $missing ]] || { echo "FAIL: the mock lacks $missing" >&2; exit 1; }
# No MPI: the mock runs where there is none.
if "$3" -D --undefined-only "$2" | grep -E ' (MPI|PMPI|EP)_'; then
  echo "FAIL: the mock needs MPI" >&2
  exit 1
fi
