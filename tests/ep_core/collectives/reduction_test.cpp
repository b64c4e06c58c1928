#include <gtest/gtest.h>

#include <array>
#include <bit>
#include <cmath>
#include <numeric>
#include <tuple>
#include <vector>

#include "collectives/collective_forms.hpp"
#include "layouts.hpp"

namespace ep::test::reduction_test {
namespace {

class Reduction : public testing::TestWithParam<std::tuple<int, Way>> {
 protected:
  static int endpoints() { return std::get<0>(GetParam()); }
  static Form form() { return Form(std::get<1>(GetParam())); }
};
INSTANTIATE_TEST_SUITE_P(Forms, Reduction,
                         testing::Combine(testing::Values(1, 2, 3, 5), all_ways()));

/// Values whose sums depend on the order.
double awkward(int rank, int i) { return std::ldexp(1.0 / (rank + 3 + i % 7), (rank * 13) % 40); }

std::vector<double> operand(int rank, int count) {
  std::vector<double> out;
  for (int i = 0; i < count; ++i) out.push_back(awkward(rank, i));
  return out;
}

// The rule of the ordered reduction, written out a second time.
double tree(int lo, int hi, int i) {
  if (hi - lo == 1) return awkward(lo, i);
  const int mid = lo + static_cast<int>(std::bit_floor(static_cast<unsigned>(hi - lo - 1)));
  return tree(lo, mid, i) + tree(mid, hi, i);
}

std::vector<double> tree_sums(int size, int count) {
  std::vector<double> out;
  for (int i = 0; i < count; ++i) out.push_back(tree(0, size, i));
  return out;
}

/// The rule of the scans: doubling distances over ranks from `first`.
std::vector<double> prefixes(int first, int size, int i) {
  std::vector<double> now;
  for (int rank = 0; rank < size; ++rank) now.push_back(awkward(rank, i));
  for (int distance = 1; distance < size - first; distance *= 2) {
    std::vector<double> next = now;
    for (int rank = first + distance; rank < size; ++rank) {
      next[index(rank)] = now[index(rank - distance)] + now[index(rank)];
    }
    now = next;
  }
  return now;
}

constexpr std::array sizes{1, 40, 3'000, 50'000};

TEST_P(Reduction, reduce_at_every_root_has_the_bits_of_the_tree) {
  run_endpoints(endpoints(), [](const Comm& comm) {
    for (const int count : sizes) {
      const std::vector<double> expected = tree_sums(comm.size(), count);
      for (int root = 0; root < comm.size(); ++root) {
        const bool at_root = comm.rank() == root;
        std::vector<double> mine = operand(comm.rank(), count);
        std::vector<double> sum(at_root ? index(count) : 0, -1);
        form()(EP_FORMS(Reduce, Ireduce), comm, mine.data(), sum.data(), count, MPI_DOUBLE, MPI_SUM,
               root);
        if (at_root) {
          ASSERT_EQ(sum, expected);
        }
        form()(EP_FORMS(Reduce, Ireduce), comm, at_root ? EP_IN_PLACE : mine.data(),
               at_root ? mine.data() : nullptr, count, MPI_DOUBLE, MPI_SUM, root);
        if (at_root) {
          ASSERT_EQ(mine, expected);
        }
      }
    }
  });
}

TEST_P(Reduction, allreduce_has_the_bits_of_the_tree) {
  run_endpoints(endpoints(), [](const Comm& comm) {
    for (const int count : sizes) {
      const std::vector<double> expected = tree_sums(comm.size(), count);
      std::vector<double> mine = operand(comm.rank(), count);
      std::vector<double> sum(mine.size(), -1);
      form()(EP_FORMS(Allreduce, Iallreduce), comm, mine.data(), sum.data(), count, MPI_DOUBLE,
             MPI_SUM);
      ASSERT_EQ(sum, expected);
      form()(EP_FORMS(Allreduce, Iallreduce), comm, EP_IN_PLACE, mine.data(), count, MPI_DOUBLE,
             MPI_SUM);
      ASSERT_EQ(mine, expected);
    }
  });
}

TEST_P(Reduction, reduce_scatter_gives_each_its_block_of_the_same_bits) {
  run_endpoints(endpoints(), [](const Comm& comm) {
    for (const int scale : {1, 700, 9'000}) {
      std::vector<int> counts;
      int total = 0;
      int begin = 0;
      for (int rank = 0; rank < comm.size(); ++rank) {
        if (rank == comm.rank()) begin = total;
        counts.push_back(rank == 1 ? 0 : scale + rank);
        total += counts.back();
      }
      const int count = counts[index(comm.rank())];
      const std::vector<double> all = tree_sums(comm.size(), total);
      const std::vector<double> expected(all.begin() + begin, all.begin() + begin + count);
      std::vector<double> mine = operand(comm.rank(), total);
      std::vector<double> block(index(count), -1);
      form()(EP_FORMS(Reduce_scatter, Ireduce_scatter), comm, mine.data(), block.data(),
             counts.data(), MPI_DOUBLE, MPI_SUM);
      ASSERT_EQ(block, expected);
      form()(EP_FORMS(Reduce_scatter, Ireduce_scatter), comm, EP_IN_PLACE, mine.data(),
             counts.data(), MPI_DOUBLE, MPI_SUM);
      mine.resize(index(count));
      ASSERT_EQ(mine, expected);
    }
  });
}

TEST_P(Reduction, reduce_scatter_block) {
  run_endpoints(endpoints(), [](const Comm& comm) {
    for (const int count : {1, 8'000}) {
      const std::vector<double> all = tree_sums(comm.size(), comm.size() * count);
      const std::vector<double> mine = operand(comm.rank(), comm.size() * count);
      std::vector<double> block(index(count), -1);
      form()(EP_FORMS(Reduce_scatter_block, Ireduce_scatter_block), comm, mine.data(), block.data(),
             count, MPI_DOUBLE, MPI_SUM);
      ASSERT_EQ(block, std::vector<double>(all.begin() + comm.rank() * count,
                                           all.begin() + (comm.rank() + 1) * count));
    }
  });
}

TEST_P(Reduction, scan_and_exscan_associate_by_ranks_only) {
  run_endpoints(endpoints(), [](const Comm& comm) {
    const int me = comm.rank();
    for (const int count : {1, 17, 40'000}) {
      std::vector<double> mine = operand(me, count);
      std::vector<double> upto(mine.size(), -1);
      std::vector<double> before(mine.size(), -1);
      form()(EP_FORMS(Scan, Iscan), comm, mine.data(), upto.data(), count, MPI_DOUBLE, MPI_SUM);
      form()(EP_FORMS(Exscan, Iexscan), comm, mine.data(), before.data(), count, MPI_DOUBLE,
             MPI_SUM);
      for (int i = 0; i < count; i += 1 + count / 50) {
        ASSERT_EQ(upto[index(i)], prefixes(0, comm.size(), i)[index(me)]);
        if (me == 0) {
          ASSERT_EQ(before[index(i)], -1) << "rank 0's buffer must stay";
        }
        if (me > 0) {
          // The operands have moved up by one rank.
          ASSERT_EQ(before[index(i)], prefixes(0, comm.size() - 1, i)[index(me - 1)]);
        }
      }
      std::vector<double> in_place = mine;
      form()(EP_FORMS(Exscan, Iexscan), comm, EP_IN_PLACE, in_place.data(), count, MPI_DOUBLE,
             MPI_SUM);
      if (me > 0) {
        ASSERT_EQ(in_place, before);
      }
      form()(EP_FORMS(Scan, Iscan), comm, EP_IN_PLACE, mine.data(), count, MPI_DOUBLE, MPI_SUM);
      ASSERT_EQ(mine, upto);
    }
  });
}

/// x -> a x + b modulo 2^64: composition is associative, not commutative, and exact.
struct Affine {
  std::uint64_t a;
  std::uint64_t b;
  bool operator==(const Affine&) const = default;
};

Affine then(const Affine& first, const Affine& second) {
  return {second.a * first.a, second.a * first.b + second.b};
}

Affine map_of(int rank, int i) {
  return {static_cast<std::uint64_t>(2 * rank + 3 + i), static_cast<std::uint64_t>(7 * rank + i)};
}

void compose(void* in, void* inout, int* count, MPI_Datatype*) {
  auto* const left = static_cast<Affine*>(in);
  auto* const right = static_cast<Affine*>(inout);
  for (int i = 0; i < *count; ++i) right[i] = then(left[i], right[i]);
}

TEST_P(Reduction, operations_that_do_not_commute_keep_the_order_of_ranks) {
  run_endpoints(endpoints(), [](const Comm& comm) {
    constexpr int count = 3'000;
    MPI_Op op = MPI_OP_NULL;
    MPI_Datatype type = MPI_DATATYPE_NULL;
    ASSERT_EQ(MPI_Op_create(compose, 0, &op), MPI_SUCCESS);
    ASSERT_EQ(MPI_Type_contiguous(2, MPI_UINT64_T, &type), MPI_SUCCESS);
    ASSERT_EQ(MPI_Type_commit(&type), MPI_SUCCESS);
    std::vector<Affine> mine;
    std::vector<Affine> upto;
    std::vector<Affine> whole;
    for (int i = 0; i < count; ++i) {
      Affine now = map_of(0, i);
      mine.push_back(map_of(comm.rank(), i));
      if (comm.rank() == 0) upto.push_back(now);
      for (int rank = 1; rank < comm.size(); ++rank) {
        now = then(now, map_of(rank, i));
        if (rank == comm.rank()) upto.push_back(now);
      }
      whole.push_back(now);
    }
    std::vector<Affine> out(index(count));
    form()(EP_FORMS(Allreduce, Iallreduce), comm, mine.data(), out.data(), count, type, op);
    EXPECT_EQ(out, whole);
    form()(EP_FORMS(Scan, Iscan), comm, mine.data(), out.data(), count, type, op);
    EXPECT_EQ(out, upto);
    const int root = comm.size() / 2;
    form()(EP_FORMS(Reduce, Ireduce), comm, mine.data(), out.data(), count, type, op, root);
    if (comm.rank() == root) {
      EXPECT_EQ(out, whole);
    }
    ASSERT_EQ(MPI_Type_free(&type), MPI_SUCCESS);
    ASSERT_EQ(MPI_Op_free(&op), MPI_SUCCESS);
  });
}

TEST_P(Reduction, places_of_extremes) {
  run_endpoints(endpoints(), [](const Comm& comm) {
    struct Placed {
      double value;
      int rank;
    };
    const int size = comm.size();
    const std::array<Placed, 2> mine{
        {{static_cast<double>((comm.rank() * 3) % size), comm.rank()}, {5, comm.rank()}}};
    std::array<Placed, 2> out{};
    form()(EP_FORMS(Allreduce, Iallreduce), comm, mine.data(), out.data(), 2, MPI_DOUBLE_INT,
           MPI_MAXLOC);
    int first = 0;
    for (int rank = 1; rank < size; ++rank) {
      if ((rank * 3) % size > (first * 3) % size) first = rank;
    }
    EXPECT_EQ(out[0].rank, first);
    EXPECT_EQ(out[1].rank, 0) << "of equal ones, the lowest";
    form()(EP_FORMS(Allreduce, Iallreduce), comm, mine.data(), out.data(), 2, MPI_DOUBLE_INT,
           MPI_MINLOC);
    EXPECT_EQ(out[0].value, 0);
    EXPECT_EQ(out[1].rank, 0);
  });
}

TEST_P(Reduction, exact_operations_on_integers) {
  run_endpoints(endpoints(), [](const Comm& comm) {
    for (const int count : {1, 6'000}) {
      const std::vector<std::int64_t> mine = samples(comm.rank(), 1, count);
      std::vector<std::int64_t> sums(mine.size());
      std::vector<std::int64_t> bits(mine.size());
      form()(EP_FORMS(Allreduce, Iallreduce), comm, mine.data(), sums.data(), count, MPI_INT64_T,
             MPI_SUM);
      form()(EP_FORMS(Allreduce, Iallreduce), comm, mine.data(), bits.data(), count, MPI_INT64_T,
             MPI_BXOR);
      for (int i = 0; i < count; ++i) {
        std::int64_t sum = 0;
        std::int64_t bit = 0;
        for (int rank = 0; rank < comm.size(); ++rank) {
          sum += sample(rank, 1, i);
          bit ^= sample(rank, 1, i);
        }
        ASSERT_EQ(sums[index(i)], sum);
        ASSERT_EQ(bits[index(i)], bit);
      }
    }
  });
}

// Ranks jump between processes, so that no process has a subtree of its own.
TEST_P(Reduction, the_bits_do_not_depend_on_where_ranks_live) {
  run_endpoints(endpoints(), [](const Comm& comm) {
    const Comm mixed = comm.split(0, (comm.rank() * 7) % 5);
    for (const int count : {2, 5'000}) {
      const std::vector<double> mine = operand(mixed.rank(), count);
      const std::vector<double> expected = tree_sums(mixed.size(), count);
      std::vector<double> sum(mine.size(), -1);
      form()(EP_FORMS(Allreduce, Iallreduce), mixed, mine.data(), sum.data(), count, MPI_DOUBLE,
             MPI_SUM);
      ASSERT_EQ(sum, expected);
      form()(EP_FORMS(Reduce, Ireduce), mixed, mine.data(), sum.data(), count, MPI_DOUBLE, MPI_SUM,
             0);
      ASSERT_EQ(sum, expected);
      std::vector<double> block(index(count), -1);
      const std::vector<double> wide = operand(mixed.rank(), count * mixed.size());
      form()(EP_FORMS(Reduce_scatter_block, Ireduce_scatter_block), mixed, wide.data(),
             block.data(), count, MPI_DOUBLE, MPI_SUM);
      const std::vector<double> all = tree_sums(mixed.size(), count * mixed.size());
      ASSERT_EQ(block, std::vector<double>(all.begin() + mixed.rank() * count,
                                           all.begin() + (mixed.rank() + 1) * count));
    }
  });
}

TEST(ReductionMode, fast_sums_are_near_and_the_same_everywhere) {
  run_endpoints(5, [](const Comm& comm) {
    MPI_Info info = MPI_INFO_NULL;
    ASSERT_EQ(MPI_Info_create(&info), MPI_SUCCESS);
    ASSERT_EQ(MPI_Info_set(info, "ep_reduction", "fast"), MPI_SUCCESS);
    EP_Comm handle = EP_COMM_NULL;
    check(EP_Comm_create_endpoints(comm.get(), 1, info, &handle));
    const Comm fast(handle);
    const std::vector<double> mine = operand(fast.rank(), 4'000);
    std::vector<double> sum(mine.size(), -1);
    check(EP_Allreduce(mine.data(), sum.data(), 4'000, MPI_DOUBLE, MPI_SUM, fast.get()));
    std::vector<double> firsts = sum;
    check(EP_Bcast(firsts.data(), 4'000, MPI_DOUBLE, 0, fast.get()));
    EXPECT_EQ(sum, firsts);
    const std::vector<double> expected = tree_sums(5, 4'000);
    for (int i = 0; i < 4'000; ++i) {
      ASSERT_NEAR(sum[index(i)], expected[index(i)], 1e-12 * expected[index(i)]);
    }
    ASSERT_EQ(MPI_Info_set(info, "ep_reduction", "quick"), MPI_SUCCESS);
    EXPECT_EQ(EP_Comm_create_endpoints(comm.get(), 1, info, &handle), MPI_ERR_INFO_VALUE);
    ASSERT_EQ(MPI_Info_free(&info), MPI_SUCCESS);
  });
}

TEST(ReductionLocal, combines_in_order_and_knows_what_commutes) {
  const std::array<double, 2> left{1.5, -2};
  std::array<double, 2> right{4, 8};
  check(EP_Reduce_local(left.data(), right.data(), 2, MPI_DOUBLE, MPI_PROD));
  EXPECT_EQ(right, (std::array<double, 2>{6, -16}));
  MPI_Op op = MPI_OP_NULL;
  ASSERT_EQ(MPI_Op_create(compose, 0, &op), MPI_SUCCESS);
  int commutes = -1;
  check(EP_Op_commutative(op, &commutes));
  EXPECT_EQ(commutes, 0);
  check(EP_Op_commutative(MPI_SUM, &commutes));
  EXPECT_EQ(commutes, 1);
  EXPECT_EQ(EP_Reduce_local(left.data(), right.data(), 2, MPI_DOUBLE, MPI_OP_NULL), EP_ERR_OP);
  EXPECT_EQ(EP_Reduce_local(left.data(), right.data(), -1, MPI_DOUBLE, MPI_SUM), EP_ERR_COUNT);
  ASSERT_EQ(MPI_Op_free(&op), MPI_SUCCESS);
}

}  // namespace
}  // namespace ep::test::reduction_test
