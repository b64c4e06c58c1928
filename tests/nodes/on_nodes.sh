#!/usr/bin/env bash
# Runs a case of another test on emulated nodes of this machine, which differ as real ones do: each has a network, a
# host name, an IPC namespace and a /dev/shm of its own. All of it lies in namespaces of this script and ends with it.
#   on_nodes.sh <kind> <places> <case script> <programs> <mpiexec> <further arguments of the case...>
# <kind>    nodes       each has processes and a boot id of its own, too: machines
#           pods        each has processes of its own: containers as they are by default
#           containers  they see each other's processes: only /dev/shm and the network are their own
#           slow        nodes; the last one is behind a line that delays and loses what it carries
# <places>  "node1:2,node2:1": the first two processes of the job are on node1, the third on node2
# The case finds in NODE_HOLDERS a folder that holds, for each node, the number of a process that lives as long as the node.
set -uo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)

skip() {
  echo "skipped: $*"
  exit 77
}

if [ "${INSIDE_NODES:-}" != yes ]; then
  command -v ip > /dev/null || skip "no program ip (package iproute2)"
  unshare --net --mount true 2> /dev/null || skip "no permission to make namespaces"
  INSIDE_NODES=yes exec unshare --net --mount --propagation private "$0" "$@"
fi

kind=$1 places=$2 case_script=$3 programs=$4 mpiexec=$5
shift 5
names=$(tr ',' '\n' <<< "$places" | sed 's/:.*//' | sort -u)
holders=$(mktemp -d "${TMPDIR:-/tmp}/epios-nodes.XXXXXX")
helpers=()

end_nodes() {
  local holder
  for holder in "$holders"/*.pid "${helpers[@]}"; do
    if [ -f "$holder" ]; then holder=$(cat "$holder"); fi
    kill -KILL "$holder" 2> /dev/null
  done
  rm -rf "$holders"
}
trap end_nodes EXIT
trap 'exit 143' TERM INT

# What a node's holder runs in its namespaces before it waits for its end.
#   hold_node <name>
hold_node() {
  hostname "$1"
  mount -t tmpfs -o "size=${NODE_SHM:-64m}" none /dev/shm || exit 1
  if [ -e "$holders/$1.boot" ]; then
    mount --bind "$holders/$1.boot" /proc/sys/kernel/random/boot_id || exit 1
  fi
  : > "$holders/$1.ready"
  exec sleep infinity
}
export -f hold_node
export holders

# make_node <name> <number>
make_node() {
  local own=(--net --uts --ipc --mount) line=v$2 holder
  case $kind in
    containers) ;;
    pods) own+=(--pid --fork --mount-proc) ;;
    nodes | slow)
      own+=(--pid --fork --mount-proc)
      cat /proc/sys/kernel/random/uuid > "$holders/$1.boot"
      ;;
    *)
      echo "unknown kind of nodes: $kind"
      exit 2
      ;;
  esac
  unshare "${own[@]}" bash -c "hold_node $1" < /dev/null > "$holders/$1.log" 2>&1 &
  holder=$!
  disown  # its end needs no word
  helpers+=("$holder")
  for _ in $(seq 100); do
    [ ! -e "$holders/$1.ready" ] || break
    kill -0 "$holder" 2> /dev/null || break
    sleep 0.05
  done
  [ -e "$holders/$1.ready" ] || skip "no emulated node can be made ($(cat "$holders/$1.log"))"
  # With processes of its own, the node is the child of unshare.
  if [ "$kind" != containers ]; then holder=$(pgrep -P "$holder" | head -1); fi
  echo "$holder" > "$holders/$1.pid"
  ip link add "$line" type veth peer name eth0 netns "$holder" || skip "no network between namespaces"
  nsenter -t "$holder" -n bash -c "ip addr add 10.99.0.$2/24 dev eth0 && ip link set eth0 up && ip link set lo up" || exit 1
  ip link set "$line" up
  if [ "$kind" = slow ] && [ "$1" = "$(tail -1 <<< "$names")" ]; then
    # A program carries its frames, since not every kernel has netem.
    ip link add slow0 type veth peer name slow1 && ip link set slow0 up && ip link set slow1 up || exit 1
    python3 "$here/slow_line.py" "$line" slow0 "${SLOW_MS:-2}" "${SLOW_LOSS:-0.01}" &
    helpers+=("$!")
    disown
    line=slow1
  fi
  ip link set "$line" master nodes || exit 1
}

ip link set lo up
ip link add nodes type bridge 2> /dev/null || skip "this kernel has no bridges"
ip addr add 10.99.0.254/24 dev nodes && ip link set nodes up || exit 1
{
  echo "127.0.0.1 localhost"
  number=0
  for name in $names; do echo "10.99.0.$((++number)) $name"; done
} > "$holders/hosts"
mount --bind "$holders/hosts" /etc/hosts || exit 1
number=0
for name in $names; do make_node "$name" $((++number)); done

# What hydra calls for each node instead of ssh: <options> <node> <command>
cat > "$holders/launch" << L
#!/usr/bin/env bash
while [[ \$1 == -* ]]; do shift; done
holder=\$(cat "$holders/\$1.pid")
shift
spaces=(-n -u -i -m)
[ "$kind" = containers ] || spaces+=(-p)
exec nsenter -t "\$holder" "\${spaces[@]}" bash -c "cd '\$PWD'; \$*"
L
cat > "$holders/mpiexec" << M
#!/usr/bin/env bash
exec "$mpiexec" -iface nodes -launcher ssh -launcher-exec "$holders/launch" -hosts "$places" "\$@"
M
chmod +x "$holders/launch" "$holders/mpiexec"
export NODE_HOLDERS=$holders
"$case_script" "$programs" "$holders/mpiexec" "$@"
