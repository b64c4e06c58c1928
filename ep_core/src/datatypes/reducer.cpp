#include "datatypes/reducer.hpp"

#include "datatypes/scratch.hpp"
#include "process/error.hpp"
#include "process/raw_call_scope.hpp"

namespace ep {

bool is_commutative(MPI_Op op) {
  int commutes = 0;
  const RawCallScope ours;
  check_mpi(MPI_Op_commutative(op, &commutes), "MPI_Op_commutative");
  return commutes != 0;
}

void Reducer::combine(std::int64_t count, const void* left, const void* right, void* out) const {
  // Limit for kernels and MPI, which count in an int.
  constexpr std::int64_t most = std::int64_t{1} << 30;
  for (std::int64_t i = 0; i < count; i += most) {
    combine_some(static_cast<int>(std::min(most, count - i)), at(left, i), at(right, i),
                 at(out, i));
  }
}

void Reducer::combine_some(int count, const void* left, const void* right, void* out) const {
  if (kernel != nullptr) {
    share_elements(*this, 0, count, [&](std::int64_t begin, std::int64_t end) {
      kernel(static_cast<int>(end - begin), at(left, begin), at(right, begin), at(out, begin));
    });
    return;
  }
  const TypedView target{out, count, type};
  if (out == left) {
    Scratch memory;
    void* const copy = memory.take_elements(count, type);
    copy_typed(view_of(right, count, type), {copy, count, type});
    check_mpi(MPI_Reduce_local(left, copy, count, type, op), "MPI_Reduce_local");
    copy_typed({copy, count, type}, target);
    return;
  }
  if (out != right) copy_typed(view_of(right, count, type), target);
  check_mpi(MPI_Reduce_local(left, out, count, type, op), "MPI_Reduce_local");
}

}  // namespace ep
