/* A library of another MPI in front of the one that ep_core was built with: it says who it is, and
 * nothing else works. */
#include <mpi.h>
#include <string.h>

int MPI_Get_library_version(char* version, int* length) {
#ifdef OMPI_MAJOR_VERSION
  strcpy(version, "MPICH Version:\t4.0.2\n");
#else
  strcpy(version, "Open MPI v4.1.4, package: none");
#endif
  *length = (int)strlen(version);
  return MPI_SUCCESS;
}
