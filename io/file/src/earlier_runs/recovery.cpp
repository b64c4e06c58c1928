// Makes a file of what a killed run has left. It reads the journal, defines the same variables in a
// new file, copies durable records, fills the others, and publishes the file under its name.
#include "file/recovery.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <netcdf.h>
#include <netcdf_filter.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstddef>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>
#include <system_error>
#include <utility>

#include "chunks/filter_plugin.hpp"
#include "config/error.hpp"
#include "config/index.hpp"
#include "disk/breakdown_watch.hpp"
#include "disk/hdf5_handle.hpp"
#include "disk/posix_file.hpp"
#include "disk/value_kind.hpp"
#include "earlier_runs/journal.hpp"
#include "earlier_runs/store_recovery.hpp"
#include "formats/cdf_header.hpp"

namespace epios::io {

namespace {

[[noreturn]] void refuse(const std::string& part, const std::string& why,
                         const std::string& suggestion) {
  throw Error(ErrorCode::io,
              fmt::format("file '{}' cannot be recovered ({}). {}", part, why, suggestion));
}

/// Durable records by variable.
std::map<std::string, std::int64_t> read_journal(const std::string& part) {
  const std::string path = part + ".records";
  const std::ifstream file(path);
  if (!file) {
    const int error = errno;
    if (error != ENOENT) {
      refuse(part,
             fmt::format("its journal '{}' cannot be read ({})", path,
                         std::generic_category().message(error)),
             "Is it yours? Other users cannot read it.");
    }
    refuse(part, fmt::format("its journal '{}' is not there", path),
           "Nothing says which records are whole; is it beside the file?");
  }
  std::ostringstream text;
  text << file.rdbuf();
  Journal journal = parse_journal(text.view());
  if (!journal.problem.empty()) {
    refuse(part, fmt::format("its journal '{}' {}", path, journal.problem), journal.suggestion);
  }
  return std::move(journal.records);
}

constexpr const char* torn =
    "Was it cut, or the run killed while it flushed? Then its structure is torn.";

class OpenFile {
 public:
  enum class Role { left, made };
  OpenFile(std::string name, Role role) : name_(std::move(name)), role_(role) {}
  OpenFile(const OpenFile&) = delete;
  OpenFile(OpenFile&&) = delete;
  OpenFile& operator=(const OpenFile&) = delete;
  OpenFile& operator=(OpenFile&&) = delete;
  ~OpenFile() {
    if (id >= 0) static_cast<void>(nc_close(id));
  }
  void close() { check(nc_close(std::exchange(id, -1)), "cannot be closed"); }
  void check(int status, const std::string& problem) const {
    if (status == NC_NOERR) return;
    if (role_ == Role::left) {
      refuse(name_, fmt::format("it {}: {}", problem, nc_strerror(status)), torn);
    }
    throw Error(ErrorCode::io, fmt::format("file '{}': {} ({}). Is there space left?", name_,
                                           problem, nc_strerror(status)));
  }
  const std::string& name() const { return name_; }
  int id = -1;

 private:
  std::string name_;
  Role role_;
};

struct Variable {
  std::string name;
  nc_type type = NC_NAT;
  std::vector<int> dimensions;
  std::int64_t durable = -1;  // records of a variable that are durable; -1 if it has none
};

/// Copies definitions and data.
class Copy {
 public:
  /// `format`: of both, as netCDF-C names it.
  Copy(const OpenFile& from, const OpenFile& to, int format)
      : from_(from), to_(to), has_chunks_(format != NC_FORMAT_CDF5) {}

  void define(const std::vector<Variable>& variables, std::int64_t records, int record_dimension) {
    int dimensions = 0;
    check(nc_inq_ndims(from_.id, &dimensions), "cannot be read");
    for (int d = 0; d < dimensions; ++d) {
      std::array<char, NC_MAX_NAME + 1> name{};
      std::size_t length = 0;
      int id = 0;
      check(nc_inq_dim(from_.id, d, name.data(), &length), "has a dimension that cannot be read");
      const bool is_record = d == record_dimension;
      to_.check(nc_def_dim(to_.id, name.data(), is_record ? NC_UNLIMITED : length, &id),
                "cannot define a dimension");
      lengths_.push_back(is_record ? static_cast<std::size_t>(records) : length);
    }
    for (std::size_t v = 0; v < variables.size(); ++v) define(static_cast<int>(v), variables[v]);
    copy_attributes(NC_GLOBAL, NC_GLOBAL);
    to_.check(nc_enddef(to_.id), "cannot be defined");
  }

  void copy_data(int number, const Variable& variable) {
    std::vector<std::size_t> begin(variable.dimensions.size(), 0);
    std::vector<std::size_t> size;
    std::size_t bytes = 0;
    check(nc_inq_type(from_.id, variable.type, nullptr, &bytes), "has a type that is not known");
    for (const int d : variable.dimensions) size.push_back(nth(lengths_, d));
    std::size_t pieces = 1;
    if (variable.durable >= 0) {
      pieces = static_cast<std::size_t>(variable.durable);
      if (!is_once(variable)) size[0] = 1;
    }
    for (const std::size_t length : size) bytes *= length;
    std::vector<std::byte> values(bytes);
    for (std::size_t piece = 0; piece < pieces; ++piece) {
      if (variable.durable >= 0 && !is_once(variable)) begin[0] = piece;
      check(nc_get_vara(from_.id, number, begin.data(), size.data(), values.data()),
            fmt::format("cannot be read where '{}' should be durable", variable.name));
      to_.check(nc_put_vara(to_.id, number, begin.data(), size.data(), values.data()),
                fmt::format("cannot write '{}'", variable.name));
    }
  }

  /// Records that others have and this variable has not: as if nobody had written them.
  void fill_rest(int number, const Variable& variable, std::int64_t records) const {
    if (is_once(variable)) records = 1;
    if (variable.durable < 0 || variable.durable >= records) return;
    std::vector<std::size_t> begin(variable.dimensions.size(), 0);
    std::vector<std::size_t> size;
    std::size_t points = 1;
    if (!is_once(variable)) size.push_back(1);
    for (std::size_t d = size.size(); d < variable.dimensions.size(); ++d) {
      size.push_back(nth(lengths_, variable.dimensions[d]));
      points *= size.back();
    }
    const std::vector<std::byte> value = unset_value(number, variable);
    std::vector<std::byte> values(points * value.size());
    for (std::size_t p = 0; p < points; ++p) {
      std::copy(value.begin(), value.end(),
                values.begin() + static_cast<std::ptrdiff_t>(p * value.size()));
    }
    for (std::int64_t record = variable.durable; record < records; ++record) {
      if (!is_once(variable)) begin[0] = static_cast<std::size_t>(record);
      to_.check(nc_put_vara(to_.id, number, begin.data(), size.data(), values.data()),
                fmt::format("cannot write '{}'", variable.name));
    }
  }

  void set_record_dimension(int dimension) { record_dimension_ = dimension; }

 private:
  /// Returns the value of unset points in a regularly closed file: its fill value, or else NaN, or
  /// NetCDF's default for integers.
  std::vector<std::byte> unset_value(int number, const Variable& variable) const {
    std::size_t bytes = 0;
    check(nc_inq_type(from_.id, variable.type, nullptr, &bytes), "has a type that is not known");
    std::vector<std::byte> value(bytes);
    std::size_t length = 0;
    nc_type type = NC_NAT;
    if (nc_inq_att(from_.id, number, "_FillValue", &type, &length) == NC_NOERR && length == 1 &&
        type == variable.type) {
      check(nc_get_att(from_.id, number, "_FillValue", value.data()), "cannot be read");
      return value;
    }
    for (const ValueKind kind : {ValueKind::float32, ValueKind::float64, ValueKind::int16,
                                 ValueKind::int32, ValueKind::int64, ValueKind::text}) {
      VariableSpec alike;
      alike.kind = kind;
      if (netcdf_type(kind) == variable.type) return unset_bytes(alike);
    }
    return value;
  }

  /// Returns true for a variable of the journal without the dimension of records.
  bool is_once(const Variable& variable) const {
    return variable.dimensions.empty() || variable.dimensions[0] != record_dimension_;
  }
  void check(int status, const std::string& problem) const { from_.check(status, problem); }

  void define(int number, const Variable& variable) {
    int id = 0;
    to_.check(
        nc_def_var(to_.id, variable.name.c_str(), variable.type,
                   static_cast<int>(variable.dimensions.size()), variable.dimensions.data(), &id),
        fmt::format("cannot define '{}'", variable.name));
    if (has_chunks_) define_storage(number, id, variable);
    copy_attributes(number, id);
  }

  void define_storage(int number, int id, const Variable& variable) {
    int storage = NC_CONTIGUOUS;
    std::vector<std::size_t> chunk(std::max<std::size_t>(variable.dimensions.size(), 1));
    int shuffle = 0;
    int deflate = 0;
    int level = 0;
    check(nc_inq_var_chunking(from_.id, number, &storage, chunk.data()), "cannot be read");
    check(nc_inq_var_deflate(from_.id, number, &shuffle, &deflate, &level), "cannot be read");
    if (storage == NC_CHUNKED) {
      to_.check(nc_def_var_chunking(to_.id, id, storage, chunk.data()), "cannot set chunks");
    }
    if (deflate != 0) {
      to_.check(nc_def_var_deflate(to_.id, id, shuffle, deflate, level), "cannot set compression");
    } else {
      define_plugins(number, id, shuffle, variable.name);
    }
  }

  /// Filters that come as plug-ins, as they are.
  void define_plugins(int number, int id, int shuffle, const std::string& name) {
    if (const std::string missing = missing_filter(from_.id, number); !missing.empty()) {
      refuse(from_.name(), fmt::format("variable '{}' cannot be read", name), missing);
    }
    std::size_t count = 0;
    check(nc_inq_var_filter_ids(from_.id, number, &count, nullptr), "cannot be read");
    std::vector<unsigned> filters(count);
    check(nc_inq_var_filter_ids(from_.id, number, &count, filters.data()), "cannot be read");
    if (shuffle != 0) to_.check(nc_def_var_deflate(to_.id, id, 1, 0, 0), "cannot set compression");
    for (const unsigned filter : filters) {
      if (filter == static_cast<unsigned>(H5Z_FILTER_SHUFFLE)) continue;
      std::size_t length = 0;
      check(nc_inq_var_filter_info(from_.id, number, filter, &length, nullptr), "cannot be read");
      std::vector<unsigned> parameters(length);
      check(nc_inq_var_filter_info(from_.id, number, filter, &length, parameters.data()),
            "cannot be read");
      to_.check(nc_def_var_filter(to_.id, id, filter, length, parameters.data()),
                "cannot set compression");
    }
  }

  void copy_attributes(int from, int to) {
    int count = 0;
    check(from == NC_GLOBAL ? nc_inq_natts(from_.id, &count)
                            : nc_inq_varnatts(from_.id, from, &count),
          "cannot be read");
    for (int a = 0; a < count; ++a) {
      std::array<char, NC_MAX_NAME + 1> name{};
      check(nc_inq_attname(from_.id, from, a, name.data()), "cannot be read");
      to_.check(nc_copy_att(from_.id, from, name.data(), to_.id, to),
                fmt::format("cannot write attribute '{}'", name.data()));
    }
  }

  const OpenFile& from_;
  const OpenFile& to_;
  std::vector<std::size_t> lengths_;
  bool has_chunks_;
  int record_dimension_ = -1;
};

int creation_mode(int format) {
  if (format == NC_FORMAT_CDF5) return NC_64BIT_DATA;
  return format == NC_FORMAT_NETCDF4_CLASSIC ? NC_NETCDF4 | NC_CLASSIC_MODEL : NC_NETCDF4;
}

/// A CDF-5 file that was cut opens nevertheless, and what is missing reads as zero.
void check_length(const std::string& part, std::int64_t records) {
  PosixFile file;
  std::uint64_t bytes = 0;
  int error = file.open(part);
  if (error == 0) error = file.size(bytes);
  // Longer headers are not ours.
  constexpr std::uint64_t most = std::uint64_t{1} << 28;
  std::vector<std::byte> head(static_cast<std::size_t>(std::min(bytes, most)));
  if (error == 0) error = file.read_at(head, 0);
  if (error != 0) throw Error(ErrorCode::io, system_error_text(part, "cannot be read", error));
  const std::uint64_t wanted =
      read_cdf_header(head, part).file_bytes(static_cast<std::uint64_t>(records));
  if (bytes >= wanted) return;
  refuse(part, fmt::format("it has {} bytes, {} are needed for {} records", bytes, wanted, records),
         "Was it cut?");
}

std::vector<Variable> variables_of(const OpenFile& file) {
  int count = 0;
  file.check(nc_inq_nvars(file.id, &count), "cannot be read");
  std::vector<Variable> out(static_cast<std::size_t>(count));
  for (int v = 0; v < count; ++v) {
    std::array<char, NC_MAX_NAME + 1> name{};
    std::array<int, NC_MAX_VAR_DIMS> dimensions{};
    int rank = 0;
    Variable& variable = nth(out, v);
    file.check(
        nc_inq_var(file.id, v, name.data(), &variable.type, &rank, dimensions.data(), nullptr),
        "has a variable that cannot be read");
    variable.name = name.data();
    variable.dimensions.assign(dimensions.begin(), dimensions.begin() + rank);
  }
  return out;
}

/// A file or folder that is gone whatever happens, unless it has another name by then.
class RemovedAtEnd {
 public:
  explicit RemovedAtEnd(std::string path) : path_(std::move(path)) {}
  RemovedAtEnd(const RemovedAtEnd&) = delete;
  RemovedAtEnd(RemovedAtEnd&&) = delete;
  RemovedAtEnd& operator=(const RemovedAtEnd&) = delete;
  RemovedAtEnd& operator=(RemovedAtEnd&&) = delete;
  ~RemovedAtEnd() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }

 private:
  std::string path_;
};

/// Nothing of another job is replaced. Not all file systems know both ways.
void move_to_free_name(const std::string& from, const std::string& to) {
  if (::renameat2(AT_FDCWD, from.c_str(), AT_FDCWD, to.c_str(), RENAME_NOREPLACE) == 0) return;
  const bool is_unknown = errno == EINVAL || errno == ENOSYS;
  if (is_unknown && ::link(from.c_str(), to.c_str()) == 0) return;
  // A folder has one name; it replaces an empty one at most.
  std::error_code ignored;
  const bool is_folder = std::filesystem::is_directory(from, ignored);
  if (is_unknown && is_folder && std::rename(from.c_str(), to.c_str()) == 0) return;
  throw Error(ErrorCode::io, system_error_text(to, "cannot be made", errno));
}

/// The name of the file to be made.
std::string final_path(const std::string& part, const std::string& wanted) {
  constexpr std::string_view ending = ".part";
  if (!part.ends_with(ending)) {
    refuse(part, "its name does not end in '.part'", "Name what the run has left, FILE.nc.part.");
  }
  std::string path = wanted.empty() ? part.substr(0, part.size() - ending.size()) : wanted;
  std::error_code ignored;
  if (!std::filesystem::exists(part, ignored) && std::filesystem::is_directory(path, ignored)) {
    refuse(part, fmt::format("it does not exist, and '{}' does", path),
           "With live=\"true\" a store has its name from its first record on and ends with the "
           "records of its last flush: there is nothing to recover.");
  }
  if (std::filesystem::exists(path, ignored)) {
    refuse(part, fmt::format("there is a file '{}' already", path),
           "Give another name with --output, or move it away.");
  }
  return path;
}

/// Checks that no job writes it any more. The lock is not kept, since HDF5 locks the file, too.
void expect_left(const std::string& part) {
  PosixFile locked;
  int error = locked.open(part);
  if (error == 0) error = locked.lock();
  if (error != 0) throw Error(ErrorCode::io, system_error_text(part, "cannot be recovered", error));
  static_cast<void>(locked.close());
}

[[noreturn]] void refuse_made(const std::string& part, const std::string& made) {
  refuse(part, fmt::format("there is a file '{}' already", made),
         "Does somebody recover it now? Else remove what an earlier attempt has left.");
}

/// A store, in the folder `part`.
void recover_folder(const std::string& part, std::int64_t most_records, Recovery& out) {
  PosixFile lock;
  int error = lock.open_own(part + "/.epios.lock");
  if (error == 0) error = lock.lock();
  if (error != 0 && error != ENOENT) {
    throw Error(ErrorCode::io, system_error_text(part, "cannot be recovered", error));
  }
  const std::string made = out.path + ".recovered";
  std::map<std::string, std::int64_t> journal = read_journal(part);
  if (::mkdir(made.c_str(), 0777) != 0) {
    if (errno == EEXIST) refuse_made(part, made);
    throw Error(ErrorCode::io, system_error_text(made, "cannot be created", errno));
  }
  const RemovedAtEnd unfinished(made);
  recover_store(part, made, std::move(journal), most_records, out);
  move_to_free_name(made, out.path);
}

}  // namespace

Recovery recover_file(const std::string& part, const std::string& wanted,
                      std::int64_t most_records) {
  Recovery out;
  out.path = final_path(part, wanted);
  std::error_code ignored;
  if (std::filesystem::is_directory(part, ignored)) {
    recover_folder(part, most_records, out);
    return out;
  }
  const Hdf5Silence silence;
  expect_left(part);
  std::map<std::string, std::int64_t> journal = read_journal(part);
  // All of it is copied.
  const BreakdownWatch watch({part.c_str()}, std::filesystem::file_size(part, ignored));
  OpenFile from(part, OpenFile::Role::left);
  if (const int status = open_with_filters(part, from.id); status != NC_NOERR) {
    from.id = -1;
    refuse(part, nc_strerror(status), torn);
  }
  std::vector<Variable> variables = variables_of(from);
  int record_dimension = -1;
  from.check(nc_inq_unlimdim(from.id, &record_dimension), "cannot be read");
  for (Variable& variable : variables) {
    const auto promised = journal.find(variable.name);
    if (promised == journal.end()) continue;
    variable.durable = promised->second;
    const bool has_records =
        !variable.dimensions.empty() && variable.dimensions[0] == record_dimension;
    if (has_records) variable.durable = std::min(variable.durable, most_records);
    if (has_records) out.records = std::max(out.records, variable.durable);
    journal.erase(promised);
  }
  if (!journal.empty()) {
    refuse(part, fmt::format("its journal names '{}', which it has not", journal.begin()->first),
           "Are the two of one run?");
  }
  int format = NC_FORMAT_NETCDF4;
  from.check(nc_inq_format(from.id, &format), "cannot be read");
  if (format == NC_FORMAT_CDF5) check_length(part, out.records);
  const std::string made = out.path + ".recovered";
  OpenFile to(made, OpenFile::Role::made);
  const int status = nc_create(made.c_str(), NC_NOCLOBBER | creation_mode(format), &to.id);
  if (status == NC_EEXIST) refuse_made(part, made);
  to.check(status, "cannot be created");
  const RemovedAtEnd unfinished(made);
  Copy copy(from, to, format);
  copy.set_record_dimension(record_dimension);
  copy.define(variables, out.records, record_dimension);
  for (std::size_t v = 0; v < variables.size(); ++v) {
    copy.copy_data(static_cast<int>(v), variables[v]);
    copy.fill_rest(static_cast<int>(v), variables[v], out.records);
    const bool has_records = variables[v].durable >= 0 && !variables[v].dimensions.empty() &&
                             variables[v].dimensions[0] == record_dimension;
    const std::int64_t full = has_records ? out.records : 1;
    if (variables[v].durable >= 0 && variables[v].durable < full) {
      out.shorter.push_back({variables[v].name, variables[v].durable});
    }
  }
  to.close();
  move_to_free_name(made, out.path);
  return out;
}

}  // namespace epios::io
