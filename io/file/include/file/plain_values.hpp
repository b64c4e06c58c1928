/// @file
/// Reading values of a file as they lie there, without NetCDF: what many processes do at once, each
/// its own part.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "grid/pattern.hpp"

namespace epios::io {

/// Where a variable of contiguous doubles, in this machine's order of bytes, lies in a file.
struct PlainVariable {
  std::int64_t offset = -1;  ///< in bytes; -1: it lies otherwise, or has no values at all
  std::int64_t count = 0;    ///< of values
};

/// Which values of a variable: the product of ascending positions along each dimension, the fastest
/// first.
struct PlainSelection {
  std::vector<std::int64_t> sizes;  ///< of the variable
  std::vector<std::vector<PlaceRun>> positions;
};

/// A file that is open for reading. Makes no call of NetCDF, HDF5 or MPI; several may be used at
/// once. Throws Error{io} naming the file.
class PlainFile {
 public:
  /// `bytes`: the size that the file has to have.
  PlainFile(std::string path, std::int64_t bytes);
  PlainFile(const PlainFile&) = delete;
  PlainFile(PlainFile&&) = delete;
  PlainFile& operator=(const PlainFile&) = delete;
  PlainFile& operator=(PlainFile&&) = delete;
  ~PlainFile();

  /// The values of a selection, in order, to `values`. Neighbouring ones are read together, with
  /// gaps between them; about 1 MB of memory.
  void read(const PlainVariable& variable, const PlainSelection& selection,
            std::span<double> values) const;

 private:
  void read_bytes(std::int64_t offset, std::span<std::byte> bytes) const;
  [[noreturn]] void fail(const std::string& why) const;

  std::string path_;
  int file_ = -1;
};

}  // namespace epios::io
