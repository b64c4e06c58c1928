/// @file
/// Domains of <stations>: coordinates of a client's points.
#pragma once

#include "config/model_fwd.hpp"

namespace epios::io {

/// Gives a domain that <stations> makes the coordinates of its local points. The local part is
/// known.
void set_station_points(config::Domain& domain);

}  // namespace epios::io
