#!/usr/bin/env bash
# A model whose grid comes from a file: what it is told of it is as in <name of expectation>.txt, and what
# it writes on that grid has the coordinates of the file; or the job ends with the expected texts.
#   source_grid_case.sh <bin> <mpiexec> <name> <model processes> <servers> <parts> <cdl>
#                 <sed script on the cdl> <sed script on source_grid.xml> <expectation, a file or texts>
own=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
source "$own/../integration/case.sh"
begin_case "$@"
parts=$6 cdl=$7 edit_cdl=$8 edit_xml=$9 expected=${10}
sed -E -e "$edit_cdl" "$own/$cdl.cdl" > source.cdl
sed -E -e "$edit_xml" "$own/source_grid.xml" > iodef.xml
ncgen -k nc4 -o source.nc source.cdl || fail "ncgen"
export MODEL=source_grid_model
# The part of a series that the run begins with; or what servers write apart, read by the run that counts.
case ${AS:-} in
  part) mv source.nc source_20000101-20000101.nc ;;
  set)
    sed -i -E 's/id="written"/& type="multiple_file"/' iodef.xml
    run_job 40 "$parts"
    [ "$status" -eq 0 ] || fail "the first job ended with status $status"
    for number in 0 1; do mv "written_$number.nc" "source_$number.nc" || fail "no set"; done
    rm source.nc
    sed -E -e "$edit_xml" -e 's/convert_from_factor="100"//; s/id="temp"/& name="copy"/; s/id="source"/& type="multiple_file"/' \
      "$own/source_grid.xml" > iodef.xml
    [ -z "${LACKS:-}" ] || rm "source_$LACKS.nc"
    ;;
esac
run_job 40 "$parts"
expect_end_within 20
if [ ! -f "$own/$expected" ]; then
  expect_failure
  expect_text "$expected"
  exit 0
fi
[ "$status" -eq 0 ] || fail "the job ended with status $status"
{
  for file in has.*; do echo "client ${file#has.}"; cat "$file"; done
  # What the grid of the written file is, without what makes files differ in bytes.
  ncdump -p 9,17 written.nc | sed -n '/^data:/,$p' | grep -v time
} > result.txt
if [ -n "${EPIOS_WRITE_EXPECTED:-}" ]; then cp result.txt "$own/$expected"; fi
diff "$own/$expected" result.txt || fail "another grid"
