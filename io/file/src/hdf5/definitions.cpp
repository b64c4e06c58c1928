// Lets netCDF-C define a file in shared memory, so that its bytes can be checked and written by our
// own means. First comes the temporary file, then dimensions, variables with their storage and
// attributes.
#include "hdf5/definitions.hpp"

#include <fmt/format.h>
#include <netcdf.h>
#include <netcdf_filter.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <limits>
#include <utility>

#include "config/error.hpp"
#include "config/index.hpp"
#include "disk/hdf5_handle.hpp"
#include "disk/posix_file.hpp"
#include "disk/value_kind.hpp"
#include "hdf5/record_space.hpp"

namespace epios::io {

namespace {

// Failed calls of netCDF-C; positive codes are errno values.
class Checker {
 public:
  explicit Checker(std::string path) : path_(std::move(path)) {}
  void operator()(int status, const std::string& problem) const {
    if (status == NC_NOERR) return;
    if (status > 0) throw Error(ErrorCode::io, system_error_text(path_, problem, status));
    const std::string why =
        status == NC_EHDFERR ? "HDF5: " + hdf5_error_text() : nc_strerror(status);
    throw Error(ErrorCode::io, fmt::format("file '{}': {} ({}). Are all names different, and "
                                           "is there memory left?",
                                           path_, problem, why));
  }

 private:
  std::string path_;
};

// The mode of nc_create().
int mode_of(FileFormat format) {
  switch (format) {
    case FileFormat::netcdf4:
      return NC_NETCDF4;
    case FileFormat::netcdf4_classic:
      return NC_NETCDF4 | NC_CLASSIC_MODEL;
    case FileFormat::cdf5:
      return NC_64BIT_DATA;
    case FileFormat::zarr:
    case FileFormat::zarr3:
      break;  // not by netCDF-C
  }
  return 0;
}
bool is_hdf5(FileFormat format) { return (mode_of(format) & NC_NETCDF4) != 0; }

// More than the definitions of a file take.
std::uint64_t bytes_at_most(const FileSpec& spec) {
  if (!is_hdf5(spec.format)) return header_bytes_at_most(spec);
  return (std::uint64_t{1} << 20) + (spec.variables.size() << 15);
}

// A file in shared memory with a name for as long as netCDF-C wants one: one by which servers that
// start find what killed ones have left. They take what nobody has locked, and netCDF-C locks its
// file only once it has opened it, so this one may lose its name before.
class MemoryFile {
 public:
  explicit MemoryFile(const FileSpec& spec) {
    int error = file_.create_temporary(path_);
    // Asked for first: netCDF-C gets through once it has started.
    if (error == 0) error = file_.reserve(0, bytes_at_most(spec));
    if (error == 0) return;
    remove();
    throw Error(ErrorCode::io,
                system_error_text(spec.path, "cannot be defined in /dev/shm", error));
  }
  MemoryFile(const MemoryFile&) = delete;
  MemoryFile(MemoryFile&&) = delete;
  MemoryFile& operator=(const MemoryFile&) = delete;
  MemoryFile& operator=(MemoryFile&&) = delete;
  ~MemoryFile() { remove(); }

  /// Returns a path that leads to this file, also when somebody else has put a link at its name.
  /// HDF5 wants to know the name nevertheless, so a file without one will not do.
  std::string path() const { return file_.path_here(); }
  /// Returns true if a starting server uses it, or has used it. The order matters: such a server
  /// locks the file, removes the name, and releases the lock.
  bool is_taken() const { return file_.lock() != 0 || file_.check_name(path_) != 0; }
  /// Returns true if netCDF-C wrote this file, and not another one of the name that it lost.
  bool is_written() const {
    std::array<std::byte, 4> front{};
    return file_.read_at(front, 0) == 0 &&
           (front[1] == std::byte{'H'} || front[0] == std::byte{'C'});
  }
  PosixFile take() { return std::move(file_); }

 private:
  void remove() const noexcept { static_cast<void>(::unlink(path_.c_str())); }

  std::string path_ = "/dev/shm/epios-define-XXXXXX";
  PosixFile file_;
};

// A netCDF file in memory; dropped when something is thrown.
class Definer {
 public:
  Definer(const FileSpec& spec, const std::string& path) : spec_(spec), check_(spec.path) {
    // Attached one by one, dimensions would cost time and space that grow with the square of the
    // number of variables: attach_dimensions() does it.
    const int dimensions = is_hdf5(spec.format) ? NC_NODIMSCALE_ATTACH : 0;
    check_(nc_create(path.c_str(), NC_CLOBBER | mode_of(spec.format) | dimensions, &file_),
           "cannot be defined");
    open_ = true;
    int before = 0;
    if (!is_hdf5(spec_.format)) check_(nc_set_fill(file_, NC_NOFILL, &before), "cannot be defined");
  }
  Definer(const Definer&) = delete;
  Definer(Definer&&) = delete;
  Definer& operator=(const Definer&) = delete;
  Definer& operator=(Definer&&) = delete;
  ~Definer() {
    if (open_) static_cast<void>(nc_abort(file_));
  }

  void define(const std::vector<RecordVariable>& records) {
    for (const DimensionSpec& dimension : spec_.dimensions) {
      int id = 0;
      check_(nc_def_dim(file_, dimension.name.c_str(), static_cast<std::size_t>(dimension.length),
                        &id),
             fmt::format("cannot define dimension '{}'", dimension.name));
      std::array<char, NC_MAX_NAME + 1> name{};
      check_(nc_inq_dimname(file_, id, name.data()), "cannot be defined");
      check_kept("dimension", dimension.name, name.data());
      dimensions_.push_back(id);
    }
    for (const VariableSpec& variable : spec_.variables) define_variable(variable);
    if (is_hdf5(spec_.format)) {
      for (const RecordVariable& record : records) define_chunks(record);
    }
    for (const FileAttribute& attribute : spec_.attributes) put(NC_GLOBAL, "", attribute);
    check_(nc_enddef(file_), "cannot write its definitions");
  }

  void close() {
    open_ = false;
    check_(nc_close(file_), "cannot be defined");
  }

 private:
  /// NetCDF composes letters with their accents. Whoever looks for the name as it is written here,
  /// like HDF5, journals and later runs, would not find it.
  void check_kept(const char* what, const std::string& wanted, const std::string& made) const {
    if (made == wanted) return;
    throw Error(ErrorCode::configuration,
                fmt::format("file '{}': the name '{}' of a {} is written with accents on their own "
                            "(NetCDF composes them with their letters: Unicode NFC). Write '{}', "
                            "which looks alike?",
                            spec_.path, wanted, what, made));
  }

  void define_variable(const VariableSpec& variable) {
    std::vector<int> dimensions;
    for (const int d : variable.dimensions) dimensions.push_back(nth(dimensions_, d));
    int id = 0;
    check_(nc_def_var(file_, variable.name.c_str(), netcdf_type(variable.kind),
                      static_cast<int>(dimensions.size()), dimensions.data(), &id),
           fmt::format("cannot define variable '{}'", variable.name));
    std::array<char, NC_MAX_NAME + 1> name{};
    check_(nc_inq_varname(file_, id, name.data()), "cannot be defined");
    check_kept("variable", variable.name, name.data());
    variables_.push_back(id);
    if (is_hdf5(spec_.format)) define_storage(id, variable);
    if (variable.mantissa_bits > 0) say_rounding(id, variable);
    bool fill_is_due = variable.fill.has_value() || variable.marks_unset;
    for (const FileAttribute& attribute : variable.attributes) {
      if (fill_is_due && attribute.name == "missing_value") {
        put_fill(id, variable);
        fill_is_due = false;
      }
      put(id, variable.name, attribute);
    }
    if (fill_is_due) put_fill(id, variable);
  }

  void define_storage(int id, const VariableSpec& variable) {
    // We write every point, unset ones too, so HDF5 must not do so before.
    check_(nc_def_var_fill(file_, id, NC_NOFILL, nullptr),
           fmt::format("cannot set fill mode of '{}'", variable.name));
    const bool is_record =
        !variable.dimensions.empty() && nth(spec_.dimensions, variable.dimensions[0]).length == 0;
    if (is_record || variable.dimensions.empty()) return;
    check_(nc_def_var_chunking(file_, id, NC_CONTIGUOUS, nullptr),
           fmt::format("cannot make '{}' contiguous", variable.name));
  }

  /// The attribute by which readers know; the rounding is ours, and the same. The library would add
  /// it behind the end of definitions, which the classic model refuses.
  void say_rounding(int id, const VariableSpec& variable) {
    const int bits = variable.mantissa_bits;
    const bool is_classic = mode_of(spec_.format) != NC_NETCDF4;
    check_(is_classic ? nc_put_att_int(file_, id, NC_QUANTIZE_BITROUND_ATT_NAME, NC_INT, 1, &bits)
                      : nc_def_var_quantize(file_, id, NC_QUANTIZE_BITROUND, bits),
           fmt::format("cannot say how '{}' is rounded", variable.name));
  }

  void put_fill(int id, const VariableSpec& variable) {
    const auto value = unset_bytes(variable);
    // Set as an attribute, because nc_def_var_fill would make HDF5 fill again.
    check_(nc_put_att(file_, id, "_FillValue", netcdf_type(variable.kind), 1, value.data()),
           fmt::format("cannot set _FillValue of '{}'", variable.name));
  }

  void define_chunks(const RecordVariable& record) {
    if (record.is_once) return;  // contiguous
    const int id = nth(variables_, record.variable);
    const std::string& name = nth(spec_.variables, record.variable).name;
    std::vector<std::size_t> chunk = {static_cast<std::size_t>(record.chunks.records_per_chunk())};
    for (const std::int64_t size : record.chunks.chunk()) {
      chunk.push_back(static_cast<std::size_t>(size));
    }
    check_(nc_def_var_chunking(file_, id, NC_CHUNKED, chunk.data()),
           fmt::format("cannot set chunks of '{}'", name));
    const Compression& compression = nth(spec_.variables, record.variable).compression;
    if (!compression.is_on()) return;
    const std::string problem = fmt::format("cannot set the compression of '{}'", name);
    const auto plugin = plugin_filter(spec_, record);
    if (!plugin) return check_(nc_def_var_deflate(file_, id, 1, 1, compression.level), problem);
    if (plugin->shuffles()) check_(nc_def_var_deflate(file_, id, 1, 0, 0), problem);
    check_(nc_def_var_filter(file_, id, static_cast<unsigned>(plugin->number()),
                             plugin->parameters().size(), plugin->parameters().data()),
           problem);
  }

  /// The classic model has no integers of 64 bits: they become doubles, which must hold them.
  void check_integers(const FileAttribute& attribute) const {
    constexpr std::int64_t most = std::int64_t{1} << std::numeric_limits<double>::digits;
    const auto* const numbers = std::get_if<std::vector<std::int64_t>>(&attribute.value);
    if (numbers == nullptr) return;
    for (const std::int64_t number : *numbers) {
      if (number >= -most && number <= most) continue;
      throw Error(ErrorCode::configuration,
                  fmt::format("file '{}': attribute '{}' cannot be {} (the classic model has no "
                              "integers of 64 bits, and a double holds others from 2^53 on). "
                              "Write it as a string, or use format=\"netcdf4\"?",
                              spec_.path, attribute.name, number));
    }
  }

  void put(int id, const std::string& variable, const FileAttribute& attribute) {
    const char* name = attribute.name.c_str();
    const bool has_int64 = config::traits_of(spec_.format).has_int64_attributes;
    if (!has_int64) check_integers(attribute);
    struct Put {
      int file, id;
      const char* name;
      bool is_classic;
      int operator()(const std::string& v) const {
        return nc_put_att_text(file, id, name, v.size(), v.data());
      }
      int operator()(const std::vector<double>& v) const {
        return nc_put_att_double(file, id, name, NC_DOUBLE, v.size(), v.data());
      }
      int operator()(const std::vector<float>& v) const {
        return nc_put_att_float(file, id, name, NC_FLOAT, v.size(), v.data());
      }
      int operator()(const std::vector<std::int64_t>& v) const {
        if (is_classic) return (*this)(std::vector<double>(v.begin(), v.end()));
        return nc_put_att(file, id, name, NC_INT64, v.size(), v.data());
      }
      int operator()(const std::vector<std::int32_t>& v) const {
        return nc_put_att_int(file, id, name, NC_INT, v.size(), v.data());
      }
      int operator()(const std::vector<std::int16_t>& v) const {
        return nc_put_att_short(file, id, name, NC_SHORT, v.size(), v.data());
      }
    };
    check_(std::visit(Put{file_, id, name, !has_int64}, attribute.value),
           id == NC_GLOBAL
               ? fmt::format("cannot write attribute '{}'", attribute.name)
               : fmt::format("cannot write attribute '{}' of '{}'", attribute.name, variable));
  }

  const FileSpec& spec_;
  Checker check_;
  int file_ = -1;
  bool open_ = false;
  std::vector<int> dimensions_;
  std::vector<int> variables_;
};

}  // namespace

std::uint64_t header_bytes_at_most(const FileSpec& spec) {
  std::uint64_t text = 0;
  const auto add = [&](const std::vector<FileAttribute>& attributes) {
    for (const FileAttribute& attribute : attributes) {
      text += attribute.name.size() + 64;
      text += std::visit([](const auto& value) { return value.size() * 8; }, attribute.value);
    }
  };
  add(spec.attributes);
  for (const DimensionSpec& dimension : spec.dimensions) text += dimension.name.size() + 64;
  for (const VariableSpec& variable : spec.variables) {
    text += variable.name.size() + 256 + 8 * variable.dimensions.size();
    add(variable.attributes);
  }
  return text + 4096;
}

PosixFile definitions(const FileSpec& spec, const std::vector<RecordVariable>& variables) {
  const Hdf5Silence silence;
  constexpr int attempts = 10;
  for (int attempt = 1;; ++attempt) {
    MemoryFile memory(spec);
    try {
      Definer definer(spec, memory.path());
      definer.define(variables);
      definer.close();
      if (memory.is_written()) return memory.take();
    } catch (const Error&) {
      if (!memory.is_taken() || attempt == attempts) throw;
    }
    if (attempt == attempts) {
      throw Error(ErrorCode::internal,
                  fmt::format("file '{}': cannot be defined (its memory was taken away). Please "
                              "report this?",
                              spec.path));
    }
  }
}

}  // namespace epios::io
