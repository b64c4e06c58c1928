/// @file
/// Ports and names: groups of endpoints that find each other; not included by <ep/ep.h>. MPI-3.1,
/// 10.4.
///
/// Both groups belong to one job: to one program, to programs that `epexec` started together, or to
/// spawned ones. All need EP_Init_thread or EP_Init_endpoint. The first process of the job keeps
/// the names; the process that opened a port keeps the port. A caller waits until that process is
/// in a call of this library. A process that calls EP_Finalize refuses those who wait at its ports;
/// nobody may ask it afterwards. Errors go to the handler of the communicator, or to the caller
/// where there is none.
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

/// Opens a new port of the calling process. `port` has room for EP_MAX_PORT_NAME characters. Knows
/// no info key. Local. 10.4.2.
int EP_Open_port(MPI_Info info, char* port);
/// Closes a port: those who wait to be accepted there get EP_ERR_PORT, and so does the caller for a
/// port that this process has not opened. Local. 10.4.2.
int EP_Close_port(const char* port);
/// Waits until a group connects with `port`, which the root's process has opened (read there only),
/// and returns the intercommunicator of both groups. EP_ERR_PORT if the port is not open or is
/// closed meanwhile. Collective. 10.4.2.
int EP_Comm_accept(const char* port, MPI_Info info, int root, EP_Comm comm, EP_Comm* out);
/// Waits until a group accepts at `port`, and returns the intercommunicator of both groups.
/// EP_ERR_PORT if nobody has opened the port, or it has been closed. Collective. 10.4.3.
int EP_Comm_connect(const char* port, MPI_Info info, int root, EP_Comm comm, EP_Comm* out);
/// Connects with whoever calls this at the other end of the connected socket `fd`, in which nothing
/// waits: makes an intercommunicator of one endpoint on each side. EP_ERR_ARG if the other end does
/// not speak the same protocol. Collective over both. 10.5.5.
int EP_Comm_join(int fd, EP_Comm* out);

/// Publishes `port` under `service`: EP_Lookup_name finds it in the whole job. EP_ERR_SERVICE if
/// the name is taken, empty, or longer than 255 characters. 10.4.4.
int EP_Publish_name(const char* service, MPI_Info info, const char* port);
/// Takes a name back. EP_ERR_SERVICE if nobody has published `service` for this port. 10.4.4.
int EP_Unpublish_name(const char* service, MPI_Info info, const char* port);
/// Returns the port published as `service`; EP_ERR_NAME if there is none. `port` has room for
/// EP_MAX_PORT_NAME characters. 10.4.4.
int EP_Lookup_name(const char* service, MPI_Info info, char* port);

#ifdef __cplusplus
}
#endif

#endif
