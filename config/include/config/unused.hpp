/// @file
/// What a configuration defines without use.
#pragma once

#include <vector>

#include "config/document.hpp"
#include "config/error.hpp"

namespace epios::config {

/// Notes, apart from what check() says, of fields that no file writes, of files that keep no field
/// and of each mistake in what no enabled file needs. Throws nothing for mistakes in the
/// configuration. Local.
std::vector<Diagnostic> unused(const SourceTexts& sources, const Additions& additions = {});

}  // namespace epios::config
