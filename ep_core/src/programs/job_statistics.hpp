#pragma once

#include <ep/ep.h>

namespace ep {

/// Finds out whether EP_STATISTICS is set in all processes of `world`. Collective.
void agree_on_statistics(EP_Comm world);

/// What EP_STATISTICS has counted in all processes of `world`, to stderr by its first. Collective
/// where all agreed on it, of no effect elsewhere. What EP_TRACE has heard is in the files
/// afterwards.
void conclude_observation(EP_Comm world);

}  // namespace ep
