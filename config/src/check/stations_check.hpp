/// @file
/// Checks of <stations>, from which a domain gets its type, size and coordinates.
#pragma once

#include "check/layout_check.hpp"
#include "language/context_store.hpp"

namespace epios::config {

/// A <stations> in a domain.
struct StationsElement {
  const Node& node;
  const Resolved& resolved;
  bool is_alone = true;  ///< false if the domain has other transformations, too
};

/// Checks the points and what else the domain says, and gives the domain its type and size. Returns
/// false if they are not known, which is reported.
bool complete_stations(const LayoutContext& domain, const StationsElement& stations,
                       DomainAttributes& attributes);

}  // namespace epios::config
