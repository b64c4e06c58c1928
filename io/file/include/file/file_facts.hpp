/// @file
/// Metadata of an existing file, for runs and checks.
#pragma once

#include <vector>

#include "config/file_facts.hpp"
#include "file/open_files.hpp"

namespace epios::io {

/// Returns all dimensions and variables of a NetCDF file of any format. Attributes are those of the
/// variables in the question and of the variables that these lead to: coordinates, bounds, mesh. A
/// question without variables asks for all. Called on the file thread. Throws nothing for a file
/// that cannot be read; the facts say why. The file stays open in `open` for later reading.
config::FileFacts file_facts(const config::FileQuestion& question, OpenFiles* open = nullptr);

}  // namespace epios::io
