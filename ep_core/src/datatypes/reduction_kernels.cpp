// Kernels of predefined operations on predefined types, since MPI_Reduce_local takes MPI's global
// lock. One template serves all; tables choose by operation and type. In order: operations,
// families of operations per class of types, C types, Fortran types, and the look-up.
#include <algorithm>
#include <complex>
#include <cstdint>
#include <initializer_list>
#include <type_traits>

#include "datatypes/reducer.hpp"

namespace ep {

namespace {

struct Sum {
  template <class T>
  T operator()(T a, T b) const {
    return static_cast<T>(a + b);
  }
};
struct Product {
  template <class T>
  T operator()(T a, T b) const {
    return static_cast<T>(a * b);
  }
};
struct Larger {
  template <class T>
  T operator()(T a, T b) const {
    return a > b ? a : b;
  }
};
struct Smaller {
  template <class T>
  T operator()(T a, T b) const {
    return a < b ? a : b;
  }
};
struct LogicalAnd {
  template <class T>
  T operator()(T a, T b) const {
    return static_cast<T>(a != T{} && b != T{});
  }
};
struct LogicalOr {
  template <class T>
  T operator()(T a, T b) const {
    return static_cast<T>(a != T{} || b != T{});
  }
};
struct LogicalXor {
  template <class T>
  T operator()(T a, T b) const {
    return static_cast<T>((a != T{}) != (b != T{}));
  }
};
struct BitAnd {
  template <class T>
  T operator()(T a, T b) const {
    return static_cast<T>(a & b);
  }
};
struct BitOr {
  template <class T>
  T operator()(T a, T b) const {
    return static_cast<T>(a | b);
  }
};
struct BitXor {
  template <class T>
  T operator()(T a, T b) const {
    return static_cast<T>(a ^ b);
  }
};

/// Fortran's logical and: false is 0, and the value of true depends on the compiler, so that the
/// result is one of the operands.
struct FortranAnd {
  template <class T>
  T operator()(T a, T b) const {
    return a != T{} ? b : a;
  }
};
struct FortranOr {
  template <class T>
  T operator()(T a, T b) const {
    return a != T{} ? a : b;
  }
};
struct FortranXor {
  template <class T>
  T operator()(T a, T b) const {
    if (a == T{}) return b;
    return b == T{} ? a : T{};
  }
};

/// MPI's pair types: a value and where it is. Fortran's have both of one type.
template <class T, class Index = int>
struct Located {
  T value;
  Index index;
};
struct LargerPlace {
  template <class P>
  P operator()(const P& a, const P& b) const {
    if (a.value > b.value) return a;
    if (b.value > a.value) return b;
    return a.index < b.index ? a : b;
  }
};
struct SmallerPlace {
  template <class P>
  P operator()(const P& a, const P& b) const {
    if (a.value < b.value) return a;
    if (b.value < a.value) return b;
    return a.index < b.index ? a : b;
  }
};

template <class T, class F>
void each(int count, const void* left, const void* right, void* out) {
  const T* const a = static_cast<const T*>(left);
  const T* const b = static_cast<const T*>(right);
  T* const c = static_cast<T*>(out);
  const F f;
  for (int i = 0; i < count; ++i) c[i] = f(a[i], b[i]);
}

// Signed overflow wraps, as it does in MPI's own code.
template <class T, class F>
ReductionKernel wrapping() {
  if constexpr (std::is_integral_v<T> && std::is_signed_v<T>) {
    return each<std::make_unsigned_t<T>, F>;
  } else {
    return each<T, F>;
  }
}

template <class T>
ReductionKernel sums(MPI_Op op) noexcept {
  if (op == MPI_SUM) return wrapping<T, Sum>();
  if (op == MPI_PROD) return wrapping<T, Product>();
  return nullptr;
}

template <class T>
ReductionKernel arithmetic(MPI_Op op) noexcept {
  if (op == MPI_MAX) return each<T, Larger>;
  if (op == MPI_MIN) return each<T, Smaller>;
  return sums<T>(op);
}

template <class T>
ReductionKernel logical(MPI_Op op) noexcept {
  if (op == MPI_LAND) return each<T, LogicalAnd>;
  if (op == MPI_LOR) return each<T, LogicalOr>;
  if (op == MPI_LXOR) return each<T, LogicalXor>;
  return nullptr;
}

template <class T>
ReductionKernel bitwise(MPI_Op op) noexcept {
  if (op == MPI_BAND) return each<T, BitAnd>;
  if (op == MPI_BOR) return each<T, BitOr>;
  if (op == MPI_BXOR) return each<T, BitXor>;
  return nullptr;
}

template <class T>
ReductionKernel integer(MPI_Op op) noexcept {
  if (const ReductionKernel kernel = arithmetic<T>(op); kernel != nullptr) return kernel;
  if (const ReductionKernel kernel = logical<T>(op); kernel != nullptr) return kernel;
  return bitwise<T>(op);
}

template <class T, class Index = int>
ReductionKernel located(MPI_Op op) noexcept {
  if (op == MPI_MAXLOC) return each<Located<T, Index>, LargerPlace>;
  if (op == MPI_MINLOC) return each<Located<T, Index>, SmallerPlace>;
  return nullptr;
}

ReductionKernel integer_kernel(MPI_Op op, MPI_Datatype type) noexcept {
  if (type == MPI_INT || type == MPI_INT32_T) return integer<std::int32_t>(op);
  if (type == MPI_LONG || type == MPI_LONG_LONG || type == MPI_INT64_T || type == MPI_AINT ||
      type == MPI_OFFSET || type == MPI_COUNT) {
    return integer<std::int64_t>(op);
  }
  if (type == MPI_UNSIGNED || type == MPI_UINT32_T) return integer<std::uint32_t>(op);
  if (type == MPI_UNSIGNED_LONG || type == MPI_UNSIGNED_LONG_LONG || type == MPI_UINT64_T) {
    return integer<std::uint64_t>(op);
  }
  if (type == MPI_SHORT || type == MPI_INT16_T) return integer<std::int16_t>(op);
  if (type == MPI_UNSIGNED_SHORT || type == MPI_UINT16_T) return integer<std::uint16_t>(op);
  if (type == MPI_SIGNED_CHAR || type == MPI_INT8_T) return integer<std::int8_t>(op);
  if (type == MPI_UNSIGNED_CHAR || type == MPI_UINT8_T) return integer<std::uint8_t>(op);
  // Characters by MPI's book, numbers in its implementations and in programs.
  if (type == MPI_CHAR || type == MPI_CHARACTER) return integer<char>(op);
  if (type == MPI_C_BOOL || type == MPI_CXX_BOOL) return logical<bool>(op);
  if (type == MPI_BYTE) return bitwise<std::uint8_t>(op);
  if (type == MPI_2INT) return located<int>(op);
  if (type == MPI_LONG_INT) return located<long>(op);
  if (type == MPI_SHORT_INT) return located<short>(op);
  return nullptr;
}

ReductionKernel floating_kernel(MPI_Op op, MPI_Datatype type) noexcept {
  if (type == MPI_DOUBLE) return arithmetic<double>(op);
  if (type == MPI_FLOAT) return arithmetic<float>(op);
  if (type == MPI_LONG_DOUBLE) return arithmetic<long double>(op);
  if (type == MPI_C_DOUBLE_COMPLEX || type == MPI_CXX_DOUBLE_COMPLEX) {
    return sums<std::complex<double>>(op);
  }
  if (type == MPI_C_FLOAT_COMPLEX || type == MPI_CXX_FLOAT_COMPLEX) {
    return sums<std::complex<float>>(op);
  }
  if (type == MPI_C_LONG_DOUBLE_COMPLEX || type == MPI_CXX_LONG_DOUBLE_COMPLEX) {
    return sums<std::complex<long double>>(op);
  }
  if (type == MPI_DOUBLE_INT) return located<double>(op);
  if (type == MPI_FLOAT_INT) return located<float>(op);
  if (type == MPI_LONG_DOUBLE_INT) return located<long double>(op);
  return nullptr;
}

// Fortran's types. The build of MPI determined the size of a default INTEGER, REAL or LOGICAL, so
// the size selects the kernel. MPI's book has no logical operations on Fortran's integers; programs
// use them, as MPICH has them for all kinds and Open MPI for some.

template <class T>
ReductionKernel fortran_logical(MPI_Op op) noexcept {
  if (op == MPI_LAND) return each<T, FortranAnd>;
  if (op == MPI_LOR) return each<T, FortranOr>;
  if (op == MPI_LXOR) return each<T, FortranXor>;
  return nullptr;
}

bool is_one_of(MPI_Datatype type, std::initializer_list<MPI_Datatype> types) noexcept {
  return std::find(types.begin(), types.end(), type) != types.end();
}

ReductionKernel fortran_exact_kernel(MPI_Op op, MPI_Datatype type, std::int64_t size) noexcept {
  if (is_one_of(type, {MPI_INTEGER, MPI_INTEGER1, MPI_INTEGER2, MPI_INTEGER4, MPI_INTEGER8})) {
    if (size == 4) return integer<std::int32_t>(op);
    if (size == 8) return integer<std::int64_t>(op);
    if (size == 2) return integer<std::int16_t>(op);
    if (size == 1) return integer<std::int8_t>(op);
  }
  if (type == MPI_LOGICAL && size == 4) return fortran_logical<std::int32_t>(op);
  if (type == MPI_LOGICAL && size == 8) return fortran_logical<std::int64_t>(op);
  if (type == MPI_2INTEGER && size == 8) return located<std::int32_t, std::int32_t>(op);
  if (type == MPI_2INTEGER && size == 16) return located<std::int64_t, std::int64_t>(op);
  return nullptr;
}

ReductionKernel fortran_floating_kernel(MPI_Op op, MPI_Datatype type, std::int64_t size) noexcept {
  if (is_one_of(type, {MPI_REAL, MPI_DOUBLE_PRECISION, MPI_REAL4, MPI_REAL8})) {
    if (size == 4) return arithmetic<float>(op);
    if (size == 8) return arithmetic<double>(op);
  }
  if (is_one_of(type, {MPI_COMPLEX, MPI_DOUBLE_COMPLEX, MPI_COMPLEX8, MPI_COMPLEX16})) {
    if (size == 8) return sums<std::complex<float>>(op);
    if (size == 16) return sums<std::complex<double>>(op);
  }
  if (is_one_of(type, {MPI_2REAL, MPI_2DOUBLE_PRECISION})) {
    if (size == 8) return located<float, float>(op);
    if (size == 16) return located<double, double>(op);
  }
  return nullptr;
}

/// A kernel, and whether the order of operations shows.
struct Found {
  ReductionKernel kernel = nullptr;
  bool exact = false;
};

Found find_kernel(MPI_Op op, MPI_Datatype type, std::int64_t size) noexcept {
  if (const ReductionKernel kernel = floating_kernel(op, type)) return {kernel, false};
  if (const ReductionKernel kernel = integer_kernel(op, type)) return {kernel, true};
  if (const ReductionKernel kernel = fortran_exact_kernel(op, type, size)) return {kernel, true};
  return {fortran_floating_kernel(op, type, size), false};
}

static_assert(sizeof(int) == 4 && sizeof(long) == 8 && sizeof(long long) == 8 &&
              sizeof(MPI_Aint) == 8 && sizeof(MPI_Offset) == 8 && sizeof(MPI_Count) == 8);

}  // namespace

ReductionKernel kernel_of(MPI_Op op, MPI_Datatype type) {
  return find_kernel(op, type, type_facts(type).size).kernel;
}

Reducer make_reducer(MPI_Op op, MPI_Datatype type) {
  const TypeFacts facts = type_facts(type);
  const Found found = find_kernel(op, type, facts.size);
  Reducer out{op,           type,        facts.extent, facts.size, facts.contiguous,
              found.kernel, found.exact, true};
  out.commutative = out.kernel != nullptr || is_commutative(op);
  return out;
}

}  // namespace ep
