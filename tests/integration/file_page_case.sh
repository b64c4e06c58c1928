#!/usr/bin/env bash
# docs/files.md shows a configuration and what ncdump says of its file: exactly that must come out.
#   file_page_case.sh <as in case.sh> <page>
# EPIOS_WRITE_PAGE=1 writes what comes out into the page.
source "$(dirname "$0")/case.sh"
begin_case "$@"
page=$6
# block <xml|text>: the first one of that kind
block() { awk -v kind="\`\`\`$1" '$0 == "```" {inside = 0} inside {print} $0 == kind && !seen {inside = seen = 1}' "$page"; }
block xml > iodef.xml
[ -s iodef.xml ] || fail "$page shows no configuration"
run_job 50 --nx 4 --ny 3 --nz 2 --steps 2 > /dev/null
[ "$status" -eq 0 ] || { cat out.txt; fail "the run ended with status $status"; }
ncdump -h page.nc > now.txt || fail "ncdump cannot read the file"
if [ -n "${EPIOS_WRITE_PAGE:-}" ]; then
  awk '/^```text$/ {print; while ((getline line < "now.txt") > 0) print line; skip = 1; next}
       /^```$/ {skip = 0} !skip {print}' "$page" > new.md && cp new.md "$page"
fi
diff <(block text) now.txt || fail "$page does not show what comes out (EPIOS_WRITE_PAGE=1 writes it)"
