/// @file
/// compute_connectivity_domain: neighbours among the cells of a client.
#pragma once

#include <ep/fwd.hpp>

#include "config/model_fwd.hpp"

namespace epios::io {

/// Sets n_neighbor, local_neighbor and n_neighbor_max of all such transformations: for each cell
/// that this client describes, in its order, those of its cells that share an edge or a corner with
/// it. Places count from 0; -1 fills rows. Collective. Throws Error{configuration} on all clients
/// for a domain without corners.
void connect_domains(config::Model& model, const ep::Comm& clients);

}  // namespace epios::io
