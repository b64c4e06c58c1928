/// @file
/// What a client tells of the columns and rows of a rectilinear domain.
#pragma once

#include "config/model_fwd.hpp"
#include "event/opening.hpp"
#include "grid/part.hpp"

namespace epios::io {

/// `owned`: the client's cells in the window, of which it may give areas. `share`: what it tells of
/// the sides; null: all that it has.
CoordinateOffer rectilinear_offer(const config::Domain& domain, const Part& owned,
                                  const Box& window, const SideShare* share);

}  // namespace epios::io
