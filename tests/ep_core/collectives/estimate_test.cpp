#include "collectives/estimate.hpp"

#include <gtest/gtest.h>

#include <numeric>
#include <vector>

#include "collectives/collective_calls.hpp"
#include "recipes/simulation.hpp"

namespace ep::test::estimate_test {
namespace {

MachineModel flat_machine() {
  MachineModel machine;
  machine.costs = {
      {1e-6, 1e-10}, {10e-6, 1e-9}, 0.7e-9, 0, 0.5e-9, 256 << 10, {3e-10, 2e-9, 1e-9, 0.8e-9}};
  machine.processes_per_node = 1 << 20;
  return machine;
}

double played_us(Collective collective, Algorithm algorithm, int processes, std::int64_t bytes,
                 int endpoints = 1) {
  const MachineModel machine = flat_machine();
  const int segments = pipeline_segments(machine.costs, processes, bytes);
  return 1e6 * simulate(machine, EstimatedCollective(collective, algorithm, processes, bytes,
                                                     segments, endpoints))
                   .time_s;
}

double formula_us(Collective collective, Algorithm algorithm, int processes, std::int64_t bytes,
                  int endpoints = 1) {
  const CostParameters costs = flat_machine().costs.at(static_cast<double>(bytes));
  return 1e6 * work_between(costs, collective, algorithm, {processes, endpoints, 1}, bytes)
                   .seconds(costs);
}

// Where every process does the same in every round, there is nothing that the formula leaves out.
TEST(Estimate, is_the_formula_where_all_processes_do_the_same) {
  using C = Collective;
  using A = Algorithm;
  constexpr std::int64_t bytes = 1 << 20;
  for (const int p : {2, 4, 16, 64}) {
    for (const auto& [c, a] : std::vector<std::pair<C, A>>{{C::barrier, A::dissemination},
                                                           {C::allgather, A::ring},
                                                           {C::allgather, A::doubling},
                                                           {C::allgather, A::bruck},
                                                           {C::alltoall, A::pairwise},
                                                           {C::alltoall, A::bruck},
                                                           {C::allreduce, A::operands},
                                                           {C::allreduce, A::doubling},
                                                           {C::allreduce, A::halving},
                                                           {C::allreduce, A::ring},
                                                           {C::reduce_scatter, A::halving},
                                                           {C::reduce_scatter, A::ring},
                                                           {C::reduce, A::binomial}}) {
      for (const int each : {1, 4}) {
        EXPECT_NEAR(played_us(c, a, p, bytes, each) / formula_us(c, a, p, bytes, each), 1, 2e-6)
            << name_of(c) << " " << name_of(a) << " of " << p << " times " << each;
      }
    }
  }
}

// Elsewhere the formula counts rounds as if the slowest process waited in each of them.
TEST(Estimate, is_near_the_formula_elsewhere) {
  for (std::size_t i = 0; i < collective_count; ++i) {
    const auto collective = static_cast<Collective>(i);
    for (const Algorithm algorithm : algorithms_of(collective)) {
      for (const int p : {2, 3, 7, 16, 40}) {
        if (!is_possible(collective, algorithm, p)) continue;
        for (const std::int64_t bytes : {64, 1 << 20}) {
          const double ratio = played_us(collective, algorithm, p, bytes) /
                               formula_us(collective, algorithm, p, bytes);
          EXPECT_GT(ratio, 0.4) << name_of(collective) << " " << name_of(algorithm) << " " << p;
          EXPECT_LT(ratio, 1.6) << name_of(collective) << " " << name_of(algorithm) << " " << p;
        }
      }
    }
  }
}

/// Messages of the real recipe, one endpoint per process, `n` bytes of the kind that `make` wants.
Simulation::Outcome real(int processes, Collective collective, Algorithm algorithm,
                         const std::function<Call(const Endpoint&)>& make) {
  SimulatedLayout layout;
  layout.processes = processes;
  layout.first.resize(static_cast<std::size_t>(processes));
  std::iota(layout.first.begin(), layout.first.end(), 0);
  Simulation simulation(layout);
  CostModel model;
  model.costs = flat_machine().costs;
  model.overrides.set(collective, algorithm);
  simulation.use(model, true);
  return simulation.run(make);
}

TEST(Estimate, plays_the_messages_of_the_recipes) {
  for (const int p : {2, 3, 5, 8, 13, 16, 40}) {
    const auto size = static_cast<std::size_t>(p);
    const int count = 200;  // of each block
    std::vector<std::vector<char>> in(size, std::vector<char>(size * count));
    std::vector<std::vector<char>> out = in;
    const auto of = [](auto& all, const Endpoint& e) {
      return all[static_cast<std::size_t>(e.rank)].data();
    };
    const auto call = [&](Collective c, const Endpoint& e) {
      const Operands whole{of(out, e), of(in, e), count * p, MPI_SIGNED_CHAR, MPI_MAX};
      switch (c) {
        case Collective::bcast:
          return bcast_call(e, "bcast", blocks_of(of(in, e), count * p, MPI_BYTE), 0);
        case Collective::gather:
          return gather_call(e, "gather", blocks_of(of(out, e), count, MPI_BYTE),
                             blocks_of(of(in, e), count, MPI_BYTE), 0);
        case Collective::scatter:
          return scatter_call(e, "scatter", blocks_of(of(out, e), count, MPI_BYTE),
                              blocks_of(of(in, e), count, MPI_BYTE), 0);
        case Collective::allgather:
          return allgather_call(e, "allgather", blocks_of(of(out, e), count, MPI_BYTE),
                                blocks_of(of(in, e), count, MPI_BYTE));
        case Collective::alltoall:
          return alltoall_call(e, "alltoall", blocks_of(of(out, e), count, MPI_BYTE),
                               blocks_of(of(in, e), count, MPI_BYTE));
        case Collective::reduce:
          return reduce_call(e, "reduce", whole, 0);
        case Collective::allreduce:
          return allreduce_call(e, "allreduce", whole);
        case Collective::reduce_scatter:
          return reduce_scatter_call(e, "reduce_scatter",
                                     {whole.send, whole.receive, count, whole.type, whole.op},
                                     nullptr);
        case Collective::scan:
          return scan_call(e, "scan", whole, false);
        default:
          return barrier_call(e, "barrier");
      }
    };
    for (std::size_t i = 0; i < collective_count; ++i) {
      const auto collective = static_cast<Collective>(i);
      for (const Algorithm algorithm : algorithms_of(collective)) {
        if (!is_possible(collective, algorithm, p)) continue;
        const std::int64_t bytes = std::int64_t{count} * p;
        const auto recipe =
            real(p, collective, algorithm, [&](const Endpoint& e) { return call(collective, e); });
        ASSERT_TRUE(recipe.complete && recipe.errors == 0);
        const MachineModel machine = flat_machine();
        const Estimate played =
            simulate(machine, EstimatedCollective(collective, algorithm, p, bytes,
                                                  pipeline_segments(machine.costs, p, bytes)));
        EXPECT_EQ(played.messages, recipe.messages)
            << name_of(collective) << " " << name_of(algorithm) << " of " << p;
      }
    }
  }
}

TEST(Estimate, of_many_is_the_straight_line_that_all_of_them_give) {
  const MachineModel machine = flat_machine();
  constexpr std::int64_t bytes = 3'000'000;
  for (const Algorithm algorithm : {Algorithm::ring, Algorithm::halving}) {
    const Estimate line = estimate(machine, Collective::allreduce, algorithm, 300, bytes, 64);
    const Estimate all = estimate(machine, Collective::allreduce, algorithm, 300, bytes, 512);
    EXPECT_EQ(line.extrapolated, algorithm == Algorithm::ring);
    EXPECT_FALSE(all.extrapolated);
    EXPECT_NEAR(line.time_s / all.time_s, 1, 1e-3);
  }
}

TEST(Estimate, nodes_and_endpoints_count) {
  MachineModel machine = flat_machine();
  machine.network = {100e-6, 1e-8};
  machine.processes_per_node = 4;
  const auto us = [&](std::int64_t endpoints) {
    return 1e6 *
           estimate(machine, Collective::barrier, Algorithm::dissemination, endpoints, 0).time_s;
  };
  EXPECT_NEAR(us(4), 2 * 10, 1e-6);
  // A notice goes round by 1, 2 and 4: twice into another node at most.
  EXPECT_NEAR(us(8), 2 * 100 + 10, 1e-6);
  machine.endpoints_per_process = 8;
  EXPECT_NEAR(us(32), 2 * 10 + 3 * 1, 1e-6);
}

TEST(Estimate, reaches_a_million_endpoints) {
  MachineModel machine = flat_machine();
  machine.endpoints_per_process = 64;
  const Estimate one = estimate(machine, Collective::allreduce, Algorithm::doubling, 1'000'000, 8);
  EXPECT_FALSE(one.extrapolated);
  EXPECT_GT(one.time_s, 13 * 10e-6);
  EXPECT_LT(one.time_s, 20 * 10e-6);
}

}  // namespace
}  // namespace ep::test::estimate_test
