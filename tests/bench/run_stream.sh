#!/bin/bash
# Measures the figures of docs/performance.md and prints them as a table of medians.
#
# usage: run_stream.sh <build folder> [repeats, default 5] [folder for the files, default /dev/shm]
#
# Files go to memory unless another folder is given: what a disk does in the background (and what a
# virtual machine pays for memory it has given back) is worth more than what is measured here.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
needed=(bench_stream bench_raw_write bench_files)
. "$here/measure.sh"
client=$build/tests/bench/bench_stream
raw=$build/tests/bench/bench_raw_write
raw_job=$build/tests/bench/bench_files
steps=50

# run <clients> <servers> <options...>: "name value" lines of bench_stream
run() {
  local clients=$1 servers=$2
  shift 2
  crowd $((clients + servers + ${launching:-0}))
  rm -f "$work"/*.nc*
  timeout 300 "${pinned[@]}" "${ranked[@]}" "$launcher" -n "$clients" "$client" --iodef "$here/bench_stream.xml" --output "$work" "$@" \
    : -n "$servers" "$server"
}

# The raw peer uses the chunks and the fill mode of the file that EPIOS has just written.
like_with_like() {
  local header chunks
  header=$(ncdump -hs "$1")
  chunks=$(sed -nE 's/.*field:_ChunkSizes = (.*) ;/\1/p' <<<"$header" | tr -d ',')
  [[ -z $chunks ]] || printf -- '--chunks %s ' "$chunks"
  [[ $header == *'field:_NoFill = "true"'* ]] || printf -- '--fill '
}

now_s() { date +%s.%N; }
# job <figure> <clients> <servers>: seconds of a whole job without computing, start of its processes included, for which
# the launcher needs a core
job() {
  local figure=$1 launching=1 start
  shift
  start=$(now_s)
  run "$1" "$2" --steps $steps --bare >/dev/null
  note "$figure" "$(calculate "$(now_s) - $start")"
}

# bare_job <processes>: seconds of a job of which one process writes as much by pwrite, and the others nothing
bare_job() {
  local start
  crowd $(($1 + 1))
  start=$(now_s)
  "${pinned[@]}" "${ranked[@]}" "$launcher" -n 1 "$raw_job" pwrite --records $steps --folder "$work" : \
    -n $(($1 - 1)) "$raw_job" pwrite --records 0 --folder "$notes" >/dev/null
  calculate "$(now_s) - $start"
}

run 1 1 --steps $steps >/dev/null  # memory has been touched once

for ((n = 1; n <= repeats; ++n)); do
  echo "run $n of $repeats" >&2
  out=$(run 1 1 --steps 100 --compute-ms 50)
  note p99 "$(calculate "$(value "$out" send_p99_s) / $(value "$out" memcpy_s)")"
  note blocked "$(calculate "$(value "$out" send_mean_s) / $(value "$out" memcpy_s)")"
  raw_send=$(value "$out" send_mean_s)
  note memory "$(calculate "$(value "$out" server_anonymous_kb) * 1024 / 1e6")"
  note copy "$(calculate "($(value "$out" in_library_s) - $(value "$out" blocked_s)) / 100 / $(value "$out" memcpy_s)")"
  note memcpy "$(calculate "$(value "$out" memcpy_s) * 1e3")"

  for file in remapped remapped_second remapped_server remapped_second_server single; do
    out=$(run 1 1 --steps $steps --compute-ms 50 --file $file)
    note $file "$(calculate "$(value "$out" send_mean_s) / $raw_send")"
  done

  out=$(run 1 1 --steps $steps)
  one=$(value "$out" wall_s)
  note rate "$(calculate "$steps * $(value "$out" field_bytes) / $one / 1e6")"
  read -r -a same <<<"$(like_with_like "$work/bench_every_step.nc")"
  rm -f "$work"/*.nc
  out=$(timeout 300 "${pinned[@]}" "$raw" --path "$work/raw.nc" --steps $steps "${same[@]}")
  note throughput "$(calculate "$(value "$out" wall_s) / $one")"
  rm -f "$work"/*.nc

  out=$(run 1 1 --file daily_mean --steps 120)
  note daily "$(calculate "$(value "$out" send_mean_s) / $(value "$out" memcpy_s)")"
  note daily_add "$(calculate "$(value "$out" send_mean_s) / $(value "$out" accumulate_s)")"

  out=$(run 1 1 --steps $steps --compute-ms 20 --file remapped --levels 10 --mask)
  note opening "$(value "$out" close_definition_s)"
  note masked "$(calculate "$(value "$out" send_mean_s) * 1e3")"
  note pss "$(calculate "$(value "$(run 1 1 --steps $steps --bare)" pss_kb) * 1024 / 1e6")"

  for layout in "1 1" "2 1" "4 2" "6 2"; do
    read -r clients servers <<<"$layout"
    limit=$(bare_job $((clients + servers)))
    job job_$clients "$clients" "$servers"
    note "ratio_$clients" "$(calculate "$(tail -1 "$notes/job_$clients") / $limit")"
  done

  out=$(run 6 2 --steps $steps)
  note many "$(calculate "$(value "$out" wall_s) / $one")"

  # A loop with the calls of the model, without and with a recording of sizes, in turn.
  loop=(--steps 60 --compute-ms 20)
  plain=$(value "$(run 1 1 "${loop[@]}")" wall_s)
  recorded=$(value "$(EPIOS_SET="record=$work/calls; record_data=sizes" run 1 1 "${loop[@]}")" wall_s)
  note recorded "$(calculate "$recorded / $plain")"
  rm -rf "$work/calls"

  out=$(run 1 1 --steps 0 --idle-s 5)
  note idle "$(calculate "$(value "$out" idle_cpu_share) * 100")"
done

echo "| figure | target | median of $repeats | range |"
echo "| --- | --- | --- | --- |"
row "model blocked per step ÷ memcpy of the field, 50 ms of computing per step" "≤ 1.1" blocked
row "the same, the 99th of 100 sends" "≤ 1.5" p99
row "throughput, no computing ÷ raw parallel NetCDF-4 write by one rank" "≥ 0.8" throughput
row "daily average of hourly sends: time per send ÷ memcpy of the field" "≤ 3" daily
row "the same ÷ reading the field and adding it" "≤ 1.05" daily_add
row "6 clients + 2 servers ÷ 1 client + 1 server, wall time" "≤ 3" many
row "whole loop with \`record_data=sizes\`, 20 ms of computing per step ÷ without" "≤ 1.01" recorded
row "CPU of an idle server, % of a core" "≤ 5" idle
row "private memory of the server (RssAnon), MB" "≤ 30" memory
row "of the first: what is not waiting for room, ÷ memcpy of the field" "" copy
row "memcpy of the field, ms" "" memcpy
row "throughput, MB/s" "" rate
row "interpolated to half of the resolution by the client: blocked per send ÷ raw send, first order" "" remapped
row "the same, second order" "" remapped_second
row "interpolated to half of the resolution by the server: blocked per send ÷ raw send, first order" "≤ 1.1" remapped_server
row "the same, second order" "≤ 1.1" remapped_second_server
row "raw send of a field that is written in single precision ÷ raw send" "" single
row "remapped by the client, 10 levels, a third masked: end of definitions, s" "≤ 0.1" opening
row "the same: blocked per send, ms" "≤ 1.5" masked
row "777 MB, 1 + 1 processes: whole job ÷ a job of 2 processes of which one writes as much by \`pwrite\`" "≤ 1.4" ratio_1
row "the same, s" "≤ 0.33" job_1
row "the same, 2 + 1 processes, s" "≤ 0.45" job_2
row "the same, 4 + 2 processes, s" "≤ 0.55" job_4
row "the same, 6 + 2 processes, s" "≤ 0.7" job_6
row "2 + 1 processes: whole job ÷ a job of 3 processes of which one writes as much by \`pwrite\`" "" ratio_2
row "4 + 2 processes ÷ such a job of 6" "" ratio_4
row "6 + 2 processes ÷ such a job of 8" "" ratio_6
row "memory of 1 client and 1 server in that job (PSS), MB" "≤ 60" pss
