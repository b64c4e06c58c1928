/// @file
/// Values of scalars that are points of axes.
#pragma once

#include <ep/fwd.hpp>

#include "config/model_fwd.hpp"

namespace epios::client {

/// Gives scalars that are extracted from axes, and have neither value nor bounds of their own,
/// those of the point, which any client may have. Collective.
void share_point_coordinates(config::Model& model, const ep::Comm& clients);

}  // namespace epios::client
