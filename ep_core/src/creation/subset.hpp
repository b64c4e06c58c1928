#pragma once

#include <span>

#include "creation/creation.hpp"
#include "handles/endpoint.hpp"

namespace ep {

/// A communicator of the endpoints with these ranks in the parent, in this order. Collective over
/// them only; all give the same ranks, among them their own. `tag` tells calls apart that run at
/// once.
NewEndpoint create_subset(Endpoint& parent, std::span<const int> ranks, int tag);

}  // namespace ep
