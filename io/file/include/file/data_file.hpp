/// @file
/// Reading a NetCDF file of any format, for programs that look at what was written. Not for runs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "config/error.hpp"
#include "file/open_files.hpp"
#include "file/output_file.hpp"
#include "file/plain_values.hpp"

namespace epios::io {

/// A dimension, an attribute as its text, and a variable of a file that exists.
struct StoredDimension {
  std::string name;
  std::int64_t length = 0;
  bool is_record = false;
};
struct StoredAttribute {
  std::string name;
  std::string text;
  bool operator==(const StoredAttribute&) const = default;
};
struct StoredVariable {
  std::string name;
  std::string type;  ///< "float", as ncdump says it
  /// What values() and texts() can read; nothing can be read of others.
  enum class Content { numbers, text, other } content = Content::numbers;
  std::vector<int> dimensions;  ///< into DataFile::dimensions()
  std::vector<StoredAttribute> attributes;
  Extents chunk;                  ///< empty: contiguous
  int deflate_level = 0;          ///< 0: not compressed by deflate
  std::int64_t stored_bytes = 0;  ///< of its data in the file; 0: not known
  std::int64_t value_bytes = 0;
  std::vector<double> missing;  ///< values that stand for none: _FillValue and missing_value

  /// Whether one of DataFile::values() stands for none: of packed values NaN alone.
  bool is_missing(double value) const;
  bool is_packed() const { return number("scale_factor") || number("add_offset"); }

  /// Text of an attribute, "" without it.
  const std::string& attribute(const std::string& name) const;
  /// An attribute that is one number.
  std::optional<double> number(const std::string& name) const;
};

/// A set of files of which one is missing, or that do not go together.
class IncompleteSet : public Error {
 public:
  using Error::Error;
};

/// An open file, for reading, or the files `<name>_<number>.nc` of a file `<name>.nc` that does not
/// exist (type="multiple_file"), as the whole that they make. One thread at a time. Makes no MPI
/// call and communicates with nobody. All functions throw Error{io} naming the file and why.
class DataFile {
 public:
  explicit DataFile(const std::string& path);
  DataFile(const DataFile&) = delete;
  DataFile(DataFile&&) = delete;
  DataFile& operator=(const DataFile&) = delete;
  DataFile& operator=(DataFile&&) = delete;
  ~DataFile();

  const std::string& path() const { return path_; }
  /// "NetCDF-4", "NetCDF-4 classic", "CDF-1", "CDF-2", "CDF-5".
  const std::string& format() const { return format_; }
  const std::vector<StoredDimension>& dimensions() const { return dimensions_; }
  const std::vector<StoredVariable>& variables() const { return variables_; }
  const std::vector<StoredAttribute>& attributes() const { return attributes_; }
  /// Records of the record dimension; 0 without one.
  std::int64_t records() const;
  /// Index of a variable, -1 if there is none.
  int find(const std::string& variable) const;

  /// An attribute of the file that is one number; -1: it is none.
  std::int64_t number(const std::string& attribute) const;

  /// Lengths of all dimensions of a variable.
  Extents shape(int variable) const;
  /// Numbers of a box of a variable, in C order, packed ones unpacked. 64-bit integers are rounded
  /// to double.
  std::vector<double> values(int variable, const Box& box) const;
  /// The same as they are stored, packed or not.
  std::vector<double> stored_values(int variable, const Box& box) const;
  /// The same as they stand in the file, in the variable's own type. Not of a set.
  std::vector<std::byte> bytes(int variable, const Box& box) const;
  /// Where the values of each variable lie, for who reads them without NetCDF.
  std::vector<PlainVariable> plain_variables() const;
  /// Characters of a box of a variable of text.
  std::string text(int variable, const Box& box) const;

 private:
  /// A file of a set, and what it has of each dimension of the whole.
  struct Member {
    std::unique_ptr<DataFile> file;
    std::optional<FileIdentity> identity;  ///< when it was opened
    Extents begin, size;                   ///< size 0: it has nothing of it
  };
  void open_set();
  static std::unique_ptr<DataFile> whole_member(const std::string& path);
  void place(Member& member);
  void place_gathered();
  void expect_alike() const;
  bool is_gathered(const StoredVariable& index) const;
  void count_in_whole(const Member& member, const StoredVariable& index,
                      std::vector<double>& values) const;
  void check_same(const Member& member, int variable) const;
  Box box_of(const Member& member, int variable) const;
  std::vector<double> stored_in_set(int variable, const Box& box) const;
  void check_values(int status, int variable) const;
  void read_definitions();
  std::vector<StoredAttribute> read_attributes(int variable, int count) const;
  void read_storage(int variable, StoredVariable& stored) const;
  void check(int status, const std::string& what) const;

  std::string path_;
  int file_ = -1;
  std::string format_;
  std::vector<StoredDimension> dimensions_;
  std::vector<StoredVariable> variables_;
  std::vector<StoredAttribute> attributes_;
  std::vector<Member> members_;  // of a set, by number
  std::vector<bool> is_cut_;     // of a set, per dimension
};

}  // namespace epios::io
