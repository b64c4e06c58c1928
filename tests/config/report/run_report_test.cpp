#include "config/run_report.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string>

#include "commands/command.hpp"
#include "config/error.hpp"

namespace epios::config::run_report_test {
namespace {

FieldCost field(const std::string& name, std::int64_t sent, std::int64_t lost = 0) {
  FieldCost out;
  out.name = name;
  out.records_sent = sent;
  out.records_written = sent - lost;
  out.records_lost = lost;
  out.values_infinite = 3;
  out.bytes_sent = 1000 * sent;
  out.waits = 2;
  out.blocked_s = {0.25, 0.125};
  out.packing_s = 0.5;
  return out;
}

FileCost file(const std::string& id, std::vector<FieldCost> fields) {
  FileCost out;
  out.id = id;
  out.path = "out/" + id + ".nc";
  out.parts = 1;
  out.bytes = 5000;
  out.writing_s = 1.5;
  out.fields = std::move(fields);
  return out;
}

RunReport sample() {
  RunReport out;
  out.version = "1.2.3";
  out.component = "ocean";
  out.alive_s = 100;
  out.processes = 2;
  out.clients = 4;
  out.sends = 400;
  out.bytes_sent = 6'000'000'000;
  out.in_library_s = {2, 0.75};
  out.blocked_s = {0.5, 0.25};
  out.packing_s = {1, 0.5};
  out.waited_s = {0.25, 0.125};
  out.opening_s = {0.5, 0.25};
  out.closing_s = {4, 1};
  out.fullest_channel = 0.5;
  out.servers = {{0, 80, 8, 20}, {1, 80, 4, 16}};
  out.contexts = {{"deep", 1, 4, {file("daily", {field("tos", 30), field("sos", 10)})}}};
  return out;
}

/// The advice that holds all of these words.
bool advises(const RunReport& report, const std::string& words) {
  const auto all = advice(report);
  return std::any_of(all.begin(), all.end(), [&](const std::string& text) {
    return text.find(words) != std::string::npos;
  });
}

TEST(RunReport, comes_back_from_json) {
  RunReport wanted = sample();
  wanted.is_attached = true;
  wanted.contexts[0].files[0].error = "file 'out/daily.nc': no space";
  wanted.contexts[0].files[0].unsent = "tos 1 short";
  wanted.contexts[0].files[0].records_short = 1;
  const RunReport got = read_run_report(to_json(wanted));
  EXPECT_EQ(to_json(got), to_json(wanted));
  EXPECT_EQ(got.contexts[0].files[0].fields[1].name, "sos");
  EXPECT_EQ(got.servers[1].writing_s, 16);
  EXPECT_EQ(got.filters_s(), 0.25);
}

TEST(RunReport, exchanges_of_transformations_are_told) {
  RunReport report = sample();
  EXPECT_EQ(report_lines(report).find("transformations"), std::string::npos);
  report.in_library_s = {80, 25};
  report.exchanged_s = {8, 4};
  report.exchanged_messages = 12;
  report.exchanged_bytes = 3400;
  const RunReport got = read_run_report(to_json(report));
  EXPECT_EQ(got.exchanged_s.sum, 8);
  EXPECT_EQ(got.exchanged_s.most, 4);
  EXPECT_EQ(got.exchanged_messages, 12);
  EXPECT_EQ(got.exchanged_bytes, 3400);
  EXPECT_EQ(got.filters_s(), 80 - 0.5 - 1 - 0.25 - 8);
  const std::string lines = report_lines(report);
  EXPECT_NE(lines.find("for records of files, 2.000 s for points of other clients\n"),
            std::string::npos)
      << lines;
  EXPECT_NE(lines.find("transformations: 12 messages between clients, 3.4 kB\n"), std::string::npos)
      << lines;
  const std::vector<std::string> said = advice(report);
  EXPECT_TRUE(std::any_of(said.begin(), said.end(), [](const std::string& line) {
    return line.find("clients waited 2.00 % of the run for points of others") != std::string::npos;
  }));
}

TEST(RunReport, waits_for_other_models_and_failures_are_told) {
  RunReport report = sample();
  report.in_library_s = {80, 25};
  report.coupled_s = {40, 20};
  report.error = "field 'wind' does not come";
  const RunReport got = read_run_report(to_json(report));
  EXPECT_EQ(got.coupled_s.sum, 40);
  EXPECT_EQ(got.coupled_s.most, 20);
  EXPECT_EQ(got.error, report.error);
  EXPECT_EQ(got.filters_s(), 80 - 0.5 - 1 - 0.25 - 40);
  const std::string lines = report_lines(report);
  EXPECT_NE(lines.find("component 'ocean': the run has failed: field 'wind' does not come\n"),
            std::string::npos);
  EXPECT_NE(lines.find("for records of files, 10.000 s for other models\n"), std::string::npos);
  const std::vector<std::string> said = advice(report);
  EXPECT_TRUE(std::any_of(said.begin(), said.end(), [](const std::string& line) {
    return line.find("clients waited 10.00 % of the run for models") != std::string::npos;
  }));
}

TEST(RunReport, a_signal_that_ended_a_context_is_told) {
  RunReport report = sample();
  EXPECT_EQ(report_lines(report).find("was stopped"), std::string::npos);
  EXPECT_EQ(to_json(report).find("stopped"), std::string::npos);
  ContextCost again = report.contexts[0];
  again.stopped = "SIGTERM at 2000-01-02 00:00:00";
  add(report.contexts, again);
  const RunReport read = read_run_report(to_json(report));
  EXPECT_EQ(read.contexts[0].stopped, again.stopped);
  EXPECT_NE(report_lines(read).find("context 'deep' was stopped by SIGTERM at 2000-01-02 00:00:00: "
                                    "its files end there"),
            std::string::npos)
      << report_lines(read);
}

TEST(RunReport, what_is_none_is_refused) {
  const auto refusal = [](const std::string& text) -> std::string {
    try {
      read_run_report(text);
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::argument);
      return error.what();
    }
    return "accepted";
  };
  EXPECT_NE(refusal("").find("it is no report of a run ("), std::string::npos);
  EXPECT_NE(refusal("[1, 2]").find("it is no report of a run ("), std::string::npos);
  EXPECT_NE(refusal(R"({"epios_report": 1})").find("key 'version' not found"), std::string::npos);
  EXPECT_NE(
      refusal(R"({"epios_report": 2})").find("a report of version 2 (this one reads version 1"),
      std::string::npos);
  std::string wrong = to_json(sample());
  wrong.replace(wrong.find("\"ocean\""), 7, "17");
  EXPECT_NE(refusal(wrong).find("must be string, but is number"), std::string::npos);
}

TEST(RunReport, figures_that_no_run_has_are_refused) {
  const auto refusal = [](const std::string& from, const std::string& to) -> std::string {
    std::string text = to_json(sample());
    const std::size_t at = text.find(from);
    if (at == std::string::npos) return "not there";
    text.replace(at, from.size(), to);
    try {
      read_run_report(text);
    } catch (const Error& error) {
      return error.what();
    }
    return "accepted";
  };
  const auto shown = [](const std::string& figure) {
    return figure == "1e300" ? "1e+300" : figure;
  };
  const std::string clients = "\"clients\": 4,";
  for (const char* const count :
       {"1e300", "1.5", "-3", "18446744073709551615", "9007199254740993", "true", "\"4\""}) {
    EXPECT_NE(refusal(clients, std::string("\"clients\": ") + count + ",")
                  .find(std::string("'clients' is ") + shown(count) +
                        " (it counts, from 0 to 9007199254740992)"),
              std::string::npos)
        << count << ": " << refusal(clients, std::string("\"clients\": ") + count + ",");
  }
  EXPECT_EQ(refusal(clients, "\"clients\": 9007199254740992,"), "accepted");
  EXPECT_NE(refusal("\"rank\": 1,", "\"rank\": 3000000000,").find("'rank' is 3000000000 ("),
            std::string::npos);
  EXPECT_NE(refusal("\"alive_s\": 100.0", "\"alive_s\": -1").find("'alive_s' is -1 ("),
            std::string::npos);
  EXPECT_NE(refusal("\"sum\": 2.0", "\"sum\": 1e308").find("'sum' is 1e+308 ("), std::string::npos);
  EXPECT_NE(refusal("\"alive_s\": 100.0", "\"alive_s\": null").find("'alive_s' is null ("),
            std::string::npos);
  EXPECT_NE(refusal("\"fullest_channel\": 0.5", "\"fullest_channel\": 1.5")
                .find("'fullest_channel' is 1.5 (it is a number from 0 to 1)"),
            std::string::npos);
}

TEST(RunReport, lines_of_advice_are_short_whatever_they_quote) {
  RunReport report = sample();
  FileCost& file = report.contexts[0].files[0];
  file.records_missing = 1000;
  for (int i = 0; i < 1000; ++i) file.unsent += "f\xc3\xbc" + std::to_string(i) + " 1 missing, ";
  file.fields = {field("tos", 3, 1)};
  file.error = std::string(10'000, 'e');
  const auto all = advice(report);
  ASSERT_EQ(all.size(), 2);
  for (const std::string& line : all) EXPECT_LT(line.size(), 700) << line;
  EXPECT_NE(report_table(report).find("999 1 missing"), std::string::npos);
}

TEST(RunReport, sums_of_very_much_stay_sums) {
  RunReport report = sample();
  std::vector<FieldCost>& fields = report.contexts[0].files[0].fields;
  fields.assign(2000, field("tos", std::int64_t{1} << 53));
  for (FieldCost& one : fields) one.bytes_sent = 0;
  EXPECT_GT(report.records_sent(), 0);
}

TEST(RunReport, contexts_of_one_id_add_up) {
  std::vector<ContextCost> contexts;
  add(contexts, {"deep", 1, 4, {file("a", {field("tos", 3)}), file("b", {field("sos", 1)})}});
  add(contexts, {"shelf", 1, 2, {file("a", {field("tos", 5)})}});
  add(contexts, {"deep", 1, 3, {file("b", {field("sos", 2, 1)}), file("c", {field("x", 1)})}});
  ASSERT_EQ(contexts.size(), 2);
  EXPECT_EQ(contexts[0].times_opened, 2);
  EXPECT_EQ(contexts[0].clients, 4);
  ASSERT_EQ(contexts[0].files.size(), 3);
  EXPECT_EQ(contexts[0].files[0].records_sent(), 3);
  EXPECT_EQ(contexts[0].files[1].records_sent(), 3);
  EXPECT_EQ(contexts[0].files[1].records_lost(), 1);
  EXPECT_EQ(contexts[0].files[1].parts, 2);
  EXPECT_EQ(contexts[0].files[1].blocked_s().sum, 0.5);
  EXPECT_EQ(contexts[0].files[2].id, "c");
}

TEST(RunReport, the_last_word_of_a_server_counts) {
  std::vector<ServerCost> servers;
  add(servers, {2, 10, 1, 1});
  add(servers, {0, 10, 3, 3});
  add(servers, {2, 20, 5, 4});
  add(servers, {2, 15, 4, 4});
  ASSERT_EQ(servers.size(), 2);
  EXPECT_EQ(servers[0].rank, 0);
  EXPECT_EQ(servers[1].busy_s, 5);
  // What is done before a context is open counts, too.
  EXPECT_EQ((ServerCost{0, 1, 2, 3}).busy_share(), 1);
}

TEST(RunReport, lines_are_what_a_terminal_shows) {
  EXPECT_EQ(
      report_lines(sample()),
      "epios: report: component 'ocean': 100.000 s from start to end, 2 processes, 4 clients, 2 "
      "servers\n"
      "epios: report: component 'ocean': a client was in the library for 0.500 s (0.50 %), 0.750 s "
      "in the process with most\n"
      "epios: report: component 'ocean': of this 0.062 s in filters and calls, 0.250 s packing, "
      "0.125 s waiting for room on the way to servers, 0.062 s for records of files\n"
      "epios: report: component 'ocean': beside this it was in the ends of definitions for 0.125 "
      "s, of contexts for 1.000 s\n"
      "epios: report: component 'ocean': 400 sends, 40 records, 6 GB to servers; 40 written to 1 "
      "file, 0 lost\n"
      "epios: report: component 'ocean': the busiest server received for 10.00 % of the time and "
      "wrote for 25.00 %; channels were at most 50.00 % full; slowest file: 'out/daily.nc', 1.500 "
      "s for 5 kB\n");
}

TEST(RunReport, the_table_has_every_file_field_and_server) {
  RunReport report = sample();
  report.contexts[0].files[0].unsent = "tos 2 missing";
  report.contexts[0].files[0].fields[0].name = "to\ns";
  const std::string table = report_table(report);
  EXPECT_NE(table.find("file, field   sent  written  lost  bytes  writing  blocked  waits\n"),
            std::string::npos)
      << table;
  EXPECT_NE(table.find("  out/daily.nc    40       40     0   5 kB  1.500 s  0.500 s\n"),
            std::string::npos)
      << table;
  EXPECT_NE(table.find("    to\\x0as"), std::string::npos) << table;
  EXPECT_NE(table.find("out/daily.nc: never sent: tos 2 missing\n"), std::string::npos);
  EXPECT_NE(table.find("  1: received for 5.00 %, wrote for 20.00 % of 80.000 s\n"),
            std::string::npos);
}

TEST(RunReport, advice_follows_from_the_figures) {
  EXPECT_TRUE(advice(sample()).empty());
  RunReport lost = sample();
  lost.contexts[0].files[0].fields = {field("tos", 30, 7)};
  lost.contexts[0].files[0].error = "no space";
  EXPECT_TRUE(advises(lost, "7 records of 1 file were lost, of 'out/daily.nc' 7 (no space)"));
  RunReport missing = sample();
  missing.contexts[0].files[0].records_missing = 2;
  missing.contexts[0].files[0].unsent = "tos 2 missing";
  EXPECT_TRUE(advises(missing, "fewer data than its fields ask for (tos 2 missing)"));

  RunReport waiting = sample();
  waiting.in_library_s.sum = 30;
  waiting.blocked_s.sum = 28;  // 7 % of the run of a client
  EXPECT_TRUE(advises(waiting, "waited 7.00 % of the run for room"));
  EXPECT_TRUE(advises(waiting, "output comes in bursts"));
  waiting.servers[1].writing_s = 78;
  EXPECT_TRUE(
      advises(waiting, "writing files took 97.50 % of the time: add a server, or compress"));
  waiting.servers[0].busy_s = 80;
  EXPECT_TRUE(advises(waiting, "receiving took 100.00 % of the time: add a server?"));
  waiting.is_attached = true;
  EXPECT_FALSE(advises(waiting, "add a server"));
  EXPECT_TRUE(advises(waiting, "of the time: start epios_server beside the model?"));

  RunReport idle = sample();
  idle.servers = {{0, 100, 1, 0.5}, {1, 100, 0, 0}};
  EXPECT_TRUE(advises(idle, "the busiest of 2 servers was busy 1.00 % of the time"));
  idle.alive_s = 10;  // too short to tell
  EXPECT_FALSE(advises(idle, "busiest"));

  RunReport uneven = sample();
  uneven.in_library_s.most = 5;
  EXPECT_TRUE(advises(uneven, "were in the library 5.00 % of the run, all in the mean 0.50 %"));
  RunReport filters = sample();
  filters.in_library_s = {40, 10};
  EXPECT_TRUE(advises(filters, "temporal operations and expressions took 9.56 % of the run"));
  RunReport reading = sample();
  reading.in_library_s = {8, 2};
  reading.waited_s = {6, 2};
  EXPECT_TRUE(advises(reading, "waited 1.50 % of the run for records of files"));
  RunReport attached = filters;
  filters.alive_s = 9;
  EXPECT_TRUE(advice(filters).empty());  // too short to tell anything
  EXPECT_FALSE(advises(attached, "epios_server"));
  attached.is_attached = true;
  EXPECT_TRUE(advises(attached, "start epios_server beside the model"));
}

TEST(RunReport, the_page_is_whole_and_hides_no_text) {
  RunReport report = sample();
  report.contexts[0].files[0].path = "<b>&\".nc";
  report.contexts[0].files[0].fields = {field("tos", 3, 1)};
  const std::string page = report_page(report);
  EXPECT_TRUE(page.starts_with("<!DOCTYPE html>"));
  EXPECT_TRUE(page.ends_with("</html>\n"));
  EXPECT_NE(page.find("&lt;b&gt;&amp;&quot;.nc"), std::string::npos);
  EXPECT_EQ(page.find("<b>"), std::string::npos);
  EXPECT_EQ(page.find("http"), std::string::npos);  // nothing is fetched
  EXPECT_NE(page.find("class=\"advice\">1 record of 1 file were lost"), std::string::npos);
  EXPECT_NE(page.find("<svg"), std::string::npos);
}

TEST(RunReport, a_page_of_many_files_draws_some_and_lists_all) {
  RunReport report = sample();
  for (int i = 0; i < 100; ++i) {
    report.contexts[0].files.push_back(file("f" + std::to_string(i), {field("tos", 1)}));
  }
  const std::string page = report_page(report);
  EXPECT_NE(page.find("<p>61 files more took less.</p>"), std::string::npos);
  EXPECT_NE(page.find("<td>out/f99.nc</td>"), std::string::npos);
}

class RunReportCommand : public test::Command {};

TEST_F(RunReportCommand, prints_the_table_or_writes_the_page) {
  const std::string path = file(to_json(sample()));
  const test::Outcome table = test::run("report " + path);
  EXPECT_EQ(table.exit_code, 0);
  EXPECT_EQ(table.text, report_table(sample()));
  const test::Outcome page = test::run("report --html " + path + ".html " + path);
  EXPECT_EQ(page.exit_code, 0);
  EXPECT_EQ(page.text, "");
  std::ifstream stream(path + ".html");
  EXPECT_EQ(std::string(std::istreambuf_iterator<char>(stream), {}), report_page(sample()));
}

TEST_F(RunReportCommand, does_not_write_over_the_report) {
  const std::string path = file(to_json(sample()));
  const test::Outcome outcome = test::run("report --html " + path + " " + path);
  EXPECT_EQ(outcome.exit_code, 2);
  EXPECT_NE(outcome.text.find("is the report itself"), std::string::npos) << outcome.text;
  EXPECT_EQ(test::run("report " + path).exit_code, 0);
}

TEST_F(RunReportCommand, says_what_it_cannot_read_or_write) {
  const auto refusal = [](const std::string& words) {
    const test::Outcome outcome = test::run("report " + words);
    EXPECT_EQ(outcome.exit_code, 2);
    return outcome.text;
  };
  EXPECT_NE(refusal("/nowhere.json").find("report '/nowhere.json' cannot be read (No such file"),
            std::string::npos);
  EXPECT_NE(refusal("/tmp").find("report '/tmp' cannot be read (Is a directory)"),
            std::string::npos);
  const std::string empty = file("");
  EXPECT_NE(refusal(empty).find("'" + empty + "': it is no report of a run ("), std::string::npos);
  const std::string path = file(to_json(sample()));
  EXPECT_NE(refusal("--html /nowhere/page.html " + path)
                .find("'/nowhere/page.html' cannot be written (No such file"),
            std::string::npos);
}

/// For schema_test.py, which compares it with the schema in docs.
TEST(RunReport, sample_for_the_schema) {
  const char* path = std::getenv("EPIOS_REPORT_SAMPLE");
  if (path == nullptr) GTEST_SKIP() << "EPIOS_REPORT_SAMPLE names no file";
  RunReport report = sample();
  FieldCost& lost = report.contexts[0].files[0].fields[0];  // with advice
  ++lost.records_lost;
  --lost.records_written;
  report.contexts[0].blocked = {16, {0, 0.25}, {1.5, 2}};
  report.contexts[0].slowest_step = {3, "2000-01-01", {{"tos", true, 0, 0.5}}, 1};
  std::ofstream(path) << to_json(report);
}

}  // namespace
}  // namespace epios::config::run_report_test
