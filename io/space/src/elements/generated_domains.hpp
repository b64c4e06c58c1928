/// @file
/// Regular grids of longitudes and latitudes.
#pragma once

#include <ep/fwd.hpp>

#include "config/model_fwd.hpp"

namespace epios::io {

/// Gives domains with <generate_rectilinear_domain> that are not results of others, and those of
/// type healpix, their coordinates and, if nobody described a decomposition, rows or blocks for
/// each client. Collective.
void generate_domains(config::Model& model, const ep::Comm& clients);

}  // namespace epios::io
