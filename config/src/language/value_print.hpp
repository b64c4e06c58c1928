/// @file
/// Attribute values as XML text that parses back.
#pragma once

#include <string>

#include "config/attributes.hpp"

namespace epios::config {

std::string printed(const Value& value);

}  // namespace epios::config
