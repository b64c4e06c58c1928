#pragma once

#include <ep/ep.h>

#include "creation/creation.hpp"
#include "handles/endpoint.hpp"

namespace ep {

/// Makes the handle of an endpoint of a new communicator.
inline EP_Comm handle_of(const Endpoint* parent, const NewEndpoint& created) {
  return make_endpoint(parent, created.clique, created.slot, created.side, created.rank);
}

/// Gives a duplicate the properties that it inherits besides the endpoints: topology, and
/// attributes as their copy functions decide. Frees the duplicate if one of these fails.
void inherit_from_original(EP_Comm original, EP_Comm& duplicate);

}  // namespace ep
