#!/bin/bash
# What the example does with bad input: the whole job ends with an error within seconds, and says why.
#
# usage: check_demo_errors.sh <model> <server> <folder of iodef.xml> <work folder>
set -uo pipefail
model=$1 server=$2 xml=$3 work=$4
rm -rf "$work"
mkdir -p "$work"
cp "$xml"/*.xml "$work"
cd "$work" || exit 1
export OMP_WAIT_POLICY=passive
failures=0

# expect <text> <options of the model...>
expect() {
  local text=$1 output status
  shift
  output=$(timeout 60 "${EPIOS_MPIEXEC:-mpiexec.mpich}" -n 2 "$model" --days 2 --timestep 6 --quiet "$@" : -n 1 "$server" 2>&1)
  status=$?
  if ((status == 0 || status == 124)); then
    echo "$*: the job ended with status $status (124: it hung)" >&2
  elif [[ $output != *"$text"* ]]; then
    echo "$*: no \"$text\" in: $output" >&2
  elif compgen -G "output/*.nc" >/dev/null; then
    echo "$*: a file got its final name" >&2
  else
    return
  fi
  failures=$((failures + 1))
  rm -rf output
}

expect "cannot open input /nowhere/coads_climatology.cdf (No such file or directory)" --input /nowhere
expect "The following argument was not expected: --tomatoes" --tomatoes
expect "cannot create dump /nowhere/dump (No such file or directory)" --dump /nowhere/dump
sed 's/operation="average"/opertion="average"/' iodef.xml >misspelt.xml
expect "misspelt.xml:29:32: error: unknown attribute 'opertion' of <field>" --iodef misspelt.xml
sed 's,>30<,>thirty<,' iodef.xml >not_a_number.xml
expect 'variable relaxation_days of the XML is "thirty" (not a number)' --iodef not_a_number.xml
sed 's,>30<,>0.001<,' iodef.xml >unstable.xml
expect "s is too long (the scheme's stability number is" --iodef unstable.xml
((failures == 0)) || exit 1
rm -rf "$work"
