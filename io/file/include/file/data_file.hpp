/// @file
/// Reads a NetCDF file of any format or a store of Zarr: all that reads a data set asks this.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "config/error.hpp"
#include "file/open_files.hpp"
#include "file/output_file.hpp"
#include "file/plain_values.hpp"

namespace epios::io {

class ZarrSource;

/// A dimension, an attribute as text, and a variable of an existing file.
struct StoredDimension {
  std::string name;
  std::int64_t length = 0;
  bool is_record = false;
};
struct StoredAttribute {
  std::string name;
  std::string text;        ///< of numbers "1, 2"
  bool is_number = false;  ///< it is one number, or several
  /// Numbers are equal to the same text: files of some formats have no types of attributes.
  bool operator==(const StoredAttribute& other) const {
    return name == other.name && text == other.text;
  }
};
struct StoredVariable {
  std::string name;
  std::string type;  ///< the name that ncdump uses, such as "float"
  /// The function that can read the variable: values(), texts(), or none.
  enum class Content { numbers, text, other } content = Content::numbers;
  std::vector<int> dimensions;  ///< indices into DataFile::dimensions()
  std::vector<StoredAttribute> attributes;
  Extents chunk;                  ///< empty if contiguous
  int deflate_level = 0;          ///< 0 if deflate does not compress it
  std::int64_t stored_bytes = 0;  ///< see DataFile::stored_bytes()
  std::int64_t value_bytes = 0;
  std::vector<double> missing;  ///< values that mark missing data: _FillValue and missing_value
  std::string unreadable{};  ///< why its values cannot be read (in a store of Zarr); "" if they can

  /// Returns true if one of DataFile::values() is missing; for packed variables only NaN is.
  bool is_missing(double value) const;
  /// Returns true if its values are not the numbers as they are stored.
  bool is_packed() const {
    return number("scale_factor") || number("add_offset") || unsigned_span() > 0;
  }
  /// Returns what is added to negative integers that the file says to have no sign, or 0.
  double unsigned_span() const;

  /// Returns the text of an attribute, or "".
  const std::string& attribute(const std::string& name) const;
  /// Returns an attribute that is one number.
  std::optional<double> number(const std::string& name) const;
};

/// A set of files that is incomplete or inconsistent.
class IncompleteSet : public Error {
 public:
  using Error::Error;
};

/// An open file, for reading; or the files `<name>_<number>.nc` of a file `<name>.nc` that does not
/// exist (type="multiple_file"), as the whole that they form; or a folder that is a store of Zarr,
/// of version 2 with its fill_value as the attribute _FillValue. One thread at a time. Makes no MPI
/// call and communicates with nobody. All functions throw Error{io}, which names the file and the
/// reason.
class DataFile {
 public:
  explicit DataFile(const std::string& path);
  DataFile(const DataFile&) = delete;
  DataFile(DataFile&&) = delete;
  DataFile& operator=(const DataFile&) = delete;
  DataFile& operator=(DataFile&&) = delete;
  ~DataFile();

  const std::string& path() const { return path_; }
  /// Returns "NetCDF-4", "NetCDF-4 classic", "CDF-1", "CDF-2", "CDF-5", "Zarr 2" or "Zarr 3".
  const std::string& format() const { return format_; }
  const std::vector<StoredDimension>& dimensions() const { return dimensions_; }
  const std::vector<StoredVariable>& variables() const { return variables_; }
  const std::vector<StoredAttribute>& attributes() const { return attributes_; }
  /// Returns true for a store of Zarr. No dimension of it is unlimited: those of time are taken for
  /// dimensions of records.
  bool is_store() const { return store_ != nullptr; }
  /// Returns true for what NetCDF can open by its path: neither a store nor a set.
  bool is_one_file() const { return store_ == nullptr && members_.empty(); }
  /// Makes a dimension of a store that of records, which has no time to be known by.
  void set_records(const std::string& dimension);
  /// Returns the length of the record dimension, 0 without one.
  std::int64_t records() const;
  /// Returns the index of a variable, or -1.
  int find(const std::string& variable) const;

  /// Returns an attribute of the file that is one number, or -1.
  std::int64_t number(const std::string& attribute) const;

  /// Returns the lengths of all dimensions of a variable.
  Extents shape(int variable) const;
  /// Returns the numbers in a box of a variable, in C order, packed ones unpacked. Rounds 64-bit
  /// integers to double.
  std::vector<double> values(int variable, const Box& box) const;
  /// Returns the numbers as they are stored, packed or not.
  std::vector<double> stored_values(int variable, const Box& box) const;
  /// Returns how many bytes the data of a variable take in the file; 0 if that is unknown.
  std::int64_t stored_bytes(int variable) const;
  /// Returns the numbers as they stand in the file, in the type of the variable. Not for a set.
  std::vector<std::byte> bytes(int variable, const Box& box) const;
  /// Returns the numbers in a box of a variable of 64-bit integers, exactly; unsigned ones as their
  /// two's complement.
  std::vector<std::int64_t> long_integers(int variable, const Box& box) const;
  /// Returns where the values of each variable lie, for readers without NetCDF.
  std::vector<PlainVariable> plain_variables() const;
  /// Returns the characters in a box of a text variable.
  std::string text(int variable, const Box& box) const;

 private:
  /// A file of a set, and its share of each dimension of the whole.
  struct Member {
    std::unique_ptr<DataFile> file;
    std::optional<FileIdentity> identity;  ///< identity at opening
    Extents begin, size;                   ///< size 0 if it has nothing of the dimension
  };
  void open_store();
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
  using MemberValues = std::function<std::vector<double>(const Member&, int, const Box&)>;
  std::vector<double> put_together(int variable, const Box& box, const MemberValues& values) const;
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
  std::unique_ptr<ZarrSource> store_;  // for a store; used instead of file_
  std::vector<Member> members_;        // for a set, by number
  std::vector<bool> is_cut_;           // for a set, per dimension
};

}  // namespace epios::io
