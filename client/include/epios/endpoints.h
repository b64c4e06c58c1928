/// @file
/// What models with threads as clients use of the endpoints library below EPIOS (<ep/ep.h>, library
/// ep_core): their clients as ranks of a communicator.
#ifndef EPIOS_ENDPOINTS_H
#define EPIOS_ENDPOINTS_H

#include <ep/ep.h>
#include <epios/epios.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Communicator over the clients of the component, ranks as epios_client_rank: threads of one
/// process are ranks of their own. For EP_ functions (EP_Barrier, EP_Allreduce …), from the
/// client's thread. Owned by the client, until it is closed. Collective over the clients at first
/// use.
int epios_client_comm(epios_client* client, EP_Comm* out);

#ifdef __cplusplus
}
#endif

#endif
