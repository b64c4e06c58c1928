/// @file
/// Random transformations of the grids of random cases (tests/grids), and what they make of a whole
/// grid, point by point. Knows nothing of EPIOS.
#pragma once

#include <algorithm>
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
  /// Of each of its points the point of the source that it is, before data are moved.
  std::vector<std::int64_t> points;
  // Where data are moved:
  bool is_moved = false;
  std::string operation;                           ///< "sum"; empty: one source each
  std::vector<std::vector<std::int64_t>> sources;  ///< of each of its points, points of the source
  std::int64_t n_glo = 0;                          ///< what the element has to say itself
};

/// A field on a grid that is made of that of a field of the case.
struct Made {
  std::string id;
  int field = 0;                 ///< of the case
  std::vector<Target> elements;  ///< fastest first
  bool is_moved() const {
    return std::any_of(elements.begin(), elements.end(),
                       [](const Target& target) { return target.is_moved; });
  }
};

/// Stands for missing values where the field has no value of its own for them.
constexpr double filled = -1e20;

/// The same for all clients.
std::vector<Made> make_targets(const grids::Case& of);

}  // namespace space
