/// @file
/// Regular grids of longitudes and latitudes.
#pragma once

#include <ep/fwd.hpp>

#include "config/model_fwd.hpp"

namespace epios::io {

/// Domains with <generate_rectilinear_domain> that are nothing else's result get their coordinates,
/// and, where nobody says which part a client has, rows or blocks for each. Collective.
void generate_domains(config::Model& model, const ep::Comm& clients);

}  // namespace epios::io
