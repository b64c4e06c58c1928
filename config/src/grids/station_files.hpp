/// @file
/// Lists of stations in files that <stations> names.
#pragma once

#include <span>

#include "config/file_facts.hpp"
#include "config/read_grids.hpp"
#include "language/context_store.hpp"
#include "text/findings.hpp"

namespace epios::config {

/// Returns true if a <stations> names a file.
bool has_station_files(const ContextStore& store);
/// Adds the questions about these files.
void add_station_files(const ContextStore& store, ReadGrids& grids);
/// Sets the points of each <stations> from the answer about its file. Leaves out files without
/// facts.
void take_stations(ContextStore& store, std::span<const FileFacts> files, Findings& findings);

}  // namespace epios::config
