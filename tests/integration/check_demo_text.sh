#!/bin/bash
# What the demo tells its user: a line of progress, a table of files whose numbers are those of the
# files, and a run too short for a monthly mean that says so. The caller's relative paths are his own.
#
# usage: check_demo_text.sh <run.sh> <build folder> <folder of iodef.xml> <work folder>
set -uo pipefail
script=$1 build=$2 xml=$3 work=$4
rm -rf "$work"
mkdir -p "$work"
cd "$work" || exit 1
sed 's/Temperature of every midnight/Written by a relative --iodef/' "$xml/iodef.xml" >own.xml
cp "$xml/fields.xml" .
failures=0

fail() {
  echo "$*" >&2
  failures=$((failures + 1))
}
# expect <extended regular expression>
expect() { grep -Eq -- "$1" text || fail "expected text not found: $1"; }

timeout 60 "$script" "$build" --output out -- --days 2 --timestep 12 --iodef own.xml >text 2>&1 ||
  fail "run.sh ended with status $?"
cat text
traffic='[0-9]+\.[0-9] MB sent, +[0-9]+\.[0-9] MB/s, model blocked +[0-9.]+ %, in library +[0-9.]+ %'
expect "^2001-01-03 00:00:00  100 %  +$traffic\$"
expect '^file +records +lost +bytes$'
for expected in daily=2 monthly=0 yearly=0 global=2; do
  file=$work/out/ocean_${expected%=*}.nc
  expect "^$file +${expected#*=} +0 +$(stat -c %s "$file") *\$"
  [[ $(ncdump -h "$file") == *"// (${expected#*=} currently)"* ]] || fail "$file has other records"
done
expect "^4 client endpoints: +$traffic\$"
expect '^the whole job took [0-9]+\.[0-9] s$'
expect '^map:   none \(the run was too short for a monthly mean\)$'
[[ $(ncdump -h "$work/out/ocean_daily.nc") == *"Written by a relative --iodef"* ]] ||
  fail "run.sh took another --iodef than the caller's"
((failures == 0)) || exit 1
rm -rf "$work"
