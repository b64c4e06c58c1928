#pragma once

#include <string>

#include "config/error.hpp"
#include "config/model_elements.hpp"

namespace epios::io {

/// Returns the error of a transformation that cannot be worked out, with its place. `target`: "axis
/// 'z'"; `why` ends with what to do about it.
Error transformation_error(const config::Transformation& how, const std::string& target,
                           const std::string& why);

}  // namespace epios::io
