#pragma once

#include <mpi.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "datatypes/signature.hpp"

namespace ep {

/// A run of blocks of one length at equal distances.
struct BlockRun {
  std::int64_t offset;
  std::int64_t length;
  std::int64_t stride;
  std::int64_t repeat;
};

/// The memory blocks of a datatype in the order of its type map, neighbours joined.
class BlockList {
 public:
  void add(BlockRun run);
  /// Adds `times` copies of `inner`, `stride` apart, the first at `offset`.
  void place(const BlockList& inner, std::int64_t offset, std::int64_t times, std::int64_t stride);
  const std::vector<BlockRun>& runs() const noexcept { return runs_; }

 private:
  std::vector<BlockRun> runs_;
};

/// The bytes that elements occupy, from the first to the last.
struct Span {
  std::int64_t begin;  ///< relative to the buffer's address; may be negative
  std::int64_t size;
};

/// A decomposed datatype. Immutable; outlives the MPI handle.
struct TypeMap {
  std::int64_t size = 0;
  std::int64_t extent = 0;
  bool named = false;  ///< predefined, so never freed
  /// The one predefined datatype of which it consists; MPI_DATATYPE_NULL if there are several, or
  /// none.
  MPI_Datatype basic = MPI_DATATYPE_NULL;
  BlockList blocks;
  std::shared_ptr<const Signature> signature;

  /// True if `count` elements are one block, which begins at runs()[0].offset.
  bool is_dense(std::int64_t count) const noexcept {
    const auto& runs = blocks.runs();
    return runs.size() == 1 && runs[0].repeat == 1 && (count == 1 || runs[0].length == extent);
  }
  Span span(std::int64_t count) const noexcept;
};

/// Returns the map of a datatype. Decomposes the datatype at first use and keeps the map until MPI
/// frees the datatype. Later calls do not take MPI's lock. Throws EP_ERR_TYPE for MPI_DATATYPE_NULL
/// and for a datatype that is not committed.
std::shared_ptr<const TypeMap> map_of(MPI_Datatype type);

}  // namespace ep
