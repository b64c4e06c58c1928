/// @file
/// Places the cells of a ring around a domain. Pure.
#pragma once

#include <cstdint>
#include <vector>

#include "config/model_fwd.hpp"

namespace epios::io {

/// How coordinates go on over an edge: on the sphere latitudes end at poles and longitudes turn; on
/// a plane both go on as numbers.
enum class Surface { sphere, plane };

/// Returns true if some latitude is none: the coordinates are lengths on a plane. Clients have to
/// agree on it, since each knows its own cells alone.
bool has_lengths(const config::DomainAttributes& cells);

/// Moves cells of `ring`, named by their numbers `cells` in its lists, from where the last cells
/// before the edge lie to where the next ones would: the inner side of each is the outer one of the
/// last cell, its width the same. `before` has lists parallel to those of `ring`: the cells before
/// the last ones, which say where the edge is, by common corners; without corners the distance of
/// the centres counts. `by_sides`: longitudes and latitudes go their own ways (rectilinear). Values
/// that are not known stay.
void move_beyond_edge(const std::vector<std::size_t>& cells, const config::DomainAttributes& before,
                      bool by_sides, Surface surface, config::DomainAttributes& ring);

}  // namespace epios::io
