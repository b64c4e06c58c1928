/// @file
/// What a configuration defines without use.
#pragma once

#include <vector>

#include "config/document.hpp"
#include "config/error.hpp"

namespace epios::config {

/// Notes, apart from what check() says, of fields that no file writes and of files that keep no
/// field. Throws nothing for mistakes in the configuration. Local.
std::vector<Diagnostic> unused(const SourceTexts& sources);

}  // namespace epios::config
