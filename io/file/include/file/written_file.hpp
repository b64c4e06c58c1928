/// @file
/// A NetCDF file that one process writes from beginning to end: weights, and what programs make of
/// other files. Not for the records of runs, which have `file/output_file.hpp`.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "file/output_file.hpp"
#include "grid/box.hpp"

namespace epios::io {

/// NetCDF-4. `<path>.part` until publish() gives it its name; destroyed before, it is removed. One
/// thread at a time, that of files or a program's own; makes no MPI call. All functions throw
/// Error{io} naming the file and why.
class WrittenFile {
 public:
  explicit WrittenFile(const std::string& path);
  /// The same, with a file that definitions and values are copied from.
  WrittenFile(const std::string& path, const std::string& source);
  WrittenFile(const WrittenFile&) = delete;
  WrittenFile(WrittenFile&&) = delete;
  WrittenFile& operator=(const WrittenFile&) = delete;
  WrittenFile& operator=(WrittenFile&&) = delete;
  ~WrittenFile();

  /// 0: the record dimension.
  int add_dimension(const std::string& name, std::int64_t length);
  int add_variable(const std::string& name, ValueKind kind, const std::vector<int>& dimensions);
  /// Deflate of level `level` with shuffle.
  void compress(int variable, int level);
  /// `variable` -1: of the file.
  void set_attribute(int variable, const FileAttribute& attribute);

  /// Copies attributes of a variable of the source (-1: of the file) but for some, by name.
  void copy_attributes(int from, int to, const std::vector<std::string>& except);
  /// A variable like one of the source: its type and all attributes, on dimensions of this file.
  int add_copy(int from, const std::vector<int>& dimensions);
  void end_definitions();

  /// Numbers of a box, in C order; converted to the variable's kind.
  void write(int variable, const Box& box, std::span<const double> values);
  /// All values of a variable of the source, of the lengths that it has there.
  void copy_values(int from, int to);
  void publish();

 private:
  void create();
  void check(int status, const std::string& problem) const;
  void check_source(int status, const std::string& problem) const;

  std::string path_, source_path_;
  int file_ = -1;
  int source_ = -1;
  bool is_published_ = false;
};

}  // namespace epios::io
