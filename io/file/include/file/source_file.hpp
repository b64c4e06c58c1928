/// @file
/// A NetCDF file that a run reads: records of fields, slab by slab.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "file/open_files.hpp"
#include "grid/box.hpp"

namespace epios::io {

class ChunkReader;
class DataFile;

/// An open file of any NetCDF format, or the files `<name>_<number>.nc` of a file `<name>.nc` that
/// does not exist (type="multiple_file"), as the whole that they make. Of the file thread; makes no
/// MPI call and communicates with nobody. All functions throw Error{io} naming the file and why.
class SourceFile {
 public:
  /// `time_name`: the dimension of records, beside unlimited ones. `open`: files that may be open
  /// already.
  SourceFile(const std::string& path, const std::string& time_name, OpenFiles* open = nullptr);
  SourceFile(const SourceFile&) = delete;
  SourceFile(SourceFile&&) = delete;
  SourceFile& operator=(const SourceFile&) = delete;
  SourceFile& operator=(SourceFile&&) = delete;
  ~SourceFile();

  const std::string& path() const { return path_; }
  /// When it was opened; none: of a set.
  const std::optional<FileIdentity>& identity() const { return identity_; }

  /// A variable as the records of a field.
  struct Variable {
    int id = -1;
    std::string name;
    bool has_records = false;         ///< its first dimension is that of records
    std::string record_dimension{};   ///< its name
    std::int64_t records = 1;         ///< without records its only one
    std::vector<int> grid_dimension;  ///< per further dimension: of the grid; -1: of length 1
    double scale_factor = 1;
    double add_offset = 0;
    std::vector<double> missing;  ///< values on file that stand for none

    bool is_packed() const { return scale_factor != 1 || add_offset != 0; }
  };
  /// How a field of grid shape `shape` (file order, see global_shape()) is read from variable
  /// `name`. Dimensions of length 1 may be missing on either side. `scale_factor` and `add_offset`
  /// replace those of the file.
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

  /// Values of a box of the grid in a record, in C order, unpacked. `missing`, if given, replaces
  /// values that stand for none.
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
  /// Which dimension is that of records, and which of the grid the others are.
  void fit_to(const std::vector<Dimension>& dimensions, const Extents& shape, Variable& out) const;
  bool is_time(const std::string& dimension) const;
  [[noreturn]] void refuse_content(const std::string& name) const;
  Stamps stamps_in_set(const Variable& variable) const;
  [[noreturn]] void refuse_stamps(const Variable& variable) const;
  void check_same(const Variable& variable, std::int64_t record) const;
  [[noreturn]] void refuse_name(const std::string& name) const;

  std::string path_;
  std::string time_name_;
  int file_ = -1;
  mutable std::map<int, Dimension> dimensions_;    // as far as they were asked for
  mutable std::vector<std::size_t> begin_, size_;  // of what is read: room that stays
  std::unique_ptr<ChunkReader> chunks_;
  std::unique_ptr<DataFile> set_;         // instead of file_
  std::optional<FileIdentity> identity_;  // when it was opened
};

}  // namespace epios::io
