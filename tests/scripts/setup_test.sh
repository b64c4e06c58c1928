#!/bin/bash
# What scripts/setup does on three machines, played with a PATH of stubs. Nothing is installed: neither
# apt-get nor the real sudo can be found.
#
# usage: setup_test.sh <source folder>
set -uo pipefail
source=$1
work=$(mktemp -d "${TMPDIR:-/tmp}/epios-setup.XXXXXX")
trap 'rm -rf "$work"' EXIT
failures=0

fail() {
  echo "FAIL: $*" >&2
  sed 's/^/  | /' "$work/out" >&2
  failures=$((failures + 1))
}

# stub <name> <line of shell...>
stub() {
  local name=$1
  shift
  printf '%s\n' '#!/bin/bash' "$@" >"$work/bin/$name"
  chmod +x "$work/bin/$name"
}

# run_setup <status that is expected> [option]: as somebody who is not root.
run_setup() {
  local as_user=() status
  ((EUID != 0)) || as_user=(setpriv --reuid=65534 --regid=65534 --clear-groups)
  : >"$work/calls"
  "${as_user[@]}" env -i PATH="$work/bin" "$work/scripts/setup" "${@:2}" </dev/null >"$work/out" 2>&1
  status=$?
  ((status == $1)) || fail "setup ended with status $status, expected $1"
}

mkdir "$work/bin" "$work/scripts"
for tool in bash env dirname sed sort comm; do ln -s "$(command -v "$tool")" "$work/bin"; done
cp "$source/scripts/setup" "$source/scripts/packages.txt" "$source/scripts/packages_packaging.txt" "$work/scripts"
printf '%s\n' '#!/bin/bash' "echo build_netcdf >>$work/calls" >"$work/scripts/build_netcdf"
chmod +x "$work/scripts/build_netcdf"
touch "$work/calls"
chmod -R a+rX "$work"
chmod a+w "$work/calls"

# Two packages are missing, and there is no sudo: the exact command, and nothing else happens.
stub dpkg-query "for name in \"\${@:4}\"; do [[ \$name == cdo || \$name == procps ]] || echo \"ii  \$name\"; done"
run_setup 1
grep -qFx "  su -c 'apt-get update && apt-get install -y --no-install-recommends cdo procps'" "$work/out" ||
  fail "not the exact command"
[[ ! -s $work/calls ]] || fail "setup went on: $(<"$work/calls")"

# With a sudo that asks for nothing.
stub sudo "echo \"sudo \$*\" >>$work/calls"
run_setup 0
diff - "$work/calls" >&2 <<'CALLS' || fail "other calls"
sudo -n true
sudo apt-get update -q
sudo env DEBIAN_FRONTEND=noninteractive apt-get install -o DPkg::Lock::Timeout=300 -y -q --no-install-recommends cdo procps
build_netcdf
CALLS

# What only scripts/package needs. (It would have found that its user had to install it by hand.)
stub dpkg-query "for name in \"\${@:4}\"; do [[ \$name == lintian ]] || echo \"ii  \$name\"; done"
run_setup 0
[[ $(<"$work/calls") == build_netcdf ]] || fail "everybody gets what scripts/package needs: $(<"$work/calls")"
run_setup 0 --packaging
grep -qFx "sudo env DEBIAN_FRONTEND=noninteractive apt-get install -o DPkg::Lock::Timeout=300 -y -q --no-install-recommends lintian" "$work/calls" ||
  fail "what scripts/package needs is not installed: $(<"$work/calls")"
stub dpkg-query "for name in \"\${@:4}\"; do [[ \$name == cdo || \$name == procps ]] || echo \"ii  \$name\"; done"

# What is installed takes plain names from the MPI that had them, and one that nobody had: the first gets them back.
touch "$work/mpicc.mpich" "$work/mpicc.openmpi" "$work/calls"
stub update-alternatives "chosen=openmpi" \
  "[[ \$(<$work/calls) == *apt-get\ install* ]] || chosen=mpich" \
  "echo \"editor  auto  /bin/ed\"" \
  "echo \"mpi                 auto   $work/mpicc.\$chosen\"" \
  "[[ \$chosen == mpich ]] || echo \"mpirun  auto  $work/mpicc.\$chosen\""
run_setup 0
grep -qFx "sudo update-alternatives --set mpi $work/mpicc.mpich" "$work/calls" || fail "mpicc means another MPI than before"
[[ $(grep -c "update-alternatives" "$work/calls") == 1 ]] || fail "other names are set: $(<"$work/calls")"

# Everything is there: quiet, and no package tool is called.
stub dpkg-query "printf 'ii  %s\\n' \"\${@:4}\""
run_setup 0
[[ ! -s $work/out && $(<"$work/calls") == build_netcdf ]] || fail "setup is not idle: $(<"$work/calls")"

# A release without the version of a tool: its next alternative, or none, said with the first one's name.
cp "$work/scripts/packages.txt" "$work/packages.kept"
printf '%s\n' "cdo" "old-tool | new-tool" "old-lint | -" >"$work/scripts/packages.txt"
stub dpkg-query "for name in \"\${@:4}\"; do [[ \$name == *-tool || \$name == *-lint ]] || echo \"ii  \$name\"; done"
stub apt-cache '[[ $2 == gcc || $2 == new-tool ]]'
: >"$work/calls"
run_setup 0
grep -qFx "sudo env DEBIAN_FRONTEND=noninteractive apt-get install -o DPkg::Lock::Timeout=300 -y -q --no-install-recommends new-tool" "$work/calls" ||
  fail "not the alternative that apt offers: $(<"$work/calls")"
grep -qFx "setup: this release has no old-lint, and EPIOS is built and tested without it" "$work/out" ||
  fail "a tool that is left out is not named"
# An alternative that is installed is as good as the first one.
stub dpkg-query "for name in \"\${@:4}\"; do [[ \$name == old-tool || \$name == old-lint ]] || echo \"ii  \$name\"; done"
run_setup 0
[[ $(<"$work/calls") == build_netcdf ]] || fail "installs what another package does: $(<"$work/calls")"
# Where apt knows no package at all, the first one is asked for.
stub dpkg-query "for name in \"\${@:4}\"; do [[ \$name == *-tool || \$name == *-lint ]] || echo \"ii  \$name\"; done"
stub apt-cache 'exit 100'
run_setup 0
grep -qF "recommends old-lint old-tool" "$work/calls" || fail "decides without lists: $(<"$work/calls")"
mv "$work/packages.kept" "$work/scripts/packages.txt"

# One is held, one half configured: the first is as good as any, the second is named with what mends it.
stub dpkg-query "for name in \"\${@:4}\"; do case \$name in cdo) echo \"hi  cdo\" ;; procps) echo \"iF  procps\" ;; *) echo \"ii  \$name\" ;; esac; done"
run_setup 1
grep -qFx "setup: half installed: procps. As root: dpkg --configure -a && apt-get install --fix-broken" "$work/out" ||
  fail "what is half installed is not named"
exit $((failures > 0))
