#!/usr/bin/env bash
# Random grids in a job of its own, each in a context of its own, and the check of their files.
#   grids_case.sh <bin> <mpiexec> <name> <model processes> <servers> <threads> <settings> <cases> [seed]
source "$(dirname "$0")/../integration/case.sh"
begin_case "$@"
threads=$6 settings=$7 cases=$8 seed=${9:-${EPIOS_TEST_SEED:-1}}
echo "grids_case.sh: seed $seed"
cat > iodef.xml << XML
<simulation>
  <context id="xios"><variable_definition>$settings</variable_definition></context>
</simulation>
XML
export MODEL=grids_model
run_job 100 "$seed" 0 $((cases - 1)) "$threads" > /dev/null
if [ "$status" -ne 0 ]; then grep -v ': warning: ' out.txt; fi
expect_success
"$bin/check_grids" "$seed" 0 $((cases - 1)) "$processes" "$threads" || fail "wrong values (seed $seed)"
