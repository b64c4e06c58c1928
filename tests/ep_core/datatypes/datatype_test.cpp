#include "datatypes/datatype.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <vector>

#include "datatypes/reducer.hpp"
#include "process/error.hpp"

namespace ep::datatype_test {
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

// MPI's own packing is the independent reader here.
std::vector<std::byte> packed_by_mpi(const std::vector<std::byte>& memory, int count,
                                     MPI_Datatype type) {
  int size = 0;
  int position = 0;
  EXPECT_EQ(MPI_Pack_size(count, type, MPI_COMM_SELF, &size), MPI_SUCCESS);
  std::vector<std::byte> out(static_cast<std::size_t>(size));
  EXPECT_EQ(MPI_Pack(memory.data() + 4096, count, type, out.data(), size, &position, MPI_COMM_SELF),
            MPI_SUCCESS);
  out.resize(static_cast<std::size_t>(position));
  return out;
}

void expect_packed_as_by_mpi(MPI_Datatype type, const char* what) {
  type = committed(type);
  std::vector<std::byte> memory(16384);
  for (std::size_t i = 0; i < memory.size(); ++i) {
    memory[i] = static_cast<std::byte>(i * 131 + i / 256);
  }
  for (const int count : {1, 3}) {
    const std::vector<std::byte> expected = packed_by_mpi(memory, count, type);
    const TypedView view{memory.data() + 4096, count, type};
    ASSERT_EQ(view.bytes(), static_cast<std::int64_t>(expected.size())) << what;
    std::vector<std::byte> packed(expected.size());
    pack_bytes(view, packed.data());
    EXPECT_EQ(packed, expected) << what;
    // Also in parts that end inside elements, which must not touch what follows.
    for (const std::size_t part : {expected.size(), expected.size() / 2 + 1, std::size_t{5}}) {
      std::vector<std::byte> target(16384);
      const std::size_t fitting = std::min(part, expected.size());
      unpack_bytes(expected.data(), static_cast<std::int64_t>(fitting),
                   TypedView{target.data() + 4096, count, type});
      std::vector<std::byte> back = packed_by_mpi(target, count, type);
      EXPECT_TRUE(std::equal(back.begin(), back.begin() + static_cast<std::ptrdiff_t>(fitting),
                             expected.begin()))
          << what;
      EXPECT_GE(std::count(target.begin(), target.end(), std::byte{0}),
                static_cast<std::ptrdiff_t>(target.size() - fitting))
          << what;
    }
  }
  EXPECT_EQ(MPI_Type_free(&type), MPI_SUCCESS);
}

TEST(Datatype, every_constructor_packs_as_mpi_does) {
  MPI_Datatype t = MPI_DATATYPE_NULL;
  MPI_Datatype u = MPI_DATATYPE_NULL;
  ASSERT_EQ(MPI_Type_vector(5, 2, 3, MPI_INT, &t), MPI_SUCCESS);
  ASSERT_EQ(MPI_Type_create_resized(t, -8, 100, &u), MPI_SUCCESS);
  expect_packed_as_by_mpi(u, "resized");
  ASSERT_EQ(MPI_Type_create_hvector(4, 2, 77, t, &u), MPI_SUCCESS);
  expect_packed_as_by_mpi(u, "hvector of vectors");
  ASSERT_EQ(MPI_Type_vector(3, 2, -4, MPI_DOUBLE, &u), MPI_SUCCESS);
  expect_packed_as_by_mpi(u, "vector backwards");
  const std::array<int, 3> lengths{2, 0, 3};
  const std::array<int, 3> at{7, 1, -5};
  const std::array<MPI_Aint, 3> bytes_at{130, 8, -60};
  ASSERT_EQ(MPI_Type_indexed(3, lengths.data(), at.data(), MPI_SHORT, &u), MPI_SUCCESS);
  expect_packed_as_by_mpi(u, "indexed");
  ASSERT_EQ(MPI_Type_create_hindexed(3, lengths.data(), bytes_at.data(), t, &u), MPI_SUCCESS);
  expect_packed_as_by_mpi(u, "hindexed");
  ASSERT_EQ(MPI_Type_create_indexed_block(3, 2, at.data(), MPI_DOUBLE_INT, &u), MPI_SUCCESS);
  expect_packed_as_by_mpi(u, "indexed blocks of pairs");
  ASSERT_EQ(MPI_Type_create_hindexed_block(3, 1, bytes_at.data(), t, &u), MPI_SUCCESS);
  expect_packed_as_by_mpi(u, "hindexed blocks");
  const std::array<MPI_Datatype, 3> parts{MPI_CHAR, MPI_DOUBLE, t};
  ASSERT_EQ(MPI_Type_create_struct(3, lengths.data(), bytes_at.data(), parts.data(), &u),
            MPI_SUCCESS);
  expect_packed_as_by_mpi(u, "struct");
  ASSERT_EQ(MPI_Type_contiguous(4, t, &u), MPI_SUCCESS);
  expect_packed_as_by_mpi(u, "contiguous");
  ASSERT_EQ(MPI_Type_dup(t, &u), MPI_SUCCESS);
  expect_packed_as_by_mpi(u, "dup");
  ASSERT_EQ(MPI_Type_free(&t), MPI_SUCCESS);
}

TEST(Datatype, arrays_pack_as_mpi_does) {
  MPI_Datatype t = MPI_DATATYPE_NULL;
  const std::array<int, 3> sizes{5, 6, 7};
  const std::array<int, 3> subsizes{3, 2, 4};
  const std::array<int, 3> starts{1, 3, 2};
  for (const int order : {MPI_ORDER_C, MPI_ORDER_FORTRAN}) {
    ASSERT_EQ(MPI_Type_create_subarray(3, sizes.data(), subsizes.data(), starts.data(), order,
                                       MPI_INT, &t),
              MPI_SUCCESS);
    expect_packed_as_by_mpi(t, "subarray");
    const std::array<int, 3> distributions{MPI_DISTRIBUTE_BLOCK, MPI_DISTRIBUTE_CYCLIC,
                                           MPI_DISTRIBUTE_NONE};
    const std::array<int, 3> arguments{MPI_DISTRIBUTE_DFLT_DARG, 2, MPI_DISTRIBUTE_DFLT_DARG};
    const std::array<int, 3> processes{2, 2, 1};
    for (int rank = 0; rank < 4; ++rank) {
      ASSERT_EQ(MPI_Type_create_darray(4, rank, 3, sizes.data(), distributions.data(),
                                       arguments.data(), processes.data(), order, MPI_INT, &t),
                MPI_SUCCESS);
      expect_packed_as_by_mpi(t, "darray");
    }
  }
}

// A handle that MPI reuses must not mean the old datatype.
TEST(Datatype, maps_are_forgotten_with_their_datatypes) {
  for (int blocks = 1; blocks < 20; ++blocks) {
    MPI_Datatype t = MPI_DATATYPE_NULL;
    ASSERT_EQ(MPI_Type_vector(blocks, 1, 2, MPI_INT, &t), MPI_SUCCESS);
    t = committed(t);
    EXPECT_EQ(type_facts(t).size, 4 * blocks);
    ASSERT_EQ(MPI_Type_free(&t), MPI_SUCCESS);
  }
}

TEST(Datatype, a_regular_type_is_one_run_however_long) {
  MPI_Datatype t = MPI_DATATYPE_NULL;
  ASSERT_EQ(MPI_Type_vector(100'000, 1, 3, MPI_DOUBLE, &t), MPI_SUCCESS);
  t = committed(t);
  EXPECT_EQ(map_of(t)->blocks.runs().size(), 1U);
  ASSERT_EQ(MPI_Type_free(&t), MPI_SUCCESS);
}

TEST(Datatype, signatures_do_not_depend_on_how_a_type_was_built) {
  MPI_Datatype six = MPI_DATATYPE_NULL;
  MPI_Datatype spread = MPI_DATATYPE_NULL;
  ASSERT_EQ(MPI_Type_contiguous(6, MPI_INT, &six), MPI_SUCCESS);
  ASSERT_EQ(MPI_Type_vector(3, 2, 5, MPI_INT, &spread), MPI_SUCCESS);
  six = committed(six);
  spread = committed(spread);
  const SignatureHash a = map_of(six)->signature->hash();
  EXPECT_EQ(a.value, map_of(spread)->signature->hash().value);
  EXPECT_EQ(a.value, map_of(MPI_INT)->signature->prefix(10, 24).hash.value);
  EXPECT_NE(a.value, map_of(MPI_FLOAT)->signature->prefix(10, 24).hash.value);
  EXPECT_NE(a.value, map_of(MPI_INT)->signature->prefix(10, 20).hash.value);
  EXPECT_EQ(map_of(spread)->signature->prefix(2, 30).hash.elements, 7);
  EXPECT_EQ(map_of(spread)->signature->prefix(2, 30).rest, 2);
  EXPECT_EQ(map_of(MPI_DOUBLE_INT)->signature->hash().elements, 2);
  ASSERT_EQ(MPI_Type_free(&six), MPI_SUCCESS);
  ASSERT_EQ(MPI_Type_free(&spread), MPI_SUCCESS);
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
    make_reducer(op, MPI_INT).combine(4, left.data(), right.data(), out.data());
    EXPECT_EQ(out, expected);
    out = left;
    make_reducer(op, MPI_INT).combine(4, out.data(), right.data(), out.data());
    EXPECT_EQ(out, expected);
    out = right;
    make_reducer(op, MPI_INT).combine(4, left.data(), out.data(), out.data());
    EXPECT_EQ(out, expected);
  }
}

}  // namespace
}  // namespace ep::datatype_test
