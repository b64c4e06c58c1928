/// @file
/// A data set that a run reads: records of fields, slab by slab.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "config/file_facts.hpp"
#include "file/open_files.hpp"
#include "grid/box.hpp"

namespace epios::io {

class ChunkReader;
class DataFile;

/// An open file of any NetCDF format; or what DataFile makes one of: the files
/// `<name>_<number>.nc` of a file `<name>.nc` that does not exist (type="multiple_file"), or the
/// folder of a store of Zarr, which may grow meanwhile. Used on the file thread;
/// makes no MPI call and communicates with nobody. All functions throw Error{io}, which names the
/// file and the reason.
class SourceFile {
 public:
  /// `time_name` names the dimension of records, in addition to unlimited dimensions. `open` holds
  /// files that may be open already.
  SourceFile(const std::string& path, const std::string& time_name, OpenFiles* open = nullptr);
  SourceFile(const SourceFile&) = delete;
  SourceFile(SourceFile&&) = delete;
  SourceFile& operator=(const SourceFile&) = delete;
  SourceFile& operator=(SourceFile&&) = delete;
  ~SourceFile();

  const std::string& path() const { return path_; }
  /// Returns the identity at opening; not set for a set of files.
  const std::optional<FileIdentity>& identity() const { return identity_; }

  /// A variable, seen as the records of a field.
  struct Variable {
    int id = -1;
    std::string name;
    bool has_records = false;         ///< true if its first dimension counts records
    std::string record_dimension{};   ///< name of that dimension
    std::int64_t records = 1;         ///< number of records; 1 without that dimension
    std::vector<int> grid_dimension;  ///< for each further dimension: dimension of the grid, or -1
                                      ///< if its length is 1
    /// Which way each of these goes, if the coordinate of its name says so.
    std::vector<std::optional<config::Direction>> directions{};
    double scale_factor = 1;
    double add_offset = 0;
    double unsigned_span = 0;     ///< added to negative integers that the file says to have no sign
    std::vector<double> missing;  ///< values in the file that mark missing data
    /// Order of its cells, "nested" or "ring", if its grid mapping says that they are of HEALPix.
    std::string cell_order{};

    bool is_packed() const { return scale_factor != 1 || add_offset != 0; }
  };
  /// Returns how a field of grid shape `shape` (file order, see global_shape()) is read from
  /// variable `name`. Dimensions of length 1 may be missing on either side. `scale_factor` and
  /// `add_offset` replace those of the file.
  Variable find(const std::string& name, const Extents& shape,
                const std::optional<double>& scale_factor,
                const std::optional<double>& add_offset) const;

  /// The time coordinate of the records of a variable, as it stands in the file.
  struct Stamps {
    std::vector<double> values;
    std::string units;
    std::string calendar;  ///< "" without the attribute
  };
  Stamps stamps(const Variable& variable) const;

  /// Reads the values in a box of the grid in a record, in C order, unpacked. `missing`, if given,
  /// replaces missing values.
  void read(const Variable& variable, std::int64_t record, const Box& box,
            const std::optional<double>& missing, std::span<double> values) const;

 private:
  struct Dimension {
    std::string name;
    std::int64_t length = 0;
    bool is_unlimited = false;
  };
  const Dimension& dimension(int id, const std::string& problem) const;
  void check(int status, const std::string& what) const;
  void open_set();
  Variable find_in_set(const std::string& name, const Extents& shape,
                       const std::optional<double>& scale_factor,
                       const std::optional<double>& add_offset) const;
  /// Determines which dimension counts records, and which dimension of the grid each other one is.
  void fit_to(const std::vector<Dimension>& dimensions, const Extents& shape, Variable& out) const;
  std::string attribute_of(const std::string& coordinate, const char* attribute) const;
  bool is_time(const std::string& dimension) const;
  std::optional<config::Direction> direction_of(const std::string& dimension) const;
  [[noreturn]] void refuse_content(const std::string& name) const;
  Stamps stamps_in_set(const Variable& variable) const;
  [[noreturn]] void refuse_stamps(const Variable& variable) const;
  void check_same(const Variable& variable, std::int64_t record) const;
  [[noreturn]] void refuse_name(const std::string& name) const;

  std::string path_;
  std::string time_name_;
  int file_ = -1;
  mutable std::map<int, Dimension> dimensions_;                                 // filled on demand
  mutable std::map<std::string, std::optional<config::Direction>> directions_;  // likewise
  mutable std::vector<std::size_t> begin_, size_;  // buffers that are reused by reads
  std::unique_ptr<ChunkReader> chunks_;
  std::unique_ptr<DataFile> set_;         // a set or a store; used instead of file_
  std::optional<FileIdentity> identity_;  // identity at opening
};

}  // namespace epios::io
