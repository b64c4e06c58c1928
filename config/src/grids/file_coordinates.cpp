// Finds coordinates of a grid in a file that is read, by CF: standard names, units, axis attributes
// and names. First come the tests of single variables, then pairs of longitude and latitude, then
// the wishes for axes and domains.
#include "grids/file_coordinates.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "config/file_permission.hpp"
#include "config/index.hpp"
#include "config/model.hpp"

namespace epios::config {

namespace {

using StoredVariable = FileFacts::Variable;
using Along = CoordinateWish::Along;

std::vector<std::string_view> words_of(std::string_view text) {
  std::vector<std::string_view> words;
  while (!text.empty()) {
    const std::size_t begin = text.find_first_not_of(" \t\r\n");
    if (begin == std::string_view::npos) break;
    text.remove_prefix(begin);
    const std::size_t end = std::min(text.find_first_of(" \t\r\n"), text.size());
    words.push_back(text.substr(0, end));
    text.remove_prefix(end);
  }
  return words;
}

bool says(const StoredVariable& variable, Direction direction) {
  return says_direction(direction, variable.attribute("units"), variable.attribute("axis"),
                        variable.attribute("standard_name"));
}

bool is_called(const StoredVariable& variable, Direction direction) {
  const std::string_view name = variable.name;
  return name.find(direction == Direction::longitude ? "lon" : "lat") != std::string_view::npos;
}

/// Returns true if a variable has exactly these dimensions, possibly after dimensions with one
/// value (mostly time).
bool has_dimensions(const FileFacts& file, const StoredVariable& variable,
                    std::span<const int> dimensions) {
  if (!variable.holds_numbers || variable.dimensions.size() < dimensions.size()) return false;
  const auto extra = static_cast<std::ptrdiff_t>(variable.dimensions.size() - dimensions.size());
  for (auto d = variable.dimensions.begin(); d != variable.dimensions.begin() + extra; ++d) {
    const auto& dimension = nth(file.dimensions, *d);
    if (dimension.length != 1 && !(dimension.is_unlimited && d == variable.dimensions.begin())) {
      return false;
    }
  }
  return std::equal(dimensions.begin(), dimensions.end(), variable.dimensions.begin() + extra);
}

/// The variable of bounds and how many there are per point.
struct Bounds {
  const StoredVariable* variable = nullptr;
  std::int64_t vertices = 0;
};
Bounds bounds_of(const FileFacts& file, const StoredVariable& coordinate,
                 std::span<const int> dimensions) {
  const StoredVariable* bounds = file.find(coordinate.attribute("bounds"));
  if (bounds == nullptr || bounds->dimensions.empty()) return {};
  std::vector<int> wanted(dimensions.begin(), dimensions.end());
  wanted.push_back(bounds->dimensions.back());
  if (bounds->dimensions != wanted || !bounds->holds_numbers) return {};
  return {bounds, file.length(wanted.back())};
}

/// Names that a variable itself has for its coordinates, the likely ones first.
std::vector<std::string_view> names_for(const FileFacts& file, const StoredVariable& variable) {
  std::vector<std::string_view> names = words_of(variable.attribute("coordinates"));
  const StoredVariable* mesh = file.find(variable.attribute("mesh"));
  if (mesh == nullptr) return names;
  const std::string attribute = std::string(variable.attribute("location")) + "_coordinates";
  for (const std::string_view name : words_of(mesh->attribute(attribute))) names.push_back(name);
  return names;
}

/// One of the two horizontal coordinates over these dimensions. `given`: the name it should have.
const StoredVariable* horizontal(const FileFacts& file, const StoredVariable& variable,
                                 std::span<const int> dimensions, Direction direction,
                                 const std::optional<std::string>& given) {
  std::vector<const StoredVariable*> candidates;
  const auto offer = [&](std::string_view name) {
    const StoredVariable* candidate = file.find(name);
    if (candidate == nullptr || candidate == &variable) return;
    if (has_dimensions(file, *candidate, dimensions)) candidates.push_back(candidate);
  };
  if (given) offer(*given);
  if (!candidates.empty()) return candidates.front();
  if (dimensions.size() == 1) {
    offer(nth(file.dimensions, dimensions.front()).name);
  }
  for (const std::string_view name : names_for(file, variable)) offer(name);
  const auto pick = [&](auto&& is_it) -> const StoredVariable* {
    const auto found = std::find_if(candidates.begin(), candidates.end(), is_it);
    return found == candidates.end() ? nullptr : *found;
  };
  const auto by_words = [direction](const StoredVariable* v) { return says(*v, direction); };
  const auto by_name = [direction](const StoredVariable* v) { return is_called(*v, direction); };
  if (const StoredVariable* found = pick(by_words)) return found;
  if (const StoredVariable* found = pick(by_name)) return found;
  // Not named by the variable: whatever the file has over these dimensions.
  for (const StoredVariable& other : file.variables) {
    if (&other == &variable || !has_dimensions(file, other, dimensions)) continue;
    if (says(other, direction)) return &other;
  }
  return nullptr;
}

struct Pair {
  const StoredVariable* lon = nullptr;
  const StoredVariable* lat = nullptr;
  explicit operator bool() const { return lon != nullptr && lat != nullptr && lon != lat; }
};

Pair pair_over(const FileFacts& file, const StoredVariable& variable, std::span<const int> of_lon,
               std::span<const int> of_lat, const DomainAttributes& domain) {
  return {horizontal(file, variable, of_lon, Direction::longitude, domain.lon_name),
          horizontal(file, variable, of_lat, Direction::latitude, domain.lat_name)};
}

CoordinateWish wish(std::string attribute, const StoredVariable& variable, Along along,
                    std::int64_t vertices = 0) {
  CoordinateWish out;
  out.attribute = std::move(attribute);
  out.variable = variable.name;
  out.along = along;
  out.vertices = vertices;
  return out;
}

/// Coordinates of cells, and their corners if both have them.
void add_cells(const FileFacts& file, const Pair& pair, std::span<const int> dimensions,
               const std::string& form, FileCoordinates& out) {
  out.wishes.push_back(wish("lonvalue_" + form, *pair.lon, Along::cells));
  out.wishes.push_back(wish("latvalue_" + form, *pair.lat, Along::cells));
  const Bounds lon = bounds_of(file, *pair.lon, dimensions);
  const Bounds lat = bounds_of(file, *pair.lat, dimensions);
  if (lon.variable == nullptr || lat.variable == nullptr || lon.vertices != lat.vertices) return;
  out.vertices = lon.vertices;
  out.wishes.push_back(wish("bounds_lon_" + form, *lon.variable, Along::cells, lon.vertices));
  out.wishes.push_back(wish("bounds_lat_" + form, *lat.variable, Along::cells, lat.vertices));
}

/// Corners of cells of a mesh are nodes, which connectivities name (UGRID 1.0).
void add_nodes(const FileFacts& file, const StoredVariable& variable, int cells,
               FileCoordinates& out) {
  const StoredVariable* mesh = file.find(variable.attribute("mesh"));
  const std::string location(variable.attribute("location"));
  if (mesh == nullptr || out.vertices > 0) return;
  if (location == "node") {
    out.vertices = 1;
    return;
  }
  const StoredVariable* names = file.find(mesh->attribute(location + "_node_connectivity"));
  if (names == nullptr || names->dimensions.size() != 2 || names->dimensions.front() != cells ||
      !names->holds_numbers) {
    return;
  }
  std::vector<const StoredVariable*> nodes;
  for (const std::string_view word : words_of(mesh->attribute("node_coordinates"))) {
    const StoredVariable* node = file.find(word);
    if (node != nullptr && node->dimensions.size() == 1) nodes.push_back(node);
  }
  if (nodes.size() < 2 || nodes[0]->dimensions != nodes[1]->dimensions) return;
  if (says(*nodes[0], Direction::latitude)) std::swap(nodes[0], nodes[1]);
  out.vertices = file.length(names->dimensions.back());
  for (const std::size_t n : {std::size_t{0}, std::size_t{1}}) {
    CoordinateWish bounds =
        wish(n == 0 ? "bounds_lon_1d" : "bounds_lat_1d", *nodes[n], Along::cells, out.vertices);
    bounds.connectivity = names->name;
    bounds.start_index = names->attribute("start_index") == "1" ? 1 : 0;
    bounds.node_count = file.length(nodes[n]->dimensions.front());
    out.wishes.push_back(std::move(bounds));
  }
}

void add_sides(const FileFacts& file, const Pair& pair, const DomainDimensions& d,
               FileCoordinates& out) {
  const std::array<int, 1> columns{d.columns};
  const std::array<int, 1> rows{d.rows};
  out.wishes.push_back(wish("lonvalue_1d", *pair.lon, Along::columns));
  out.wishes.push_back(wish("latvalue_1d", *pair.lat, Along::rows));
  const Bounds lon = bounds_of(file, *pair.lon, columns);
  const Bounds lat = bounds_of(file, *pair.lat, rows);
  if (lon.vertices == 2) {
    out.wishes.push_back(wish("bounds_lon_1d", *lon.variable, Along::columns, 2));
  }
  if (lat.vertices == 2) {
    out.wishes.push_back(wish("bounds_lat_1d", *lat.variable, Along::rows, 2));
  }
}

}  // namespace

FileCoordinates coordinates_of_axis(const FileFacts& file, const StoredVariable& variable,
                                    int dimension) {
  FileCoordinates out;
  if (dimension < 0) return out;
  const std::array<int, 1> dimensions{dimension};
  const StoredVariable* found = file.find(nth(file.dimensions, dimension).name);
  if (found != nullptr && !has_dimensions(file, *found, dimensions)) found = nullptr;
  for (const std::string_view name : names_for(file, variable)) {
    if (found != nullptr) break;
    const StoredVariable* candidate = file.find(name);
    if (candidate != nullptr && has_dimensions(file, *candidate, dimensions)) found = candidate;
  }
  if (found == nullptr || found == &variable) return out;
  out.wishes.push_back(wish("value", *found, Along::cells));
  const Bounds bounds = bounds_of(file, *found, dimensions);
  if (bounds.vertices == 2) {
    out.wishes.push_back(wish("bounds", *bounds.variable, Along::cells, 2));
  }
  return out;
}

FileCoordinates coordinates_of_domain(const FileFacts& file, const StoredVariable& variable,
                                      const DomainDimensions& d, const DomainAttributes& domain) {
  FileCoordinates out;
  out.type = domain.type.value_or(d.has_rows ? "rectilinear" : "unstructured");
  if (d.columns < 0 || (d.has_rows && d.rows < 0)) return out;
  if (!d.has_rows) {
    const std::array<int, 1> cells{d.columns};
    const Pair pair = pair_over(file, variable, cells, cells, domain);
    if (!pair) return out;
    add_cells(file, pair, cells, "1d", out);
    add_nodes(file, variable, d.columns, out);
    return out;
  }
  if (domain.type.value_or("rectilinear") == "rectilinear") {
    const std::array<int, 1> columns{d.columns};
    const std::array<int, 1> rows{d.rows};
    if (const Pair pair = pair_over(file, variable, columns, rows, domain)) {
      add_sides(file, pair, d, out);
      return out;
    }
  }
  if (domain.type == "rectilinear") return out;
  const std::array<int, 2> cells{d.rows, d.columns};
  if (const Pair pair = pair_over(file, variable, cells, cells, domain)) {
    out.type = "curvilinear";
    add_cells(file, pair, cells, "2d", out);
  }
  return out;
}

FileProblem problem_of(const FileFacts& file) {
  if (!file.exists && file.path.starts_with('/')) {
    return {fmt::format("file '{}' cannot be read", file.path), "it does not exist",
            "Is its name right?"};
  }
  if (!file.exists) {
    return {fmt::format("file '{}' cannot be read", file.path),
            fmt::format("it does not exist in '{}'", file.folder),
            "Names of files are relative to the folder that the run is started in; is it there?"};
  }
  std::string suggestion = file.suggestion;
  if (suggestion.empty()) suggestion = "Is it a NetCDF file, and whole?";
  if (file.error == not_allowed) suggestion = ask_for_permission;
  return {fmt::format("file '{}' cannot be opened", file.path), file.error, std::move(suggestion)};
}

}  // namespace epios::config
