#!/bin/bash
# Looks through a model of the protocol with spin.
# usage: check.sh <model.pml> holds|breaks <folder> [-DNAME ...]
#        holds: all states are looked at, none is wrong. breaks: spin finds an assertion that fails, or that nothing moves.
# A model with STUCK has processes that never come to their end, by intent: there assertions alone count.
set -euo pipefail
model=$(realpath "$1") expected=$2 folder=$3
shift 3
rm -rf "$folder"
mkdir -p "$folder"
cd "$folder"

fail() {
  echo "check.sh: $*" >&2
  exit 1
}

spin -a "$@" "$model" >spin.log 2>&1 || fail "spin does not take the model: $(cat spin.log)"
[[ -s spin.log ]] && grep -q Error spin.log && fail "spin does not take the model: $(cat spin.log)"
# tcc compiles it in a fraction of a second, gcc in ten; both checkers are as quick.
"$(command -v tcc || command -v gcc)" -w -DSAFETY -DCOLLAPSE -o pan pan.c || fail "the checker does not compile"
options=(-m20000)
[[ " $* " == *" -DSTUCK "* ]] && options+=(-E)
./pan "${options[@]}" >pan.log 2>&1 || true
grep -q "max search depth too small" pan.log && fail "the search was not deep enough: raise -m"
grep -q "^pan: out of memory" pan.log && fail "there was not enough memory"
errors=$(sed -n 's/.*errors: \([0-9]*\).*/\1/p' pan.log)
[[ -n $errors ]] || fail "the search did not come to its end: $(tail -3 pan.log)"
grep -E "^pan:|errors:|states, stored" pan.log | cut -c1-200
case $expected in
  holds)
    ((errors == 0)) || fail "the protocol breaks. Replay it: cd $folder; spin -t -p -g $* $model"
    ;;
  breaks)
    ((errors > 0)) || fail "nothing breaks without this invariant: the model does not show what it is for"
    ;;
  *) fail "unknown expectation '$expected'" ;;
esac
rm -f pan pan.[a-z] pan.log
