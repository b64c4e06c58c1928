#!/bin/bash
# The first model, in C++ and in C, where things go wrong: the job ends with a status other than 0,
# soon, and says why. In the folder where they are built.
set -uo pipefail

fail() {
  echo "FAIL: $*" >&2
  exit 1
}

# expect_failure <text> <command...>
expect_failure() {
  local text=$1 said status
  shift
  said=$(timeout -k 5 40 "$@" 2>&1)
  status=$?
  echo "$said"
  ((status != 0)) || fail "the job succeeded"
  ((status != 124 && status != 137)) || fail "the job hung"
  grep -q -- "$text" <<<"$said" || fail "not said: $text"
}

server=$HOME/epios/bin/epios_server
cp iodef.xml good.xml
for model in build/model_cpp build/model_c; do
  EPIOS_IODEF=missing.xml expect_failure "^model: .*missing.xml" mpiexec.mpich -n 1 "$model"
  sed 's/nj_glo="18"/nj_glo="9"/' good.xml >iodef.xml
  expect_failure "^model: .*globe" mpiexec.mpich -n 2 "$model" : -n 1 "$server"
  sed 's/sst/sss/' good.xml >iodef.xml  # the definition only: what the model sends does not exist
  sed -i 's/field_ref="sst"/field_ref="sss"/' iodef.xml
  expect_failure "^model: .*field 'sst' does not exist" mpiexec.mpich -n 2 "$model"
done
mv good.xml iodef.xml
