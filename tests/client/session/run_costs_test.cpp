#include "session/run_costs.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <ep/ep.hpp>

namespace epios::client::run_costs_test {
namespace {

ClientCost cost(double in_library_s) {
  ClientCost out;
  out.sends = 10;
  out.bytes = 1'500'000;
  out.in_library_s = in_library_s;
  out.blocked_s = in_library_s / 4;
  out.packing_s = in_library_s / 8;
  out.waited_s = in_library_s / 16;
  out.opening_s = 3;
  out.closing_s = 5;
  out.fullest_channel = in_library_s / 100;
  return out;
}

config::ContextCost context(const std::string& id) {
  config::ContextCost out;
  out.id = id;
  out.times_opened = 1;
  return out;
}

TEST(RunCosts, are_sums_of_processes_and_the_one_with_most) {
  const ep::Comm processes = ep::Comm::from_mpi(MPI_COMM_WORLD);
  const int size = processes.size();
  const int rank = processes.rank();
  RunCosts costs;
  // Two clients each, the last process has most.
  costs.add(cost(1 + rank));
  costs.add(cost(1 + rank));
  costs.add(context("everywhere"), {{rank, 2, 1, 1}});
  if (rank == size - 1) costs.add(context("last"), {});
  const config::RunReport report = costs.collect(processes, 2, 60);
  if (rank != 0) {
    EXPECT_EQ(report.processes, 0);
    return;
  }
  const double processes_sum = size * (size + 1) / 2.0;
  EXPECT_EQ(report.processes, size);
  EXPECT_EQ(report.clients, 2 * size);
  EXPECT_EQ(report.sends, 20 * size);
  EXPECT_EQ(report.bytes_sent, 3'000'000 * size);
  EXPECT_EQ(report.in_library_s.sum, 2 * processes_sum);
  EXPECT_EQ(report.in_library_s.most, size);  // of one of its two clients
  EXPECT_EQ(report.blocked_s.sum, processes_sum / 2);
  EXPECT_EQ(report.packing_s.sum, processes_sum / 4);
  EXPECT_EQ(report.waited_s.sum, processes_sum / 8);
  EXPECT_EQ(report.opening_s.most, 3);
  EXPECT_EQ(report.closing_s.sum, 10 * size);
  EXPECT_EQ(report.fullest_channel, size / 100.0);
  ASSERT_EQ(report.contexts.size(), 2);
  EXPECT_EQ(report.contexts[0].id, "everywhere");
  EXPECT_EQ(report.contexts[0].times_opened, size);
  EXPECT_EQ(report.contexts[1].id, "last");
  ASSERT_EQ(report.servers.size(), static_cast<std::size_t>(size));
  EXPECT_EQ(report.servers.back().rank, size - 1);
}

TEST(RunCosts, whoever_ends_in_error_is_not_waited_for) {
  const ep::Comm processes = ep::Comm::from_mpi(MPI_COMM_WORLD);
  const bool is_last = processes.rank() == processes.size() - 1;
  for (const bool says_so : {true, false}) {
    RunCosts costs;
    costs.add(cost(1));
    costs.add(context("a"), {});
    config::RunReport report;
    if (!is_last || processes.size() == 1) {
      report = costs.collect(processes, 1, says_so ? 60 : 0.3);
    } else if (says_so) {
      RunCosts::decline(processes);
    }
    if (processes.rank() == 0) {
      EXPECT_EQ(report.processes, std::max(processes.size() - 1, 1));
    }
    ep::check(EP_Barrier(processes.get()));
  }
  // The first one itself.
  RunCosts costs;
  costs.add(cost(1));
  if (processes.rank() == 0) {
    RunCosts::decline(processes);
  } else {
    EXPECT_EQ(costs.collect(processes, 1, 0.3).processes, 0);
  }
  ep::check(EP_Barrier(processes.get()));
}

}  // namespace
}  // namespace epios::client::run_costs_test
