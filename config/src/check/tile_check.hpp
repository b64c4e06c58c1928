/// @file
/// Checks of the tiles in which a client sends its part of a domain.
#pragma once

#include "check/layout_check.hpp"

namespace epios::config {

/// Checks numbers and ranges of tiles: each is a box of the local part, and its array surrounds it.
/// Fills in tile_data_*. Called when the local part of the domain is known.
void check_tiles(const LayoutContext& context, DomainAttributes& domain);

}  // namespace epios::config
