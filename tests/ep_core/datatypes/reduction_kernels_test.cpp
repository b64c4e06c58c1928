#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

#include "datatypes/reducer.hpp"
#include "layouts.hpp"

namespace ep::test::reduction_kernels_test {
namespace {

/// A Fortran datatype and the C datatype of the same memory; MPI_DATATYPE_NULL: none in C.
struct Twins {
  const char* name;
  MPI_Datatype fortran;
  MPI_Datatype c;
  std::vector<MPI_Op> ops;
  std::vector<MPI_Op> c_ops;  // those among them that the C datatype has
};

const std::vector<MPI_Op> arithmetic{MPI_SUM, MPI_PROD, MPI_MAX, MPI_MIN};
const std::vector<MPI_Op> integer{MPI_SUM, MPI_PROD, MPI_MAX, MPI_MIN, MPI_BAND, MPI_BOR, MPI_BXOR};
const std::vector<MPI_Op> integer_and_logical{MPI_SUM, MPI_PROD, MPI_MAX,  MPI_MIN, MPI_BAND,
                                              MPI_BOR, MPI_BXOR, MPI_LAND, MPI_LOR, MPI_LXOR};
const std::vector<MPI_Op> complex{MPI_SUM, MPI_PROD};
const std::vector<MPI_Op> logical{MPI_LAND, MPI_LOR, MPI_LXOR};
const std::vector<MPI_Op> placed{MPI_MAXLOC, MPI_MINLOC};

std::vector<Twins> all_twins() {
  return {{"INTEGER", MPI_INTEGER, MPI_INT32_T, integer, integer_and_logical},
          {"INTEGER1", MPI_INTEGER1, MPI_INT8_T, integer, integer_and_logical},
          {"INTEGER2", MPI_INTEGER2, MPI_INT16_T, integer, integer_and_logical},
          {"INTEGER4", MPI_INTEGER4, MPI_INT32_T, integer, integer_and_logical},
          {"INTEGER8", MPI_INTEGER8, MPI_INT64_T, integer, integer_and_logical},
          {"REAL", MPI_REAL, MPI_FLOAT, arithmetic, arithmetic},
          {"REAL4", MPI_REAL4, MPI_FLOAT, arithmetic, arithmetic},
          {"DOUBLE_PRECISION", MPI_DOUBLE_PRECISION, MPI_DOUBLE, arithmetic, arithmetic},
          {"REAL8", MPI_REAL8, MPI_DOUBLE, arithmetic, arithmetic},
          {"COMPLEX", MPI_COMPLEX, MPI_C_FLOAT_COMPLEX, complex, complex},
          {"COMPLEX8", MPI_COMPLEX8, MPI_C_FLOAT_COMPLEX, complex, complex},
          {"DOUBLE_COMPLEX", MPI_DOUBLE_COMPLEX, MPI_C_DOUBLE_COMPLEX, complex, complex},
          {"COMPLEX16", MPI_COMPLEX16, MPI_C_DOUBLE_COMPLEX, complex, complex},
          {"CHARACTER", MPI_CHARACTER, MPI_CHAR, integer, integer_and_logical},
          {"LOGICAL", MPI_LOGICAL, MPI_INT32_T, logical, logical},
          {"2INTEGER", MPI_2INTEGER, MPI_2INT, placed, placed},
          {"2REAL", MPI_2REAL, MPI_DATATYPE_NULL, placed, {}},
          {"2DOUBLE_PRECISION", MPI_2DOUBLE_PRECISION, MPI_DATATYPE_NULL, placed, {}}};
}

/// Elements as bytes: small numbers, many of them equal, of the component type of `type`.
template <class T>
std::vector<std::byte> numbers(int count, int seed, int limit) {
  std::vector<T> values;
  for (int i = 0; i < count; ++i) {
    values.push_back(static_cast<T>((i * 7 + seed * 5 + i * i % 3) % limit - (limit > 2 ? 4 : 0)));
  }
  std::vector<std::byte> out(values.size() * sizeof(T));
  std::memcpy(out.data(), values.data(), out.size());
  return out;
}

std::vector<std::byte> elements(MPI_Datatype type, std::int64_t size, int count, int seed) {
  if (type == MPI_LOGICAL) return numbers<std::int32_t>(count, seed, 2);
  if (type == MPI_REAL || type == MPI_REAL4) return numbers<float>(count, seed, 9);
  if (type == MPI_DOUBLE_PRECISION || type == MPI_REAL8) return numbers<double>(count, seed, 9);
  if (type == MPI_COMPLEX || type == MPI_COMPLEX8 || type == MPI_2REAL) {
    return numbers<float>(2 * count, seed, 9);
  }
  if (type == MPI_DOUBLE_COMPLEX || type == MPI_COMPLEX16 || type == MPI_2DOUBLE_PRECISION) {
    return numbers<double>(2 * count, seed, 9);
  }
  if (type == MPI_2INTEGER) return numbers<std::int32_t>(2 * count, seed, 9);
  if (size == 1) return numbers<std::int8_t>(count, seed, 9);
  if (size == 2) return numbers<std::int16_t>(count, seed, 9);
  if (size == 8) return numbers<std::int64_t>(count, seed, 9);
  return numbers<std::int32_t>(count, seed, 9);
}

constexpr int count = 50;

std::vector<std::byte> combined(MPI_Op op, MPI_Datatype type, const std::vector<std::byte>& left,
                                std::vector<std::byte> right) {
  check(EP_Reduce_local(left.data(), right.data(), count, type, op));
  return right;
}

TEST(ReductionKernels, of_fortran_types_give_what_c_types_and_mpi_give) {
  for (const Twins& twins : all_twins()) {
    SCOPED_TRACE(twins.name);
    ASSERT_NE(twins.fortran, MPI_DATATYPE_NULL);
    const std::int64_t size = type_facts(twins.fortran).size;
    const auto left = elements(twins.fortran, size, count, 1);
    const auto right = elements(twins.fortran, size, count, 2);
    ASSERT_EQ(left.size(), static_cast<std::size_t>(size * count));
    for (const MPI_Op op : twins.ops) {
      EXPECT_NE(make_reducer(op, twins.fortran).kernel, nullptr) << "goes through MPI's lock";
      const auto out = combined(op, twins.fortran, left, right);
      auto reference = right;
      // The book has no reductions of characters: MPICH's have C's signs, Open MPI's none.
      const MPI_Datatype mpis = twins.fortran == MPI_CHARACTER ? MPI_CHAR : twins.fortran;
      ASSERT_EQ(MPI_Reduce_local(left.data(), reference.data(), count, mpis, op), MPI_SUCCESS);
      EXPECT_EQ(out, reference);
    }
    for (const MPI_Op op : twins.c_ops) {
      EXPECT_NE(make_reducer(op, twins.fortran).kernel, nullptr) << "is left to MPI";
      EXPECT_EQ(combined(op, twins.fortran, left, right), combined(op, twins.c, left, right));
      EXPECT_EQ(make_reducer(op, twins.fortran).exact, make_reducer(op, twins.c).exact);
    }
  }
}

TEST(ReductionKernels, are_none_for_operations_that_a_type_has_not) {
  EXPECT_EQ(make_reducer(MPI_SUM, MPI_LOGICAL).kernel, nullptr);
  EXPECT_EQ(make_reducer(MPI_LAND, MPI_REAL).kernel, nullptr);
  EXPECT_EQ(make_reducer(MPI_MAX, MPI_COMPLEX).kernel, nullptr);
  EXPECT_EQ(make_reducer(MPI_BAND, MPI_DOUBLE_PRECISION).kernel, nullptr);
  EXPECT_EQ(make_reducer(MPI_MAXLOC, MPI_INTEGER).kernel, nullptr);
  EXPECT_EQ(make_reducer(MPI_SUM, MPI_2REAL).kernel, nullptr);
}

// What a compiler takes for true stays what it is, as with .TRUE. = -1.
TEST(ReductionKernels, of_logical_values_keep_what_is_true) {
  const std::array<std::int32_t, 4> left{0, 0, -1, -1};
  const std::array<std::int32_t, 4> right{0, -1, 0, -1};
  const auto result = [&](MPI_Op op) {
    auto out = right;
    check(EP_Reduce_local(left.data(), out.data(), 4, MPI_LOGICAL, op));
    return out;
  };
  EXPECT_EQ(result(MPI_LAND), (std::array<std::int32_t, 4>{0, 0, 0, -1}));
  EXPECT_EQ(result(MPI_LOR), (std::array<std::int32_t, 4>{0, -1, -1, -1}));
  EXPECT_EQ(result(MPI_LXOR), (std::array<std::int32_t, 4>{0, -1, -1, 0}));
}

TEST(ReductionKernels, of_fortran_types_in_a_collective) {
  run_endpoints(5, [](const Comm& comm) {
    const std::array<double, 4> mine{static_cast<double>(comm.rank() * 3 % 5),
                                     static_cast<double>(comm.rank()), 7,
                                     static_cast<double>(comm.rank())};
    std::array<double, 4> largest{};
    check(EP_Allreduce(mine.data(), largest.data(), 2, MPI_2DOUBLE_PRECISION, MPI_MAXLOC,
                       comm.get()));
    EXPECT_EQ(largest, (std::array<double, 4>{4, 3, 7, 0}));
    const std::int32_t odd = comm.rank() % 2;
    std::int32_t any = -1;
    check(EP_Allreduce(&odd, &any, 1, MPI_LOGICAL, MPI_LOR, comm.get()));
    EXPECT_EQ(any, 1);
    const double part = 1.0 / (comm.rank() + 3);
    double as_fortran = 0;
    double as_c = 1;
    check(EP_Allreduce(&part, &as_fortran, 1, MPI_DOUBLE_PRECISION, MPI_SUM, comm.get()));
    check(EP_Allreduce(&part, &as_c, 1, MPI_DOUBLE, MPI_SUM, comm.get()));
    EXPECT_EQ(as_fortran, as_c) << "ordered alike";
  });
}

}  // namespace
}  // namespace ep::test::reduction_kernels_test
