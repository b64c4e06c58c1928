#!/usr/bin/env bash
# Clients that need each other's points: sums over the domain at every step, in one context or two.
# Some do not play their part: the others must end soon, and say why.
#   exchange_case.sh <as in case.sh> <kind>
source "$(dirname "$0")/case.sh"
begin_case "$@"
kind=$6

# Both contexts, if there are two, have sums.
add_sums() {
  sed -i -E \
    -e 's|^    <domain_definition>|    <scalar_definition><scalar id="all"><reduce_domain operation="sum"/></scalar></scalar_definition>\n&|' \
    -e 's|^    <grid_definition>|&<grid id="sums"><scalar scalar_ref="all"/><axis axis_ref="levels"/></grid>|' \
    -e 's|^      <file id="means"|      <file id="sums" output_freq="1h"><field field_ref="temp" name="temp_all" grid_ref="sums" operation="instant" prec="8"/></file>\n&|' \
    iodef.xml
  grep -q temp_all iodef.xml || fail "toy.xml has nothing for sums"
}
says() { grep -Eq -- "$1" out.txt; }

case $kind in
  contexts)
    write_iodef ""
    add_context sibling sibling
    add_sums
    run_job 50 --contexts toy,sibling
    expect_success
    numbers_of sums.nc temp_all > several.txt
    [ "$(grep -c . several.txt)" -eq 36 ] || fail "not 12 records of 3 levels"
    numbers_of sibling/sums.nc temp_all | cmp - several.txt || fail "the contexts differ"
    # Instants are of every second step.
    numbers_of instant.nc temp | awk '{ sum[int((NR - 1) / 280)] += $1 } END { for (k = 0; k < 18; ++k) printf "%.15g\n", sum[k] }' > wanted.txt
    awk 'NR == FNR { want[NR - 1] = $1; next }
         { n = FNR - 1; r = int(n / 3); if (r % 2 == 1) { d = $1 - want[int(r / 2) * 3 + n % 3]; if (d * d > 1e-6) { print "FAIL: value " n ": " $1; exit 1 } } }' wanted.txt several.txt || fail "sums are not those of what the model sent"
    processes=1
    rm -- *.nc
    run_job 50 --contexts toy,sibling
    expect_success
    numbers_of sums.nc temp_all | cmp - several.txt || fail "one client makes other sums"
    ;;
  throw)
    # In one process, where nobody ends client 0 but what it hears.
    write_iodef ""
    add_sums
    run_job 40 --threads 2 --mistake throw
    expect_failure
    expect_end_within 20
    expect_text "toy_model: error: client 1 of component 'toy' gave up \(the model met an error\)"
    expect_no_final_file
    ;;
  never_comes)
    write_iodef '<variable id="patience_s">0.3</variable>'
    add_sums
    start_job 50 --mistake never_comes
    wait_for "somebody said who waits" says "client 0 of 'toy': [0-9.]+ s for client 1 of 'toy': points of field 'temp' \(<reduce_domain>\) of context 'toy' \(do all clients send it at this date\?\)"
    kill "$job"
    wait "$job"
    job=
    cat out.txt
    ;;
  gives_up)
    write_iodef '<variable id="patience_s">0.3</variable><variable id="give_up_s">1</variable>'
    add_sums
    # Nothing that a server could wait for.
    sed -i '/<file id="\(instant\|means\|surface\)"/,/<\/file>/d' iodef.xml
    run_job 40 --mistake never_comes
    expect_failure
    expect_end_within 20
    expect_text "client 0 of 'toy' has waited [0-9.]+ s for client 1 of 'toy': points of field 'temp' \(<reduce_domain>\).*give_up_s of context xios is 1 s"
    expect_no_final_file
    ;;
  dates)
    write_iodef ""
    add_sums
    run_job 40 --mistake one_client_skips_one
    expect_failure
    expect_end_within 20
    expect_text "field 'temp' \(<reduce_domain>\): a client has sent points of 3600 s (later|earlier) than this one \(rank [01] of those that exchange them\). Do all clients send the field at the same steps\?"
    expect_no_final_file
    ;;
  *) fail "unknown kind: $kind" ;;
esac
