#!/bin/bash
# A second run of scripts/build_netcdf says nothing and builds nothing.
#
# usage: idle_netcdf_test.sh <source folder>
set -uo pipefail
deps=${EPIOS_DEPS_DIR:-$1/build/deps}
ls "$deps"/netcdf-*/recipe.key >/dev/null 2>&1 || { echo "skipped: the machine's own netcdf is used"; exit 77; }
work=$(mktemp -d "${TMPDIR:-/tmp}/epios-netcdf.XXXXXX")
trap 'rm -rf "$work"' EXIT
# Were it to begin anew, it would end here.
printf '%s\n' '#!/bin/bash' 'echo "apt-get is called"; exit 1' >"$work/apt-get"
chmod +x "$work/apt-get"
touch "$work/before"
out=$(PATH=$work:$PATH "$1/scripts/build_netcdf" 2>&1 </dev/null) || { echo "FAIL: $out" >&2; exit 1; }
changed=$(find "$deps/" -type f -newer "$work/before" ! -name .lock)
[[ -z $out$changed ]] || { echo "FAIL: said '$out', changed: $changed" >&2; exit 1; }
