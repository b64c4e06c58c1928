/// @file
/// What Definitions hides.
#pragma once

#include <vector>

#include "config/definitions.hpp"
#include "loader.hpp"

namespace epios::config {

struct Definitions::Impl {
  Contexts contexts;
  std::vector<Diagnostic> warnings;
};

}  // namespace epios::config
