#pragma once

#include <ep/ep.h>

namespace ep {

/// Finds out whether EP_STATISTICS is set in all processes of `world`. Collective.
void agree_on_statistics(EP_Comm world);

/// Prints what EP_STATISTICS has counted in all processes of `world`, to stderr of its first
/// process. Afterwards the files have everything that EP_TRACE recorded. Collective if all agreed
/// on it; has no effect otherwise.
void conclude_observation(EP_Comm world);

}  // namespace ep
