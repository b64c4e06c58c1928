/// @file
/// Checks of domains of type healpix, whose sizes and coordinates follow from two attributes.
#pragma once

#include "check/layout_check.hpp"

namespace epios::config {

/// Checks nside and order and fills in the order and the sizes of a domain of type healpix. Warns
/// about nside and order of other domains, and takes them away. Returns false if the sizes are not
/// known, which is reported.
bool complete_healpix(const LayoutContext& context, DomainAttributes& domain);

}  // namespace epios::config
