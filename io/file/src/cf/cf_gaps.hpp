/// @file
/// Points of coordinates without a value from any client.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "cf/cf_plan.hpp"
#include "file/output_file.hpp"

namespace epios::io {

struct Gaps {
  std::int64_t points = 0;  ///< number of cells, however many bounds they have
  std::vector<std::string> examples{};
  bool operator==(const Gaps&) const = default;
};

/// Returns the gaps of one writer in a variable: NaN, which clients cannot give.
Gaps gaps_in(const PlannedVariable& variable, const FixedPart& part);

}  // namespace epios::io
