/// @file
/// Where the cells of a ring around a domain lie. Pure.
#pragma once

#include <cstdint>
#include <vector>

#include "config/model_fwd.hpp"

namespace epios::io {

/// `ring`: cells that lie where the last ones before the edge do, by `cells` of these lists; each
/// is moved on over the edge, as if the last one stood there once more: its inner side is the outer
/// one of the last, its width the same. `before`: parallel, the cells before the last ones, which
/// say where the edge is, by common corners; without corners the distance of the centres counts.
/// `by_sides`: longitudes and latitudes go their own ways (rectilinear). Latitudes end at poles,
/// unless some are none. What is not known stays.
void move_beyond_edge(const std::vector<std::size_t>& cells, const config::DomainAttributes& before,
                      bool by_sides, config::DomainAttributes& ring);

}  // namespace epios::io
