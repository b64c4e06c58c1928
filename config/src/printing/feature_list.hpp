/// @file
/// What a configuration asks for that no run can do yet, counted.
#pragma once

#include <string>
#include <vector>

#include "config/error.hpp"

namespace epios::config {

struct Feature {
  std::string name;
  int count = 0;
  std::string first;  ///< where
};

/// In the order of their first places.
std::vector<Feature> features_of(const std::vector<Diagnostic>& findings);

/// In one line for each, why a run would be refused; nothing without any.
void print_features(const std::string& file, const std::vector<Feature>& features);

}  // namespace epios::config
