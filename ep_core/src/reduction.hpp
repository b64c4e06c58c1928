#pragma once

#include <mpi.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "datatype.hpp"
#include "rank_table.hpp"

namespace ep {

/// out[i] = left[i] op right[i]; `out` may be `left` or `right`.
using ReductionKernel = void (*)(int count, const void* left, const void* right, void* out);

/// An operation on a datatype, looked up once.
struct Reducer {
  MPI_Op op = MPI_OP_NULL;
  MPI_Datatype type = MPI_BYTE;
  std::int64_t extent = 1;
  std::int64_t size = 1;
  bool contiguous = true;
  /// Ours, of a predefined operation on a predefined type; null: MPI_Reduce_local, which takes
  /// MPI's global lock.
  ReductionKernel kernel = nullptr;
  bool exact = false;  ///< the order of operations never shows
  bool commutative = true;

  /// out[i] = left[i] op right[i]. `out` may be `left` or `right`.
  void combine(int count, const void* left, const void* right, void* out) const;
  /// The address of element `index`. Null stays null: whoever has no elements may have no buffer.
  void* at(void* base, std::int64_t index) const noexcept {
    return base != nullptr ? static_cast<std::byte*>(base) + index * extent : nullptr;
  }
  const void* at(const void* base, std::int64_t index) const noexcept {
    return at(const_cast<void*>(base), index);
  }
};
Reducer make_reducer(MPI_Op op, MPI_Datatype type);

bool is_commutative(MPI_Op op);

/// A tree of combinations in postfix order: operands by number, `combine_two` for the last two.
using ReductionProgram = std::vector<int>;
constexpr int combine_two = -1;

/// Who combines what with what. The tree over [lo, hi) combines [lo, mid) and [mid, hi) with
/// mid - lo the largest power of two below hi - lo.
///
/// Ordered: the tree is over ranks, so that neither placement nor the number of processes changes
/// the order of operations. A process combines the largest subtrees whose ranks all are its own,
/// the "partials"; the rest of the tree combines partials. Fast: one partial per process.
struct ReductionPlan {
  ReductionPlan(const RankTable& ranks, int me, bool ordered);

  struct Node {
    int left;  ///< numbers of partials, then of nodes
    int right;
    int process;  ///< of its first rank: combines
    int height;
  };
  std::vector<int> partials;               ///< process of each, in order of ranks
  std::vector<int> mine;                   ///< numbers of this process's partials
  std::vector<ReductionProgram> programs;  ///< of `mine`, over slots
  std::vector<Node> nodes;                 ///< over partials, children first; the last is the whole
  ReductionProgram top;                    ///< the same, over partials

  int process_of(int number) const {
    const auto i = static_cast<std::size_t>(number);
    return i < partials.size() ? partials[i] : nodes[i - partials.size()].process;
  }
  int height_of(int number) const {
    const auto i = static_cast<std::size_t>(number);
    return i < partials.size() ? 0 : nodes[i - partials.size()].height;
  }
  int whole() const { return static_cast<int>(partials.size() + nodes.size()) - 1; }

 private:
  class Builder;
};

/// Evaluates `program` on elements [begin, end) of the operands into the same elements of `out`,
/// which may be any of the operands. Any threads, on different elements.
void evaluate(const ReductionProgram& program, std::span<const void* const> operands,
              const Reducer& reducer, std::int64_t begin, std::int64_t end, void* out);

}  // namespace ep
