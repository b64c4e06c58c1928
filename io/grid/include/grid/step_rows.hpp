/// @file
/// Rows of a step from grid to grid, as clients send them to the server that computes the step.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace epios::io {

/// The points of one element, with weights, from which the points of another element are made.
/// Points are numbered as in Part: j * ni_glo + i in a domain.
struct StepRows {
  std::vector<std::int64_t> targets;   ///< ascending, each once
  std::vector<std::int64_t> begin{0};  ///< first entry in `sources` of each target, and the end
  std::vector<std::int64_t> sources;   ///< in the order of summation
  std::vector<double> weights{};       ///< parallel to sources; empty if each counts as it is
  std::vector<double>
      first_order{};  ///< weights to use if a source is missing; empty if they are the same
  bool operator==(const StepRows&) const = default;
};

}  // namespace epios::io
