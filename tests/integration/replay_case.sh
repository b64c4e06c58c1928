#!/usr/bin/env bash
# A run whose calls are recorded, and what `epios replay` makes of the recording.
#   replay_case.sh <as in case.sh> <kind> <model options...>
source "$(dirname "$0")/case.sh"
begin_case "$@"
kind=$6
shift 6

# record <settings>: makes the XML of a run whose calls are recorded in calls/.
record() { write_iodef "<variable id=\"record\">calls</variable>$1"; }
# replay <folder> [options...]: leaves `status` and out.txt.
replay() {
  local folder=$1
  shift
  timeout -k 5 60 "$bin/epios" replay calls --mpiexec "$mpiexec" --folder "$folder" "$@" > out.txt 2>&1
  status=$?
  cat out.txt
}
# What does not differ from run to run.
header() { ncdump -h "$1" | grep -vE ':(timeStamp|uuid|history) = '; }
# expect_same <folder>: its files are those of the recorded run.
expect_same() {
  local file
  for file in *.nc; do
    "$bin/epios" diff "$file" "$1/$file" || fail "$1/$file has other data"
    diff <(header "$file") <(header "$1/$file") || fail "$1/$file has another header"
  done
  [ "$(ls ./*.nc | wc -l)" -eq "$(ls "$1"/*.nc | wc -l)" ] || fail "not the same files in $1"
}

case $kind in
  same)
    record '<!-- defaults -->'
    run_job 50 "$@"
    expect_success
    expect_values . "$@"
    files=$(ls calls/toy.*.calls)
    replay as_recorded
    expect_success
    expect_same as_recorded
    export EPIOS_LOG=info
    replay apart --threads 1 --servers 2 --set carrier=messages
    expect_success
    expect_same apart
    expect_text "context 'toy' opened: .* \([0-9]+ by messages\), "
    for clients in 1 3; do
      replay dealt_$clients --clients $clients --servers 2 --set carrier=messages
      expect_success
      expect_same dealt_$clients
    done
    replay attached --servers 0 --recorded-time
    expect_success
    expect_same attached
    [ "$files" = "$(ls calls/toy.*.calls)" ] || fail "a replay has recorded"
    ;;
  sizes)
    # The run writes to a folder with an absolute name, and a report: neither is the replay's.
    report="<variable id=\"report_file\">$work/real/run.json</variable>"
    write_iodef "<variable id=\"record\">calls</variable><variable id=\"record_data\">sizes</variable>$report" \
      "s|<context id=\"toy\">|<context id=\"toy\" output_dir=\"$work/real\">|"
    mkdir real
    run_job 50 "$@"
    expect_success
    [ "$(cat calls/*.calls | wc -c)" -lt 200000 ] || fail "recordings of sizes are large: $(ls -l calls)"
    before=$(md5sum real/*)
    [ -s real/run_toy.json ] || fail "no report"
    replay again
    expect_success
    [ "$before" = "$(md5sum real/*)" ] || fail "the replay has replaced files of the recorded run"
    [ -s again/run_toy.json ] || fail "no report of the replay"
    made=again/outside$work/real
    diff <(header real/means.nc) <(header "$made/means.nc") || fail "not the same records"
    # Values are like those that were sent: between 5 and 25.
    numbers_of "$made/instant.nc" temp | awk '$1 < 5 || $1 > 25 { bad = 1 } END { exit bad || NR == 0 }' ||
      fail "the values are not like those of the model"
    ;;
  # Two components, which exchange fields again.
  coupled)
    sed 's|<!--settings-->|<variable id="record">calls</variable>|' "$here/coupled.xml" > iodef.xml
    timeout -k 5 60 "$mpiexec" -n 2 "$bin/coupled_model" : -n 1 "$bin/coupled_model" --code-id atm --contexts sky \
      : -n 1 "$bin/epios_server" > out.txt 2>&1
    status=$?
    expect_success
    expect_text "ocean: received 40 fields as expected"
    replay again --set carrier=messages
    expect_success
    expect_same again
    replay again --clients 3
    [ "$status" -eq 2 ] || fail "status $status"
    expect_text "epios replay: --clients and --threads are of one component \(the recording has several\)"
    replay again --component sky
    expect_text "has no component 'sky' \(it has atm, ocean\)\. Name one of them\?"
    ;;
  failed)
    record '<!-- defaults -->'
    run_job 50 "$@"
    expect_failure
    grep -E '^toy_model: error: ' out.txt | sed 's/^toy_model: error: //' | sort -u > said.txt
    [ -s said.txt ] || fail "the model says nothing"
    cat said.txt
    replay again
    expect_failure
    grep -E '^epios replay: ' out.txt | sed 's/^epios replay: //' | sort -u > said_again.txt
    # Clients that were killed before it have ends of recordings to tell of.
    grep -qFxf said.txt said_again.txt || fail "the replay fails otherwise: $(cat said_again.txt)"
    ;;
  gave_up)
    record '<!-- defaults -->'
    run_job 50 "$@"
    expect_failure
    replay again
    expect_failure
    expect_text "^epios replay: the model met an error$"
    ;;
  full_disk)
    record '<!-- defaults -->'
    model_prefix=(bash -c 'ulimit -f "$0" && exec "$@"' 6000)
    run_job 50 "$@"
    expect_success
    expect_values . "$@"
    [ "$(grep -c 'are not recorded any more' out.txt)" -eq 1 ] || fail "not said once"
    expect_text "epios: warning: component 'toy': its calls are not recorded any more \(client [01] cannot write 'calls/toy.[01].calls': File too large\); the run goes on\. Is there room"
    replay again
    expect_failure
    expect_text "epios replay: the recording of client [01] ends (within a call )?at step [0-9]+ \(the recorded process was killed, or could not write any more\)"
    ;;
  damaged)
    record '<!-- defaults -->'
    run_job 50 "$@"
    expect_success
    version=$("$bin/epios" --version | sed 's/epios //')
    cp calls/toy.0.calls whole
    # The version follows the magic word, the format and its own length.
    printf '9.9.9' | dd of=calls/toy.0.calls bs=1 seek=20 conv=notrunc status=none
    replay other
    [ "$status" -eq 2 ] || fail "status $status"
    expect_text "epios replay: recording '.*/calls/toy.0.calls' was made by EPIOS 9.9.9 in format 1 \(this is EPIOS $version, which plays format 1 of its own version\). Play it with EPIOS 9.9.9"
    echo short > calls/toy.0.calls
    replay other
    expect_text "epios replay: '.*/calls/toy.0.calls' cannot be played \(it is too short\). Is it a whole file of a recording\?"
    rm -r calls/*
    replay other
    expect_text "epios replay: folder '.*/calls' has no recording \(no file '<component>.0.calls'\)"
    mkdir -p other calls && cp whole calls/toy.0.calls
    replay other --threads 3
    expect_text "epios replay: 2 clients cannot be 3 in each process"
    rm calls/toy.1.calls 2> /dev/null
    replay other
    expect_failure
    expect_text "epios replay: recording '.*/calls/toy.1.calls' cannot be opened \(No such file or directory\). Is the folder complete\?"
    ;;
  *) fail "unknown kind: $kind" ;;
esac
