/// @file
/// Checks that the compression of a field has the parameters that it needs.
#pragma once

#include "config/model_fwd.hpp"
#include "text/findings.hpp"

namespace epios::config {

/// Checks a field of a file (`origin` is that of the file): compression_params must fit
/// compression_type, and both its values.
void check_compression(const Stream& stream, const File& file, const Origin& origin,
                       Findings& findings);

}  // namespace epios::config
