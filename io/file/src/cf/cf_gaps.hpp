/// @file
/// Points of coordinates that no client gave a value.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "cf/cf_plan.hpp"
#include "file/output_file.hpp"

namespace epios::io {

struct Gaps {
  std::int64_t points = 0;  ///< cells, however many bounds they have
  std::vector<std::string> examples{};
  bool operator==(const Gaps&) const = default;
};

/// In what one writer has of a variable: NaN, which clients cannot give.
Gaps gaps_in(const PlannedVariable& variable, const FixedPart& part);

}  // namespace epios::io
