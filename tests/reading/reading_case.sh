#!/usr/bin/env bash
# Round trips of random grids: written, read back in other parts and compared by the model itself.
#   reading_case.sh <bin> <mpiexec> <name> <model processes> <servers> <threads> <settings> <cases> [seed]
source "$(dirname "$0")/../integration/case.sh"
begin_case "$@"
threads=$6 settings=$7 cases=$8 seed=${9:-${EPIOS_TEST_SEED:-1}}
echo "reading_case.sh: seed $seed"
cat > iodef.xml << XML
<simulation>
  <context id="xios"><variable_definition>$settings</variable_definition></context>
</simulation>
XML
export MODEL=reading_model
run_job 100 "$seed" 0 $((cases - 1)) "$threads" > /dev/null
if [ "$status" -ne 0 ]; then grep -v ': warning: ' out.txt; fi
expect_success
