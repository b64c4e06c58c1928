/// @file
/// Tells whether somebody writes a file.
#pragma once

#include <string>

#include "file/output_file.hpp"

namespace epios::io {

/// Returns true while create_file() of this path would be refused, because another file object of
/// this process or another process has what it would make. Local.
bool is_being_written(const std::string& path, FileFormat format);

}  // namespace epios::io
