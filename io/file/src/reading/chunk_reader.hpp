/// @file
/// Reads chunks of files: several threads decompress compressed ones, others go to their place
/// directly.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "grid/box.hpp"

namespace epios::io {

/// The part of a variable's chunks that makes a box of the grid in one record.
struct ChunkRequest {
  bool has_records = false;  ///< the first dimension of the variable counts records
  std::int64_t record = 0;
  std::span<const int> grid_dimension;  ///< that of SourceFile::Variable
  const Box* box = nullptr;
};

/// Reads chunks as stored and decompresses them without HDF5, which does so on one thread with a
/// slower library, and allocates memory for each uncompressed chunk. Used on the file thread, with
/// helper threads of its own. One object per file.
class ChunkReader {
 public:
  /// Opens nothing yet.
  explicit ChunkReader(std::string path);
  ChunkReader(const ChunkReader&) = delete;
  ChunkReader(ChunkReader&&) = delete;
  ChunkReader& operator=(const ChunkReader&) = delete;
  ChunkReader& operator=(ChunkReader&&) = delete;
  ~ChunkReader();

  /// Reads the values in C order. Returns false if NetCDF must read them, which also says what is
  /// wrong, if anything: the variable has no chunks, or other filters than deflate (and shuffle
  /// before it); it has few uncompressed values, or little of large chunks is requested; its number
  /// type is not that of the processor; its chunks have several records; or a chunk was never
  /// written or is damaged.
  bool read(const std::string& variable, const ChunkRequest& request, std::span<double> values);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// Makes NetCDF cache no chunks of a variable with large unfiltered chunks of one record each, so
/// that it reads only what is requested. Call it before others open the variable.
void read_large_chunks_in_part(int netcdf_file, int variable, bool has_records);

}  // namespace epios::io
