#!/usr/bin/env bash
# A run in which somebody waits for long: the report must say who waits for whom.
#   waiting_case.sh <as in case.sh> <kind>
source "$(dirname "$0")/case.sh"
begin_case "$@"
kind=$6
patience='<variable id="patience_s">0.3</variable>'

# The job's process that runs a program: youngest_of <program>
youngest_of() { pgrep -n -f "^$work/$1"; }
says() { grep -Eq -- "$1" out.txt; }

case $kind in
  circle)
    write_iodef "$patience<variable id=\"give_up_s\">1.5</variable>"
    add_context sibling sibling
    run_job 40 --contexts toy,sibling --mistake circle
    expect_failure
    expect_end_within 20
    expect_text "epios: waiting: (client|server) .* has waited for [0-9.]+ s; who waits for whom in this job:
epios: waiting:   client 0 of 'toy': [0-9.]+ s for server 0: room on the way to it for field '[a-z_]+' of context 'toy'
epios: waiting:   client 1 of 'toy': [0-9.]+ s for server 0: room on the way to it for field '[a-z_]+' of context 'sibling'
epios: waiting:   server 0: [0-9.]+ s for client 1 of 'toy': context 'toy': event .* waits for client 1
epios: waiting: a circle, which nobody can leave: client 0 of 'toy' waits for server 0, which waits for client 1 of 'toy', which waits for server 0, which waits for client 0 of 'toy' again
context '(toy|sibling)': event .* waits for client [01] .for as long as give_up_s of context xios says: 1.5 s"
    expect_no_final_file
    ;;
  stopped_server | stopped_server_gives_up)
    settings=$patience
    [ $kind = stopped_server ] || settings+='<variable id="give_up_s">1</variable>'
    write_iodef "$settings"
    start_job 50 --nx 300 --ny 300 --steps 150
    wait_for "files were there" compgen -G 'instant.nc.part'
    server=$(youngest_of epios_server)
    kill -STOP "$server"
    wait_for "somebody said who waits" says "server 0: no answer: busy, or waiting outside of EPIOS, or stopped"
    says "clients? [01, ]+ of 'toy': [0-9.]+ s for server 0: " || fail "no client says that it waits for the server"
    if [ $kind = stopped_server ]; then
      kill -CONT "$server"
      wait_for_end
      expect_success
    else
      wait_for_end
      expect_failure
      expect_text "client [01] of 'toy' has waited [0-9.]+ s for server 0: .*give_up_s of context xios is 1 s; clients wait 1.5 s longer than servers.. Is who is waited for still there"
    fi
    ;;
  stopped_writer)
    write_iodef "$patience<variable id=\"using_server2\">true</variable>"
    export EPIOS_LOG=info
    start_job 50 --nx 300 --ny 300 --steps 150
    wait_for "the context was open" says "server [01]: info: context 'toy' opened: .* gathers for server 2"
    server=$(youngest_of epios_server)
    kill -STOP "$server"
    # Who gathers waits for who writes, and clients for who gathers.
    wait_for "gatherers said for whom they wait" \
      says "servers? [01, -]+: [0-9.]+ s for server 2: context 'toy': room on the way to those that write"
    wait_for "clients said for whom they wait" \
      says "clients? [01, -]+ of 'toy': [0-9.]+ s for server [01]: room on the way to it for field"
    kill -CONT "$server"
    wait_for_end
    expect_success
    ;;
  signal)
    write_iodef ""
    start_job 50 --mistake never_comes
    wait_for "files were there" compgen -G 'instant.nc.part'
    sleep 0.5
    # Of two processes of the model one never comes; whoever waits answers for the job.
    kill -USR1 "$(youngest_of epios_server)"
    wait_for "the signal was answered" says "epios: waiting: somebody has asked by SIGUSR1; who waits for whom in this job:"
    wait_for "the server said for whom it waits" says "server 0: [0-9.]+ s for client 1 of 'toy': context 'toy': event .* waits for client 1"
    kill "$job"
    wait "$job"
    job=
    cat out.txt
    ;;
  never_closes)
    write_iodef "$patience"
    start_job 50 --mistake never_closes
    wait_for "somebody said who waits" says "client 0 of 'toy': [0-9.]+ s for client 1 of 'toy': all clients of the component to be closed"
    kill "$job"
    wait "$job"
    job=
    cat out.txt
    ;;
  *) fail "unknown kind: $kind" ;;
esac
