/// @file
/// Ports and names, by which groups of endpoints find each other. <ep/ep.h> does not include this
/// header. MPI-3.1, 10.4.
///
/// Both groups belong to one job: to one program, to programs that `epexec` started together, or to
/// spawned programs. All must have called EP_Init_thread or EP_Init_endpoint. The first process of
/// the job stores the names; the process that opened a port manages the port. A caller waits until
/// that process is in a call of this library. A process that calls EP_Finalize rejects the groups
/// that wait at its ports; no process may contact it afterwards. Errors go to the handler of the
/// communicator; functions without one return them.
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

/// Opens a new port of the calling process and returns its name. `port` must have room for
/// EP_MAX_PORT_NAME characters. Ignores `info`. Local. 10.4.2.
int EP_Open_port(MPI_Info info, char* port);
/// Closes a port: EP_Comm_connect calls that wait there fail with EP_ERR_PORT. Fails with
/// EP_ERR_PORT if this process has not opened the port. Local. 10.4.2.
int EP_Close_port(const char* port);
/// Waits until a group connects to `port` and returns the intercommunicator of both groups. The
/// root's process must have opened the port; `port` is significant at the root only. Fails with
/// EP_ERR_PORT if the port is not open or is closed meanwhile. Collective over `comm`. 10.4.2.
int EP_Comm_accept(const char* port, MPI_Info info, int root, EP_Comm comm, EP_Comm* out);
/// Waits until a group accepts at `port`, and returns the intercommunicator of both groups. Fails
/// with EP_ERR_PORT if the port is not open. Collective over `comm`. 10.4.3.
int EP_Comm_connect(const char* port, MPI_Info info, int root, EP_Comm comm, EP_Comm* out);
/// Creates an intercommunicator with the endpoint that calls this function at the other end of the
/// connected socket `fd`; it has one endpoint on each side. No data may be pending in the socket.
/// Fails with EP_ERR_ARG if the other end does not speak the same protocol. Collective over both
/// endpoints. 10.5.5.
int EP_Comm_join(int fd, EP_Comm* out);

/// Publishes `port` under the name `service`, so that EP_Lookup_name finds it in the whole job.
/// Fails with EP_ERR_SERVICE if the name is taken, empty, or longer than 255 characters. 10.4.4.
int EP_Publish_name(const char* service, MPI_Info info, const char* port);
/// Withdraws a published name. Fails with EP_ERR_SERVICE if `service` is not published for this
/// port. 10.4.4.
int EP_Unpublish_name(const char* service, MPI_Info info, const char* port);
/// Returns the port published as `service`. `port` must have room for EP_MAX_PORT_NAME characters.
/// Fails with EP_ERR_NAME if there is none. 10.4.4.
int EP_Lookup_name(const char* service, MPI_Info info, char* port);

#ifdef __cplusplus
}
#endif

#endif
