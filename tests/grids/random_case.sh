#!/usr/bin/env bash
# Random grids in a job of its own, each in a context of its own, and the check of their files where the model leaves it
# to another program.
#   random_case.sh <bin> <mpiexec> <name> <model processes> <servers> <threads> <settings> <cases> <what> [seed]
source "$(dirname "$0")/../integration/case.sh"
begin_case "$@"
threads=$6 settings=$7 cases=$8 what=$9 seed=${10:-${EPIOS_TEST_SEED:-1}}
echo "random_case.sh: seed $seed"
cat > iodef.xml << XML
<simulation>
  <context id="xios"><variable_definition>$settings</variable_definition></context>
</simulation>
XML
export MODEL=${what}_model
run_job 100 "$seed" 0 $((cases - 1)) "$threads" > /dev/null
if [ "$status" -ne 0 ]; then grep -v ': warning: ' out.txt; fi
expect_success
if [ -x "$bin/check_$what" ]; then
  "$bin/check_$what" "$seed" 0 $((cases - 1)) "$processes" "$threads" || fail "wrong values (seed $seed)"
fi
