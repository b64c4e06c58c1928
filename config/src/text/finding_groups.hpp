/// @file
/// Findings that say the same of different places, together.
#pragma once

#include <string>
#include <vector>

#include "config/error.hpp"

namespace epios::config {

struct FindingGroup {
  const Diagnostic* example = nullptr;  ///< the first one
  std::vector<const Diagnostic*> others;
};

/// Errors first, those that affect output before all others, then warnings and notes; within these
/// in the order of the findings.
std::vector<const Diagnostic*> in_order_of_weight(const std::vector<Diagnostic>& findings);
std::vector<FindingGroup> grouped(const std::vector<Diagnostic>& findings);

/// "a.xml:3, 4; b.xml:7 and 12 more".
std::string places_of(const std::vector<const Diagnostic*>& findings);

}  // namespace epios::config
