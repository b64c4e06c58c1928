#pragma once

#include <ep/ep.h>

namespace ep {

/// Determines whether EP_STATISTICS is set in all processes of `world`. Collective.
void agree_on_statistics(EP_Comm world);

/// Prints what EP_STATISTICS has counted in all processes of `world`, to stderr of its first
/// process. Afterwards the files contain everything that EP_TRACE recorded. Collective if all
/// processes agreed on it; otherwise has no effect.
void conclude_observation(EP_Comm world);

}  // namespace ep
