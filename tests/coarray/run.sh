#!/bin/bash
# Runs a coarray program: it must end with a status and say something.
#
# usage: run.sh <epexec> <program> <processes> <images in each> <status> <part of what it says>
set -euo pipefail
epexec=$1 program=$2 processes=$3 images=$4 status=$5 text=$6

ended=0
said=$(timeout 60 "$epexec" -n "$processes" -endpoints "$images" "$program" 2>&1) || ended=$?
if ((ended != status)) || [[ $said != *"$text"* ]]; then
  printf '%s: status %d instead of %d, or no "%s" in:\n%s\n' "$program" "$ended" "$status" "$text" "$said"
  exit 1
fi
