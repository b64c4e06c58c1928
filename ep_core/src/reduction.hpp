#pragma once

#include <mpi.h>

#include <cstddef>
#include <memory>
#include <vector>

#include "datatype.hpp"
#include "rank_table.hpp"
#include "schedule.hpp"

namespace ep {

/// Memory for `count` elements of a type that may have gaps.
class ElementBuffer {
 public:
  ElementBuffer(int count, MPI_Datatype type);
  /// What MPI calls the buffer: the lower bound may be before the allocation.
  void* data() noexcept { return base_; }

 private:
  std::unique_ptr<std::byte[]> memory_;
  void* base_;
};

/// out[i] = left[i] op right[i]. `out` may be `left` or `right`. Predefined operations on
/// predefined arithmetic types run here, without MPI's global lock; the rest through
/// MPI_Reduce_local.
void combine(MPI_Op op, MPI_Datatype type, int count, const void* left, const void* right,
             void* out);

/// Evaluates the fixed binary tree over ranks 0..n-1: the node over [lo, hi) combines [lo, mid) and
/// [mid, hi) with mid - lo the largest power of two below hi - lo. Each process combines the
/// subtrees it owns (the owner of a node is the process of its first rank) and sends what others
/// need, so neither placement nor process count changes the order of operations.
class OrderedReduction {
 public:
  /// `inputs[slot]`: data of this process's endpoints.
  OrderedReduction(const RankTable& ranks, int me, std::vector<const void*> inputs, int count,
                   MPI_Datatype type, MPI_Op op);

  /// Combines what needs nobody else at once and returns the rest as a schedule.
  Schedule build();
  /// Valid in the process of rank 0 after the schedule ran.
  const void* result() const noexcept { return result_; }

 private:
  struct Operand {
    const void* data = nullptr;  ///< null: not of this process
    void* owned = nullptr;       ///< the same as data when it is a buffer of ours
    bool later = false;          ///< known only when the schedule has come there
  };

  Operand node(int lo, int hi);
  Operand join(const Operand& left, const Operand& right);
  void* fresh_buffer();

  const RankTable& ranks_;
  int me_;
  std::vector<const void*> inputs_;
  int count_;
  MPI_Datatype type_;
  MPI_Op op_;
  Schedule schedule_;
  std::vector<std::unique_ptr<ElementBuffer>> buffers_;
  std::vector<void*> spare_;
  const void* result_ = nullptr;
};

}  // namespace ep
