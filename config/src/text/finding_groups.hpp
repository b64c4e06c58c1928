/// @file
/// Groups of findings that say the same about different places.
#pragma once

#include <string>
#include <vector>

#include "config/error.hpp"

namespace epios::config {

struct FindingGroup {
  const Diagnostic* example = nullptr;  ///< the first one
  std::vector<const Diagnostic*> others;
};

/// Returns findings by weight: errors that affect output, other errors, warnings, notes; within
/// these in their order.
std::vector<const Diagnostic*> in_order_of_weight(const std::vector<Diagnostic>& findings);
std::vector<FindingGroup> grouped(const std::vector<Diagnostic>& findings);

/// Returns "a.xml:3, 4; b.xml:7 and 12 more".
std::string places_of(const std::vector<const Diagnostic*>& findings);

}  // namespace epios::config
