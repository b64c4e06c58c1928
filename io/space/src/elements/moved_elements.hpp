/// @file
/// Local parts of elements whose data moves.
#pragma once

#include <ep/fwd.hpp>

#include "config/model_fwd.hpp"
#include "config/spatial.hpp"

namespace epios::io {

/// Gives the target of a step its part on this client. Collective.
void shape_moved(config::Model& model, const config::SpatialStep& step, const ep::Comm& clients);

}  // namespace epios::io
