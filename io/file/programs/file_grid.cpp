// Finds grids in a file by CF: coordinates by units, axis and standard names, then bounds, then
// cells. Also makes regular grids from a text such as a resolution.
#include "file_grid.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <numbers>
#include <sstream>
#include <string_view>
#include <utility>

#include "file_mesh.hpp"

namespace epios::io {

namespace {

[[noreturn]] void refuse(const DataFile& file, const std::string& variable,
                         const std::string& why) {
  throw Error(ErrorCode::io,
              fmt::format("file '{}', variable '{}': {}.", file.path(), variable, why));
}

const StoredVariable& at(const DataFile& file, int variable) {
  return file.variables().at(static_cast<std::size_t>(variable));
}

bool is_angle(const StoredVariable& v, const char* standard_name, const char* letter,
              const char* axis) {
  if (v.content != StoredVariable::Content::numbers) return false;
  if (v.attribute("standard_name") == standard_name) return true;
  const std::string& units = v.attribute("units");
  for (const char* form : {"degrees_{}", "degree_{}"}) {
    if (units == fmt::format(fmt::runtime(form), letter[0] == 'E' ? "east" : "north") ||
        units == fmt::format(fmt::runtime(form), letter)) {
      return true;
    }
  }
  const bool is_degrees = units.starts_with("degree") || units.starts_with("radian");
  const std::string_view name = v.name;
  return is_degrees && units.find('_') == std::string::npos &&
         (v.attribute("axis") == axis || name.starts_with(letter[0] == 'E' ? "lon" : "lat") ||
          name.starts_with(letter[0] == 'E' ? "nav_lon" : "nav_lat"));
}
bool is_lon(const StoredVariable& v) { return is_angle(v, "longitude", "E", "X"); }
bool is_lat(const StoredVariable& v) { return is_angle(v, "latitude", "N", "Y"); }

/// Variables that may be coordinates of this one: those it names, and those of its dimensions.
std::vector<int> coordinates_of(const DataFile& file, const StoredVariable& variable) {
  std::vector<int> found;
  std::istringstream words(variable.attribute("coordinates"));
  for (std::string word; words >> word;) {
    if (const int v = file.find(word); v >= 0) found.push_back(v);
  }
  for (const int d : variable.dimensions) {
    const int v = file.find(file.dimensions().at(static_cast<std::size_t>(d)).name);
    if (v >= 0) found.push_back(v);
  }
  return found;
}

/// Bounds in degrees of a coordinate, as the file has them.
struct StoredBounds {
  int variable = -1;
  std::int64_t corners = 0;
  std::vector<double> values;
};
StoredBounds bounds_of(const DataFile& file, int coordinate) {
  const StoredVariable& owner = at(file, coordinate);
  const std::string& name = owner.attribute("bounds");
  StoredBounds bounds;
  bounds.variable = name.empty() ? -1 : file.find(name);
  if (bounds.variable < 0) return bounds;
  const Extents shape = file.shape(bounds.variable);
  const Extents cells = file.shape(coordinate);
  if (shape.size() != cells.size() + 1 || !std::equal(cells.begin(), cells.end(), shape.begin())) {
    refuse(file, name,
           fmt::format("bounds of '{}' must have its dimensions and one more", owner.name));
  }
  bounds.corners = shape.back();
  bounds.values = degrees(file, bounds.variable, owner.attribute("units"));
  return bounds;
}

void describe(FileGrid& grid, const DataFile& file, int lon, int lat) {
  grid.lon_name = at(file, lon).name;
  grid.lat_name = at(file, lat).name;
  grid.lon = degrees(file, lon, "");
  grid.lat = degrees(file, lat, "");
  StoredBounds lon_bounds = bounds_of(file, lon);
  StoredBounds lat_bounds = bounds_of(file, lat);
  grid.variables = {lon, lat};
  for (const int v : {lon_bounds.variable, lat_bounds.variable}) {
    if (v >= 0) grid.variables.push_back(v);
  }
  if (lon_bounds.corners != lat_bounds.corners && lon_bounds.corners > 0 &&
      lat_bounds.corners > 0) {
    refuse(file, grid.lon_name,
           "bounds of longitudes and latitudes have different numbers of corners");
  }
  grid.has_own_bounds = lon_bounds.corners > 0 && lat_bounds.corners > 0;
  grid.lon_bounds = std::move(lon_bounds.values);
  grid.lat_bounds = std::move(lat_bounds.values);
  grid.corners = lon_bounds.corners;
}

FileGrid rectilinear(const DataFile& file, const StoredVariable& variable, int lon, int lat) {
  FileGrid grid;
  grid.kind = FileGrid::Kind::rectilinear;
  grid.dimensions.assign(variable.dimensions.end() - 2, variable.dimensions.end());
  describe(grid, file, lon, lat);
  if (grid.lon_bounds.size() != 2 * grid.lon.size()) {
    grid.lon_bounds = bounds_between(grid.lon, false);
    grid.has_own_bounds = false;
  }
  if (grid.lat_bounds.size() != 2 * grid.lat.size()) {
    grid.lat_bounds = bounds_between(grid.lat, true);
    grid.has_own_bounds = false;
  }
  grid.corners = 2;
  return grid;
}

void add_rows(FileGrid& grid) {
  grid.cells = rectilinear_cells(grid.lon_bounds, grid.lat_bounds, grid.lon);
  for (const double lat : grid.lat) {
    for (const double lon : grid.lon) {
      grid.cells.centre_lon.push_back(lon);
      grid.cells.centre_lat.push_back(lat);
    }
  }
}

void add_cells(FileGrid& grid) {
  Cells& cells = grid.cells;
  cells.centre_lon = grid.lon;
  cells.centre_lat = grid.lat;
  cells.offsets.assign(grid.lon.size() + 1, 0);
  if (!grid.has_own_bounds && grid.kind == FileGrid::Kind::curvilinear) {
    cells = curvilinear_cells(grid.shape.at(1), grid.shape.at(0), grid.lon, grid.lat);
  }
  if (!grid.has_own_bounds) return;
  const auto corners = static_cast<std::size_t>(grid.corners);
  for (std::size_t c = 0; c < grid.lon.size(); ++c) {
    for (std::size_t k = c * corners; k < (c + 1) * corners; ++k) {
      // Cells with fewer corners may have none in the last places.
      if (std::isnan(grid.lon_bounds[k]) && std::isnan(grid.lat_bounds[k])) continue;
      cells.lon.push_back(grid.lon_bounds[k]);
      cells.lat.push_back(grid.lat_bounds[k]);
    }
    cells.offsets[c + 1] = static_cast<std::int64_t>(cells.lon.size());
  }
  // Cells of two longitudes and two latitudes are rows of a grid that is written as a list.
  cells.edges = Edges::parallels;
  if (!are_boxes(cells)) cells.edges = Edges::great_circles;
}

void complete(FileGrid& grid, const DataFile& file) {
  for (const int d : grid.dimensions) {
    const StoredDimension& dimension = file.dimensions().at(static_cast<std::size_t>(d));
    grid.dimension_names.push_back(dimension.name);
    grid.shape.push_back(dimension.length);
  }
  if (grid.kind == FileGrid::Kind::rectilinear) {
    add_rows(grid);
  } else if (grid.cells.offsets.empty()) {
    add_cells(grid);
  }
}

bool has_coordinate(const DataFile& file, int coordinate, int dimension) {
  const StoredVariable& v = at(file, coordinate);
  return v.dimensions.size() == 1 && v.dimensions[0] == dimension;
}

/// Which of the candidates are longitude and latitude, on dimensions for which `fits`.
template <class Fits>
std::optional<std::pair<int, int>> pair_of(const DataFile& file, const std::vector<int>& candidates,
                                           const Fits& fits) {
  int lon = -1;
  int lat = -1;
  for (const int v : candidates) {
    if (lon < 0 && is_lon(at(file, v)) && fits(v, true)) lon = v;
    if (lat < 0 && is_lat(at(file, v)) && fits(v, false)) lat = v;
  }
  if (lon < 0 || lat < 0) return std::nullopt;
  return std::pair(lon, lat);
}

}  // namespace

std::string FileGrid::text() const {
  if (kind == Kind::unstructured) return fmt::format("{} cells", size());
  return fmt::format("{} x {}, {}", shape[1], shape[0],
                     kind == Kind::rectilinear ? "rectilinear" : "curvilinear");
}

std::optional<FileGrid> regular_grid(const std::string& name) {
  if (!name.starts_with('r')) return std::nullopt;
  const char* const end = name.data() + name.size();
  std::int64_t ni = 0;
  std::int64_t nj = 0;
  const auto first = std::from_chars(name.data() + 1, end, ni);
  if (first.ec != std::errc() || first.ptr == end || *first.ptr != 'x') return std::nullopt;
  const auto second = std::from_chars(first.ptr + 1, end, nj);
  if (second.ec != std::errc() || second.ptr != end) return std::nullopt;
  constexpr std::int64_t most = std::int64_t{1} << 31;
  if (ni < 1 || nj < 1 || ni >= most || nj >= most / ni) {
    throw Error(
        ErrorCode::argument,
        fmt::format("there is no grid '{}' (r360x180 has 360 columns and 180 rows).", name));
  }
  FileGrid grid;
  grid.dimension_names = {"lat", "lon"};
  grid.lon_name = "lon";
  grid.lat_name = "lat";
  grid.shape = {nj, ni};
  const auto columns = static_cast<double>(ni);
  const auto rows = static_cast<double>(nj);
  for (double i = 0; i < columns; ++i) {
    grid.lon.push_back(360 * i / columns);
    grid.lon_bounds.insert(grid.lon_bounds.end(),
                           {360 * (2 * i - 1) / (2 * columns), 360 * (2 * i + 1) / (2 * columns)});
  }
  // CDO does the same: an odd number of rows has one on each pole, half as high.
  const bool has_poles = nj % 2 == 1 && nj > 1;
  for (double j = 0; j < rows; ++j) {
    const auto edge = [&](double row) {
      const double lat =
          has_poles ? -90 + 180 * (2 * row - 1) / (2 * (rows - 1)) : -90 + 180 * row / rows;
      return std::clamp(lat, -90.0, 90.0);
    };
    grid.lat.push_back(has_poles ? -90 + 180 * j / (rows - 1)
                                 : -90 + 180 * (2 * j + 1) / (2 * rows));
    grid.lat_bounds.insert(grid.lat_bounds.end(), {edge(j), edge(j + 1)});
  }
  add_rows(grid);
  return grid;
}

std::optional<FileGrid> grid_of(const DataFile& file, int variable) {
  const StoredVariable& v = at(file, variable);
  if (v.content != StoredVariable::Content::numbers || v.dimensions.empty()) return std::nullopt;
  if (auto mesh = mesh_grid(file, v)) {
    complete(*mesh, file);
    return mesh;
  }
  const std::vector<int> candidates = coordinates_of(file, v);
  const std::size_t rank = v.dimensions.size();
  const int last = v.dimensions[rank - 1];
  const int before = rank < 2 ? -1 : v.dimensions[rank - 2];
  FileGrid grid;
  if (const auto found = pair_of(file, candidates, [&](int c, bool lon) {
        return before >= 0 && has_coordinate(file, c, lon ? last : before);
      })) {
    grid = rectilinear(file, v, found->first, found->second);
  } else if (const auto flat = pair_of(file, candidates, [&](int c, bool) {
               return before >= 0 && at(file, c).dimensions == std::vector<int>{before, last};
             })) {
    grid.kind = FileGrid::Kind::curvilinear;
    grid.dimensions = {before, last};
    describe(grid, file, flat->first, flat->second);
  } else if (const auto list = pair_of(
                 file, candidates, [&](int c, bool) { return has_coordinate(file, c, last); })) {
    grid.kind = FileGrid::Kind::unstructured;
    grid.dimensions = {last};
    describe(grid, file, list->first, list->second);
  } else if (pair_of(file, candidates, [&](int c, bool lon) {
               return before >= 0 && has_coordinate(file, c, lon ? before : last);
             })) {
    refuse(file, v.name, "its longitudes come before its latitudes, which is not taken");
  } else {
    return std::nullopt;
  }
  complete(grid, file);
  return grid;
}

FileGrid only_grid(const DataFile& file) {
  for (const bool data : {true, false}) {
    for (std::size_t v = 0; v < file.variables().size(); ++v) {
      const StoredVariable& variable = file.variables()[v];
      const bool is_coordinate = is_lon(variable) || is_lat(variable);
      if (data == is_coordinate) continue;
      if (auto grid = grid_of(file, static_cast<int>(v))) return *std::move(grid);
    }
  }
  // Coordinates alone, which nothing refers to.
  int lon = -1;
  int lat = -1;
  for (std::size_t v = 0; v < file.variables().size(); ++v) {
    if (lon < 0 && is_lon(file.variables()[v])) lon = static_cast<int>(v);
    if (lat < 0 && is_lat(file.variables()[v])) lat = static_cast<int>(v);
  }
  if (lon < 0 || lat < 0) {
    throw Error(ErrorCode::io,
                fmt::format("file '{}' has no grid to remap to (no longitudes and latitudes, which "
                            "standard_name or units tell). Is it the right file?",
                            file.path()));
  }
  FileGrid grid;
  const auto& dimensions = at(file, lon).dimensions;
  if (dimensions == at(file, lat).dimensions) {
    grid.kind = dimensions.size() == 2 ? FileGrid::Kind::curvilinear : FileGrid::Kind::unstructured;
    grid.dimensions = dimensions;
    describe(grid, file, lon, lat);
  } else {
    StoredVariable whole;
    whole.dimensions = {at(file, lat).dimensions.at(0), at(file, lon).dimensions.at(0)};
    grid = rectilinear(file, whole, lon, lat);
  }
  complete(grid, file);
  return grid;
}

bool is_same(const FileGrid& a, const FileGrid& b) {
  return a.variables == b.variables && a.dimensions == b.dimensions;
}

}  // namespace epios::io
