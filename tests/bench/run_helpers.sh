#!/bin/bash
# Measures servers in the model's processes and helper threads, and prints a table of medians. Builds
# nothing.
#
# Sends take some milliseconds, which several threads share: on a machine that others use, too, what is measured is how long
# they wait for a core. Who may (root) runs it before the others: chrt -r 1 run_helpers.sh ...
#
# usage: run_helpers.sh <build folder> [repeats, default 5] [folder for the files, default /dev/shm]
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
needed=(bench_stream)
. "$here/measure.sh"
client=$build/tests/bench/bench_stream
steps=50

sed 's|<context id="bench">|<context id="xios"><variable_definition><variable id="servers_per_process">1</variable></variable_definition></context>&|' \
  "$here/bench_stream.xml" >"$work/in_process.xml"
grep -q servers_per_process "$work/in_process.xml" || fail "bench_stream.xml has no context bench"

# inside <options...>: one process, which has a server; beside <options...>: a server's process beside it
inside() {
  rm -f "$work"/*.nc*
  timeout 300 "${pinned[@]}" "$launcher" -n 1 "$client" --iodef "$work/in_process.xml" --output "$work" "$@"
}
beside() {
  rm -f "$work"/*.nc*
  timeout 300 "${pinned[@]}" "$launcher" -n 1 "$client" --iodef "$here/bench_stream.xml" --output "$work" "$@" : -n 1 "$server"
}
# blocked <figure> <lines>: against copies that took turns with the sends
blocked() { note "$1" "$(calculate "$(value "$2" send_median_s) / $(value "$2" copy_median_s)")"; }

inside --steps $steps >/dev/null  # memory has been touched once

for ((n = 1; n <= repeats; ++n)); do
  echo "run $n of $repeats" >&2
  out=$(inside --steps $steps --pause-ms 40)
  blocked inside "$out"
  note memcpy "$(calculate "$(value "$out" copy_median_s) * 1e3")"
  blocked inside_helped "$(inside --steps $steps --pause-ms 40 --lenders 2)"
  blocked inside_helped_one "$(inside --steps $steps --pause-ms 40 --lenders 1)"
  blocked beside "$(beside --steps $steps --pause-ms 40)"
  blocked beside_helped "$(beside --steps $steps --pause-ms 40 --lenders 2)"
  out=$(inside --steps 0 --idle-s 5)
  note idle "$(calculate "$(value "$out" idle_cpu_share) * 100")"
done

echo "| figure | target | median of $repeats | range |"
echo "| --- | --- | --- | --- |"
row "server thread in the process: median send of 15.5 MB ÷ median memcpy" "≤ 1.6" inside
row "the same, two waiting threads help" "≤ 0.7" inside_helped
row "the same, one waiting thread helps" "" inside_helped_one
row "server in a process of its own: median send ÷ memcpy" "" beside
row "the same, two waiting threads help" "≤ 0.7" beside_helped
row "CPU of an idle server thread (and all other threads but the model's), % of a core" "≤ 1" idle
row "memcpy of the field by one thread, ms" "" memcpy
