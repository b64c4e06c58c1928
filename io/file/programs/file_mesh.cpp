// Finds the cells of a mesh by UGRID: coordinates of nodes, faces and their corners.
#include "file_mesh.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <sstream>
#include <utility>

#include "config/index.hpp"

namespace epios::io {

namespace {

/// The two variables that an attribute names, longitude first; -1: they are not there.
std::pair<int, int> two_coordinates(const DataFile& file, const std::string& names) {
  std::istringstream words(names);
  std::string first;
  std::string second;
  words >> first >> second;
  const int a = file.find(first);
  const int b = file.find(second);
  if (a < 0 || b < 0) return {-1, -1};
  const StoredVariable& v = file.variables().at(static_cast<std::size_t>(a));
  const bool is_lat = v.attribute("standard_name") == "latitude" ||
                      v.attribute("units").starts_with("degrees_n") ||
                      v.attribute("units").starts_with("degree_n");
  return is_lat ? std::pair(b, a) : std::pair(a, b);
}

[[noreturn]] void refuse_mesh(const DataFile& file, const std::string& mesh,
                              const std::string& why) {
  throw Error(ErrorCode::io, fmt::format("file '{}', mesh '{}': {}.", file.path(), mesh, why));
}

/// Faces of a mesh: corners by its nodes.
Cells faces(const DataFile& file, const StoredVariable& mesh, int connectivity) {
  const auto [lon, lat] = two_coordinates(file, mesh.attribute("node_coordinates"));
  if (lon < 0) refuse_mesh(file, mesh.name, "its node_coordinates name no two variables");
  const std::vector<double> node_lon = degrees(file, lon, "");
  const std::vector<double> node_lat = degrees(file, lat, "");
  const StoredVariable& table = file.variables().at(static_cast<std::size_t>(connectivity));
  const Extents shape = file.shape(connectivity);
  if (shape.size() != 2)
    refuse_mesh(file, mesh.name, "its face_node_connectivity has no two dimensions");
  const std::vector<double> nodes = file.stored_values(connectivity, whole(shape));
  const double start = table.number("start_index").value_or(0);
  Cells cells;
  cells.offsets.push_back(0);
  for (std::int64_t face = 0; face < shape[0]; ++face) {
    for (std::int64_t k = 0; k < shape[1]; ++k) {
      const double stored = nth(nodes, face * shape[1] + k);
      if (table.is_missing(stored)) continue;
      const double node = stored - start;
      if (!(node >= 0 && node < static_cast<double>(node_lon.size()))) {
        refuse_mesh(
            file, mesh.name,
            fmt::format("corner {} of face {} is node {}, nodes are numbered {} to {}. Is "
                        "start_index right?",
                        k, face, stored, start, start + static_cast<double>(node_lon.size()) - 1));
      }
      cells.lon.push_back(nth(node_lon, static_cast<std::int64_t>(node)));
      cells.lat.push_back(nth(node_lat, static_cast<std::int64_t>(node)));
    }
    cells.offsets.push_back(static_cast<std::int64_t>(cells.lon.size()));
  }
  return cells;
}

/// The mesh, and all that its attributes name: nodes, tables, centres.
std::vector<int> variables_of(const DataFile& file, int mesh) {
  std::vector<int> found{mesh};
  for (const StoredAttribute& attribute :
       file.variables().at(static_cast<std::size_t>(mesh)).attributes) {
    std::istringstream words(attribute.text);
    for (std::string word; words >> word;) {
      if (const int v = file.find(word); v >= 0) found.push_back(v);
    }
  }
  return found;
}

/// Bounds with as many corners for each cell, the last one repeated, for who writes them.
void add_bounds(FileGrid& grid) {
  const Cells& cells = grid.cells;
  grid.corners = 1;
  for (std::size_t c = 0; c < cells.size(); ++c) {
    grid.corners = std::max(grid.corners, cells.offsets[c + 1] - cells.offsets[c]);
  }
  for (std::size_t c = 0; c < cells.size(); ++c) {
    const std::int64_t last = cells.offsets[c + 1] - 1;
    for (std::int64_t k = 0; k < grid.corners; ++k) {
      const bool is_empty = last < cells.offsets[c];
      const auto corner = static_cast<std::size_t>(std::min(cells.offsets[c] + k, last));
      grid.lon_bounds.push_back(is_empty ? std::nan("") : cells.lon[corner]);
      grid.lat_bounds.push_back(is_empty ? std::nan("") : cells.lat[corner]);
    }
  }
  grid.has_own_bounds = true;
}

}  // namespace

std::vector<double> degrees(const DataFile& file, int variable, const std::string& units) {
  const StoredVariable& v = file.variables().at(static_cast<std::size_t>(variable));
  std::vector<double> values = file.values(variable, whole(file.shape(variable)));
  const std::string& own = v.attribute("units");
  const bool is_radian = (own.empty() ? units : own).starts_with("rad");
  for (double& value : values) {
    if (v.is_missing(value)) {
      value = std::nan("");
    } else if (is_radian) {
      value *= 180 / std::numbers::pi;
    }
  }
  return values;
}

std::optional<FileGrid> mesh_grid(const DataFile& file, const StoredVariable& variable) {
  const int mesh = file.find(variable.attribute("mesh"));
  if (mesh < 0 || variable.attribute("location") != "face") return std::nullopt;
  const StoredVariable& m = file.variables().at(static_cast<std::size_t>(mesh));
  const int connectivity = file.find(m.attribute("face_node_connectivity"));
  if (connectivity < 0) refuse_mesh(file, m.name, "its face_node_connectivity is not there");
  FileGrid grid;
  grid.kind = FileGrid::Kind::unstructured;
  grid.dimensions = {variable.dimensions.back()};
  grid.variables = variables_of(file, mesh);
  grid.lon_name = "lon";
  grid.lat_name = "lat";
  grid.cells = faces(file, m, connectivity);
  const auto count = file.dimensions().at(static_cast<std::size_t>(grid.dimensions[0])).length;
  if (static_cast<std::int64_t>(grid.cells.size()) != count) {
    refuse_mesh(
        file, m.name,
        fmt::format("it has {} faces, '{}' has {}", grid.cells.size(), variable.name, count));
  }
  const auto [lon, lat] = two_coordinates(file, m.attribute("face_coordinates"));
  if (lon >= 0) {
    grid.lon = degrees(file, lon, "");
    grid.lat = degrees(file, lat, "");
    grid.cells.centre_lon = grid.lon;
    grid.cells.centre_lat = grid.lat;
  } else {
    const CellCentres centres = centres_of(grid.cells);
    grid.lon = centres.lon;
    grid.lat = centres.lat;
  }
  add_bounds(grid);
  return grid;
}

}  // namespace epios::io
