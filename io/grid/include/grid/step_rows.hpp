/// @file
/// Rows of a step from grid to grid, as clients hand them to the server that works it out.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace epios::io {

/// Of which points of one element, with which weights, points of another one are made. Points are
/// numbered as in Part: of a domain j * ni_glo + i.
struct StepRows {
  std::vector<std::int64_t> targets;   ///< ascending, each once
  std::vector<std::int64_t> begin{0};  ///< per target into `sources`, and their end
  std::vector<std::int64_t> sources;   ///< in the order in which they are added up
  std::vector<double> weights{};       ///< as sources; none: each counts as it is
  std::vector<double> first_order{};   ///< the same where a source is missing; none: as weights
  bool operator==(const StepRows&) const = default;
};

}  // namespace epios::io
