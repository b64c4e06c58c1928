/// @file
/// Ports and names: groups of endpoints that find each other; not included by <ep/ep.h>. MPI-3.1,
/// 10.4.
///
/// Both groups belong to one job: to one program, to programs that `epexec` started together, or to
/// spawned ones. All need EP_Init_thread or EP_Init_endpoint. Names are kept by the job's first
/// process, a port by the process that opened it: who asks waits until that one is in a call of
/// this library. One that calls EP_Finalize refuses who waits at its ports then; nobody may ask it
/// afterwards. Errors meet the handler of the communicator, or go to the caller where there is
/// none.
#ifndef EP_PORTS_H
#define EP_PORTS_H

#include <ep/types.h>

#define EP_MAX_PORT_NAME MPI_MAX_PORT_NAME
#define EP_ERR_PORT MPI_ERR_PORT
#define EP_ERR_NAME MPI_ERR_NAME
#define EP_ERR_SERVICE MPI_ERR_SERVICE

#ifdef __cplusplus
extern "C" {
#endif

/// A new port of the calling process. `port` has room for EP_MAX_PORT_NAME characters. No info key
/// is known. Local. 10.4.2.
int EP_Open_port(MPI_Info info, char* port);
/// Closes it: who waits to be accepted there gets EP_ERR_PORT. The same error for a port that this
/// process has not opened. Local. 10.4.2.
int EP_Close_port(const char* port);
/// Waits until somebody connects with `port`, which the root's process has opened (read there
/// only), and gives the intercommunicator of both groups. EP_ERR_PORT: it is not open, or has been
/// closed meanwhile. Collective. 10.4.2.
int EP_Comm_accept(const char* port, MPI_Info info, int root, EP_Comm comm, EP_Comm* out);
/// The other side: waits until a group accepts at `port`. EP_ERR_PORT: nobody has opened it, or it
/// has been closed. Collective. 10.4.3.
int EP_Comm_connect(const char* port, MPI_Info info, int root, EP_Comm comm, EP_Comm* out);
/// Connects with whoever calls this at the other end of the connected socket `fd`, which nothing
/// waits in: an intercommunicator of one endpoint on each side. EP_ERR_ARG: the other end does not
/// speak as this one does. Collective over both. 10.5.5.
int EP_Comm_join(int fd, EP_Comm* out);

/// From here on EP_Lookup_name finds `port` under `service`, in the whole job.
/// EP_ERR_SERVICE: the name is taken, empty, or longer than 255 characters. 10.4.4.
int EP_Publish_name(const char* service, MPI_Info info, const char* port);
/// Takes it back. EP_ERR_SERVICE: nobody has published `service` for this port. 10.4.4.
int EP_Unpublish_name(const char* service, MPI_Info info, const char* port);
/// The port published as `service`; EP_ERR_NAME: there is none. `port` has room for
/// EP_MAX_PORT_NAME characters. 10.4.4.
int EP_Lookup_name(const char* service, MPI_Info info, char* port);

#ifdef __cplusplus
}
#endif

#endif
