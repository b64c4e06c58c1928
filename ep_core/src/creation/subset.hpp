#pragma once

#include <span>
#include <string_view>

#include "creation/creation.hpp"
#include "handles/endpoint.hpp"

namespace ep {

/// Returns the tag of EP_Comm_create_group.
inline int subset_tag(int tag) { return 0x40000000 | (tag & 0x1fffffff); }
/// Returns the tag of EP_Comm_create_from_group: apart from the former, and from partitioned
/// messages.
int subset_tag(std::string_view name);

/// Makes a communicator of the endpoints with these ranks in the parent, in this order. All give
/// the same ranks, among them their own. `tag`, a subset_tag(), tells calls apart that run at the
/// same time. Collective over these endpoints only.
NewEndpoint create_subset(Endpoint& parent, std::span<const int> ranks, int tag);

}  // namespace ep
