/// @file
/// Values of scalars that are points of axes.
#pragma once

#include <ep/fwd.hpp>

#include "config/model_fwd.hpp"

namespace epios::client {

/// Gives scalars that are extracted from axes value, bounds and label of the point, unless they
/// have their own. Any client may have the point; what the one of lowest rank says counts.
/// Collective.
void share_point_coordinates(config::Model& model, const ep::Comm& clients);

}  // namespace epios::client
