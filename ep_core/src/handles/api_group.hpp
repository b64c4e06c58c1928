#pragma once

#include <ep/ep.h>

#include <optional>

#include "handles/endpoint.hpp"
#include "handles/group.hpp"

namespace ep {

/// Returns the members behind a handle, none for EP_GROUP_EMPTY. Throws if it is null, freed or
/// foreign.
const Identities& members_of(EP_Group group);

/// Makes a new handle; `self` is the endpoint to which EP_Group_rank refers.
EP_Group make_group(Identities members, const std::optional<Identity>& self);
/// Makes a new handle for the endpoint's local or remote group.
EP_Group group_of(const Member& member, bool remote);

}  // namespace ep
