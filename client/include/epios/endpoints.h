/// @file
/// The clients of a component as ranks of a communicator of the endpoints library (<ep/ep.h>,
/// library ep_core), for models with threads as clients.
#ifndef EPIOS_ENDPOINTS_H
#define EPIOS_ENDPOINTS_H

#include <ep/ep.h>
#include <epios/epios.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Gets a communicator over the clients of the component, with the ranks of epios_client_rank:
/// threads of one process are separate ranks. It is for EP_ functions (EP_Barrier, EP_Allreduce …),
/// called from the thread of the client. The client owns it until it is closed. The first call is
/// collective over the clients.
int epios_client_comm(epios_client* client, EP_Comm* out);

#ifdef __cplusplus
}
#endif

#endif
