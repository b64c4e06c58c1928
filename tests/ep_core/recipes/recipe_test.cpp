// Collectives over 1 to 40 processes, without as many: the recipes run in a simulation.

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "collectives/collective_calls.hpp"
#include "recipes/simulation.hpp"

namespace ep::test::recipe_test {
namespace {

using Numbers = std::vector<std::int64_t>;

enum class Seats {
  one_each,    ///< one endpoint per process
  some,        ///< one to three per process
  interleaved  ///< those, in any order of ranks
};

SimulatedLayout layout_of(int processes, Seats seats) {
  SimulatedLayout layout;
  layout.processes = processes;
  for (int p = 0; p < processes; ++p) {
    const int here = seats == Seats::one_each ? 1 : 1 + p % 3;
    layout.first.insert(layout.first.end(), static_cast<std::size_t>(here), p);
  }
  std::mt19937 random(static_cast<unsigned>(processes));
  if (seats == Seats::interleaved) {
    std::shuffle(layout.first.begin(), layout.first.end(), random);
  }
  return layout;
}

/// Around powers of two and the bounds of selectors: for what takes time.
bool is_telling(int processes) {
  return processes <= 9 || (processes >= 16 && processes <= 17) ||
         (processes >= 32 && processes <= 33) || processes == 40;
}

int ceil_log2(int n) { return static_cast<int>(std::bit_width(static_cast<unsigned>(n - 1))); }

std::int64_t value(int from, int to, int i) { return 1'000'000LL * from + 1'000LL * to + i % 997; }

/// A simulated communicator and its ranks.
struct World {
  explicit World(const SimulatedLayout& layout)
      : processes(layout.processes),
        size(static_cast<int>(layout.first.size())),
        simulation(layout, static_cast<unsigned>(processes)) {}

  /// Fails unless all of it ended well.
  Simulation::Outcome run(const std::function<Call(const Endpoint&)>& make) {
    const Simulation::Outcome outcome = simulation.run(make);
    EXPECT_TRUE(outcome.complete) << processes << " processes stand still";
    EXPECT_EQ(outcome.errors, 0) << processes << " processes";
    return outcome;
  }
  /// By this algorithm from here on, where it can be.
  void override_algorithm(Collective collective, Algorithm algorithm, bool fast_reduction = false) {
    CostModel model;
    model.overrides.set(collective, algorithm);
    simulation.use(model, fast_reduction);
    overridden = std::string(name_of(algorithm));
  }
  /// Something of each rank.
  template <class T>
  std::vector<std::vector<T>> buffers(int count, T fill = -1) const {
    return std::vector<std::vector<T>>(static_cast<std::size_t>(size),
                                       std::vector<T>(static_cast<std::size_t>(count), fill));
  }

  int processes;
  int size;
  std::string overridden;  ///< empty: the model chooses
  Simulation simulation;
};

template <class T>
std::vector<T>& of(std::vector<std::vector<T>>& all, const Endpoint& endpoint) {
  return all[static_cast<std::size_t>(endpoint.rank)];
}

class Recipes : public testing::TestWithParam<Seats> {
 protected:
  template <class Body>
  void for_all_worlds(Body&& body) {
    for (int processes = 1; processes <= 40; ++processes) {
      World world(layout_of(processes, GetParam()));
      body(world);
      if (HasFailure()) return;
    }
  }
  /// The same, and for telling numbers also by every algorithm that the collective has.
  template <class Body>
  void for_all_worlds(Collective collective, Body&& body) {
    for_all_worlds([&](World& world) {
      body(world);
      if (!is_telling(world.processes) || world.processes == 1) return;
      for (const Algorithm algorithm : algorithms_of(collective)) {
        world.override_algorithm(collective, algorithm);
        SCOPED_TRACE(world.overridden);
        body(world);
        if (HasFailure()) return;
      }
    });
  }
};
INSTANTIATE_TEST_SUITE_P(Layouts, Recipes,
                         testing::Values(Seats::one_each, Seats::some, Seats::interleaved));

TEST_P(Recipes, a_barrier_is_left_when_all_have_come) {
  for_all_worlds([](World& world) {
    for (const int late : {0, world.processes / 2, world.processes - 1}) {
      const Simulation::Outcome outcome =
          world.simulation.run([](const Endpoint& e) { return barrier_call(e, "barrier"); }, late);
      EXPECT_TRUE(outcome.complete);
      EXPECT_EQ(outcome.over_before_last_began, 0);
      EXPECT_EQ(outcome.rounds, ceil_log2(world.processes));
      EXPECT_EQ(outcome.messages, world.processes * ceil_log2(world.processes));
    }
  });
}

TEST_P(Recipes, a_broadcast_reaches_everyone_from_any_root) {
  for_all_worlds(Collective::bcast, [](World& world) {
    for (const int count : {1, 70'000}) {
      for (const int root : {0, world.size / 3, world.size - 1}) {
        if (count > 1 && (root != world.size / 3 || !is_telling(world.processes))) continue;
        auto data = world.buffers<std::int64_t>(count);
        for (int i = 0; i < count; ++i) {
          data[static_cast<std::size_t>(root)][static_cast<std::size_t>(i)] = value(root, 0, i);
        }
        const Numbers expected = data[static_cast<std::size_t>(root)];
        const auto outcome = world.run([&](const Endpoint& e) {
          return bcast_call(e, "bcast", blocks_of(of(data, e).data(), count, MPI_INT64_T), root);
        });
        for (const Numbers& one : data) ASSERT_EQ(one, expected) << world.processes;
        if (count > 1 || !world.overridden.empty()) continue;
        EXPECT_EQ(outcome.messages, world.processes - 1);
        EXPECT_LE(outcome.rounds, 1 + ceil_log2(world.processes));
      }
    }
  });
}

TEST_P(Recipes, an_allgather_collects_from_everyone) {
  for_all_worlds(Collective::allgather, [](World& world) {
    for (const int count : {1, 3'000}) {
      if (count > 1 && (world.size > 40 || !is_telling(world.processes))) continue;
      auto in = world.buffers<std::int64_t>(count * world.size);
      auto out = world.buffers<std::int64_t>(count);
      Numbers expected;
      for (int rank = 0; rank < world.size; ++rank) {
        for (int i = 0; i < count; ++i) {
          out[static_cast<std::size_t>(rank)][static_cast<std::size_t>(i)] = value(rank, 0, i);
          expected.push_back(value(rank, 0, i));
        }
      }
      world.run([&](const Endpoint& e) {
        return allgather_call(e, "allgather", blocks_of(of(out, e).data(), count, MPI_INT64_T),
                              blocks_of(of(in, e).data(), count, MPI_INT64_T));
      });
      for (const Numbers& one : in) ASSERT_EQ(one, expected) << world.processes;
    }
  });
}

TEST_P(Recipes, an_allgather_of_blocks_of_any_size) {
  for_all_worlds(Collective::allgather, [](World& world) {
    std::vector<int> counts;
    std::vector<int> places;
    int total = 0;
    for (int rank = 0; rank < world.size; ++rank) {
      counts.push_back(rank * 7 % 5);  // nothing, too
      places.push_back(total);
      total += counts.back();
    }
    auto in = world.buffers<std::int64_t>(total);
    auto out = world.buffers<std::int64_t>(5);
    Numbers expected;
    for (int rank = 0; rank < world.size; ++rank) {
      for (int i = 0; i < counts[static_cast<std::size_t>(rank)]; ++i) {
        out[static_cast<std::size_t>(rank)][static_cast<std::size_t>(i)] = value(rank, 0, i);
        expected.push_back(value(rank, 0, i));
      }
    }
    world.run([&](const Endpoint& e) {
      const int mine = counts[static_cast<std::size_t>(e.rank)];
      return allgather_call(e, "allgatherv", blocks_of(of(out, e).data(), mine, MPI_INT64_T),
                            blocks_of(of(in, e).data(), counts.data(), places.data(), MPI_INT64_T));
    });
    for (const Numbers& one : in) ASSERT_EQ(one, expected) << world.processes;
  });
}

TEST_P(Recipes, an_exchange_of_all_with_all) {
  for_all_worlds(Collective::alltoall, [](World& world) {
    for (const int count : {1, 2'000}) {
      if (count > 1 && (world.size > 40 || !is_telling(world.processes))) continue;
      auto in = world.buffers<std::int64_t>(count * world.size);
      auto out = world.buffers<std::int64_t>(count * world.size);
      for (int rank = 0; rank < world.size; ++rank) {
        for (int i = 0; i < count * world.size; ++i) {
          out[static_cast<std::size_t>(rank)][static_cast<std::size_t>(i)] =
              value(rank, i / count, i % count);
        }
      }
      world.run([&](const Endpoint& e) {
        return alltoall_call(e, "alltoall", blocks_of(of(out, e).data(), count, MPI_INT64_T),
                             blocks_of(of(in, e).data(), count, MPI_INT64_T));
      });
      for (int rank = 0; rank < world.size; ++rank) {
        for (int i = 0; i < count * world.size; ++i) {
          ASSERT_EQ(in[static_cast<std::size_t>(rank)][static_cast<std::size_t>(i)],
                    value(i / count, rank, i % count));
        }
      }
    }
  });
}

TEST_P(Recipes, a_gather_and_a_scatter_at_any_root) {
  const auto check = [](World& world) {
    for (const int root : {0, world.size / 2, world.size - 1}) {
      Numbers all(static_cast<std::size_t>(world.size), -1);
      auto one = world.buffers<std::int64_t>(1);
      for (int rank = 0; rank < world.size; ++rank) {
        one[static_cast<std::size_t>(rank)][0] = value(rank, 1, 0);
      }
      world.run([&](const Endpoint& e) {
        return gather_call(e, "gather", blocks_of(of(one, e).data(), 1, MPI_INT64_T),
                           blocks_of(all.data(), 1, MPI_INT64_T), root);
      });
      for (int rank = 0; rank < world.size; ++rank) {
        ASSERT_EQ(all[static_cast<std::size_t>(rank)], value(rank, 1, 0));
      }
      one = world.buffers<std::int64_t>(1);
      world.run([&](const Endpoint& e) {
        return scatter_call(e, "scatter", blocks_of(all.data(), 1, MPI_INT64_T),
                            blocks_of(of(one, e).data(), 1, MPI_INT64_T), root);
      });
      for (int rank = 0; rank < world.size; ++rank) {
        ASSERT_EQ(one[static_cast<std::size_t>(rank)][0], value(rank, 1, 0));
      }
    }
  };
  for_all_worlds(Collective::gather, check);
  for_all_worlds(Collective::scatter, check);
}

TEST_P(Recipes, an_exchange_in_place_by_every_algorithm) {
  for_all_worlds(Collective::alltoall, [](World& world) {
    auto data = world.buffers<std::int64_t>(2 * world.size);
    for (int rank = 0; rank < world.size; ++rank) {
      for (int i = 0; i < 2 * world.size; ++i) {
        data[static_cast<std::size_t>(rank)][static_cast<std::size_t>(i)] =
            value(rank, i / 2, i % 2);
      }
    }
    world.run([&](const Endpoint& e) {
      return alltoall_call(e, "alltoall", blocks_of(EP_IN_PLACE, 2, MPI_INT64_T),
                           blocks_of(of(data, e).data(), 2, MPI_INT64_T));
    });
    for (int rank = 0; rank < world.size; ++rank) {
      for (int i = 0; i < 2 * world.size; ++i) {
        ASSERT_EQ(data[static_cast<std::size_t>(rank)][static_cast<std::size_t>(i)],
                  value(i / 2, rank, i % 2));
      }
    }
  });
}

// The root's own block is where it should be; nobody else's buffer for all is looked at.
TEST_P(Recipes, a_gather_and_a_scatter_in_place_by_tree) {
  for_all_worlds([](World& world) {
    const int root = world.size / 3;
    CostModel model;
    model.overrides = parse_overrides("gather=binomial,scatter=binomial", "test");
    world.simulation.use(model, false);
    Numbers all(static_cast<std::size_t>(world.size), -1);
    auto one = world.buffers<std::int64_t>(1);
    for (int rank = 0; rank < world.size; ++rank) one[static_cast<std::size_t>(rank)][0] = rank;
    all[static_cast<std::size_t>(root)] = root;
    world.run([&](const Endpoint& e) {
      const bool here = e.rank == root;
      return gather_call(e, "gather",
                         blocks_of(here ? EP_IN_PLACE : of(one, e).data(), 1, MPI_INT64_T),
                         blocks_of(here ? all.data() : nullptr, here ? 1 : 77, MPI_INT64_T), root);
    });
    for (int rank = 0; rank < world.size; ++rank) {
      ASSERT_EQ(all[static_cast<std::size_t>(rank)], rank);
    }
    one = world.buffers<std::int64_t>(1);
    const auto outcome = world.run([&](const Endpoint& e) {
      const bool here = e.rank == root;
      return scatter_call(e, "scatter", blocks_of(here ? all.data() : nullptr, 1, MPI_INT64_T),
                          blocks_of(here ? EP_IN_PLACE : of(one, e).data(), 1, MPI_INT64_T), root);
    });
    EXPECT_EQ(outcome.messages, world.processes - 1);
    for (int rank = 0; rank < world.size; ++rank) {
      ASSERT_EQ(one[static_cast<std::size_t>(rank)][0], rank == root ? -1 : rank);
    }
  });
}

/// Operands whose sum shows the order of additions.
std::vector<std::vector<double>> uneven(int size, int count) {
  std::vector<std::vector<double>> out(static_cast<std::size_t>(size));
  std::mt19937_64 random(5);
  std::uniform_real_distribution<double> exponent(-30, 30);
  for (auto& operand : out) {
    for (int i = 0; i < count; ++i) operand.push_back(std::exp2(exponent(random)));
  }
  return out;
}

constexpr std::array<int, 3> operand_sizes{1, 50, 4'000};

enum class Reduction { reduce, allreduce, scan, exscan, reduce_scatter };

/// Results of each rank, of `count` elements (for reduce_scatter: of each block).
std::vector<std::vector<double>> reduce_in(World& world, Reduction kind, int count, int root) {
  const int elements = kind == Reduction::reduce_scatter ? count * world.size : count;
  const auto operands = uneven(world.size, elements);
  auto results = world.buffers<double>(count);
  world.run([&](const Endpoint& e) {
    const Operands mine{operands[static_cast<std::size_t>(e.rank)].data(), of(results, e).data(),
                        count, MPI_DOUBLE, MPI_SUM};
    switch (kind) {
      case Reduction::reduce:
        return reduce_call(e, "reduce", mine, root);
      case Reduction::allreduce:
        return allreduce_call(e, "allreduce", mine);
      case Reduction::reduce_scatter:
        return reduce_scatter_call(e, "reduce_scatter", mine, nullptr);
      default:
        return scan_call(e, "scan", mine, kind == Reduction::exscan);
    }
  });
  return results;
}

/// The plain sum of element `i` of the result of `rank`; false where there is none.
bool plain_sum(const World& world, Reduction kind, int count, int root, int rank, int i,
               long double& sum) {
  const int elements = kind == Reduction::reduce_scatter ? count * world.size : count;
  static std::vector<std::vector<double>> operands;
  static std::pair<int, int> known;
  if (known != std::pair(world.size, elements)) operands = uneven(world.size, elements);
  known = {world.size, elements};
  int last = world.size;
  if (kind == Reduction::scan) last = rank + 1;
  if (kind == Reduction::exscan) last = rank;
  const int element = kind == Reduction::reduce_scatter ? rank * count + i : i;
  sum = 0;
  for (int from = 0; from < last; ++from) {
    sum += operands[static_cast<std::size_t>(from)][static_cast<std::size_t>(element)];
  }
  return last > 0 && (kind != Reduction::reduce || rank == root);
}

void expect_shm_plain_sums(const World& world, Reduction kind, int count, int root,
                           const std::vector<std::vector<double>>& results) {
  for (int rank = 0; rank < world.size; ++rank) {
    for (const int i : {0, count / 2, count - 1}) {
      long double sum = 0;
      const double result = results[static_cast<std::size_t>(rank)][static_cast<std::size_t>(i)];
      if (plain_sum(world, kind, count, root, rank, i, sum)) {
        ASSERT_NEAR(result, static_cast<double>(sum), 1e-12 * static_cast<double>(sum));
      } else {
        ASSERT_EQ(result, -1) << "the result of rank " << rank << " is left alone";
      }
    }
  }
}

TEST_P(Recipes, reductions_are_bit_for_bit_those_of_one_process) {
  for_all_worlds([](World& world) {
    SimulatedLayout together;
    together.first.assign(static_cast<std::size_t>(world.size), 0);
    World alone(together);
    for (const Reduction kind : {Reduction::reduce, Reduction::allreduce, Reduction::scan,
                                 Reduction::exscan, Reduction::reduce_scatter}) {
      for (const int count : operand_sizes) {
        if (kind == Reduction::reduce_scatter && count > 50) continue;
        if (count > 50 && !is_telling(world.processes)) continue;
        const int root = world.size / 2;
        const auto results = reduce_in(world, kind, count, root);
        ASSERT_EQ(results, reduce_in(alone, kind, count, root))
            << world.processes << " processes, " << count << " elements";
        expect_shm_plain_sums(world, kind, count, root, results);
      }
    }
  });
}

constexpr std::array<std::pair<Collective, Reduction>, 3> reductions_by_choice{
    {{Collective::reduce, Reduction::reduce},
     {Collective::allreduce, Reduction::allreduce},
     {Collective::reduce_scatter, Reduction::reduce_scatter}}};

// An ordered sum has the same bits by whichever algorithm is asked for.
TEST_P(Recipes, no_algorithm_changes_the_bits_of_ordered_sums) {
  for_all_worlds([](World& world) {
    if (!is_telling(world.processes)) return;
    SimulatedLayout together;
    together.first.assign(static_cast<std::size_t>(world.size), 0);
    World alone(together);
    for (const auto& [collective, kind] : reductions_by_choice) {
      const int count = kind == Reduction::reduce_scatter ? 7 : 500;
      const int root = world.size - 1;
      const auto expected = reduce_in(alone, kind, count, root);
      for (const Algorithm algorithm : algorithms_of(collective)) {
        world.override_algorithm(collective, algorithm);
        ASSERT_EQ(reduce_in(world, kind, count, root), expected)
            << world.processes << " processes, " << world.overridden;
      }
    }
  });
}

TEST_P(Recipes, fast_sums_by_every_algorithm_are_sums) {
  for_all_worlds([](World& world) {
    if (!is_telling(world.processes)) return;
    for (const auto& [collective, kind] : reductions_by_choice) {
      for (const Algorithm algorithm : algorithms_of(collective)) {
        world.override_algorithm(collective, algorithm, true);
        SCOPED_TRACE(world.overridden);
        for (const int count : {1, 50}) {
          const int root = world.size / 2;
          expect_shm_plain_sums(world, kind, count, root, reduce_in(world, kind, count, root));
        }
      }
    }
  });
}

// An override is not only taken note of: the number of rounds tells.
TEST(OverriddenRecipes, follow_the_override) {
  World world(layout_of(16, Seats::one_each));
  auto in = world.buffers<std::int64_t>(64);
  auto out = world.buffers<std::int64_t>(64, 1);
  const auto rounds = [&](Algorithm algorithm) {
    world.override_algorithm(Collective::allreduce, algorithm);
    return world
        .run([&](const Endpoint& e) {
          return allreduce_call(e, "allreduce",
                                {of(out, e).data(), of(in, e).data(), 64, MPI_INT64_T, MPI_SUM});
        })
        .rounds;
  };
  EXPECT_EQ(rounds(Algorithm::operands), 4);
  EXPECT_EQ(rounds(Algorithm::doubling), 4);
  EXPECT_EQ(rounds(Algorithm::slices), 16);
  EXPECT_EQ(rounds(Algorithm::halving), 8);
  EXPECT_EQ(rounds(Algorithm::ring), 30);
  for (const Numbers& one : in) EXPECT_EQ(one.front(), 16);
}

// One partial per process, four of them, and yet not the tree of doubling: 0 + (1 + (2 + 3)).
TEST(OverriddenRecipes, trees_over_processes_may_lean) {
  SimulatedLayout layout;
  layout.processes = 4;
  layout.first = {0, 0, 0, 0, 1, 1, 2, 3};
  World world(layout);
  SimulatedLayout together;
  together.first.assign(8, 0);
  World alone(together);
  for (const auto& [collective, kind] : reductions_by_choice) {
    const auto expected = reduce_in(alone, kind, 100, 0);
    for (const Algorithm algorithm : algorithms_of(collective)) {
      world.override_algorithm(collective, algorithm);
      EXPECT_EQ(reduce_in(world, kind, 100, 0), expected) << world.overridden;
    }
  }
}

/// Both groups in every process, in one order of ranks.
TEST(InterRecipes, groups_that_share_all_processes) {
  for (const int processes : {1, 2, 5, 9, 17, 40}) {
    SimulatedLayout layout;
    layout.processes = processes;
    for (int p = 0; p < processes; ++p) {
      layout.first.push_back(p);
      layout.second.push_back(p);
      if (p % 2 == 1) layout.second.push_back(p);
    }
    Simulation simulation(layout);
    const std::array<int, 2> sizes{static_cast<int>(layout.first.size()),
                                   static_cast<int>(layout.second.size())};
    std::array<std::vector<Numbers>, 2> in;
    std::array<Numbers, 2> out;
    for (const std::size_t side : {0U, 1U}) {
      in[side].assign(static_cast<std::size_t>(sizes[side]),
                      Numbers(static_cast<std::size_t>(sizes[1 - side]), -1));
      for (int rank = 0; rank < sizes[side]; ++rank) {
        out[side].push_back(1'000'000 * (static_cast<int>(side) + 1) + rank);
      }
    }
    const auto side_of = [](const Endpoint& e) { return static_cast<std::size_t>(e.side); };
    const auto rank_of = [](const Endpoint& e) { return static_cast<std::size_t>(e.rank); };
    auto outcome = simulation.run([&](const Endpoint& e) {
      return allgather_call(e, "allgather", blocks_of(&out[side_of(e)][rank_of(e)], 1, MPI_INT64_T),
                            blocks_of(in[side_of(e)][rank_of(e)].data(), 1, MPI_INT64_T));
    });
    EXPECT_TRUE(outcome.complete && outcome.errors == 0) << processes;
    for (const std::size_t side : {0U, 1U}) {
      for (const Numbers& one : in[side]) ASSERT_EQ(one, out[1 - side]) << processes;
    }
    outcome = simulation.run([&](const Endpoint& e) {
      return allreduce_call(e, "allreduce",
                            {&out[side_of(e)][rank_of(e)], in[side_of(e)][rank_of(e)].data(), 1,
                             MPI_INT64_T, MPI_SUM});
    });
    EXPECT_TRUE(outcome.complete && outcome.errors == 0) << processes;
    for (const std::size_t side : {0U, 1U}) {
      const std::int64_t sum =
          std::accumulate(out[1 - side].begin(), out[1 - side].end(), std::int64_t{0});
      for (const Numbers& one : in[side]) ASSERT_EQ(one.front(), sum) << processes;
    }
  }
}

}  // namespace
}  // namespace ep::test::recipe_test
