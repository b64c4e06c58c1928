/// @file
/// Reads values of a file directly, without NetCDF. Many processes can do so at once, each for its
/// own part.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "grid/pattern.hpp"

namespace epios::io {

/// Where a variable of contiguous doubles, in the byte order of this machine, lies in a file.
struct PlainVariable {
  std::int64_t offset = -1;  ///< in bytes; -1 if the variable is stored otherwise or has no values
  std::int64_t count = 0;    ///< number of values
};

/// A selection of values of a variable: the product of ascending positions along each dimension,
/// fastest dimension first.
struct PlainSelection {
  std::vector<std::int64_t> sizes;  ///< lengths of the dimensions of the variable
  std::vector<std::vector<PlaceRun>> positions;
};

/// A file that is open for reading. Makes no call of NetCDF, HDF5 or MPI; several may be used at
/// once. Throws Error{io}, which names the file.
class PlainFile {
 public:
  /// `bytes` is the size that the file must have.
  PlainFile(std::string path, std::int64_t bytes);
  PlainFile(const PlainFile&) = delete;
  PlainFile(PlainFile&&) = delete;
  PlainFile& operator=(const PlainFile&) = delete;
  PlainFile& operator=(PlainFile&&) = delete;
  ~PlainFile();

  /// Reads the values of a selection, in order, into `values`. Neighbouring ones are read together
  /// with the gaps between them, in about 1 MB of memory.
  void read(const PlainVariable& variable, const PlainSelection& selection,
            std::span<double> values) const;

 private:
  void read_bytes(std::int64_t offset, std::span<std::byte> bytes) const;
  [[noreturn]] void fail(const std::string& why) const;

  std::string path_;
  int file_ = -1;
};

}  // namespace epios::io
