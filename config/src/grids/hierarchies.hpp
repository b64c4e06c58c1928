/// @file
/// `<hierarchy>` in a file or grid: coarser levels of fields in space and time.
#pragma once

#include <optional>

#include "language/context_store.hpp"
#include "text/findings.hpp"

namespace epios::config {

/// Returns the context with a file, domains, grids and fields for each coarser level of each
/// enabled file with a `<hierarchy>`, or with fields on a grid that has one; nothing if there is
/// none. Fields of a level refer to those of the finer one, so that each level is computed once,
/// from that one. Reports mistakes.
std::optional<ContextStore> expand_hierarchies(const ContextStore& written, Findings& findings);

}  // namespace epios::config
