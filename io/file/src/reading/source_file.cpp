// Reads records of fields from a file of any format. It fits a variable to the grid, finds its
// dimension of records and its marks of missing values, and reads boxes, by chunks where that pays.
#include "file/source_file.hpp"

#include <fmt/format.h>
#include <netcdf.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <limits>
#include <string_view>
#include <utility>

#include "chunks/filter_plugin.hpp"
#include "config/error.hpp"
#include "config/file_facts.hpp"
#include "config/file_permission.hpp"
#include "config/index.hpp"
#include "config/suggestion.hpp"
#include "disk/breakdown_watch.hpp"
#include "disk/hdf5_handle.hpp"
#include "file/data_file.hpp"
#include "reading/attributes.hpp"
#include "reading/chunk_reader.hpp"
#include "reading/classic_header.hpp"

namespace epios::io {

namespace {

std::string text_of(const Extents& shape) {
  return shape.empty() ? std::string("one value") : fmt::format("{}", fmt::join(shape, " x "));
}

/// Which dimension of the grid each of `lengths` is, where dimensions of length 1 may be missing on
/// either side; none: they do not go together.
std::optional<std::vector<int>> grid_dimensions(std::span<const std::int64_t> lengths,
                                                const Extents& shape) {
  const std::vector<std::optional<std::int64_t>> sizes(shape.begin(), shape.end());
  const auto fitted = config::fit_dimensions(lengths, sizes);
  if (!fitted) return std::nullopt;
  std::vector<int> out(lengths.size(), -1);
  for (std::size_t d = 0; d < fitted->size(); ++d) {
    const int at = (*fitted)[d];
    if (at >= 0) nth(out, at) = static_cast<int>(d);
  }
  return out;
}

/// Values of a variable, and its marks, have no sign if `span` is not 0.
void take_sign(SourceFile::Variable& variable, double span) {
  variable.unsigned_span = span;
  for (double& mark : variable.missing) mark += mark < 0 ? span : 0;
}

}  // namespace

SourceFile::SourceFile(const std::string& path, const std::string& time_name, OpenFiles* open)
    : path_(path), time_name_(time_name) {
  std::error_code problem;
  if (is_nowhere(path)) open_set();
  if (set_) return;
  if (is_nowhere(path) && path.starts_with('/')) {
    throw Error(
        ErrorCode::io,
        fmt::format("file '{}' cannot be read (it does not exist). Is its name right?", path));
  }
  if (is_nowhere(path)) {
    throw Error(ErrorCode::io,
                fmt::format("file '{}' cannot be read (it does not exist in '{}'). Names of files "
                            "are relative to the folder that the run is started in; is it there?",
                            path, std::filesystem::current_path(problem).string()));
  }
  identity_ = file_identity(path);
  if (std::filesystem::is_directory(path, problem)) {
    set_ = std::make_unique<DataFile>(path);
    return;
  }
  const Hdf5Silence silence;
  const BreakdownWatch watch({path_.c_str()});
  if (const std::string why = classic_problem(path); !why.empty()) {
    throw Error(ErrorCode::io,
                fmt::format("file '{}' cannot be read ({}). {}", path, why,
                            why == config::not_allowed ? config::ask_for_permission
                                                       : "Has it been copied in whole?"));
  }
  if (open != nullptr) file_ = open->take(path);
  if (file_ < 0) check(open_with_filters(path, file_), "cannot be opened");
  int format = 0;
  if (nc_inq_format_extended(file_, &format, nullptr) == NC_NOERR && format == NC_FORMATX_NC_HDF5) {
    chunks_ = std::make_unique<ChunkReader>(path);
  }
}

/// Beyond the end of a file that has become shorter netcdf-c and HDF5 read zeros.
void SourceFile::check_same(const Variable& variable, std::int64_t record) const {
  if (file_identity(path_) == identity_) return;
  throw Error(ErrorCode::io,
              fmt::format("file '{}' has been changed since it was opened (record {} of variable "
                          "'{}' is not read). Does another program write to it?",
                          path_, record, variable.name));
}

SourceFile::~SourceFile() {
  const Hdf5Silence silence;
  const BreakdownWatch watch({path_.c_str()});
  chunks_.reset();
  if (!set_) static_cast<void>(nc_close(file_));
}

void SourceFile::check(int status, const std::string& what) const {
  if (status == NC_NOERR) return;
  throw Error(ErrorCode::io, fmt::format("file '{}' {} ({}). Is it a NetCDF file, and whole?",
                                         path_, what, nc_strerror(status)));
}

void SourceFile::refuse_name(const std::string& name) const {
  int count = 0;
  std::vector<std::string> names;
  if (set_) {
    for (const StoredVariable& variable : set_->variables()) names.push_back(variable.name);
    count = static_cast<int>(names.size());
  } else {
    check(nc_inq_nvars(file_, &count), "cannot be looked at");
  }
  for (int v = 0; !set_ && v < count; ++v) {
    std::array<char, NC_MAX_NAME + 1> text = {};
    check(nc_inq_varname(file_, v, text.data()), "cannot be looked at");
    names.emplace_back(text.data());
  }
  const std::vector<std::string_view> candidates(names.begin(), names.end());
  const std::string guess = config::did_you_mean(name, candidates);
  throw Error(ErrorCode::io,
              fmt::format("file '{}' has no variable '{}' (it has {}). {}", path_, name, count,
                          guess.empty() ? "Say its name with name=\"...\" of the field." : guess));
}

void SourceFile::refuse_content(const std::string& name) const {
  throw Error(ErrorCode::io, fmt::format("variable '{}' of file '{}' cannot be read (it holds no "
                                         "numbers). Is its name right?",
                                         name, path_));
}

void SourceFile::fit_to(const std::vector<Dimension>& dimensions, const Extents& shape,
                        Variable& out) const {
  Extents lengths;
  for (const Dimension& dimension : dimensions) lengths.push_back(dimension.length);
  std::optional<std::vector<int>> fitting;
  const auto take_records = [&] {
    out.has_records = true;
    out.records = dimensions.front().length;
    out.record_dimension = dimensions.front().name;
    fitting = grid_dimensions(std::span(lengths).subspan(1), shape);
  };
  if (!dimensions.empty() &&
      (dimensions.front().is_unlimited || dimensions.front().name == time_name_)) {
    take_records();
  } else {
    if (!dimensions.empty() && is_time(dimensions.front().name)) take_records();
    if (!fitting) {
      out.has_records = false;
      out.records = 1;
      fitting = grid_dimensions(lengths, shape);
    }
  }
  if (!fitting) {
    throw Error(ErrorCode::io,
                fmt::format("variable '{}' of file '{}' does not fit its field (it is {}, the grid "
                            "is {}, beside records; slowest first). Is it another grid, or a "
                            "dimension too many?",
                            out.name, path_, text_of(lengths), text_of(shape)));
  }
  out.grid_dimension = *std::move(fitting);
  for (std::size_t d = out.has_records ? 1 : 0; d < dimensions.size(); ++d) {
    out.directions.push_back(direction_of(dimensions[d].name));
  }
}

/// "" without the attribute, or without the coordinate.
std::string SourceFile::attribute_of(const std::string& coordinate, const char* attribute) const {
  if (set_) {
    const int id = set_->find(coordinate);
    return id < 0 ? std::string() : nth(set_->variables(), id).attribute(attribute);
  }
  int id = -1;
  return nc_inq_varid(file_, coordinate.c_str(), &id) == NC_NOERR
             ? text_attribute(file_, id, attribute)
             : std::string();
}

/// Returns true if a dimension of fixed length is one of time, according to the attributes of its
/// coordinate.
bool SourceFile::is_time(const std::string& dimension) const {
  return config::says_time(dimension, attribute_of(dimension, "units"),
                           attribute_of(dimension, "axis"),
                           attribute_of(dimension, "standard_name"));
}

/// Coordinates of which attributes say both go nowhere.
std::optional<config::Direction> SourceFile::direction_of(const std::string& dimension) const {
  const auto [known, is_new] = directions_.try_emplace(dimension);
  if (!is_new) return known->second;
  const auto says = [&](config::Direction direction) {
    return config::says_direction(direction, attribute_of(dimension, "units"),
                                  attribute_of(dimension, "axis"),
                                  attribute_of(dimension, "standard_name"));
  };
  using enum config::Direction;
  if (says(longitude) != says(latitude)) known->second = says(longitude) ? longitude : latitude;
  return known->second;
}

/// Each is asked for once: of one that grows, NetCDF asks all variables how long they are.
const SourceFile::Dimension& SourceFile::dimension(int id, const std::string& problem) const {
  const auto known = dimensions_.find(id);
  if (known != dimensions_.end()) return known->second;
  int count = 0;
  std::array<int, NC_MAX_DIMS> unlimited = {};
  check(nc_inq_unlimdims(file_, &count, unlimited.data()), problem);
  const std::span<const int> growing(unlimited.data(), static_cast<std::size_t>(count));
  std::array<char, NC_MAX_NAME + 1> text = {};
  std::size_t length = 0;
  check(nc_inq_dim(file_, id, text.data(), &length), problem);
  const bool grows = std::find(growing.begin(), growing.end(), id) != growing.end();
  return dimensions_.emplace(id, Dimension{text.data(), static_cast<std::int64_t>(length), grows})
      .first->second;
}

namespace {

/// `scheme` is that of CF, `order` that of older tools.
std::string order_of_cells(const std::string& scheme, const std::string& order) {
  if (scheme == "nested" || scheme == "ring") return scheme;
  return order == "nest" || order == "nested" ? "nested" : order == "ring" ? "ring" : "";
}

}  // namespace

/// A set that is not whole is an error of its own; without any of its files there is none.
void SourceFile::open_set() {
  try {
    set_ = std::make_unique<DataFile>(path_);
  } catch (const IncompleteSet&) {
    throw;
  } catch (const Error&) {  // there is none
  }
}

SourceFile::Variable SourceFile::find_in_set(const std::string& name, const Extents& shape,
                                             const std::optional<double>& scale_factor,
                                             const std::optional<double>& add_offset) const {
  Variable out;
  out.name = name;
  out.id = set_->find(name);
  if (out.id < 0) refuse_name(name);
  const StoredVariable& stored = nth(set_->variables(), out.id);
  if (stored.content != StoredVariable::Content::numbers) refuse_content(name);
  if (!stored.unreadable.empty()) {
    throw Error(ErrorCode::io, fmt::format("file '{}' has a variable '{}' that cannot be read ({})",
                                           path_, name, stored.unreadable));
  }
  std::vector<Dimension> dimensions;
  for (const int d : stored.dimensions) {
    const StoredDimension& its = nth(set_->dimensions(), d);
    dimensions.push_back({its.name, its.length, its.is_record && !set_->is_store()});
  }
  fit_to(dimensions, shape, out);
  out.missing = stored.missing;
  take_sign(out, stored.unsigned_span());
  const int mapping = set_->find(stored.attribute("grid_mapping"));
  if (mapping >= 0)
    out.cell_order = order_of_cells(nth(set_->variables(), mapping).attribute("indexing_scheme"),
                                    nth(set_->variables(), mapping).attribute("healpix_order"));
  out.scale_factor = scale_factor.value_or(stored.number("scale_factor").value_or(1));
  out.add_offset = add_offset.value_or(stored.number("add_offset").value_or(0));
  return out;
}

void SourceFile::refuse_stamps(const Variable& variable) const {
  throw Error(ErrorCode::io,
              fmt::format("variable '{}' of file '{}' has no dates (time_from_file=\"true\" "
                          "wants a variable '{}' with units). Count records instead?",
                          variable.name, path_,
                          variable.has_records ? variable.record_dimension : time_name_));
}

SourceFile::Stamps SourceFile::stamps_in_set(const Variable& variable) const {
  int id = variable.has_records ? set_->find(variable.record_dimension) : -1;
  if (id < 0 && variable.has_records) id = set_->find(time_name_);
  if (id < 0) refuse_stamps(variable);
  const StoredVariable& stored = nth(set_->variables(), id);
  const Extents shape = set_->shape(id);
  if (shape != Extents{variable.records} || stored.attribute("units").empty()) {
    refuse_stamps(variable);
  }
  return {set_->values(id, {{0}, shape}), stored.attribute("units"), stored.attribute("calendar")};
}

SourceFile::Variable SourceFile::find(const std::string& name, const Extents& shape,
                                      const std::optional<double>& scale_factor,
                                      const std::optional<double>& add_offset) const {
  if (set_) return find_in_set(name, shape, scale_factor, add_offset);
  const Hdf5Silence silence;
  const BreakdownWatch watch({path_.c_str(), name.c_str()});
  Variable out;
  out.name = name;
  if (nc_inq_varid(file_, name.c_str(), &out.id) != NC_NOERR) refuse_name(name);
  const std::string problem = fmt::format("has a variable '{}' that cannot be looked at", name);
  nc_type type = NC_NAT;
  int rank = 0;
  std::array<int, NC_MAX_VAR_DIMS> ids = {};
  check(nc_inq_var(file_, out.id, nullptr, &type, &rank, ids.data(), nullptr), problem);
  if (const std::string missing = missing_filter(file_, out.id); !missing.empty()) {
    throw Error(ErrorCode::io, fmt::format("file '{}' has a variable '{}' that cannot be read: {}",
                                           path_, name, missing));
  }
  if (type == NC_CHAR || type == NC_STRING || type > NC_MAX_ATOMIC_TYPE) {
    refuse_content(name);
  }
  std::vector<Dimension> dimensions;
  dimensions.reserve(static_cast<std::size_t>(rank));
  for (int d = 0; d < rank; ++d) {
    dimensions.push_back(dimension(ids.at(static_cast<std::size_t>(d)), problem));
  }
  fit_to(dimensions, shape, out);
  if (chunks_) read_large_chunks_in_part(file_, out.id, out.has_records);
  out.scale_factor =
      scale_factor.value_or(number_attribute(file_, out.id, "scale_factor").value_or(1));
  out.add_offset = add_offset.value_or(number_attribute(file_, out.id, "add_offset").value_or(0));
  check(read_marks(file_, out.id, type, out.missing), problem);
  std::size_t value_bytes = 0;
  check(nc_inq_type(file_, type, nullptr, &value_bytes), problem);
  const bool is_integer = type == NC_BYTE || type == NC_SHORT || type == NC_INT;
  take_sign(out, unsigned_span(text_attribute(file_, out.id, "_Unsigned"), is_integer,
                               static_cast<std::int64_t>(value_bytes)));
  int mapping = -1;
  if (nc_inq_varid(file_, text_attribute(file_, out.id, "grid_mapping").c_str(), &mapping) ==
      NC_NOERR) {
    out.cell_order = order_of_cells(text_attribute(file_, mapping, "indexing_scheme"),
                                    text_attribute(file_, mapping, "healpix_order"));
  }
  return out;
}

SourceFile::Stamps SourceFile::stamps(const Variable& variable) const {
  if (set_) return stamps_in_set(variable);
  const Hdf5Silence silence;
  const BreakdownWatch watch({path_.c_str(), variable.record_dimension.c_str()});
  Stamps out;
  int id = -1;
  int rank = 0;
  const bool is_there = variable.has_records &&
                        (nc_inq_varid(file_, variable.record_dimension.c_str(), &id) == NC_NOERR ||
                         nc_inq_varid(file_, time_name_.c_str(), &id) == NC_NOERR) &&
                        nc_inq_varndims(file_, id, &rank) == NC_NOERR && rank == 1;
  if (is_there) out.units = text_attribute(file_, id, "units");
  if (out.units.empty()) refuse_stamps(variable);
  out.calendar = text_attribute(file_, id, "calendar");
  out.values.resize(static_cast<std::size_t>(variable.records));
  const std::size_t begin = 0;
  const std::size_t count = out.values.size();
  check(nc_get_vara_double(file_, id, &begin, &count, out.values.data()),
        "has a time coordinate that cannot be read");
  unpack(file_, id, out.values);
  return out;
}

void SourceFile::read(const Variable& variable, std::int64_t record, const Box& box,
                      const std::optional<double>& missing, std::span<double> values) const {
  const Hdf5Silence silence;
  const BreakdownWatch watch(
      {path_.c_str(), variable.name.c_str(), record},
      BreakdownWatch::limit_s(identity_ ? identity_->bytes : 0, values.size()));
  std::vector<std::size_t>& begin = begin_;
  std::vector<std::size_t>& size = size_;
  begin.clear();
  size.clear();
  if (variable.has_records) {
    begin.push_back(static_cast<std::size_t>(record));
    size.push_back(1);
  }
  for (const int d : variable.grid_dimension) {
    const auto at = static_cast<std::size_t>(std::max(d, 0));
    begin.push_back(d < 0 ? 0 : static_cast<std::size_t>(box.begin[at]));
    size.push_back(d < 0 ? 1 : static_cast<std::size_t>(box.size[at]));
  }
  check_same(variable, record);
  if (set_) {
    try {
      const std::vector<double> read = set_->stored_values(
          variable.id, {{begin.begin(), begin.end()}, {size.begin(), size.end()}});
      std::copy(read.begin(), read.end(), values.begin());
    } catch (const Error& error) {
      throw error.within(fmt::format("record {} of variable '{}' of file '{}' cannot be read",
                                     record, variable.name, path_));
    }
  }
  const ChunkRequest request{variable.has_records, record, variable.grid_dimension, &box};
  const bool is_there = set_ || (chunks_ && chunks_->read(variable.name, request, values));
  if (!is_there) {
    check(nc_get_vara_double(file_, variable.id, begin.data(), size.data(), values.data()),
          fmt::format("has a variable '{}' whose record {} cannot be read", variable.name, record));
  }
  check_same(variable, record);
  if (variable.unsigned_span > 0) {
    for (double& value : values) value += value < 0 ? variable.unsigned_span : 0;
  }
  if (missing) {
    for (double& value : values) {
      const bool is_missing = std::isnan(value) || is_mark(variable.missing, value);
      value = is_missing ? *missing : value * variable.scale_factor + variable.add_offset;
    }
  } else if (variable.is_packed()) {
    for (double& value : values) value = value * variable.scale_factor + variable.add_offset;
  }
}

}  // namespace epios::io
