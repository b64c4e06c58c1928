#!/bin/bash
# Checks the C interface of ep_core: what is declared, documented and defined.
#
# usage: check_headers.sh <folder of headers> <list of functions of MPI> <library>
set -euo pipefail

headers=$1
list=$2
library=$3
failures=0

# complain_of <what is wrong> <names, one a line>
complain_of() {
  [[ -z $2 ]] && return
  echo "check_headers: $1:"$'\n'"$2" >&2
  failures=$((failures + 1))
}

# Every declaration of a function: its name, and whether the line before is a documenting one.
declarations() {
  awk '/^(int|double|const char\*|const void\*|MPI_Fint|EP_[A-Za-z]+) EP_[A-Za-z0-9_]+\(/ {
         name = $0; sub(/\(.*/, "", name); sub(/.* /, "", name)
         print name, (before ~ /^\/\/\/ ./ ? "documented" : "bare")
       }
       { before = $0 }' "$headers"/*.h
}

declared=$(declarations | cut -d' ' -f1 | sort)
promised=$(grep -oE '^[A-Z][A-Za-z_0-9]*' "$list" | sed 's/^/EP_/' | sort)
dynamic=()
[[ $library == *.so* ]] && dynamic=(-D)
defined=$(nm -g "${dynamic[@]}" --defined-only "$library" | sed -nE 's/.* T (EP_[A-Za-z0-9_]+)(@@.*)?$/\1/p' | sort)

(($(wc -l <<<"$promised") > 150)) || complain_of "a list of functions that is too short" "$list"
complain_of "declared twice" "$(uniq -d <<<"$declared")"
complain_of "functions of MPI that no header declares" "$(comm -23 <(echo "$promised") <(echo "$declared"))"
complain_of "functions without a /// comment" "$(declarations | sed -n 's/ bare$//p')"
complain_of "declared, but not in the library" "$(comm -23 <(echo "$declared") <(echo "$defined"))"
complain_of "in the library, but not declared" "$(comm -13 <(echo "$declared") <(echo "$defined"))"
((failures == 0)) || exit 1
echo "check_headers: $(wc -l <<<"$declared") functions, $(wc -l <<<"$promised") of them MPI's"
