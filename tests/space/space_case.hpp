/// @file
/// Random transformations of the grids of random cases (tests/grids), and what they make of a whole
/// grid, point by point. Knows nothing of EPIOS.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "../grids/random_case.hpp"

namespace space {

struct Step {
  std::string tag;  ///< "extract_axis"
  std::vector<std::pair<std::string, std::string>> attributes;
};

/// An element made of another one.
struct Target {
  std::string tag;  ///< "axis", "domain" or "scalar"
  std::string id;
  std::vector<Step> steps;  ///< none: it is the source itself
  std::int64_t ni = 1, nj = 1;
  /// Of each of its points the point of the source that it is.
  std::vector<std::int64_t> points;
};

/// A field on a grid that is made of that of a field of the case.
struct Made {
  std::string id;
  int field = 0;                 ///< of the case
  std::vector<Target> elements;  ///< fastest first
};

/// The same for all clients.
std::vector<Made> make_targets(const grids::Case& of);

}  // namespace space
