#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "file/data_file.hpp"
#include "space/cells.hpp"

namespace epios::io {

/// A horizontal grid as a file describes it by the words of CF or UGRID, or by a name like
/// r360x180.
struct FileGrid {
  enum class Kind { rectilinear, curvilinear, unstructured };
  Kind kind = Kind::rectilinear;
  /// Dimensions of the file: the last ones of its variables, latitudes before longitudes.
  std::vector<int> dimensions;
  std::vector<std::string> dimension_names;
  Extents shape;
  /// Variables of the file that describe the grid: coordinates, bounds, mesh.
  std::vector<int> variables;
  std::string lon_name, lat_name;
  /// Degrees. Of a rectilinear grid per column and row, two bounds each; of others per cell, as
  /// many bounds as `corners`. Bounds are empty where the file has none of cells that are no rows.
  std::vector<double> lon, lat, lon_bounds, lat_bounds;
  std::int64_t corners = 2;
  bool has_own_bounds = false;  ///< they are not worked out from the centres
  Cells cells;  ///< in the order of the file; without corners where it has no bounds

  /// "360 x 180, rectilinear".
  std::string text() const;
  std::int64_t size() const { return volume(shape); }
};

/// "r360x180", CDO's name of a regular grid: longitudes from 0, latitudes from south to north, of
/// an odd number of rows the outermost on the poles; nullopt for other words. Throws
/// Error{argument} for r0x5.
std::optional<FileGrid> regular_grid(const std::string& name);

/// The grid that a variable of the file is on; nullopt: none that is known. Throws Error{io} for
/// one whose coordinates cannot be used, naming what is wrong.
std::optional<FileGrid> grid_of(const DataFile& file, int variable);

/// The grid of a file to remap to: that of its first variable that has one, else of its
/// coordinates.
FileGrid only_grid(const DataFile& file);

/// Returns true if the same variables of their file describe both.
bool is_same(const FileGrid& a, const FileGrid& b);

}  // namespace epios::io
