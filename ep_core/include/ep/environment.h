/// @file
/// The environment, memory, and handles for Fortran; included by <ep/ep.h>.
///
/// All local, any thread; errors are returned (EP_ERR_ARG for null pointers) and belong to no
/// endpoint. Strings are the caller's. Numbers after functions are sections of MPI-3.1.
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

/// The version of the MPI standard whose functions these are. 8.1.1.
int EP_Get_version(int* version, int* subversion);
/// This library and the MPI library below it, at most EP_MAX_LIBRARY_VERSION_STRING bytes. 8.1.1.
int EP_Get_library_version(char* version, int* length);
/// Name of the node, at most EP_MAX_PROCESSOR_NAME bytes with the final zero. 8.1.2.
int EP_Get_processor_name(char* name, int* length);
/// Resolution of EP_Wtime in seconds. 8.6.
double EP_Wtick(void);
/// The thread level that holds per endpoint; without endpoints of EP_Init_thread, MPI's. 12.4.3.
int EP_Query_thread(int* provided);
/// Whether the calling thread initialised MPI. 12.4.3.
int EP_Is_thread_main(int* flag);
/// Whether every EP_Init_thread of this process has been paired with EP_Finalize. 8.7.
int EP_Finalized(int* flag);

/// `size` bytes that begin with a cache line; `baseptr` points to a pointer. `info` is not looked
/// at. The caller's until EP_Free_mem. EP_ERR_NO_MEM; EP_ERR_ARG for a negative size. 8.2.
int EP_Alloc_mem(MPI_Aint size, MPI_Info info, void* baseptr);
/// Gives back what EP_Alloc_mem gave. 8.2.
int EP_Free_mem(void* base);

// Handles as Fortran integers, valid in this process as long as the handle: 0 is the null handle,
// predefined handles are their small constants. Never an error. 17.2.4.

/// The integer of a handle.
MPI_Fint EP_Comm_c2f(EP_Comm comm);
/// The handle of an integer; one that no function takes if it is none's.
EP_Comm EP_Comm_f2c(MPI_Fint comm);
/// The integer of a handle.
MPI_Fint EP_Request_c2f(EP_Request request);
/// The handle of an integer; one that no function takes if it is none's.
EP_Request EP_Request_f2c(MPI_Fint request);
/// The integer of a handle.
MPI_Fint EP_Message_c2f(EP_Message message);
/// The handle of an integer; one that no function takes if it is none's.
EP_Message EP_Message_f2c(MPI_Fint message);
/// The integer of a handle.
MPI_Fint EP_Group_c2f(EP_Group group);
/// The handle of an integer; one that no function takes if it is none's.
EP_Group EP_Group_f2c(MPI_Fint group);
/// The integer of a handle.
MPI_Fint EP_Errhandler_c2f(EP_Errhandler errhandler);
/// The handle of an integer; one that no function takes if it is none's.
EP_Errhandler EP_Errhandler_f2c(MPI_Fint errhandler);

/// Number of Fortran integers of a status: source, tag and error are the first three.
#define EP_F_STATUS_SIZE 8
/// Copies a status to EP_F_STATUS_SIZE integers. EP_ERR_ARG for null pointers. 17.2.5.
int EP_Status_c2f(const EP_Status* status, MPI_Fint* f_status);
/// Copies it back.
int EP_Status_f2c(const MPI_Fint* f_status, EP_Status* status);

#ifdef __cplusplus
}
#endif

#endif
