/// @file
/// Record variables of a file, and the rules that a description of a file must follow.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "chunks/chunk_grid.hpp"
#include "file/output_file.hpp"

namespace epios::io {

/// A record variable and its chunks. In a format without chunks, one row has all points.
struct RecordVariable {
  int variable = 0;  ///< index into FileSpec::variables
  ChunkGrid chunks;
  bool is_compressed = false;  ///< its chunks get their places once their sizes are known
  bool is_once = false;        ///< one record, without record dimension: one contiguous chunk
  /// For Zarr 3: number of chunks in a shard along each dimension, the record dimension first
  /// unless it is written once. Empty: each chunk is a file.
  Extents shard{};

  /// Returns the number of rows of chunks that so many records need.
  std::int64_t rows(std::int64_t records) const {
    return is_once ? std::min<std::int64_t>(records, 1) : chunks.rows(records);
  }
  /// True if a record is the first one of its row.
  bool begins_row(std::int64_t record) const {
    return is_once ? record == 0 : record % chunks.records_per_chunk() == 0;
  }
};

/// Returns the record variables of a file, in the order of the spec.
std::vector<RecordVariable> record_variables(const FileSpec& spec);

/// Throws Error{internal} for a description that no file can have: lengths, indices, sizes. Checks
/// only what is the same on all writers.
void check_spec(const FileSpec& spec);

}  // namespace epios::io
