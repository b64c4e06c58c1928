#pragma once

#include <ep/ep.h>

#include "group.hpp"

namespace ep {

/// The members behind a handle, none for EP_GROUP_EMPTY. Throws when it is null, freed or foreign.
const Identities& members_of(EP_Group group);

}  // namespace ep
