/// @file
/// Counts the features of a configuration that no run supports yet.
#pragma once

#include <string>
#include <vector>

#include "config/error.hpp"

namespace epios::config {

struct Feature {
  std::string name;
  int count = 0;
  std::string first;  ///< its first place
};

/// Returns the features in the order of their first places.
std::vector<Feature> features_of(const std::vector<Diagnostic>& findings);

/// Prints why a run would be refused, one line per feature; nothing without any.
void print_features(const std::string& file, const std::vector<Feature>& features);

}  // namespace epios::config
