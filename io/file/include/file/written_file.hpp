/// @file
/// A NetCDF file that one process writes from beginning to end: weights, and what programs make of
/// other files. The records of a run are written with `file/output_file.hpp` instead.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "file/output_file.hpp"
#include "grid/box.hpp"

namespace epios::io {

class DataFile;
class PosixFile;

/// Throws Error{argument} if the file that a command is to write is one that it reads.
void refuse_to_overwrite(const std::string& output, std::span<const std::string> inputs);

/// A NetCDF-4 file. It is `<path>.part` until publish() gives it its name; the destructor removes
/// it if it was not published. One thread at a time, the file thread or that of a program. Makes no
/// MPI call. All functions throw Error{io}, which names the file and the reason.
class WrittenFile {
 public:
  explicit WrittenFile(const std::string& path);
  /// Makes a file, with a source from which definitions and values can be copied: a file, a set of
  /// files or a store. It must outlive this object.
  WrittenFile(const std::string& path, const DataFile& source);
  WrittenFile(const WrittenFile&) = delete;
  WrittenFile(WrittenFile&&) = delete;
  WrittenFile& operator=(const WrittenFile&) = delete;
  WrittenFile& operator=(WrittenFile&&) = delete;
  ~WrittenFile();

  /// A `length` of 0 means the record dimension.
  int add_dimension(const std::string& name, std::int64_t length);
  int add_variable(const std::string& name, ValueKind kind, const std::vector<int>& dimensions);
  /// Compresses a variable with deflate of level `level`, after shuffle.
  void compress(int variable, int level);
  /// Sets an attribute of a variable, or of the file if `variable` is -1.
  void set_attribute(int variable, const FileAttribute& attribute);

  /// Copies the attributes of a variable of the source (-1: of the file), except those with these
  /// names.
  void copy_attributes(int from, int to, const std::vector<std::string>& except);
  /// Adds a variable like one of the source, with its type and its attributes, except those with
  /// these names, on dimensions of this file.
  int add_copy(int from, const std::vector<int>& dimensions,
               const std::vector<std::string>& except = {});
  void end_definitions();

  /// Writes the numbers of a box, in C order; converts them to the kind of the variable.
  void write(int variable, const Box& box, std::span<const double> values);
  /// Copies all values of a variable of the source, which has the same lengths.
  void copy_values(int from, int to);
  void publish();

 private:
  void create();
  int add_copy_of_any(int from, const std::vector<int>& dimensions,
                      const std::vector<std::string>& except);
  void copy_any_attributes(int from, int to, const std::vector<std::string>& except);
  void copy_any_values(int from, int to);
  void check(int status, const std::string& problem) const;
  void check_source(int status, const std::string& problem) const;

  std::string path_, source_path_;
  const DataFile* any_ = nullptr;    // a source that NetCDF cannot open
  std::unique_ptr<PosixFile> part_;  // the file itself, whatever has its name
  int file_ = -1;
  int source_ = -1;
  bool is_published_ = false;
};

}  // namespace epios::io
