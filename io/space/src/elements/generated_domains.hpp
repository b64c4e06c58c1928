/// @file
/// Regular grids of longitudes and latitudes.
#pragma once

#include <cstdint>
#include <ep/fwd.hpp>
#include <vector>

#include "config/grid_element.hpp"
#include "config/model_fwd.hpp"

namespace epios::io {

/// Gives domains with <generate_rectilinear_domain> that are not results of others, and those of
/// type healpix, their coordinates and, if nobody described a decomposition, rows or blocks for
/// each client. Collective.
void generate_domains(config::Model& model, const ep::Comm& clients);

/// Returns a hash for each client, equal for clients that have the same points of the other
/// elements of the grids whose data go to this domain. Collective.
std::vector<std::uint64_t> hashes_of_levels(const config::Model& model,
                                            const config::GridElement& domain,
                                            const ep::Comm& clients);

}  // namespace epios::io
