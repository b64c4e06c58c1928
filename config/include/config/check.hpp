/// @file
/// Everything wrong with a configuration, without a model.
#pragma once

#include <vector>

#include "config/document.hpp"
#include "config/error.hpp"

namespace epios::config {

/// Parses and resolves all contexts and returns every finding, in reading order. What a model
/// sets at run time (sizes, calendar) is a note when it is missing. Throws nothing for mistakes in
/// the configuration. Local.
std::vector<Diagnostic> check(const SourceTexts& sources);

}  // namespace epios::config
