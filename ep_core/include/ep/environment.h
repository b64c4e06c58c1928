/// @file
/// The environment, memory, and handles for Fortran; included by <ep/ep.h>.
///
/// All functions are local; any thread may call them. Errors (EP_ERR_ARG for null pointers) belong
/// to no endpoint and are only returned. The caller owns the strings. Numbers after functions are
/// sections of MPI-3.1.
#ifndef EP_ENVIRONMENT_H
#define EP_ENVIRONMENT_H

#include <ep/types.h>

#ifdef __cplusplus
extern "C" {
#endif

#define EP_VERSION 4
#define EP_SUBVERSION 0
#define EP_MAX_LIBRARY_VERSION_STRING MPI_MAX_LIBRARY_VERSION_STRING
#define EP_MAX_PROCESSOR_NAME MPI_MAX_PROCESSOR_NAME

/// Returns the version of the MPI standard that the library implements. 8.1.1.
int EP_Get_version(int* version, int* subversion);
/// Returns a description of this library and the underlying MPI library, at most
/// EP_MAX_LIBRARY_VERSION_STRING bytes with the final zero. 8.1.1.
int EP_Get_library_version(char* version, int* length);
/// Returns the name of the node, at most EP_MAX_PROCESSOR_NAME bytes with the final zero. 8.1.2.
int EP_Get_processor_name(char* name, int* length);
/// Returns the resolution of EP_Wtime in seconds. 8.6.
double EP_Wtick(void);
/// Returns the thread level of each endpoint, or MPI's level if EP_Init_thread has not created
/// endpoints. 12.4.3.
int EP_Query_thread(int* provided);
/// Sets `*flag` to 1 if the calling thread initialised MPI, else to 0. 12.4.3.
int EP_Is_thread_main(int* flag);
/// Sets `*flag` to 1 if every EP_Init_... call of this process has been paired with EP_Finalize,
/// else to 0. 8.7.
int EP_Finalized(int* flag);

/// Allocates `size` bytes, aligned to a cache line; `baseptr` points to a pointer. Ignores `info`.
/// The caller frees the memory with EP_Free_mem. Fails with EP_ERR_NO_MEM, and with EP_ERR_ARG for
/// a negative size. 8.2.
int EP_Alloc_mem(MPI_Aint size, MPI_Info info, void* baseptr);
/// Frees memory of EP_Alloc_mem. 8.2.
int EP_Free_mem(void* base);

// Fortran integers for handles. An integer is valid in this process as long as its handle; 0 is the
// null handle, and predefined handles keep their small constants. These functions never fail.
// 17.2.4.

/// Returns the Fortran integer of a handle.
MPI_Fint EP_Comm_c2f(EP_Comm comm);
/// Returns the handle of a Fortran integer; every function refuses it if the integer is no handle.
EP_Comm EP_Comm_f2c(MPI_Fint comm);
/// Returns the Fortran integer of a handle.
MPI_Fint EP_Request_c2f(EP_Request request);
/// Returns the handle of a Fortran integer; every function refuses it if the integer is no handle.
EP_Request EP_Request_f2c(MPI_Fint request);
/// Returns the Fortran integer of a handle.
MPI_Fint EP_Message_c2f(EP_Message message);
/// Returns the handle of a Fortran integer; every function refuses it if the integer is no handle.
EP_Message EP_Message_f2c(MPI_Fint message);
/// Returns the Fortran integer of a handle.
MPI_Fint EP_Group_c2f(EP_Group group);
/// Returns the handle of a Fortran integer; every function refuses it if the integer is no handle.
EP_Group EP_Group_f2c(MPI_Fint group);
/// Returns the Fortran integer of a handle.
MPI_Fint EP_Errhandler_c2f(EP_Errhandler errhandler);
/// Returns the handle of a Fortran integer; every function refuses it if the integer is no handle.
EP_Errhandler EP_Errhandler_f2c(MPI_Fint errhandler);

/// Number of Fortran integers in a status; the first three are source, tag and error.
#define EP_F_STATUS_SIZE 8
/// Copies a status to EP_F_STATUS_SIZE integers. Fails with EP_ERR_ARG for null pointers. 17.2.5.
int EP_Status_c2f(const EP_Status* status, MPI_Fint* f_status);
/// Copies EP_F_STATUS_SIZE integers to a status. Fails with EP_ERR_ARG for null pointers. 17.2.5.
int EP_Status_f2c(const MPI_Fint* f_status, EP_Status* status);

#ifdef __cplusplus
}
#endif

#endif
