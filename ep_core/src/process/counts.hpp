#pragma once

#include <mpi.h>

// Functions of the C interface whose counts may be large have one source, compiled twice: as EP_Xxx
// with int, and with EP_LARGE_COUNTS as EP_Xxx_c with MPI's wide integers.

#ifdef EP_LARGE_COUNTS
#define EP_COUNTED(name) EP_##name##_c
using Count = MPI_Count;
using Displacement = MPI_Aint;
#else
#define EP_COUNTED(name) EP_##name
using Count = int;
using Displacement = int;
#endif
