#pragma once

#include <optional>
#include <string>
#include <vector>

#include "file_grid.hpp"

namespace epios::io {

/// All values of a longitude or latitude in degrees; `units`: of what it bounds, if it has none
/// itself.
std::vector<double> degrees(const DataFile& file, int variable, const std::string& units);

/// The faces of the mesh that a variable is on (UGRID: mesh, location="face"), with its dimension;
/// nullopt: it is on none.
std::optional<FileGrid> mesh_grid(const DataFile& file, const StoredVariable& variable);

}  // namespace epios::io
