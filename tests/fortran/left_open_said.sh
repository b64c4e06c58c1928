#!/usr/bin/env bash
# What is said of contexts that were left open: of each of them once.
for context in ocean part0 part1; do
  said=$(grep -c "^epios: warning: context '$context' is finalized by the end of its client .*Call xios_context_finalize?$" out.txt)
  [ "$said" -eq 1 ] || { cat out.txt >&2; echo "FAIL: context '$context' is told of $said times" >&2; exit 1; }
done
