#!/bin/sh
# Runs observed.cpp's program with a trace and statistics in a folder of their own.
#
# usage: observe.sh <folder> whole|kill|stuck <command>...
set -eu
folder=$1
way=$2
shift 2
rm -rf "$folder"
mkdir -p "$folder"
export EP_TRACE="$folder/run.json" EP_STATISTICS=1
status=0
"$@" "$way" 2>"$folder/statistics.txt" || status=$?
cat "$folder/statistics.txt" >&2
if [ "$way" != whole ]; then
  [ "$status" -ne 0 ]
else
  exit "$status"
fi
