#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <string>

#include "commands/command.hpp"
#include "config/run_report.hpp"

namespace epios::config::report_comparison_test {
namespace {

using test::Command;
using test::Outcome;
using test::run;
using testing::HasSubstr;

RunReport sample() {
  RunReport out;
  out.version = "0.2";
  out.component = "ocean";
  out.alive_s = 100;
  out.processes = 2;
  out.clients = 4;
  out.in_library_s = {40, 10};
  out.blocked_s = {20, 5};
  out.fullest_channel = 0.5;
  out.bytes_sent = 1'000'000;
  out.servers.resize(1);
  FieldCost field;
  field.name = "tos";
  field.records_sent = field.records_written = 10;
  field.blocked_s = {8, 2};
  FileCost file;
  file.id = file.path = "daily";
  file.bytes = 1000;
  file.writing_s = 2;
  file.fields.push_back(field);
  out.contexts.push_back({"o", 1, 4, {file}});
  return out;
}

TEST(ReportComparison, ShowsWhatHasChanged) {
  RunReport later = sample();
  later.alive_s = 90;
  later.blocked_s.sum = 4;
  later.servers.resize(2);
  later.servers[1].open_s = 10;
  later.servers[1].busy_s = 2;
  later.servers[1].writing_s = 9;
  later.error = "a client threw";
  later.contexts[0].slowest_step.spans.push_back({"tos", true, 0, 1.5});
  later.contexts[0].files[0].writing_s = 6.2;
  later.contexts[0].files[0].error = "disk full";
  later.contexts[0].files.emplace_back().id = "hourly";
  const std::string text = report_comparison(sample(), later);
  const auto row = [](const char* name, const char* before, const char* after, const char* change) {
    return fmt::format("  {:<30}  {:>9}  {:>8}  {:>9}\n", name, before, after, change);
  };
  for (const std::string& line : {
           std::string("component 'ocean', EPIOS 0.2 and 0.2\n"),
           row("from start to end", "100.000 s", "90.000 s", "-10 %"),
           row("  waiting for room to servers", "5.000 s", "1.000 s", "-80 %"),
           row("servers", "1", "2", "+100 %"),
           row("busiest server, receiving", "0.00 %", "20.00 %", "new"),
           row("busiest server, writing", "0.00 %", "90.00 %", "new"),
           row("slowest step of 'o'", "0.000 s", "1.500 s", "new"),
           std::string("  the run: failed only in the second: a client threw\n"),
           row("file 'daily' of 'o', writing", "2.000 s", "6.200 s", "x 3.1"),
           row("  blocked for it, all clients", "8.000 s", "8.000 s", "as before"),
           std::string("  file 'daily' of 'o': failed only in the second: disk full\n"),
           std::string("  file 'hourly' of 'o': only in the second\n"),
       }) {
    EXPECT_THAT(text, HasSubstr(line));
  }
}

TEST(ReportComparison, OfOneRunWithItselfShowsNoChange) {
  const std::string text = report_comparison(sample(), sample());
  EXPECT_EQ(text.find(" x "), std::string::npos) << text;
  EXPECT_EQ(text.find('+'), std::string::npos) << text;
  EXPECT_THAT(text, HasSubstr("as before\n"));
  EXPECT_EQ(text.find("only in"), std::string::npos) << text;
}

TEST_F(Command, report_compares_two_files) {
  RunReport later = sample();
  later.contexts[0].id = "other\x1b[2J";
  const std::string a = file(to_json(sample()), "a.json");
  const std::string b = file(to_json(later), "b.json");
  const Outcome outcome = run("report " + a + " " + b);
  EXPECT_EQ(outcome.exit_code, 0);
  EXPECT_EQ(outcome.text, report_comparison(sample(), later));
  EXPECT_THAT(outcome.text, HasSubstr("context 'o': only in the first\n"));
  EXPECT_THAT(outcome.text, HasSubstr("context 'other\\x1b[2J': only in the second\n"));
  const Outcome page = run("report " + a + " " + b + " --html " + (folder / "x.html").string());
  EXPECT_EQ(page.exit_code, 2);
  EXPECT_EQ(page.text,
            "epios: --html draws one report (two are compared as text). Leave out one of the "
            "two?\n");
}

}  // namespace
}  // namespace epios::config::report_comparison_test
