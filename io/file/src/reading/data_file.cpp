// Opens a data set for programs, checks and runs: reads all definitions at once, then values of
// single boxes on demand. A store of Zarr is read by its own source, a set of files by its members.
#include "file/data_file.hpp"

#include <fmt/format.h>
#include <hdf5.h>
#include <netcdf.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <system_error>
#include <utility>

#include "chunks/filter_plugin.hpp"
#include "config/error.hpp"
#include "disk/breakdown_watch.hpp"
#include "disk/hdf5_handle.hpp"
#include "grid/index.hpp"
#include "reading/attributes.hpp"
#include "reading/stored_chunks.hpp"
#include "reading/zarr_source.hpp"

namespace epios::io {

namespace {

struct TypeName {
  nc_type type;
  const char* name;
  std::int64_t bytes;
};
constexpr std::array<TypeName, 12> type_names{{{NC_BYTE, "byte", 1},
                                               {NC_CHAR, "char", 1},
                                               {NC_SHORT, "short", 2},
                                               {NC_INT, "int", 4},
                                               {NC_FLOAT, "float", 4},
                                               {NC_DOUBLE, "double", 8},
                                               {NC_UBYTE, "ubyte", 1},
                                               {NC_USHORT, "ushort", 2},
                                               {NC_UINT, "uint", 4},
                                               {NC_INT64, "int64", 8},
                                               {NC_UINT64, "uint64", 8},
                                               {NC_STRING, "string", 0}}};

const TypeName* find_type(nc_type type) {
  const auto found = std::find_if(type_names.begin(), type_names.end(),
                                  [type](const TypeName& known) { return known.type == type; });
  return found == type_names.end() ? nullptr : &*found;
}

StoredVariable::Content content_of(nc_type type) {
  if (type == NC_CHAR) return StoredVariable::Content::text;
  if (type == NC_STRING || find_type(type) == nullptr) return StoredVariable::Content::other;
  return StoredVariable::Content::numbers;
}

const char* format_name(int format) {
  switch (format) {
    case NC_FORMAT_NETCDF4:
      return "NetCDF-4";
    case NC_FORMAT_NETCDF4_CLASSIC:
      return "NetCDF-4 classic";
    case NC_FORMAT_CLASSIC:
      return "CDF-1";
    case NC_FORMAT_64BIT_OFFSET:
      return "CDF-2";
    case NC_FORMAT_64BIT_DATA:
      return "CDF-5";
    default:
      return "unknown format";
  }
}

std::vector<std::size_t> sizes_of(const Extents& extents) {
  return {extents.begin(), extents.end()};
}

}  // namespace

const std::string& StoredVariable::attribute(const std::string& wanted) const {
  static const std::string none;
  const auto found = std::find_if(attributes.begin(), attributes.end(),
                                  [&](const StoredAttribute& a) { return a.name == wanted; });
  return found == attributes.end() ? none : found->text;
}

DataFile::DataFile(const std::string& path) : path_(path) {
  std::error_code ignored;
  if (std::filesystem::is_directory(path, ignored)) {
    open_store();
    return;
  }
  const Hdf5Silence silence;
  const BreakdownWatch watch({path_.c_str()});
  const int status = open_with_filters(path, file_);
  if (status == ENOENT) open_set();
  if (!members_.empty()) return;
  check(status, "cannot be opened");
  try {
    read_definitions();
  } catch (...) {
    static_cast<void>(nc_close(file_));
    throw;
  }
}

/// What the store says is copied: it may say less of dimensions than a file (set_records()).
void DataFile::open_store() {
  store_ = std::make_unique<ZarrSource>(path_);
  const ZarrContents& contents = store_->contents();
  format_ = contents.version == 3 ? "Zarr 3" : "Zarr 2";
  dimensions_ = contents.dimensions;
  variables_ = contents.variables;
  attributes_ = contents.attributes;
}

void DataFile::set_records(const std::string& dimension) {
  for (StoredDimension& its : dimensions_) its.is_record = its.name == dimension;
}

DataFile::~DataFile() {
  if (store_) return;
  const BreakdownWatch watch({path_.c_str()});
  if (members_.empty()) static_cast<void>(nc_close(file_));
}

void DataFile::check(int status, const std::string& what) const {
  if (status == NC_NOERR) return;
  throw Error(ErrorCode::io, fmt::format("file '{}' {} ({}). Is it a NetCDF file, and whole?",
                                         path_, what, nc_strerror(status)));
}

void DataFile::check_values(int status, int variable) const {
  if (status == NC_NOERR) return;
  const std::string problem = fmt::format("has a variable '{}' that cannot be read",
                                          variables_.at(static_cast<std::size_t>(variable)).name);
  const std::string missing = missing_filter(file_, variable);
  if (missing.empty()) check(status, problem);
  throw Error(ErrorCode::io, fmt::format("file '{}' {}: {}", path_, problem, missing));
}

void DataFile::read_definitions() {
  int dimension_count = 0;
  int variable_count = 0;
  int attribute_count = 0;
  int record_dimension = -1;
  int format = 0;
  check(nc_inq(file_, &dimension_count, &variable_count, &attribute_count, &record_dimension),
        "cannot be looked at");
  check(nc_inq_format(file_, &format), "cannot be looked at");
  format_ = format_name(format);
  for (int d = 0; d < dimension_count; ++d) {
    std::array<char, NC_MAX_NAME + 1> name = {};
    std::size_t length = 0;
    check(nc_inq_dim(file_, d, name.data(), &length), "has a dimension that cannot be read");
    dimensions_.push_back({name.data(), static_cast<std::int64_t>(length), d == record_dimension});
  }
  for (int v = 0; v < variable_count; ++v) {
    std::array<char, NC_MAX_NAME + 1> name = {};
    nc_type type = NC_NAT;
    int rank = 0;
    int count = 0;
    std::array<int, NC_MAX_VAR_DIMS> dimensions = {};
    check(nc_inq_var(file_, v, name.data(), &type, &rank, dimensions.data(), &count),
          "has a variable that cannot be read");
    StoredVariable& stored = variables_.emplace_back();
    stored.name = name.data();
    const TypeName* known = find_type(type);
    stored.type = known == nullptr ? "a type of its own" : known->name;
    stored.value_bytes = known == nullptr ? 0 : known->bytes;
    stored.content = content_of(type);
    stored.dimensions.assign(dimensions.begin(), dimensions.begin() + rank);
    stored.attributes = read_attributes(v, count);
    if (stored.content == StoredVariable::Content::numbers) {
      check(read_marks(file_, v, type, stored.missing), "has an attribute that cannot be read");
    }
    read_storage(v, stored);
  }
  attributes_ = read_attributes(NC_GLOBAL, attribute_count);
}

std::vector<StoredAttribute> DataFile::read_attributes(int variable, int count) const {
  std::vector<StoredAttribute> out;
  for (int a = 0; a < count; ++a) {
    std::array<char, NC_MAX_NAME + 1> name = {};
    nc_type type = NC_NAT;
    std::size_t length = 0;
    constexpr const char* problem = "has an attribute that cannot be read";
    check(nc_inq_attname(file_, variable, a, name.data()), problem);
    check(nc_inq_att(file_, variable, name.data(), &type, &length), problem);
    StoredAttribute& stored = out.emplace_back(StoredAttribute{name.data(), {}});
    if (type == NC_CHAR) {
      stored.text.resize(length);
      check(nc_get_att_text(file_, variable, name.data(), stored.text.data()), problem);
    } else if (type == NC_STRING) {
      std::vector<char*> texts(length, nullptr);
      check(nc_get_att_string(file_, variable, name.data(), texts.data()), problem);
      for (const char* text : texts) {
        if (text != nullptr) stored.text += text;
      }
      static_cast<void>(nc_free_string(length, texts.data()));
    } else if (find_type(type) != nullptr) {
      std::vector<double> numbers(length);
      check(nc_get_att_double(file_, variable, name.data(), numbers.data()), problem);
      stored.text = fmt::format("{}", fmt::join(numbers, ", "));
      stored.is_number = true;
    }
  }
  return out;
}

void DataFile::read_storage(int variable, StoredVariable& stored) const {
  if (!format_.starts_with("NetCDF-4")) return;
  int storage = NC_CONTIGUOUS;
  std::vector<std::size_t> chunk(std::max<std::size_t>(stored.dimensions.size(), 1));
  int shuffle = 0;
  int deflate = 0;
  if (nc_inq_var_chunking(file_, variable, &storage, chunk.data()) != NC_NOERR) return;
  if (nc_inq_var_deflate(file_, variable, &shuffle, &deflate, &stored.deflate_level) != NC_NOERR) {
    return;
  }
  if (deflate == 0) stored.deflate_level = 0;
  if (storage != NC_CHUNKED) return;
  chunk.resize(stored.dimensions.size());
  stored.chunk.assign(chunk.begin(), chunk.end());
  // NetCDF does not say how many bytes its chunks take.
  const Hdf5Silence silence;
  const hid_t file = H5Fopen(path_.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT);
  if (file < 0) return;
  const hid_t dataset = H5Dopen2(file, data_set_of(file, stored.name).c_str(), H5P_DEFAULT);
  if (dataset >= 0) {
    stored.stored_bytes = static_cast<std::int64_t>(H5Dget_storage_size(dataset));
    static_cast<void>(H5Dclose(dataset));
  }
  static_cast<void>(H5Fclose(file));
}

std::vector<PlainVariable> DataFile::plain_variables() const {
  std::vector<PlainVariable> out(variables_.size());
  if (store_) return out;
  const Hdf5Silence silence;
  const BreakdownWatch watch({path_.c_str()});
  const hid_t file = H5Fopen(path_.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT);
  if (file < 0) return out;
  for (std::size_t v = 0; v < variables_.size(); ++v) {
    out[v].count = volume(shape(static_cast<int>(v)));
    const hid_t dataset =
        H5Dopen2(file, data_set_of(file, variables_[v].name).c_str(), H5P_DEFAULT);
    if (dataset < 0) continue;
    const hid_t type = H5Dget_type(dataset);
    const haddr_t offset = H5Dget_offset(dataset);  // only contiguous ones have an offset
    if (type >= 0 && H5Tequal(type, H5T_NATIVE_DOUBLE) > 0 && offset != HADDR_UNDEF) {
      out[v].offset = static_cast<std::int64_t>(offset);
    }
    if (type >= 0) static_cast<void>(H5Tclose(type));
    static_cast<void>(H5Dclose(dataset));
  }
  static_cast<void>(H5Fclose(file));
  return out;
}

std::int64_t DataFile::records() const {
  for (const StoredDimension& dimension : dimensions_) {
    if (dimension.is_record) return dimension.length;
  }
  return 0;
}

int DataFile::find(const std::string& variable) const {
  const auto found = std::find_if(variables_.begin(), variables_.end(),
                                  [&](const StoredVariable& v) { return v.name == variable; });
  return found == variables_.end() ? -1 : static_cast<int>(found - variables_.begin());
}

Extents DataFile::shape(int variable) const {
  Extents out;
  for (const int d : variables_.at(static_cast<std::size_t>(variable)).dimensions) {
    out.push_back(dimensions_.at(static_cast<std::size_t>(d)).length);
  }
  return out;
}

std::vector<double> DataFile::stored_values(int variable, const Box& box) const {
  if (!members_.empty()) return stored_in_set(variable, box);
  std::vector<double> out(static_cast<std::size_t>(box.volume()));
  if (store_) {
    store_->read(variable, box, out);
    return out;
  }
  const BreakdownWatch watch(
      {path_.c_str(), variables_.at(static_cast<std::size_t>(variable)).name.c_str()}, out.size());
  const auto begin = sizes_of(box.begin);
  const auto size = sizes_of(box.size);
  check_values(nc_get_vara_double(file_, variable, begin.data(), size.data(), out.data()),
               variable);
  return out;
}

std::int64_t DataFile::stored_bytes(int variable) const {
  return store_ ? store_->stored_bytes(variable) : variables_.at(as_index(variable)).stored_bytes;
}

std::optional<double> StoredVariable::number(const std::string& wanted) const {
  const std::string& text = attribute(wanted);
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (text.empty() || error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

double StoredVariable::unsigned_span() const {
  const bool is_integer = type == "byte" || type == "short" || type == "int";
  return io::unsigned_span(attribute("_Unsigned"), is_integer, value_bytes);
}

bool StoredVariable::is_missing(double value) const {
  if (std::isnan(value)) return true;
  return !is_packed() && is_mark(missing, value);
}

std::vector<double> DataFile::values(int variable, const Box& box) const {
  const StoredVariable& stored = variables_.at(static_cast<std::size_t>(variable));
  std::vector<double> out = stored_values(variable, box);
  if (!stored.is_packed()) return out;
  const double factor = stored.number("scale_factor").value_or(1);
  const double offset = stored.number("add_offset").value_or(0);
  const double span = stored.unsigned_span();
  for (double& value : out) {
    const double raised = value < 0 ? value + span : value;
    value = is_mark(stored.missing, value) ? std::nan("") : raised * factor + offset;
  }
  return out;
}

std::vector<std::byte> DataFile::bytes(int variable, const Box& box) const {
  if (store_) return store_->bytes(variable, box);
  const StoredVariable& stored = variables_.at(static_cast<std::size_t>(variable));
  std::vector<std::byte> out(static_cast<std::size_t>(box.volume() * stored.value_bytes));
  const BreakdownWatch watch(
      {path_.c_str(), variables_.at(static_cast<std::size_t>(variable)).name.c_str()}, out.size());
  const auto begin = sizes_of(box.begin);
  const auto size = sizes_of(box.size);
  check_values(nc_get_vara(file_, variable, begin.data(), size.data(), out.data()), variable);
  return out;
}

std::string DataFile::text(int variable, const Box& box) const {
  if (!members_.empty()) return members_.front().file->text(variable, box);  // texts are not cut
  std::string out(static_cast<std::size_t>(box.volume()), '\0');
  if (store_) {
    const std::vector<std::byte> bytes = store_->bytes(variable, box);
    if (!bytes.empty()) std::memcpy(out.data(), bytes.data(), bytes.size());
    return out;
  }
  const BreakdownWatch watch(
      {path_.c_str(), variables_.at(static_cast<std::size_t>(variable)).name.c_str()}, out.size());
  const auto begin = sizes_of(box.begin);
  const auto size = sizes_of(box.size);
  check(nc_get_vara_text(file_, variable, begin.data(), size.data(), out.data()),
        fmt::format("has a variable '{}' that cannot be read",
                    variables_.at(static_cast<std::size_t>(variable)).name));
  return out;
}

}  // namespace epios::io
