/// @file
/// What a configuration defines without use.
#pragma once

#include <vector>

#include "config/document.hpp"
#include "config/error.hpp"

namespace epios::config {

/// Returns notes, in addition to those of check(), about fields that no file writes, files that
/// keep no field, and each mistake in what no enabled file needs. Mistakes in the configuration are
/// not thrown. Local.
std::vector<Diagnostic> unused(const SourceTexts& sources, const Additions& additions = {});

}  // namespace epios::config
