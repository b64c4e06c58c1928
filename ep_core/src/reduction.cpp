#include "reduction.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <utility>

#include "error.hpp"

namespace ep {

namespace {

template <class T, class F>
void each(int count, const void* left, const void* right, void* out, F f) {
  const T* const a = static_cast<const T*>(left);
  const T* const b = static_cast<const T*>(right);
  T* const c = static_cast<T*>(out);
  for (int i = 0; i < count; ++i) c[i] = static_cast<T>(f(a[i], b[i]));
}

template <class T>
bool combine_arithmetic(MPI_Op op, int n, const void* l, const void* r, void* out) {
  if (op == MPI_SUM) {
    each<T>(n, l, r, out, [](T a, T b) { return a + b; });
  } else if (op == MPI_PROD) {
    each<T>(n, l, r, out, [](T a, T b) { return a * b; });
  } else if (op == MPI_MAX) {
    each<T>(n, l, r, out, [](T a, T b) { return a > b ? a : b; });
  } else if (op == MPI_MIN) {
    each<T>(n, l, r, out, [](T a, T b) { return a < b ? a : b; });
  } else {
    return false;
  }
  return true;
}

template <class T>
bool combine_integer(MPI_Op op, int n, const void* l, const void* r, void* out) {
  if (op == MPI_LAND) {
    each<T>(n, l, r, out, [](T a, T b) { return a != 0 && b != 0; });
  } else if (op == MPI_LOR) {
    each<T>(n, l, r, out, [](T a, T b) { return a != 0 || b != 0; });
  } else if (op == MPI_BAND) {
    each<T>(n, l, r, out, [](T a, T b) { return a & b; });
  } else if (op == MPI_BOR) {
    each<T>(n, l, r, out, [](T a, T b) { return a | b; });
  } else if (op == MPI_BXOR) {
    each<T>(n, l, r, out, [](T a, T b) { return a ^ b; });
  } else {
    return combine_arithmetic<T>(op, n, l, r, out);
  }
  return true;
}

// Whether the combination was done here.
bool combine_own(MPI_Op op, MPI_Datatype type, int n, const void* l, const void* r, void* out) {
  if (type == MPI_DOUBLE) return combine_arithmetic<double>(op, n, l, r, out);
  if (type == MPI_FLOAT) return combine_arithmetic<float>(op, n, l, r, out);
  if (type == MPI_INT) return combine_integer<int>(op, n, l, r, out);
  if (type == MPI_INT32_T) return combine_integer<std::int32_t>(op, n, l, r, out);
  if (type == MPI_INT64_T) return combine_integer<std::int64_t>(op, n, l, r, out);
  if (type == MPI_LONG) return combine_integer<long>(op, n, l, r, out);
  if (type == MPI_LONG_LONG) return combine_integer<long long>(op, n, l, r, out);
  if (type == MPI_UNSIGNED) return combine_integer<unsigned>(op, n, l, r, out);
  if (type == MPI_UINT32_T) return combine_integer<std::uint32_t>(op, n, l, r, out);
  if (type == MPI_UINT64_T) return combine_integer<std::uint64_t>(op, n, l, r, out);
  if (type == MPI_UNSIGNED_LONG) return combine_integer<unsigned long>(op, n, l, r, out);
  return false;
}

}  // namespace

ElementBuffer::ElementBuffer(int count, MPI_Datatype type) {
  MPI_Aint true_lower_bound = 0;
  MPI_Aint true_extent = 0;
  check_mpi(MPI_Type_get_true_extent(type, &true_lower_bound, &true_extent),
            "MPI_Type_get_true_extent");
  const std::int64_t span =
      count > 0 ? true_extent + (count - 1) * std::abs(type_facts(type).extent) : 0;
  memory_ = std::make_unique<std::byte[]>(static_cast<std::size_t>(span) + 1);
  base_ = memory_.get() - true_lower_bound;
}

void combine(MPI_Op op, MPI_Datatype type, int count, const void* left, const void* right,
             void* out) {
  if (count == 0 || combine_own(op, type, count, left, right, out)) return;
  const TypedView target{out, count, type};
  if (out == left) {
    ElementBuffer copy(count, type);
    copy_typed(view_of(right, count, type), {copy.data(), count, type});
    check_mpi(MPI_Reduce_local(left, copy.data(), count, type, op), "MPI_Reduce_local");
    copy_typed({copy.data(), count, type}, target);
    return;
  }
  if (out != right) copy_typed(view_of(right, count, type), target);
  check_mpi(MPI_Reduce_local(left, out, count, type, op), "MPI_Reduce_local");
}

OrderedReduction::OrderedReduction(const RankTable& ranks, int me, std::vector<const void*> inputs,
                                   int count, MPI_Datatype type, MPI_Op op)
    : ranks_(ranks), me_(me), inputs_(std::move(inputs)), count_(count), type_(type), op_(op) {}

Schedule OrderedReduction::build() {
  result_ = node(0, ranks_.size()).data;
  return std::move(schedule_);
}

void* OrderedReduction::fresh_buffer() {
  if (spare_.empty()) {
    return buffers_.emplace_back(std::make_unique<ElementBuffer>(count_, type_))->data();
  }
  void* const buffer = spare_.back();
  spare_.pop_back();
  return buffer;
}

OrderedReduction::Operand OrderedReduction::node(int lo, int hi) {
  const int owner = ranks_.place(lo).process;
  if (owner != me_ && ranks_.run_end(lo) >= hi) return {};
  if (hi - lo == 1) {
    return {inputs_[static_cast<std::size_t>(ranks_.place(lo).slot)], nullptr, false};
  }
  const int mid = lo + static_cast<int>(std::bit_floor(static_cast<unsigned>(hi - lo - 1)));
  const Operand left = node(lo, mid);
  Operand right = node(mid, hi);
  const int right_owner = ranks_.place(mid).process;
  if (right_owner != owner && owner == me_) {
    right = {nullptr, fresh_buffer(), true};
    right.data = right.owned;
    schedule_.next_round();
    schedule_.receive(right_owner, {right.owned, count_, type_});
  } else if (right_owner != owner && right_owner == me_) {
    schedule_.next_round();
    schedule_.send(owner, view_of(right.data, count_, type_));
  }
  return owner == me_ ? join(left, right) : Operand{};
}

// Reuses the right operand's buffer if there is one, for MPI_Reduce_local writes there.
OrderedReduction::Operand OrderedReduction::join(const Operand& left, const Operand& right) {
  Operand out;
  out.owned = right.owned != nullptr ? right.owned : left.owned;
  if (out.owned == nullptr) out.owned = fresh_buffer();
  out.data = out.owned;
  out.later = left.later || right.later;
  if (out.later) {
    schedule_.act([this, left, right, out] {
      combine(op_, type_, count_, left.data, right.data, out.owned);
    });
    return out;
  }
  combine(op_, type_, count_, left.data, right.data, out.owned);
  if (right.owned != nullptr && left.owned != nullptr) spare_.push_back(left.owned);
  return out;
}

}  // namespace ep
