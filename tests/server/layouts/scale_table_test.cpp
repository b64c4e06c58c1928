// What is said about growth.
#include "scale_table.hpp"

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

namespace epios::layouts::test {
namespace {

std::vector<ScaledJob> two_jobs() {
  std::vector<ScaledJob> jobs(2);
  jobs[0].layout = {100, 10};
  jobs[1].layout = {1000, 20};
  jobs[0].loads.client.channels = 10;
  jobs[1].loads.client.channels = 100;
  jobs[0].loads.server.channel_bytes = 2'000'000;
  jobs[1].loads.server.channel_bytes = 40'000'000;
  jobs[0].times.opening_s = 0.5e-3;
  jobs[1].times.opening_s = 2e-3;
  return jobs;
}

TEST(ScaleTable, growth_beyond_that_of_the_job_is_worse_than_linear) {
  const std::string table = table_of(two_jobs());
  EXPECT_EQ(
      table.substr(0, table.find('\n')),
      "| rank | figure | 100 clients, 10 servers | 1000 clients, 20 servers | last step, × 10 |");
  EXPECT_NE(table.find("| client | channels to servers | 10 | 100 | × 10 |\n"), std::string::npos);
  EXPECT_NE(
      table.find("| server | memory of channels | 2 MB | 40 MB | × 20, worse than linear |\n"),
      std::string::npos);
  EXPECT_NE(table.find("| run | opening | 500 µs | 2 ms | × 4 |\n"), std::string::npos);
  const Json json = json_of(two_jobs());
  EXPECT_EQ(json["worse_than_linear"], Json::array({"server: memory of channels"}));
  EXPECT_EQ(json["jobs"][1]["server"]["channel_bytes"], 40'000'000);
}

TEST(ScaleTable, one_job_has_no_growth) {
  std::vector<ScaledJob> jobs = two_jobs();
  jobs.pop_back();
  const std::string table = table_of(jobs);
  EXPECT_EQ(table.find("last step"), std::string::npos);
  EXPECT_EQ(json_of(jobs)["worse_than_linear"], Json::array());
}

/// Would have found that 64 clients on two processors were expected to open as fast as one.
TEST(Machine, ranks_that_share_processors_take_turns) {
  Machine machine;
  const double alone_s = times_of(machine, {64, 2}, 10, {}).opening_s;
  machine.processors = 2;
  const double shared_s = times_of(machine, {64, 2}, 10, {}).opening_s;
  EXPECT_GT(shared_s, 32 * (machine.client_s + 10 * machine.field_s));
  machine.processors = 66;
  EXPECT_DOUBLE_EQ(times_of(machine, {64, 2}, 10, {}).opening_s, alone_s);
}

TEST(Machine, a_slower_disk_is_what_a_busy_server_waits_for) {
  Loads loads;
  loads.server.written_bytes = 4'000'000'000;
  loads.server.records = {100, 4'000'006'400};
  Machine machine;
  EXPECT_DOUBLE_EQ(times_of(machine, {100, 1}, 10, loads).server_s, 4);
  machine.disk_rate = 1e8;
  EXPECT_DOUBLE_EQ(times_of(machine, {100, 1}, 10, loads).server_s, 40);
  machine.disk_rate = 1e12;
  machine.link_rate = 1e8;
  EXPECT_NEAR(times_of(machine, {100, 1}, 10, loads).server_s, 40, 0.1);
}

/// Would have found that an opening of 100 MB of channels was expected to take 5 ms: new memory
/// took most of it.
TEST(Machine, memory_takes_its_time_when_a_context_opens) {
  const Machine machine;
  Loads loads;
  loads.server.channels = 4;
  double before_s = times_of(machine, {4, 1}, 10, loads).opening_s;
  const auto more_s = [&] {
    const double now_s = times_of(machine, {4, 1}, 10, loads).opening_s;
    return now_s - std::exchange(before_s, now_s);
  };
  loads.server.channel_bytes = 2'000'000'000;
  EXPECT_NEAR(more_s(), 2e9 / machine.new_memory.reserve_rate, 1e-9);
  loads.first.channels = 1;
  EXPECT_NEAR(more_s(), 0.5e9 / machine.new_memory.map_rate, 1e-9);
  loads.server.buffer_bytes = 1'000'000;
  EXPECT_NEAR(more_s(), 1e6 / machine.new_memory.page_rate, 1e-9);
  loads.first.accumulated_bytes = 3'000'000;
  EXPECT_NEAR(more_s(), 3e6 / machine.new_memory.page_rate, 1e-9);
}

/// Would have found that what does not grow with a job, such as the start of HDF5, was left out.
TEST(Machine, processes_start_what_their_clients_share) {
  Machine machine;
  machine.processors = 2;
  Loads loads;
  Layout layout{64, 2};
  layout.threads = 32;
  const double threads_s = times_of(machine, layout, 10, loads).opening_s;
  layout.threads = 1;
  const double processes_s = times_of(machine, layout, 10, loads).opening_s;
  EXPECT_NEAR(processes_s - threads_s, 31 * machine.process_s, 1e-9);
  loads.server.defined = {1, 2, 10};
  loads.leader.defined = {2, 4, 20};
  const double files_s = machine.hdf5_s + 2 * machine.file_s + 10 * machine.variable_s;
  EXPECT_NEAR(times_of(machine, layout, 10, loads).opening_s - processes_s, files_s, 1e-9);
  machine.processors = 1;
  const double one_s = times_of(machine, layout, 10, {}).opening_s;
  EXPECT_NEAR(times_of(machine, layout, 10, loads).opening_s - one_s, 2 * files_s, 1e-9);
}

TEST(Machine, opening_takes_longer_with_each_server_and_client) {
  Loads loads;
  loads.server.channels = 10;
  const Machine machine;
  const double before_s = times_of(machine, {100, 10}, 10, loads).opening_s;
  EXPECT_GT(times_of(machine, {1'000'000, 10}, 10, loads).opening_s, before_s);
  loads.server.channels = 1000;
  EXPECT_NEAR(times_of(machine, {100, 10}, 10, loads).opening_s - before_s, 990 * machine.share_s,
              1e-9);
}

}  // namespace
}  // namespace epios::layouts::test
