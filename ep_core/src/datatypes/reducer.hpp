#pragma once

#include <mpi.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "datatypes/datatype.hpp"
#include "progress/work_board.hpp"

namespace ep {

/// Computes out[i] = left[i] op right[i]; `out` may be `left` or `right`.
using ReductionKernel = void (*)(int count, const void* left, const void* right, void* out);

/// An operation on a datatype, looked up once.
struct Reducer {
  MPI_Op op = MPI_OP_NULL;
  MPI_Datatype type = MPI_BYTE;
  std::int64_t extent = 1;
  std::int64_t size = 1;
  bool contiguous = true;
  /// The library's kernel for a predefined operation on a predefined type. If it is null,
  /// MPI_Reduce_local is used, which takes MPI's global lock.
  ReductionKernel kernel = nullptr;
  bool exact = false;  ///< true if the order of operations does not affect the result
  bool commutative = true;

  /// Computes out[i] = left[i] op right[i]. `out` may be `left` or `right`.
  void combine(std::int64_t count, const void* left, const void* right, void* out) const;
  /// Returns the address of element `index`. Returns null for null, since an endpoint without
  /// elements may have no buffer.
  void* at(void* base, std::int64_t index) const noexcept {
    return base != nullptr ? static_cast<std::byte*>(base) + index * extent : nullptr;
  }
  const void* at(const void* base, std::int64_t index) const noexcept {
    return at(const_cast<void*>(base), index);
  }

 private:
  void combine_some(int count, const void* left, const void* right, void* out) const;
};
Reducer make_reducer(MPI_Op op, MPI_Datatype type);
/// Returns the library's kernel, or null.
ReductionKernel kernel_of(MPI_Op op, MPI_Datatype type);

bool is_commutative(MPI_Op op);

/// Calls `reduce(begin, end)` for all elements in [first, last), with helper threads if there are
/// many. Only our kernels are shared, since other operations take MPI's lock. Elements are
/// independent, so the result does not depend on which thread reduces them.
template <class Reduce>
void share_elements(const Reducer& reducer, std::int64_t first, std::int64_t last,
                    Reduce&& reduce) {
  // Smallest amount to share: less is finished before a helper arrives.
  constexpr std::int64_t least_shared_bytes = std::int64_t{256} * 1024;
  constexpr std::int64_t shared_item_bytes = std::int64_t{64} * 1024;
  const std::int64_t bytes = (last - first) * reducer.extent;
  if (reducer.kernel == nullptr || bytes < least_shared_bytes || !help_is_available()) {
    reduce(first, last);
    return;
  }
  const std::int64_t each = std::max<std::int64_t>(1, shared_item_bytes / reducer.extent);
  share_items(static_cast<std::size_t>((last - first + each - 1) / each), [&](std::size_t item) {
    const std::int64_t begin = first + static_cast<std::int64_t>(item) * each;
    reduce(begin, std::min(begin + each, last));
  });
}

}  // namespace ep
