# Sourced by scripts that measure.
# Processes of real-time priority that wait for each other on fewer cores wait for slices of 100 ms. More processes than cores
# get the highest of the usual priorities instead. crowd <processes>: sets `ranked`, words before a command
crowd() {
  ranked=()
  (($1 <= 2)) || [[ $(chrt --pid $$ 2>/dev/null) != *SCHED_RR* ]] || ranked=(chrt --other 0 nice -n -20)
}
