#include "schedules/cost_model.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <vector>

namespace ep::test::cost_model_test {
namespace {

constexpr double no_bend = std::numeric_limits<double>::infinity();
constexpr CostParameters round_numbers{{1e-6, 1e-10}, {10e-6, 1e-9}, 0.5e-9, 2e-6,
                                       0.5e-9,        no_bend,       {}};

double between_us(Collective collective, Algorithm algorithm, int processes, std::int64_t bytes) {
  return 1e6 * work_between(round_numbers, collective, algorithm, {processes, 1, 1}, bytes)
                   .seconds(round_numbers);
}

// Eight processes, 8000 bytes: n beta = 8 us, one way and n gamma = 4 us, n copied 0.8 us;
// n 7/8 beta = 7 us, one way 3.5 us.
TEST(CostModel, worked_out_by_hand) {
  using C = Collective;
  using A = Algorithm;
  const auto us = [](C c, A a) { return between_us(c, a, 8, 8000); };
  EXPECT_DOUBLE_EQ(us(C::barrier, A::dissemination), 30);
  EXPECT_DOUBLE_EQ(us(C::bcast, A::binomial), 3 * (10 + 4));
  EXPECT_DOUBLE_EQ(us(C::bcast, A::scatter_ring), 10 * 10 + 3.5 + 7);
  EXPECT_DOUBLE_EQ(us(C::bcast, A::scatter_doubling), 6 * 10 + 3.5 + 7);
  EXPECT_DOUBLE_EQ(us(C::bcast, A::pipelined), 7 * (10 + 8));  // one segment
  EXPECT_DOUBLE_EQ(us(C::gather, A::linear), 10 + 6 * 2 + 3.5);
  EXPECT_DOUBLE_EQ(us(C::scatter, A::binomial), 30 + 3.5 + 0.8);
  EXPECT_DOUBLE_EQ(us(C::allgather, A::ring), 70 + 7);
  EXPECT_DOUBLE_EQ(us(C::allgather, A::doubling), 30 + 7);
  EXPECT_DOUBLE_EQ(us(C::allgather, A::bruck), 30 + 7);
  EXPECT_DOUBLE_EQ(us(C::alltoall, A::linear), 10 + 12 + 7);
  EXPECT_DOUBLE_EQ(us(C::alltoall, A::pairwise), 70 + 7);
  EXPECT_DOUBLE_EQ(us(C::alltoall, A::bruck), 3 * (10 + 4 + 0.4));
  EXPECT_DOUBLE_EQ(us(C::reduce, A::binomial), 3 * (10 + 4 + 4));
  EXPECT_DOUBLE_EQ(us(C::reduce, A::halving), 60 + 7 + 3.5 + 3.5 + 0.8);
  EXPECT_DOUBLE_EQ(us(C::allreduce, A::operands), 30 + 7 * (8 + 4) + 0.8);
  EXPECT_DOUBLE_EQ(us(C::allreduce, A::doubling), 3 * (10 + 8 + 4) + 0.8);
  EXPECT_DOUBLE_EQ(us(C::allreduce, A::slices), 80 + 12 + 14 + 3.5);
  EXPECT_DOUBLE_EQ(us(C::allreduce, A::halving), 60 + 14 + 3.5 + 0.8);
  EXPECT_DOUBLE_EQ(us(C::allreduce, A::ring), 140 + 14 + 3.5 + 0.8);
  EXPECT_DOUBLE_EQ(us(C::reduce_scatter, A::slices), 10 + 12 + 7 + 3.5);
  EXPECT_DOUBLE_EQ(us(C::reduce_scatter, A::halving), 30 + 7 + 3.5 + 0.9);
  EXPECT_DOUBLE_EQ(us(C::reduce_scatter, A::ring), 70 + 7 + 3.5 + 0.9);
  EXPECT_DOUBLE_EQ(us(C::scan, A::doubling), 3 * (10 + 8 + 4));
}

// 5 = 4 + 1: the fifth hands its 1000 bytes (0.5 us, one way) over and gets them back.
TEST(CostModel, processes_beyond_a_power_of_two_fold) {
  EXPECT_DOUBLE_EQ(between_us(Collective::allreduce, Algorithm::doubling, 5, 1000),
                   (2 + 2) * 10 + 2 * 1 + 2 * 0.5 + (2 + 1) * 0.5 + 0.1);
  EXPECT_DOUBLE_EQ(between_us(Collective::allreduce, Algorithm::halving, 5, 1000),
                   (4 + 2) * 10 + 1.6 * 1 + 2 * 0.5 + (0.8 + 1) * 0.5 + 0.1);
}

TEST(CostModel, the_share_of_a_process) {
  const Shape four{1, 4, 1};
  const auto us = [&](Collective c) {
    return 1e6 * work_inside(c, four, 10'000).seconds(round_numbers);
  };
  EXPECT_DOUBLE_EQ(us(Collective::barrier), 2);
  EXPECT_DOUBLE_EQ(us(Collective::bcast), 2 + 3);
  EXPECT_DOUBLE_EQ(us(Collective::allgather), 2 + 4);
  EXPECT_DOUBLE_EQ(us(Collective::reduce), 2 + 3 * 5);
  EXPECT_DOUBLE_EQ(us(Collective::allreduce), 2 + 3 * 5 + 3);
  EXPECT_EQ(work_between(round_numbers, Collective::bcast, Algorithm::binomial, four, 8).rounds, 0);
}

// Several endpoints combine theirs first, whatever the algorithm: nothing is copied for one alone.
TEST(CostModel, one_operand_of_a_process_is_copied_where_it_travels) {
  const auto copied = [](Collective collective, Algorithm algorithm, int endpoints) {
    return work_between(round_numbers, collective, algorithm, {8, endpoints, 1}, 800).copied_bytes;
  };
  EXPECT_EQ(copied(Collective::allreduce, Algorithm::halving, 1), 800);
  EXPECT_EQ(copied(Collective::allreduce, Algorithm::halving, 2), 0);
  EXPECT_EQ(copied(Collective::allreduce, Algorithm::slices, 1), 0);
  EXPECT_EQ(copied(Collective::allreduce, Algorithm::slices, 2), 800);
  EXPECT_EQ(copied(Collective::reduce_scatter, Algorithm::ring, 4), 100);
}

TEST(CostModel, another_endpoint_may_go_on_after_each_step_of_a_reduction) {
  const auto synchronisations = [](Collective collective, Algorithm algorithm) {
    return work_between(round_numbers, collective, algorithm, {8, 4, 1}, 800).synchronisations;
  };
  EXPECT_EQ(synchronisations(Collective::reduce, Algorithm::binomial), 3);
  EXPECT_EQ(synchronisations(Collective::reduce, Algorithm::halving), 6);
  EXPECT_EQ(synchronisations(Collective::allreduce, Algorithm::ring), 14);
  EXPECT_EQ(synchronisations(Collective::allreduce, Algorithm::slices), 2);
  EXPECT_EQ(synchronisations(Collective::reduce_scatter, Algorithm::slices), 1);
}

TEST(CostModel, what_does_not_fit_into_the_caches_costs_more) {
  CostParameters costs = round_numbers;
  costs.cached_bytes = 1000;
  costs.beyond = {2e-10, 3e-9, 2e-9, 1e-9};
  const auto us = [&](Collective collective, Algorithm algorithm, std::int64_t bytes) {
    return 1e6 * predicted_s(costs, collective, algorithm, {2, 1, 1}, bytes);
  };
  EXPECT_DOUBLE_EQ(us(Collective::bcast, Algorithm::binomial, 1000), 10 + 0.5);
  EXPECT_DOUBLE_EQ(us(Collective::bcast, Algorithm::binomial, 3000), 10 + 0.5 + 2 * 2);
  // Half of the vector each way, of the mean byte: (1 + 2 * 3) / 3 ns.
  EXPECT_DOUBLE_EQ(us(Collective::allgather, Algorithm::ring, 3000), 10 + 1.5 * 7 / 3 + 0.5);
  EXPECT_DOUBLE_EQ(us(Collective::reduce, Algorithm::binomial, 3000), 10 + 0.5 + 4 + 0.5 + 2);
}

// On a node one way is faster, since both processes copy: halves that are exchanged, and gathered
// after that, save no time.
TEST(CostModel, two_processes_of_a_node_reduce_along_the_tree) {
  const CostParameters node;
  for (const int endpoints : {1, 2, 4}) {
    const Shape two{2, endpoints, 1};
    for (std::int64_t bytes = 8; bytes <= 64 << 10; bytes *= 2) {
      EXPECT_LT(predicted_s(node, Collective::reduce, Algorithm::binomial, two, bytes),
                predicted_s(node, Collective::reduce, Algorithm::halving, two, bytes))
          << bytes;
    }
  }
}

TEST(CostModel, more_bytes_and_more_processes_never_cost_less) {
  for (std::size_t c = 0; c < collective_count; ++c) {
    const auto collective = static_cast<Collective>(c);
    for (const Algorithm algorithm : algorithms_of(collective)) {
      for (const int p : {2, 3, 8, 100, 1000}) {
        double before = 0;
        for (std::int64_t bytes = 8; bytes <= 16 << 20; bytes *= 2) {
          const double now = between_us(collective, algorithm, p, bytes);
          EXPECT_GE(now, before) << name_of(collective) << " " << name_of(algorithm) << " " << p;
          before = now;
        }
      }
      for (const std::int64_t bytes : {8, 4096, 1 << 20}) {
        double before = 0;
        for (int p = 2; p <= 1 << 20; p *= 2) {
          const double now = between_us(collective, algorithm, p, bytes);
          EXPECT_GE(now, before) << name_of(collective) << " " << name_of(algorithm) << " " << p;
          before = now;
        }
      }
    }
  }
}

// A tree sends n lg p one way, scatter and ring n (p-1)/p one way and as much both ways in
// lg p + p-1 rounds: they are level where n (beta' lg p - (beta' + beta)(p-1)/p) = (p-1) alpha.
TEST(CostModel, tree_and_ring_cross_where_the_theory_says) {
  const int p = 16;
  const double level = 15 * 10e-6 / (0.5e-9 * 4 - 1.5e-9 * 15 / 16);
  const auto tree = [&](double n) {
    return between_us(Collective::bcast, Algorithm::binomial, p, static_cast<std::int64_t>(n));
  };
  const auto ring = [&](double n) {
    return between_us(Collective::bcast, Algorithm::scatter_ring, p, static_cast<std::int64_t>(n));
  };
  EXPECT_LT(tree(0.99 * level), ring(0.99 * level));
  EXPECT_GT(tree(1.01 * level), ring(1.01 * level));
}

TEST(CostModel, a_pipeline_has_the_best_number_of_segments) {
  constexpr std::int64_t bytes = 16 << 20;
  const int best = pipeline_segments(round_numbers, 10, bytes);
  const auto time = [&](int segments) {
    return (8 + segments) * (10e-6 + bytes / static_cast<double>(segments) * 1e-9);
  };
  for (const int other : {1, best / 2, best - 2, best + 2, 2 * best}) {
    EXPECT_GE(time(other), time(best)) << other << " segments instead of " << best;
  }
  EXPECT_EQ(pipeline_segments(round_numbers, 2, bytes), 1);
}

// A wrong program whose processes cut a pipeline differently hangs, but where sizes are checked:
// the wrong counts of collectives/mismatch_test.cpp, one value more or less, must not lie on an
// edge.
TEST(CostModel, counts_of_the_test_of_mistakes_are_cut_alike) {
  for (const std::int64_t count : {1, 3, 5000}) {
    const auto segments = [&](std::int64_t values) {
      return pipeline_segments(CostParameters(), 3, values * 8);
    };
    EXPECT_EQ(segments(count - 1), segments(count)) << count;
    EXPECT_EQ(segments(count + 1), segments(count)) << count;
  }
}

TEST(CostModel, names_lead_back) {
  for (std::size_t c = 0; c < collective_count; ++c) {
    Collective collective{};
    ASSERT_TRUE(find_collective(name_of(static_cast<Collective>(c)), collective));
    EXPECT_EQ(collective, static_cast<Collective>(c));
    for (const Algorithm one : algorithms_of(collective)) {
      Algorithm found{};
      ASSERT_TRUE(find_algorithm(collective, name_of(one), found));
      EXPECT_EQ(found, one);
    }
  }
  Algorithm found{};
  EXPECT_FALSE(find_algorithm(Collective::barrier, "ring", found));
  EXPECT_EQ(names_of_algorithms(Collective::alltoall), "linear, pairwise, bruck");
}

}  // namespace
}  // namespace ep::test::cost_model_test
