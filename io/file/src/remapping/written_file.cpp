// A NetCDF file that one process writes at once, or copies in parts from another file.
#include "file/written_file.hpp"

#include <fmt/format.h>
#include <netcdf.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <system_error>
#include <type_traits>
#include <utility>
#include <variant>

#include "chunks/filter_plugin.hpp"
#include "config/error.hpp"
#include "config/index.hpp"
#include "disk/hdf5_handle.hpp"
#include "disk/posix_file.hpp"
#include "disk/value_kind.hpp"
#include "file/data_file.hpp"

namespace epios::io {

namespace {

std::vector<std::size_t> sizes_of(const Extents& extents) {
  return {extents.begin(), extents.end()};
}

int put(int file, int variable, const std::string& name, const AttributeValue& value) {
  const char* const n = name.c_str();
  return std::visit(
      [&](const auto& v) {
        using Value = std::decay_t<decltype(v)>;
        if constexpr (std::is_same_v<Value, std::string>) {
          return nc_put_att_text(file, variable, n, v.size(), v.c_str());
        } else if constexpr (std::is_same_v<Value, std::vector<double>>) {
          return nc_put_att_double(file, variable, n, NC_DOUBLE, v.size(), v.data());
        } else if constexpr (std::is_same_v<Value, std::vector<float>>) {
          return nc_put_att_float(file, variable, n, NC_FLOAT, v.size(), v.data());
        } else if constexpr (std::is_same_v<Value, std::vector<std::int32_t>>) {
          return nc_put_att_int(file, variable, n, NC_INT, v.size(), v.data());
        } else if constexpr (std::is_same_v<Value, std::vector<std::int16_t>>) {
          return nc_put_att_short(file, variable, n, NC_SHORT, v.size(), v.data());
        } else {
          const std::vector<long long> wide(v.begin(), v.end());
          return nc_put_att_longlong(file, variable, n, NC_INT64, wide.size(), wide.data());
        }
      },
      value);
}

}  // namespace

void refuse_to_overwrite(const std::string& output, std::span<const std::string> inputs) {
  std::error_code ignored;
  for (const std::string& input : inputs) {
    if (!std::filesystem::equivalent(input, output, ignored)) continue;
    throw Error(ErrorCode::argument,
                fmt::format("-o {}: is read, too. Write another file.", output));
  }
}

WrittenFile::WrittenFile(const std::string& path)
    : path_(path), part_(std::make_unique<PosixFile>()) {
  create();
}

WrittenFile::WrittenFile(const std::string& path, const DataFile& source)
    : path_(path), source_path_(source.path()), part_(std::make_unique<PosixFile>()) {
  const Hdf5Silence silence;
  if (!source.is_one_file()) any_ = &source;
  if (any_ == nullptr) {
    check_source(open_with_filters(source_path_, source_), "cannot be opened");
  }
  try {
    create();
  } catch (...) {
    if (source_ >= 0) static_cast<void>(nc_close(source_));
    throw;
  }
}

void WrittenFile::create() {
  const Hdf5Silence silence;
  // NetCDF-C would follow a link.
  if (const int error = part_->create(path_ + ".part"); error != 0) {
    throw Error(ErrorCode::io, system_error_text(path_, "cannot be created", error));
  }
  const int status = nc_create(part_->path_here().c_str(), NC_NETCDF4 | NC_CLOBBER, &file_);
  if (status != NC_NOERR) static_cast<void>(::unlink((path_ + ".part").c_str()));
  check(status, "cannot be created");
  int before = 0;
  check(nc_set_fill(file_, NC_NOFILL, &before), "cannot be defined");
}

WrittenFile::~WrittenFile() {
  const Hdf5Silence silence;
  if (source_ >= 0) static_cast<void>(nc_close(source_));
  if (file_ >= 0) static_cast<void>(nc_close(file_));
  const std::string part = path_ + ".part";
  if (!is_published_ && part_->check_name(part) == 0) static_cast<void>(::unlink(part.c_str()));
}

void WrittenFile::check(int status, const std::string& problem) const {
  if (status == NC_NOERR) return;
  throw Error(ErrorCode::io, fmt::format("file '{}' {} ({}). Is its folder there, and space left?",
                                         path_, problem, nc_strerror(status)));
}

void WrittenFile::check_source(int status, const std::string& problem) const {
  if (status == NC_NOERR) return;
  throw Error(ErrorCode::io, fmt::format("file '{}' {} ({}). Is it a NetCDF file, and whole?",
                                         source_path_, problem, nc_strerror(status)));
}

int WrittenFile::add_dimension(const std::string& name, std::int64_t length) {
  int id = 0;
  check(nc_def_dim(file_, name.c_str(),
                   length == 0 ? NC_UNLIMITED : static_cast<std::size_t>(length), &id),
        fmt::format("cannot have a dimension '{}'", name));
  return id;
}

int WrittenFile::add_variable(const std::string& name, ValueKind kind,
                              const std::vector<int>& dimensions) {
  int id = 0;
  check(nc_def_var(file_, name.c_str(), netcdf_type(kind), static_cast<int>(dimensions.size()),
                   dimensions.data(), &id),
        fmt::format("cannot have a variable '{}'", name));
  return id;
}

void WrittenFile::compress(int variable, int level) {
  check(nc_def_var_deflate(file_, variable, 1, 1, level), "cannot be compressed");
}

void WrittenFile::set_attribute(int variable, const FileAttribute& attribute) {
  check(put(file_, variable < 0 ? NC_GLOBAL : variable, attribute.name, attribute.value),
        fmt::format("cannot have an attribute '{}'", attribute.name));
}

void WrittenFile::copy_attributes(int from, int to, const std::vector<std::string>& except) {
  if (any_ != nullptr) return copy_any_attributes(from, to, except);
  int count = 0;
  check_source(from < 0 ? nc_inq_natts(source_, &count) : nc_inq_varnatts(source_, from, &count),
               "cannot be read");
  for (int a = 0; a < count; ++a) {
    std::array<char, NC_MAX_NAME + 1> name{};
    const int variable = from < 0 ? NC_GLOBAL : from;
    check_source(nc_inq_attname(source_, variable, a, name.data()), "cannot be read");
    if (std::find(except.begin(), except.end(), name.data()) != except.end()) continue;
    check(nc_copy_att(source_, variable, name.data(), file_, to < 0 ? NC_GLOBAL : to),
          fmt::format("cannot have an attribute '{}'", name.data()));
  }
}

int WrittenFile::add_copy(int from, const std::vector<int>& dimensions,
                          const std::vector<std::string>& except) {
  if (any_ != nullptr) return add_copy_of_any(from, dimensions, except);
  std::array<char, NC_MAX_NAME + 1> name{};
  nc_type type = NC_NAT;
  check_source(nc_inq_var(source_, from, name.data(), &type, nullptr, nullptr, nullptr),
               "cannot be read");
  int id = 0;
  check(nc_def_var(file_, name.data(), type, static_cast<int>(dimensions.size()), dimensions.data(),
                   &id),
        fmt::format("cannot have a variable '{}'", name.data()));
  copy_attributes(from, id, except);
  return id;
}

void WrittenFile::end_definitions() { check(nc_enddef(file_), "cannot be defined"); }

void WrittenFile::write(int variable, const Box& box, std::span<const double> values) {
  const Hdf5Silence silence;
  const std::vector<std::size_t> begin = sizes_of(box.begin);
  const std::vector<std::size_t> size = sizes_of(box.size);
  if (box.rank() > 0 && box.is_empty()) return;
  check(nc_put_vara_double(file_, variable, begin.data(), size.data(), values.data()),
        "cannot be written");
}

void WrittenFile::copy_values(int from, int to) {
  const Hdf5Silence silence;
  if (any_ != nullptr) return copy_any_values(from, to);
  int rank = 0;
  nc_type type = NC_NAT;
  std::array<int, NC_MAX_VAR_DIMS> dimensions{};
  std::size_t bytes = 0;
  check_source(nc_inq_var(source_, from, nullptr, &type, &rank, dimensions.data(), nullptr),
               "cannot be read");
  check_source(nc_inq_type(source_, type, nullptr, &bytes), "has a type that is not known");
  std::vector<std::size_t> begin(static_cast<std::size_t>(rank), 0);
  std::vector<std::size_t> size(static_cast<std::size_t>(rank), 0);
  for (std::size_t d = 0; d < size.size(); ++d) {
    check_source(nc_inq_dimlen(source_, dimensions.at(d), &size[d]), "cannot be read");
    bytes *= size[d];
  }
  if (bytes == 0) return;
  std::vector<std::byte> values(bytes);
  check_source(nc_get_vara(source_, from, begin.data(), size.data(), values.data()),
               "cannot be read");
  check(nc_put_vara(file_, to, begin.data(), size.data(), values.data()), "cannot be written");
  if (type == NC_STRING) {
    // NetCDF-C has allocated the texts.
    nc_free_string(bytes / sizeof(char*), reinterpret_cast<char**>(values.data()));
  }
}

/// Numbers of attributes become double, but _FillValue, which has the type of its variable.
void WrittenFile::copy_any_attributes(int from, int to, const std::vector<std::string>& except) {
  const auto& list = from < 0 ? any_->attributes() : nth(any_->variables(), from).attributes;
  const int variable = to < 0 ? NC_GLOBAL : to;
  for (const StoredAttribute& attribute : list) {
    const std::string& name = attribute.name;
    if (std::find(except.begin(), except.end(), name) != except.end()) continue;
    const std::string problem = fmt::format("cannot have an attribute '{}'", name);
    if (!attribute.is_number) {
      check(put(file_, variable, name, attribute.text), problem);
      continue;
    }
    std::vector<double> numbers;
    std::string text = attribute.text;
    std::replace(text.begin(), text.end(), ',', ' ');
    const char* at = text.c_str();
    for (char* end = nullptr;; at = end) {
      const double number = std::strtod(at, &end);
      if (end == at) break;
      numbers.push_back(number);
    }
    nc_type type = NC_DOUBLE;
    if (to >= 0 && (name == "_FillValue" || name == "missing_value")) {
      check(nc_inq_vartype(file_, to, &type), problem);
    }
    check(nc_put_att_double(file_, variable, name.c_str(), type, numbers.size(), numbers.data()),
          problem);
  }
}

int WrittenFile::add_copy_of_any(int from, const std::vector<int>& dimensions,
                                 const std::vector<std::string>& except) {
  constexpr std::array<std::pair<const char*, nc_type>, 11> types{{{"float", NC_FLOAT},
                                                                   {"double", NC_DOUBLE},
                                                                   {"byte", NC_BYTE},
                                                                   {"short", NC_SHORT},
                                                                   {"int", NC_INT},
                                                                   {"int64", NC_INT64},
                                                                   {"ubyte", NC_UBYTE},
                                                                   {"ushort", NC_USHORT},
                                                                   {"uint", NC_UINT},
                                                                   {"uint64", NC_UINT64},
                                                                   {"char", NC_CHAR}}};
  const StoredVariable& its = nth(any_->variables(), from);
  const auto* const known = std::find_if(types.begin(), types.end(),
                                         [&](const auto& type) { return type.first == its.type; });
  check_source(known == types.end() ? NC_EBADTYPE : NC_NOERR,
               fmt::format("has a variable '{}' that cannot be copied", its.name));
  int id = 0;
  check(nc_def_var(file_, its.name.c_str(), known->second, static_cast<int>(dimensions.size()),
                   dimensions.data(), &id),
        fmt::format("cannot have a variable '{}'", its.name));
  copy_attributes(from, id, except);
  return id;
}

void WrittenFile::copy_any_values(int from, int to) {
  const Box all = whole(any_->shape(from));
  if (all.rank() > 0 && all.is_empty()) return;
  const std::vector<std::size_t> begin = sizes_of(all.begin);
  const std::vector<std::size_t> size = sizes_of(all.size);
  const bool is_text = nth(any_->variables(), from).content == StoredVariable::Content::text;
  int status = NC_NOERR;
  if (is_text) {
    status = nc_put_vara_text(file_, to, begin.data(), size.data(), any_->text(from, all).data());
  } else if (any_->is_store()) {
    const std::vector<std::byte> values = any_->bytes(from, all);
    status = nc_put_vara(file_, to, begin.data(), size.data(), values.data());
  } else {
    const std::vector<double> values = any_->stored_values(from, all);
    status = nc_put_vara_double(file_, to, begin.data(), size.data(), values.data());
  }
  check(status, "cannot be written");
}

void WrittenFile::publish() {
  const Hdf5Silence silence;
  check(nc_close(std::exchange(file_, -1)), "cannot be closed");
  if (const int error = part_->rename(path_ + ".part", path_); error != 0) {
    throw Error(ErrorCode::io, system_error_text(path_, "cannot be given its name", error));
  }
  is_published_ = true;
}

}  // namespace epios::io
