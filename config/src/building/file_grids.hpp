/// @file
/// Grids of fields that are read: what files provide for them.
#pragma once

#include <span>
#include <vector>

#include "config/file_facts.hpp"
#include "config/read_grids.hpp"
#include "language/context_store.hpp"
#include "text/findings.hpp"

namespace epios::config {

/// Returns the place in the XML of a field that is read.
Origin origin_of(const ContextStore& store, const ReadField& field);

/// Returns true if the context may read a file; most contexts read nothing.
bool may_read(const ContextStore& store);

/// Implements Definitions::read_grids(), by the rules of `policy`.
ReadGrids read_grids_of(const ContextStore& store, const Policy& policy);

/// Implements Definitions::complete(). Leaves out files without facts. An empty `wants` means all.
std::vector<CoordinateWish> complete_from(ContextStore& store, const ReadGrids& grids,
                                          std::span<const FileFacts> files,
                                          const std::vector<bool>& wants, Findings& findings);

}  // namespace epios::config
