/// @file
/// Checks that the variables of one file have names of their own.
#pragma once

#include "config/model_fwd.hpp"
#include "text/findings.hpp"

namespace epios::config {

/// Checks a file whose streams are in the Model: reports fields with the name of a coordinate.
/// Coordinates are renamed to avoid each other (see FileNames), but not to avoid fields.
void check_file_content(const Model& model, const File& file, const Origin& origin,
                        Findings& findings);

}  // namespace epios::config
