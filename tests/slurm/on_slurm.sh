#!/usr/bin/env bash
# Runs a case under a Slurm of its own on emulated nodes: ../nodes/on_nodes.sh makes the nodes, and this script starts munged and
# slurmctld beside them and a slurmd on each. Configuration, key, sockets, state and logs lie in one temporary folder; the daemons
# end with the script.
#   on_slurm.sh <nodes> <processors of each> <case script> <programs> <mpiexec> <further arguments of the case...>
# <nodes>  "node1,node2". The case finds SLURM_CONF, and CASE_FOLDER with the logs.
set -uo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)

skip() {
  echo "skipped: $*"
  exit 77
}

for program in slurmctld slurmd sbatch srun munged; do
  PATH=$PATH:/usr/sbin command -v "$program" > /dev/null || skip "no program $program (packages of scripts/packages_slurm.txt)"
done
[ "$(id -u)" -eq 0 ] || skip "slurmd starts jobs of others only as root"

if [ ! -d "${NODE_HOLDERS:-}" ]; then
  places=$(sed 's/,/:1,/g; s/$/:1/' <<< "$1")
  # on_nodes.sh hands over programs and an mpiexec that starts processes on its nodes; here Slurm does.
  CASE_NODES=$1 CASE_PROCESSORS=$2 CASE_SCRIPT=$3 CASE_MPIEXEC=$5 \
    exec "$here/../nodes/on_nodes.sh" nodes "$places" "$here/on_slurm.sh" "$4" "$5" "${@:6}"
fi

programs=$1
shift 2
export PATH=$PATH:/usr/sbin
CASE_FOLDER=$(mktemp -d "${TMPDIR:-/tmp}/epios-slurm.XXXXXX")
export CASE_FOLDER SLURM_CONF=$CASE_FOLDER/slurm.conf
daemons=()

end_slurm() {
  local pid
  # slurmd first: slurmctld is told of the end, and what still runs is ended.
  for pid in "${daemons[@]}"; do kill -TERM "$pid" 2> /dev/null; done
  for pid in "${daemons[@]}"; do
    for _ in $(seq 50); do
      kill -0 "$pid" 2> /dev/null || break
      sleep 0.1
    done
    kill -KILL "$pid" 2> /dev/null
  done
  rm -rf "$CASE_FOLDER"
}
trap end_slurm EXIT
trap 'exit 143' TERM INT

logs_and_skip() {
  tail -n 20 "$CASE_FOLDER"/*.log
  skip "$*"
}

# wait_until <seconds> <command...>
wait_until() {
  local tries=$((10 * $1))
  shift
  until "$@" > /dev/null 2>&1; do
    ((tries-- > 0)) || return 1
    sleep 0.1
  done
}

chmod 755 "$CASE_FOLDER"
mkdir -m 755 "$CASE_FOLDER/munge" "$CASE_FOLDER/state"
head -c 1024 /dev/urandom > "$CASE_FOLDER/munge/key"
chmod 600 "$CASE_FOLDER/munge/key"
head=$(hostname -s)
{
  cat << C
ClusterName=epios
SlurmctldHost=$head(10.99.0.254)
SlurmctldPort=6817
SlurmdPort=6818
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
AuthInfo=socket=$CASE_FOLDER/munge/socket
StateSaveLocation=$CASE_FOLDER/state
SlurmdSpoolDir=$CASE_FOLDER/spool.%n
SlurmctldPidFile=$CASE_FOLDER/slurmctld.pid
SlurmdPidFile=$CASE_FOLDER/slurmd.%n.pid
SlurmctldLogFile=$CASE_FOLDER/slurmctld.log
SlurmdLogFile=$CASE_FOLDER/slurmd.%n.log
SlurmdParameters=config_overrides
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SchedulerParameters=sched_interval=1,batch_sched_delay=0,default_queue_depth=100,bf_interval=1
MpiDefault=pmi2
JobCompType=jobcomp/none
AccountingStorageType=accounting_storage/none
JobAcctGatherType=jobacct_gather/none
SwitchType=switch/none
ReturnToService=2
KillWait=${CASE_KILL_WAIT:-5}
OverTimeLimit=0
C
  number=0
  for node in ${CASE_NODES//,/ }; do
    echo "NodeName=$node NodeHostname=$node NodeAddr=10.99.0.$((++number)) CPUs=$CASE_PROCESSORS RealMemory=1000 State=UNKNOWN"
  done
  echo "PartitionName=all Nodes=$CASE_NODES Default=YES MaxTime=INFINITE State=UP OverSubscribe=YES"
} > "$SLURM_CONF"

munged --foreground --force --key-file="$CASE_FOLDER/munge/key" --socket="$CASE_FOLDER/munge/socket" \
  --pid-file="$CASE_FOLDER/munge/pid" --log-file="$CASE_FOLDER/munged.log" --seed-file="$CASE_FOLDER/munge/seed" \
  --num-threads=2 > "$CASE_FOLDER/munged.out" 2>&1 &
munge_pid=$!
wait_until 10 test -S "$CASE_FOLDER/munge/socket" || logs_and_skip "munged does not start"
slurmctld -D > "$CASE_FOLDER/slurmctld.out" 2>&1 &
daemons+=("$!")
for node in ${CASE_NODES//,/ }; do
  nsenter -t "$(cat "$NODE_HOLDERS/$node.pid")" -n -u -i -m -p slurmd -D -N "$node" > "$CASE_FOLDER/slurmd.$node.out" 2>&1 &
  daemons=("$!" "${daemons[@]}")
done
daemons+=("$munge_pid")

all_idle() { [ "$(sinfo -h -N -o %T | sort -u)" = idle ]; }
wait_until 20 all_idle || logs_and_skip "Slurm does not start: nodes are $(sinfo -h -N -o '%N %T' 2>&1 | tr '\n' ' ')"
"$CASE_SCRIPT" "$programs" "$CASE_MPIEXEC" "$@"
