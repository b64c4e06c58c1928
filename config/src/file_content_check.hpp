/// @file
/// Whether the dimensions and variables of one file have names of their own.
#pragma once

#include "config/model.hpp"
#include "findings.hpp"

namespace epios::config {

/// Of a file whose streams are in the Model. The names are those that a run gives: see the layout
/// of files.
void check_file_content(const Model& model, const File& file, const Origin& origin,
                        Findings& findings);

}  // namespace epios::config
