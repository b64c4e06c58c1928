#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <vector>

#include "layouts.hpp"

namespace ep::test::collective_test {
namespace {

class Collective : public testing::TestWithParam<int> {};
INSTANTIATE_TEST_SUITE_P(Endpoints, Collective, testing::Values(1, 2, 3, 4, 5));

// The rule of the ordered reduction, written out a second time.
double tree_sum(const std::vector<double>& values, std::size_t lo, std::size_t hi) {
  if (hi - lo == 1) return values[lo];
  const std::size_t mid = lo + std::bit_floor(hi - lo - 1);
  return tree_sum(values, lo, mid) + tree_sum(values, mid, hi);
}

double awkward(int rank, int i) { return std::ldexp(1.0 / (rank + 3 + i % 7), (rank * 13) % 40); }

TEST_P(Collective, nobody_leaves_a_barrier_before_all_came) {
  run_endpoints(GetParam(), [](const Comm& comm) {
    for (int round = 0; round < 20; ++round) {
      // Everyone tells rank 0 before the barrier; after it rank 0 must find all without waiting
      // long.
      check(EP_Send(&round, 1, MPI_INT, 0, round, comm.get()));
      check(EP_Barrier(comm.get()));
      if (comm.rank() != 0) continue;
      for (int source = 0; source < comm.size(); ++source) {
        int in = -1;
        check(EP_Recv(&in, 1, MPI_INT, source, round, comm.get(), EP_STATUS_IGNORE));
        EXPECT_EQ(in, round);
      }
    }
  });
}

TEST_P(Collective, bcast_from_every_root) {
  run_endpoints(GetParam(), [](const Comm& comm) {
    for (const int count : {1, 1000, 60'000}) {
      for (int root = 0; root < comm.size(); ++root) {
        std::vector<double> data(static_cast<std::size_t>(count),
                                 comm.rank() == root ? root + 0.5 : -1);
        check(EP_Bcast(data.data(), count, MPI_DOUBLE, root, comm.get()));
        EXPECT_EQ(data.front(), root + 0.5);
        EXPECT_EQ(data.back(), root + 0.5);
      }
    }
  });
}

TEST_P(Collective, bcast_into_a_strided_type) {
  run_endpoints(GetParam(), [](const Comm& comm) {
    MPI_Datatype column = MPI_DATATYPE_NULL;
    ASSERT_EQ(MPI_Type_vector(100, 1, 2, MPI_INT, &column), MPI_SUCCESS);
    ASSERT_EQ(MPI_Type_commit(&column), MPI_SUCCESS);
    std::vector<int> data(200, -1);
    if (comm.rank() == 0) {
      std::iota(data.begin(), data.end(), 0);
      check(EP_Bcast(data.data(), 100, MPI_INT, 0, comm.get()));
    } else {
      check(EP_Bcast(data.data(), 1, column, 0, comm.get()));
      EXPECT_EQ(data[198], 99);
      EXPECT_EQ(data[199], -1);
    }
    ASSERT_EQ(MPI_Type_free(&column), MPI_SUCCESS);
  });
}

TEST_P(Collective, gather_and_gatherv_at_every_root) {
  run_endpoints(GetParam(), [](const Comm& comm) {
    const int size = comm.size();
    for (int root = 0; root < size; ++root) {
      const std::array<int, 2> mine{comm.rank(), -comm.rank()};
      std::vector<int> all(static_cast<std::size_t>(2 * size), 99);
      check(EP_Gather(mine.data(), 2, MPI_INT, all.data(), 2, MPI_INT, root, comm.get()));
      std::vector<int> counts;
      std::vector<int> displacements;
      for (int rank = 0; rank < size; ++rank) {
        counts.push_back(rank % 3);
        displacements.push_back(4 * (size - 1 - rank));
      }
      std::vector<int> spread(static_cast<std::size_t>(4 * size), 99);
      const int count = counts[static_cast<std::size_t>(comm.rank())];
      check(EP_Gatherv(mine.data(), count, MPI_INT, spread.data(), counts.data(),
                       displacements.data(), MPI_INT, root, comm.get()));
      for (int rank = 0; rank < size && comm.rank() == root; ++rank) {
        EXPECT_EQ(all[static_cast<std::size_t>(2 * rank + 1)], -rank);
        const auto at = static_cast<std::size_t>(displacements[static_cast<std::size_t>(rank)]);
        EXPECT_EQ(spread[at], rank % 3 > 0 ? rank : 99);
        EXPECT_EQ(spread[at + 1], rank % 3 > 1 ? -rank : 99);
      }
    }
  });
}

TEST_P(Collective, gather_in_place_at_the_root) {
  run_endpoints(GetParam(), [](const Comm& comm) {
    const int root = comm.size() - 1;
    std::vector<int> all(static_cast<std::size_t>(comm.size()), -1);
    const int mine = 10 * comm.rank();
    if (comm.rank() == root) all.back() = mine;
    check(EP_Gather(comm.rank() == root ? EP_IN_PLACE : &mine, 1, MPI_INT, all.data(), 1, MPI_INT,
                    root, comm.get()));
    for (int rank = 0; rank < comm.size() && comm.rank() == root; ++rank) {
      EXPECT_EQ(all[static_cast<std::size_t>(rank)], 10 * rank);
    }
  });
}

TEST_P(Collective, allgather_plain_in_place_and_with_counts) {
  run_endpoints(GetParam(), [](const Comm& comm) {
    const int size = comm.size();
    const auto me = static_cast<std::size_t>(comm.rank());
    std::vector<int> all(static_cast<std::size_t>(size), -1);
    const int mine = comm.rank() + 1;
    check(EP_Allgather(&mine, 1, MPI_INT, all.data(), 1, MPI_INT, comm.get()));
    std::vector<int> in_place(static_cast<std::size_t>(size), -1);
    in_place[me] = mine;
    check(EP_Allgather(EP_IN_PLACE, 0, MPI_INT, in_place.data(), 1, MPI_INT, comm.get()));
    EXPECT_EQ(all, in_place);
    std::vector<int> counts;
    std::vector<int> displacements;
    for (int rank = 0; rank < size; ++rank) {
      EXPECT_EQ(all[static_cast<std::size_t>(rank)], rank + 1);
      displacements.push_back(rank * 5000);
      counts.push_back(rank == 1 ? 0 : 4000 + rank);
    }
    const std::vector<double> out(5000, comm.rank() + 0.25);
    std::vector<double> in(static_cast<std::size_t>(5000 * size), -1);
    check(EP_Allgatherv(out.data(), counts[me], MPI_DOUBLE, in.data(), counts.data(),
                        displacements.data(), MPI_DOUBLE, comm.get()));
    for (int rank = 0; rank < size; ++rank) {
      const auto first = std::size_t{5000} * static_cast<std::size_t>(rank);
      EXPECT_EQ(in[first], rank == 1 ? -1 : rank + 0.25);
      EXPECT_EQ(in[first + 4500], -1);
    }
  });
}

// The same bits in every layout, for the expected value is computed here without communication.
TEST_P(Collective, sums_follow_the_tree_over_ranks) {
  run_endpoints(GetParam(), [](const Comm& comm) {
    for (const int count : {1, 17, 20'000}) {
      std::vector<double> out(static_cast<std::size_t>(count));
      for (int i = 0; i < count; ++i) out[static_cast<std::size_t>(i)] = awkward(comm.rank(), i);
      std::vector<double> in(out.size(), -1);
      check(EP_Allreduce(out.data(), in.data(), count, MPI_DOUBLE, MPI_SUM, comm.get()));
      check(EP_Allreduce(EP_IN_PLACE, out.data(), count, MPI_DOUBLE, MPI_SUM, comm.get()));
      for (int i = 0; i < count; ++i) {
        std::vector<double> values;
        for (int rank = 0; rank < comm.size(); ++rank) values.push_back(awkward(rank, i));
        const double expected = tree_sum(values, 0, values.size());
        const auto k = static_cast<std::size_t>(i);
        ASSERT_EQ(std::bit_cast<std::uint64_t>(in[k]), std::bit_cast<std::uint64_t>(expected));
        ASSERT_EQ(out[k], in[k]);
      }
    }
  });
}

TEST_P(Collective, sums_follow_ranks_also_where_a_split_interleaved_them) {
  run_endpoints(GetParam(), [](const Comm& comm) {
    const int order = (comm.rank() * 7) % 5;  // distinct for up to five ranks
    const Comm mixed = comm.split(0, order);
    const double mine = awkward(mixed.rank(), 3);
    double sum = 0;
    check(EP_Allreduce(&mine, &sum, 1, MPI_DOUBLE, MPI_SUM, mixed.get()));
    std::vector<double> values;
    for (int rank = 0; rank < mixed.size(); ++rank) values.push_back(awkward(rank, 3));
    EXPECT_EQ(sum, tree_sum(values, 0, values.size()));
  });
}

void concatenate_digits(void* in, void* inout, int* count, MPI_Datatype*) {
  // Associative, not commutative: (digits, factor) pairs appended.
  auto* const left = static_cast<long long*>(in);
  auto* const right = static_cast<long long*>(inout);
  const std::ptrdiff_t values = std::ptrdiff_t{2} * *count;
  for (std::ptrdiff_t i = 0; i < values; i += 2) {
    right[i] += left[i] * right[i + 1];
    right[i + 1] *= left[i + 1];
  }
}

TEST_P(Collective, other_operations_and_types) {
  run_endpoints(GetParam(), [](const Comm& comm) {
    const int size = comm.size();
    std::array<std::int64_t, 2> extremes{comm.rank(), -comm.rank()};
    check(EP_Allreduce(EP_IN_PLACE, extremes.data(), 2, MPI_INT64_T, MPI_MAX, comm.get()));
    EXPECT_EQ(extremes, (std::array<std::int64_t, 2>{size - 1, 0}));
    std::uint32_t bits = 1U << static_cast<unsigned>(comm.rank());
    check(EP_Allreduce(EP_IN_PLACE, &bits, 1, MPI_UINT32_T, MPI_BOR, comm.get()));
    EXPECT_EQ(bits, (1U << static_cast<unsigned>(size)) - 1U);
    struct Located {
      double value;
      int rank;
    } place{comm.rank() == size / 2 ? -1.0 : 1.0, comm.rank()};
    check(EP_Allreduce(EP_IN_PLACE, &place, 1, MPI_DOUBLE_INT, MPI_MINLOC, comm.get()));
    EXPECT_EQ(place.rank, size / 2);

    MPI_Op op = MPI_OP_NULL;
    MPI_Datatype pair = MPI_DATATYPE_NULL;
    ASSERT_EQ(MPI_Op_create(concatenate_digits, 0, &op), MPI_SUCCESS);
    ASSERT_EQ(MPI_Type_contiguous(2, MPI_LONG_LONG, &pair), MPI_SUCCESS);
    ASSERT_EQ(MPI_Type_commit(&pair), MPI_SUCCESS);
    std::array<long long, 2> digits{comm.rank() + 1, 10};
    check(EP_Allreduce(EP_IN_PLACE, digits.data(), 1, pair, op, comm.get()));
    long long expected = 0;
    for (int rank = 0; rank < size; ++rank) expected = 10 * expected + rank + 1;
    EXPECT_EQ(digits[0], expected);
    ASSERT_EQ(MPI_Type_free(&pair), MPI_SUCCESS);
    ASSERT_EQ(MPI_Op_free(&op), MPI_SUCCESS);
  });
}

TEST_P(Collective, too_small_a_block_is_reported_where_it_is_seen) {
  run_endpoints(GetParam(), [](const Comm& comm) {
    const std::array<int, 2> mine{1, 2};
    std::vector<int> all(static_cast<std::size_t>(2 * comm.size()));
    const int code = EP_Gather(mine.data(), 2, MPI_INT, all.data(), 1, MPI_INT, 0, comm.get());
    int root_process = EP_LOCALITY_REMOTE;
    check(EP_Comm_locality(comm.get(), 0, &root_process));
    // Siblings of the root may learn it too.
    if (comm.rank() == 0) {
      EXPECT_EQ(code, EP_ERR_TRUNCATE) << EP_Last_error();
    } else if (root_process != EP_LOCALITY_PROCESS) {
      EXPECT_EQ(code, EP_SUCCESS);
    }
  });
}

}  // namespace
}  // namespace ep::test::collective_test
