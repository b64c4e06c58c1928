/// @file
/// The environment, and handles for Fortran; included by <ep/ep.h>. All local, any thread.
#ifndef EP_ENVIRONMENT_H
#define EP_ENVIRONMENT_H

#include <ep/types.h>

#ifdef __cplusplus
extern "C" {
#endif

#define EP_VERSION 3
#define EP_SUBVERSION 1
#define EP_MAX_LIBRARY_VERSION_STRING MPI_MAX_LIBRARY_VERSION_STRING
#define EP_MAX_PROCESSOR_NAME MPI_MAX_PROCESSOR_NAME

/// The version of the MPI standard whose functions these are.
int EP_Get_version(int* version, int* subversion);
/// This library and the MPI library below it.
int EP_Get_library_version(char* version, int* length);
int EP_Get_processor_name(char* name, int* length);
/// Resolution of EP_Wtime in seconds.
double EP_Wtick(void);
int EP_Query_thread(int* provided);
/// Whether the calling thread initialised MPI.
int EP_Is_thread_main(int* flag);
/// Whether every EP_Init_thread of this process has been paired with EP_Finalize.
int EP_Finalized(int* flag);

// Handles as Fortran integers, valid in this process as long as the handle: 0 is the null handle,
// predefined handles are their small constants.

MPI_Fint EP_Comm_c2f(EP_Comm comm);
EP_Comm EP_Comm_f2c(MPI_Fint comm);
MPI_Fint EP_Request_c2f(EP_Request request);
EP_Request EP_Request_f2c(MPI_Fint request);
MPI_Fint EP_Message_c2f(EP_Message message);
EP_Message EP_Message_f2c(MPI_Fint message);
MPI_Fint EP_Group_c2f(EP_Group group);
EP_Group EP_Group_f2c(MPI_Fint group);
MPI_Fint EP_Errhandler_c2f(EP_Errhandler errhandler);
EP_Errhandler EP_Errhandler_f2c(MPI_Fint errhandler);

#ifdef __cplusplus
}
#endif

#endif
