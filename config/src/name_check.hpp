/// @file
/// Which names a file takes.
#pragma once

#include <string>
#include <string_view>

#include "context_store.hpp"
#include "findings.hpp"
#include "inheritance.hpp"

namespace epios::config {

/// Why NetCDF takes no variable, dimension or attribute of that name; "" when it does. Source:
/// NetCDF user's guide, "permitted characters in names".
std::string name_complaint(std::string_view name);

/// With what a terminal would not show as \x...: for names in messages.
std::string printable(std::string_view text);

/// Looks at the attributes of an element that are such names (dim_name, lon_name and so on), other
/// than `name` itself.
void check_names(const Node& element, const Resolved& resolved, Findings& findings);

}  // namespace epios::config
