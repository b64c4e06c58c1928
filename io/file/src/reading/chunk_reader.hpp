/// @file
/// Chunks of files that are read: compressed ones are decompressed by several threads, others go
/// where they belong.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "grid/box.hpp"

namespace epios::io {

/// The part of a variable's chunks that makes a box of the grid in one record.
struct ChunkRequest {
  bool has_records = false;  ///< the variable's first dimension is that of records
  std::int64_t record = 0;
  std::span<const int> grid_dimension;  ///< that of SourceFile::Variable
  const Box* box = nullptr;
};

/// Reads chunks as they are stored and inflates them without HDF5, which does so on one thread and
/// with a slower library, and takes new memory for each chunk that is not compressed. Of the file
/// thread; its helpers are its own. One per file.
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
  /// anything is: the variable has no chunks, or filters beside deflate (and shuffle, before it);
  /// it has few values that are not compressed, or little of large chunks is asked for; its numbers
  /// are none of a processor's, its chunks have several records, a chunk was never written or is
  /// damaged.
  bool read(const std::string& variable, const ChunkRequest& request, std::span<double> values);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// Tells NetCDF to keep no chunks of a variable that has large ones without filters, one record
/// each: then it reads of them what is asked for and nothing else. Before others open the variable.
void read_large_chunks_in_part(int netcdf_file, int variable, bool has_records);

}  // namespace epios::io
