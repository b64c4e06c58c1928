/// @file
/// Whether what compresses the chunks of a field is told what it needs.
#pragma once

#include "config/model_fwd.hpp"
#include "text/findings.hpp"

namespace epios::config {

/// Of a field in a file (`origin` is the file's): compression_params fit compression_type, and both
/// its values.
void check_compression(const Stream& stream, const File& file, const Origin& origin,
                       Findings& findings);

}  // namespace epios::config
