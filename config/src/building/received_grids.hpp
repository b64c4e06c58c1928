/// @file
/// Grids of fields that come from other contexts, as definitions have them so far.
#pragma once

#include "config/coupled_grids.hpp"
#include "language/context_store.hpp"

namespace epios::config {

/// Implements Definitions::coupled_grids().
CoupledGrids coupled_grids_of(const ContextStore& store);

}  // namespace epios::config
