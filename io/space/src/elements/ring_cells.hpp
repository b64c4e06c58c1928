/// @file
/// Positions of the cells of a ring around a domain. Pure.
#pragma once

#include <cstdint>
#include <vector>

#include "config/model_fwd.hpp"

namespace epios::io {

/// `ring` has cells at the positions of the last ones before the edge, given by `cells` of these
/// lists. Each is moved across the edge, as if the last one were repeated there: its inner side is
/// the outer side of the last one, its width is the same. `before` has, in parallel, the cells
/// before the last ones, from which the edge follows by common corners, or by the distance of
/// centres if there are no corners. With `by_sides`, longitudes and latitudes are treated
/// independently (rectilinear). Latitudes end at poles, unless some are no latitudes. Unknown
/// values stay.
void move_beyond_edge(const std::vector<std::size_t>& cells, const config::DomainAttributes& before,
                      bool by_sides, config::DomainAttributes& ring);

}  // namespace epios::io
