/// @file
/// Compressed variables of files that are read, decompressed by several threads.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "grid/box.hpp"

namespace epios::io {

/// What of a variable's chunks makes a box of the grid in one record.
struct ChunkRequest {
  bool has_records = false;  ///< the variable's first dimension is that of records
  std::int64_t record = 0;
  std::span<const int> grid_dimension;  ///< as SourceFile::Variable has it
  const Box* box = nullptr;
};

/// Reads chunks as they are stored and inflates them without HDF5, which does so on one thread and
/// with a slower library. Of the file thread; its helpers are its own. One per file.
class ChunkReader {
 public:
  /// Nothing is opened yet.
  explicit ChunkReader(std::string path);
  ChunkReader(const ChunkReader&) = delete;
  ChunkReader(ChunkReader&&) = delete;
  ChunkReader& operator=(const ChunkReader&) = delete;
  ChunkReader& operator=(ChunkReader&&) = delete;
  ~ChunkReader();

  /// The values in C order. False: these are to be read by NetCDF, which says what is wrong if
  /// anything is: the variable is not deflated (and shuffled, at most), its numbers are none of a
  /// processor's, its chunks have several records, a chunk was never written or is damaged.
  bool read(const std::string& variable, const ChunkRequest& request, std::span<double> values);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace epios::io
