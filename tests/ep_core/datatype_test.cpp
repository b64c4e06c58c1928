#include "datatype.hpp"

#include <gtest/gtest.h>

#include <array>
#include <vector>

#include "error.hpp"
#include "reduction.hpp"

namespace ep {
namespace {

/// MPI knows datatypes only while it runs.
class WithMpi : public testing::Environment {
 public:
  void SetUp() override { ASSERT_EQ(MPI_Init(nullptr, nullptr), MPI_SUCCESS); }
  void TearDown() override { ASSERT_EQ(MPI_Finalize(), MPI_SUCCESS); }
};
const testing::Environment* const with_mpi = testing::AddGlobalTestEnvironment(new WithMpi);

MPI_Datatype committed(MPI_Datatype type) {
  EXPECT_EQ(MPI_Type_commit(&type), MPI_SUCCESS);
  return type;
}

TEST(Datatype, only_ordered_gapless_types_are_copied_as_memory) {
  EXPECT_NE(with_mpi, nullptr);
  EXPECT_TRUE(type_facts(MPI_DOUBLE).contiguous);
  EXPECT_TRUE(type_facts(MPI_INT16_T).contiguous);
  EXPECT_FALSE(type_facts(MPI_DOUBLE_INT).contiguous) << "has a gap at its end";
  MPI_Datatype five = MPI_DATATYPE_NULL;
  MPI_Datatype swapped = MPI_DATATYPE_NULL;
  ASSERT_EQ(MPI_Type_contiguous(5, MPI_INT, &five), MPI_SUCCESS);
  const std::array<int, 2> lengths{1, 1};
  const std::array<int, 2> displacements{1, 0};
  ASSERT_EQ(MPI_Type_indexed(2, lengths.data(), displacements.data(), MPI_INT, &swapped),
            MPI_SUCCESS);
  EXPECT_TRUE(type_facts(committed(five)).contiguous);
  EXPECT_FALSE(type_facts(committed(swapped)).contiguous) << "same size, other order";
  const std::array<int, 2> in{1, 2};
  std::array<int, 2> out{};
  EXPECT_EQ(copy_typed(view_of(in.data(), 1, swapped), {out.data(), 2, MPI_INT}), 8);
  EXPECT_EQ(out, (std::array<int, 2>{2, 1}));
  ASSERT_EQ(MPI_Type_free(&five), MPI_SUCCESS);
  ASSERT_EQ(MPI_Type_free(&swapped), MPI_SUCCESS);
  EXPECT_THROW(type_facts(MPI_DATATYPE_NULL), Error);
}

TEST(Datatype, a_message_that_is_too_long_fills_what_fits) {
  const std::array<int, 4> in{1, 2, 3, 4};
  std::array<int, 4> out{9, 9, 9, 9};
  EXPECT_EQ(copy_typed(view_of(in.data(), 4, MPI_INT), {out.data(), 2, MPI_INT}), 16);
  EXPECT_EQ(out, (std::array<int, 4>{1, 2, 9, 9}));
}

TEST(Datatype, a_strided_copy_between_two_shapes) {
  MPI_Datatype every_second = MPI_DATATYPE_NULL;
  MPI_Datatype every_third = MPI_DATATYPE_NULL;
  ASSERT_EQ(MPI_Type_vector(4, 1, 2, MPI_INT, &every_second), MPI_SUCCESS);
  ASSERT_EQ(MPI_Type_vector(4, 1, 3, MPI_INT, &every_third), MPI_SUCCESS);
  every_second = committed(every_second);
  every_third = committed(every_third);
  const std::vector<int> in{0, 1, 2, 3, 4, 5, 6, 7};
  std::vector<int> out(12, -1);
  EXPECT_EQ(copy_typed(view_of(in.data(), 1, every_second), {out.data(), 1, every_third}), 16);
  EXPECT_EQ(out, (std::vector<int>{0, -1, -1, 2, -1, -1, 4, -1, -1, 6, -1, -1}));
  ASSERT_EQ(MPI_Type_free(&every_second), MPI_SUCCESS);
  ASSERT_EQ(MPI_Type_free(&every_third), MPI_SUCCESS);
}

TEST(Combine, agrees_with_mpi_whatever_buffer_takes_the_result) {
  const std::vector<MPI_Op> ops{MPI_SUM, MPI_PROD, MPI_MAX,  MPI_MIN, MPI_LAND,
                                MPI_LOR, MPI_LXOR, MPI_BAND, MPI_BOR, MPI_BXOR};
  const std::array<int, 4> left{3, 0, -5, 12};
  const std::array<int, 4> right{4, 7, 0, 10};
  for (const MPI_Op op : ops) {
    std::array<int, 4> expected = right;
    ASSERT_EQ(MPI_Reduce_local(left.data(), expected.data(), 4, MPI_INT, op), MPI_SUCCESS);
    std::array<int, 4> out{};
    combine(op, MPI_INT, 4, left.data(), right.data(), out.data());
    EXPECT_EQ(out, expected);
    out = left;
    combine(op, MPI_INT, 4, out.data(), right.data(), out.data());
    EXPECT_EQ(out, expected);
    out = right;
    combine(op, MPI_INT, 4, left.data(), out.data(), out.data());
    EXPECT_EQ(out, expected);
  }
}

}  // namespace
}  // namespace ep
