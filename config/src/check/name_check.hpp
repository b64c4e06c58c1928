/// @file
/// Names that are allowed in a file.
#pragma once

#include <string>
#include <string_view>

#include "config/attributes.hpp"
#include "language/context_store.hpp"
#include "language/inheritance.hpp"
#include "text/findings.hpp"

namespace epios::config {

/// Returns why NetCDF does not accept a name of a variable, dimension or attribute, or "". Source:
/// NetCDF user's guide, "permitted characters in names".
std::string name_complaint(std::string_view name);

/// Returns the path of a file after the model has replaced '@freq@' by the period of its records,
/// as ocean models do. Files that differ only in their period then have different paths.
std::string path_with_period(std::string path, const FileAttributes& file);

/// Checks the attributes of an element that are such names (dim_name, lon_name and so on), except
/// `name` itself.
void check_names(const Node& element, const Resolved& resolved, Findings& findings);

}  // namespace epios::config
