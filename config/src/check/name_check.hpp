/// @file
/// Which names a file takes.
#pragma once

#include <string>
#include <string_view>

#include "config/attributes.hpp"
#include "language/context_store.hpp"
#include "language/inheritance.hpp"
#include "text/findings.hpp"

namespace epios::config {

/// Why NetCDF takes no variable, dimension or attribute of that name; "" when it does. Source:
/// NetCDF user's guide, "permitted characters in names".
std::string name_complaint(std::string_view name);

/// The path of a file after the model has put the period of its records in the place of '@freq@',
/// as ocean models do: files that differ in nothing else do not meet.
std::string path_with_period(std::string path, const FileAttributes& file);

/// Looks at the attributes of an element that are such names (dim_name, lon_name and so on), other
/// than `name` itself.
void check_names(const Node& element, const Resolved& resolved, Findings& findings);

}  // namespace epios::config
