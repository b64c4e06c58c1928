// Which layout is advised, and what is expected of it.
#include "advice.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "../grid/steps_on_servers.hpp"
#include "config/definitions.hpp"
#include "config/document.hpp"
#include "config/error.hpp"

namespace epios::layouts::test {
namespace {

/// `fields` fields of 320 kB, every 6 hours of hourly time steps, each in a file of its own.
config::Model written_model(int fields, const std::string& more = "") {
  std::string text = R"(<simulation><context id="c">
    <calendar type="NoLeap" timestep="1h" start_date="2001-01-01"/>
    <domain_definition><domain id="d" type="rectilinear" ni_glo="400" nj_glo="200"/></domain_definition>
    <field_definition operation="average" domain_ref="d">)";
  for (int f = 0; f < fields; ++f) text += "<field id='f" + std::to_string(f) + "'/>";
  text += "</field_definition><file_definition output_freq='6h'>";
  for (int f = 0; f < fields; ++f) {
    const std::string n = std::to_string(f);
    text += "<file id='file" + n + "' " + more + "><field field_ref='f" + n + "'/></file>";
  }
  text += "</file_definition></context></simulation>";
  return config::Definitions{config::Document({{"iodef.xml", text}}), {}, config::Purpose::plan}
      .resolve("c", config::Purpose::plan);
}

constexpr RunLimits usual_limits{268'435'456, std::size_t{1} << 31};

Work work_of(int processors, double step_s, std::int64_t steps = 240) {
  Work work;
  work.per_node = processors;
  work.processor_s = step_s * processors;
  work.steps = steps;
  return work;
}

Advice advice_for(const config::Model& model, const Machine& machine, const Work& work) {
  const auto dates = output_dates(model, work.steps);
  return advise(model, usual_limits, machine, work, dates);
}

TEST(OutputDates, records_leave_at_the_ends_of_their_periods) {
  const auto dates = output_dates(written_model(3), 24);
  ASSERT_EQ(dates.size(), 4U);
  EXPECT_EQ(dates[0].step, 6);
  EXPECT_EQ(dates[3].step, 24);
  EXPECT_EQ(dates[1].streams, (std::vector<int>{0, 1, 2}));
  EXPECT_EQ(usual_steps(written_model(1)), 24);
}

TEST(Advice, little_output_needs_one_server) {
  Work work = work_of(64, 1);
  work.nodes = 2;
  work.per_node = 32;
  const Advice advice = advice_for(written_model(1), {}, work);
  EXPECT_EQ(advice.best.candidate.servers, 1);
  EXPECT_EQ(advice.best.candidate.clients, 63);
  EXPECT_EQ(advice.best.blocked_s, 0);
  EXPECT_LT(advice.best.busy_share, 0.01);
}

TEST(Advice, much_output_on_slow_disks_needs_as_many_servers_as_files) {
  Machine machine;
  machine.disk_rate = 320e3;  // a second for a record
  const config::Model model = written_model(8);
  // A date of output every 1.5 s: what one server needs 8 s for, six or eight can bear.
  const Advice advice = advice_for(model, machine, work_of(64, 0.25));
  EXPECT_GE(advice.best.candidate.servers, 6);
  EXPECT_LE(advice.best.candidate.servers, 8);
  const auto one = std::find_if(advice.tried.begin(), advice.tried.end(),
                                [](const Outcome& o) { return o.candidate.servers == 1; });
  ASSERT_NE(one, advice.tried.end());
  EXPECT_GT(one->blocked_s, 200);
  EXPECT_GT(one->blocked_share(), 0.7);
  EXPECT_LT(advice.best.blocked_share(), 0.1);
  EXPECT_NE(advice.why.find("blocked"), std::string::npos) << advice.why;
}

TEST(Advice, a_limit_of_all_disks_makes_more_servers_useless) {
  Machine machine;
  machine.disk_rate = 320e3;
  machine.total_disk_rate = 320e3;
  const Advice limited = advice_for(written_model(8), machine, work_of(64, 0.25));
  EXPECT_LE(limited.best.candidate.servers, 1);
  EXPECT_GT(limited.best.blocked_share(), 0.5);
}

TEST(Advice, servers_in_the_model_take_its_processors_unless_some_are_free) {
  Machine machine;
  machine.disk_rate = 3.2e6;
  const config::Model model = written_model(4);
  const auto dates = output_dates(model, 240);
  Work work = work_of(4, 1);
  const Outcome crowded = outcome_of(model, usual_limits, machine, work, dates, {4, 0, 0});
  EXPECT_GT(crowded.computing_s, 240 + 3);
  work.per_node = 12;  // a server has two threads
  work.clients = 4;
  const Outcome roomy = outcome_of(model, usual_limits, machine, work, dates, {4, 0, 0});
  EXPECT_DOUBLE_EQ(roomy.computing_s, 240);
  EXPECT_EQ(roomy.blocked_s, 0);
}

/// Would have found that a server on a busy node was expected to receive and to write in turn,
/// while in a run it does both, on the processor of the client that waits: 3.3 s instead of 2.2 s.
TEST(Advice, a_client_that_waits_leaves_its_processor_to_the_server) {
  Machine machine;
  machine.assemble_rate = machine.disk_rate = 3.2e6;  // 0.2 s for a date, of each thread
  const config::Model model = written_model(2);
  const auto dates = output_dates(model, 240);
  Work work = work_of(2, 1e-4);
  work.clients = 1;
  const Outcome with_server = outcome_of(model, usual_limits, machine, work, dates, {1, 1, 0});
  const Outcome attached = outcome_of(model, usual_limits, machine, work, dates, {1, 0, 0});
  EXPECT_NEAR(with_server.total_s(), 40 * 0.2, 0.4);
  EXPECT_NEAR(attached.total_s(), 40 * 0.2, 0.4);
  work.per_node = 1;
  const Outcome on_one = outcome_of(model, usual_limits, machine, work, dates, {1, 1, 0});
  EXPECT_NEAR(on_one.total_s(), 2 * 40 * 0.2, 0.8) << "one after the other";
}

/// Would have found that a server was expected to write nothing of the levels that it makes.
TEST(Advice, levels_that_servers_make_take_their_time) {
  Machine machine;
  machine.disk_rate = 64;  // a second for the 16 cells of a record
  const config::Model model = io::test::model_with_levels();
  const auto dates = output_dates(model, 40);
  Work work = work_of(4, 1e-3, 40);
  work.clients = 2;
  const Outcome outcome = outcome_of(model, usual_limits, machine, work, dates, {2, 1, 0});
  EXPECT_NEAR(outcome.total_s(), 40 * (1 + 1.0 / 4 + 1.0 / 16), 0.5);
}

/// Would have found that a model was expected to compute at half speed whenever servers have a
/// processor less than they may use, also when they have nothing to do.
TEST(Advice, idle_servers_take_nothing_from_the_model) {
  const config::Model model = written_model(1);
  const auto dates = output_dates(model, 240);
  Work work = work_of(2, 1);
  work.clients = 2;
  const Outcome outcome = outcome_of(model, usual_limits, {}, work, dates, {2, 1, 0});
  EXPECT_NEAR(outcome.computing_s, 240, 1);
}

TEST(Advice, servers_on_processors_of_clients_pay_only_where_these_wait_anyhow) {
  Machine machine;
  machine.disk_rate = 320e3;
  const config::Model model = written_model(2);
  Work work = work_of(2, 10);
  work.clients = 1;
  EXPECT_LT(advice_for(model, machine, work).best.candidate.servers, 2);
  work.processor_s = 1e-3;
  const Advice waiting = advice_for(model, machine, work);
  EXPECT_EQ(waiting.best.candidate.servers, 2);
}

TEST(Advice, channels_that_do_not_fit_are_no_layout) {
  const config::Model model = written_model(1);
  const auto dates = output_dates(model, 24);
  const RunLimits small{268'435'456, 100'000};
  const Outcome outcome = outcome_of(model, small, {}, work_of(4, 1), dates, {3, 1, 0});
  EXPECT_NE(outcome.refused.find("the channels of a server need at least"), std::string::npos);
  EXPECT_THROW(static_cast<void>(advise(model, small, {}, work_of(4, 1), dates)), Error);
}

TEST(Advice, compression_and_buffers_are_spoken_of) {
  const Advice idle = advice_for(written_model(1), {}, work_of(64, 1));
  ASSERT_EQ(idle.remarks.size(), 3U);
  EXPECT_EQ(idle.remarks[0].about, "chunks");
  EXPECT_NE(idle.remarks[0].text.find("of 200 x 400), for 1 writer"), std::string::npos)
      << idle.remarks[0].text;
  EXPECT_NE(idle.remarks[1].text.find("costs the model next to nothing"), std::string::npos)
      << idle.remarks[1].text;
  EXPECT_NE(idle.remarks[2].text.find("suffices"), std::string::npos) << idle.remarks[2].text;
  Machine machine;
  machine.compress_rate = 40e3;
  const Advice busy = advice_for(written_model(1), machine, work_of(2, 0.1));
  EXPECT_NE(busy.remarks[1].text.find("would make the model wait"), std::string::npos)
      << busy.remarks[1].text;
}

TEST(Advice, many_clients_get_a_second_level_to_compare) {
  Work work = work_of(64, 1);
  const config::Model model = written_model(1);
  const auto few = candidates(model, work);
  EXPECT_TRUE(std::none_of(few.begin(), few.end(), [](const auto& c) { return c.gatherers > 0; }));
  EXPECT_EQ(few.front(), (Candidate{64, 0, 0}));
  work.clients = 64;
  EXPECT_EQ(candidates(model, work), (std::vector<Candidate>{{64, 0, 0}, {64, 1, 0}, {64, 2, 0}}));
  work.clients = 0;
  EXPECT_EQ(few.back(), (Candidate{32, 32, 0}));
  work.nodes = 32;
  const auto many = candidates(model, work);
  EXPECT_TRUE(std::any_of(many.begin(), many.end(), [](const auto& c) { return c.gatherers > 0; }));
  work = work_of(4, 1);
  work.clients = 3;
  const auto fixed = candidates(model, work);
  EXPECT_EQ(fixed, (std::vector<Candidate>{{3, 0, 0}, {3, 1, 0}, {3, 2, 0}}));
}

config::RunReport short_run() {
  config::RunReport report;
  report.component = "m";
  report.clients = 4;
  report.alive_s = 30;
  report.in_library_s.sum = 4;
  report.blocked_s.sum = 2;
  report.opening_s.sum = 8;
  report.closing_s.sum = 4;
  report.bytes_sent = 800'000'000;
  report.packing_s.sum = 0.2;
  report.servers.push_back({0, 26, 0.4, 8});
  config::FileCost file;
  file.id = "file0";
  file.bytes = 800'000'000;
  file.writing_s = 8;
  file.fields.push_back({"f0", 4});
  report.contexts.push_back({"c", 1, 4, {file}});
  return report;
}

TEST(Calibration, rates_and_the_time_of_a_step_come_from_a_short_run) {
  Machine machine;
  const Calibration found = calibrate(short_run(), written_model(1), machine);
  EXPECT_EQ(found.clients, 4);
  EXPECT_DOUBLE_EQ(found.opening_s, 2);
  EXPECT_DOUBLE_EQ(found.step_s, (30 - 2 - 1 - 0.05 - 0.5) / 24.0);
  EXPECT_DOUBLE_EQ(machine.disk_rate, 1e8);
  EXPECT_DOUBLE_EQ(machine.memory_rate, 4e9);
  EXPECT_DOUBLE_EQ(machine.assemble_rate, 2e9);
}

/// Would have found that the slow writing of compressed files passed for that of the disk.
TEST(Calibration, compressed_files_say_how_fast_servers_compress) {
  config::RunReport report = short_run();
  config::FileCost& file = report.contexts[0].files[0];
  file.bytes = 100'000'000;
  file.fields.back().records_sent = 2500;  // of 320 kB
  Machine machine;
  const Calibration found = calibrate(report, written_model(1, "compression_level='4'"), machine);
  EXPECT_FALSE(found.has_disk_rate);
  EXPECT_TRUE(found.has_compress_rate);
  EXPECT_DOUBLE_EQ(machine.compress_rate, 1e8);
  EXPECT_DOUBLE_EQ(machine.disk_rate, Machine{}.disk_rate);
}

/// Would have found that of compressed levels only the finest one, which was sent, had bytes, and
/// that making the others passed for slow copying.
TEST(Calibration, what_servers_make_counts_as_their_work) {
  const config::Model model = io::test::model_with_levels();
  config::RunReport report = short_run();
  report.contexts[0].files.clear();
  for (const config::File& file : model.files) {
    config::FileCost cost;
    cost.id = file.id;
    cost.writing_s = 1;
    cost.bytes = 100'000'000;
    cost.fields.push_back({model.streams[file.streams.front()].name, 1'000'000});
    report.contexts[0].files.push_back(cost);
  }
  Machine machine;
  calibrate(report, model, machine);
  const double worked_on = 1e6 * 8 * (16 + 4 + 4 + 1);
  EXPECT_DOUBLE_EQ(machine.assemble_rate, (800e6 + worked_on) / 0.4);
  config::Model compressed = model;
  for (config::Stream& stream : compressed.streams) stream.attributes.compression_level = 4;
  calibrate(report, compressed, machine);
  EXPECT_DOUBLE_EQ(machine.compress_rate, 1e6 * 4 * (16 + 4 + 1) / 8);
}

TEST(Calibration, what_is_too_little_says_nothing_of_rates) {
  config::RunReport report = short_run();
  report.bytes_sent = report.contexts[0].files[0].bytes = 1000;
  Machine machine;
  const Calibration found = calibrate(report, written_model(1), machine);
  EXPECT_FALSE(found.has_disk_rate);
  EXPECT_DOUBLE_EQ(machine.disk_rate, Machine{}.disk_rate);
  EXPECT_DOUBLE_EQ(machine.memory_rate, Machine{}.memory_rate);
}

TEST(Calibration, the_report_of_another_configuration_is_refused) {
  config::RunReport report = short_run();
  report.contexts[0].id = "d";
  Machine machine;
  try {
    calibrate(report, written_model(1), machine);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(
        std::string(error.what()),
        "the report of component 'm' has no records of context 'c' (its files have other ids, "
        "or it ended before the first). Is it a run of this configuration?");
  }
}

}  // namespace
}  // namespace epios::layouts::test
