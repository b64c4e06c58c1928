#!/bin/bash
# The drop-in mpi.h above an MPI that is older than 4.0 has the same names as above a newer one: MPI's header without the
# names of 4.0 is such an MPI's.
#
# usage: older_header.sh <make_mpi_header> <C compiler> <folder of MPI's mpi.h> <folder of ep/ep.h> <work folder>
set -euo pipefail

make=$1 compiler=$2 mpi_folder=$3 ep_folder=$4 work=$5
names=$(dirname "$make")/mpi4_names.txt
rm -rf "$work"
mkdir -p "$work/older"
# Functions: all that these headers declare, so that the list is not compared with itself.
words=$({
  sed -n '/^[A-Z]/p' "$names"
  grep -hoE '\bEP_[A-Z]\w+\(' "$ep_folder"/ep/{sessions,persistent,partitioned}.h | sed 's/^EP_//; s/($//'
} | sort -u | paste -sd'|')
removed=0
for header in "$mpi_folder"/mpi*.h; do
  older=$work/older/$(basename "$header")
  grep -vE "\bP?MPI_($words|[A-Z][A-Za-z_]*_c)\b" "$header" >"$older"
  removed=$((removed + $(wc -l <"$header") - $(wc -l <"$older")))
done
((removed > 200)) || { echo "older_header: only $removed lines have names of MPI-4.0." >&2; exit 1; }

"$make" "$compiler" "$mpi_folder" "$ep_folder" "$work/newer.h"
"$make" "$compiler" "$work/older" "$ep_folder" "$work/older.h"
# Constants that are MPI's own where it has them are ours else.
defined() { grep '^#define' "$1" | grep -vE ' MPI_(COMM_TYPE_HW_|ERR_(SESSION|PROC|VALUE)|MAX_(PSET|STRING))' | sort; }
diff <(defined "$work/newer.h") <(defined "$work/older.h")
