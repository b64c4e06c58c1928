// Writes the output of `epios remap`: coordinates of the target grid, fields with their attributes,
// and copies of what does not depend on the grid. Everything is defined first, then fixed variables
// are written, then fields.
#include "remapped_output.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <ctime>
#include <set>
#include <sstream>

#include "config/error.hpp"

namespace epios::io {

namespace {

/// Attributes that belong to the grid of the input, or to its storage of numbers.
const std::vector<std::string> replaced{
    "_FillValue", "missing_value", "scale_factor", "add_offset", "valid_range", "valid_min",
    "valid_max", "coordinates", "grid_mapping", "mesh", "location", "cell_measures", "actual_range",
    "_Unsigned", "online_operation", "cell_methods",
    // New values have all of their bits.
    "quantization", "quantization_nsb", "quantization_nsd", "quantization_maximum_relative_error",
    "significant_digits", "_QuantizeBitRoundNumberOfSignificantBits",
    "_QuantizeBitGroomNumberOfSignificantDigits",
    "_QuantizeGranularBitRoundNumberOfSignificantDigits"};

constexpr double single_fill = 9.969209968386869e36F;  // NetCDF's own

std::string now() {
  const std::time_t time = std::time(nullptr);
  std::tm parts{};
  gmtime_r(&time, &parts);
  return fmt::format("{:04}-{:02}-{:02} {:02}:{:02}:{:02} UTC", parts.tm_year + 1900,
                     parts.tm_mon + 1, parts.tm_mday, parts.tm_hour, parts.tm_min, parts.tm_sec);
}

std::string global_attribute(const DataFile& file, const std::string& name) {
  for (const StoredAttribute& attribute : file.attributes()) {
    if (attribute.name == name) return attribute.text;
  }
  return {};
}

}  // namespace

RemappedOutput::RemappedOutput(const std::string& path, const DataFile& input,
                               const FileGrid& target)
    : input_(input), target_(target), file_(path, input) {
  for (std::size_t d = 0; d < target.shape.size(); ++d) {
    horizontal_.push_back(own_dimension(target.dimension_names[d], target.shape[d]));
  }
  add_coordinates();
}

int RemappedOutput::own_dimension(const std::string& name, std::int64_t length) {
  const auto known = dimensions_.find(name);
  if (known == dimensions_.end()) {
    const int id = file_.add_dimension(name, length);
    dimensions_.emplace(name, std::pair(id, length));
    return id;
  }
  if (known->second.second != length) {
    throw Error(
        ErrorCode::io,
        fmt::format("file '{}': its dimension '{}' and one of the target grid have the same "
                    "name. Rename one.",
                    input_.path(), name));
  }
  return known->second.first;
}

int RemappedOutput::dimension(int of_input) {
  const StoredDimension& d = input_.dimensions().at(static_cast<std::size_t>(of_input));
  return own_dimension(d.name, d.is_record ? 0 : d.length);
}

void RemappedOutput::add_coordinates() {
  const bool is_rows = target_.kind == FileGrid::Kind::rectilinear;
  const bool has_bounds = !target_.lon_bounds.empty();
  const int corners =
      has_bounds ? own_dimension(is_rows ? "bnds" : "corners", target_.corners) : -1;
  const auto add = [&](const std::string& name, const std::vector<int>& dimensions, bool is_lon) {
    const int id = file_.add_variable(name, ValueKind::float64, dimensions);
    file_.set_attribute(id, {"standard_name", std::string(is_lon ? "longitude" : "latitude")});
    file_.set_attribute(id, {"units", std::string(is_lon ? "degrees_east" : "degrees_north")});
    if (is_rows) file_.set_attribute(id, {"axis", std::string(is_lon ? "X" : "Y")});
    if (has_bounds) file_.set_attribute(id, {"bounds", name + "_bnds"});
    return id;
  };
  const auto of = [&](bool is_lon) {
    return is_rows ? std::vector<int>{horizontal_[is_lon ? 1 : 0]} : horizontal_;
  };
  lat_ = add(target_.lat_name, of(false), false);
  lon_ = add(target_.lon_name, of(true), true);
  if (!has_bounds) return;
  const auto add_bounds = [&](const std::string& name, std::vector<int> dimensions) {
    dimensions.push_back(corners);
    return file_.add_variable(name + "_bnds", ValueKind::float64, dimensions);
  };
  lat_bounds_ = add_bounds(target_.lat_name, of(false));
  lon_bounds_ = add_bounds(target_.lon_name, of(true));
}

void RemappedOutput::copy_field_attributes(int variable, int id, bool is_mean, double fill,
                                           bool is_double) {
  const StoredVariable& stored = input_.variables().at(static_cast<std::size_t>(variable));
  if (is_double) {
    file_.set_attribute(id, {"_FillValue", std::vector<double>{fill}});
  } else {
    file_.set_attribute(id, {"_FillValue", std::vector<float>{static_cast<float>(fill)}});
  }
  file_.copy_attributes(variable, id, replaced);
  std::string methods = stored.attribute("cell_methods");
  if (is_mean && methods.find("area:") == std::string::npos) {
    methods += methods.empty() ? "area: mean" : " area: mean";
  }
  if (!methods.empty()) file_.set_attribute(id, {"cell_methods", methods});
  // Coordinates that stay (scalars, times of their own), and those of cells that are no rows.
  std::string coordinates;
  const auto add = [&](const std::string& name) {
    coordinates += coordinates.empty() ? name : " " + name;
  };
  if (target_.kind != FileGrid::Kind::rectilinear) {
    add(target_.lat_name);
    add(target_.lon_name);
  }
  std::istringstream words(stored.attribute("coordinates"));
  for (std::string word; words >> word;) {
    const int v = input_.find(word);
    if (v < 0 || word == target_.lat_name || word == target_.lon_name) continue;
    const auto& on = input_.variables().at(static_cast<std::size_t>(v)).dimensions;
    const bool stays = std::all_of(on.begin(), on.end(), [&](int d) {
      return std::find(stored.dimensions.end() - static_cast<std::ptrdiff_t>(1),
                       stored.dimensions.end(), d) == stored.dimensions.end();
    });
    if (stays && input_.variables().at(static_cast<std::size_t>(v)).attribute("standard_name") !=
                     "latitude") {
      add(word);
    }
  }
  if (!coordinates.empty()) file_.set_attribute(id, {"coordinates", coordinates});
}

void RemappedOutput::add_field(int variable, std::size_t horizontal, bool is_mean) {
  const StoredVariable& stored = input_.variables().at(static_cast<std::size_t>(variable));
  std::vector<int> dimensions;
  for (std::size_t d = 0; d + horizontal < stored.dimensions.size(); ++d) {
    dimensions.push_back(dimension(stored.dimensions[d]));
  }
  dimensions.insert(dimensions.end(), horizontal_.begin(), horizontal_.end());
  const bool is_single = stored.type == "float" || stored.type == "short" ||
                         stored.type == "byte" || stored.type == "ubyte" || stored.type == "ushort";
  Field field;
  field.id = file_.add_variable(stored.name, is_single ? ValueKind::float32 : ValueKind::float64,
                                dimensions);
  const bool is_packed = stored.is_packed();
  const bool keeps = !stored.missing.empty() && std::isfinite(stored.missing.front()) && !is_packed;
  field.fill = keeps ? stored.missing.front() : single_fill;
  if (stored.deflate_level > 0) file_.compress(field.id, stored.deflate_level);
  copy_field_attributes(variable, field.id, is_mean, field.fill, !is_single);
  fields_.emplace(variable, field);
}

std::vector<std::string> RemappedOutput::add_others(const std::vector<const FileGrid*>& sources) {
  std::set<int> horizontal;
  std::set<int> described;
  for (const FileGrid* grid : sources) {
    horizontal.insert(grid->dimensions.begin(), grid->dimensions.end());
    described.insert(grid->variables.begin(), grid->variables.end());
  }
  std::vector<std::string> left_out;
  for (std::size_t v = 0; v < input_.variables().size(); ++v) {
    const int variable = static_cast<int>(v);
    const StoredVariable& stored = input_.variables()[v];
    if (fields_.contains(variable) || described.contains(variable)) continue;
    const bool is_on = std::any_of(stored.dimensions.begin(), stored.dimensions.end(),
                                   [&](int d) { return horizontal.contains(d); });
    const bool is_taken = stored.name == target_.lon_name || stored.name == target_.lat_name ||
                          stored.name == target_.lon_name + "_bnds" ||
                          stored.name == target_.lat_name + "_bnds";
    if (is_on || is_taken) {
      left_out.push_back(stored.name);
      continue;
    }
    if (stored.content == StoredVariable::Content::other && stored.type != "string") continue;
    std::vector<int> dimensions;
    for (const int d : stored.dimensions) dimensions.push_back(dimension(d));
    copies_.emplace(variable, file_.add_copy(variable, dimensions));
  }
  return left_out;
}

void RemappedOutput::end_definitions(const std::string& call) {
  file_.copy_attributes(-1, -1, {"history", "Conventions"});
  std::string conventions = global_attribute(input_, "Conventions");
  if (conventions.find("CF-") == std::string::npos) conventions = "CF-1.11";
  file_.set_attribute(-1, {"Conventions", conventions});
  const std::string before = global_attribute(input_, "history");
  file_.set_attribute(
      -1, {"history", fmt::format("{}: {}{}{}", now(), call, before.empty() ? "" : "\n", before)});
  file_.end_definitions();
}

void RemappedOutput::write_fixed() {
  const bool is_rows = target_.kind == FileGrid::Kind::rectilinear;
  const auto write_one = [&](int id, const std::vector<double>& values, std::size_t row,
                             bool is_bounds) {
    if (id < 0) return;
    Extents shape = is_rows ? Extents{target_.shape[row]} : target_.shape;
    if (is_bounds) shape.push_back(target_.corners);
    file_.write(id, whole(shape), values);
  };
  write_one(lat_, target_.lat, 0, false);
  write_one(lon_, target_.lon, 1, false);
  write_one(lat_bounds_, target_.lat_bounds, 0, true);
  write_one(lon_bounds_, target_.lon_bounds, 1, true);
  for (const auto& [from, to] : copies_) file_.copy_values(from, to);
}

void RemappedOutput::write(int variable, const Box& box, std::size_t horizontal,
                           std::vector<double>& values) {
  const Field& field = fields_.at(variable);
  for (double& value : values) {
    if (std::isnan(value)) value = field.fill;
  }
  Box to = box;
  to.begin.resize(box.rank() - horizontal);
  to.size.resize(box.rank() - horizontal);
  for (const std::int64_t length : target_.shape) {
    to.begin.push_back(0);
    to.size.push_back(length);
  }
  file_.write(field.id, to, values);
}

}  // namespace epios::io
