/// @file
/// What a file that exists says of itself, for runs and checks.
#pragma once

#include <vector>

#include "config/file_facts.hpp"
#include "file/open_files.hpp"

namespace epios::io {

/// All dimensions and variables of a NetCDF file of any format, with attributes of the variables
/// that are asked for and of what these lead to: their coordinates, bounds, mesh. Without names of
/// variables: of all. Of the file thread; throws nothing for a file that cannot be read: the facts
/// say why. `open`: where it is left open for who reads it.
config::FileFacts file_facts(const config::FileQuestion& question, OpenFiles* open = nullptr);

}  // namespace epios::io
