#pragma once

#include <ep/ep.h>

namespace ep {

/// What EP_STATISTICS has counted in all processes of `world`, to stderr by its first. Collective
/// where the variable asks for it, of no effect elsewhere. What EP_TRACE has heard is in the files
/// afterwards.
void conclude_observation(EP_Comm world);

}  // namespace ep
