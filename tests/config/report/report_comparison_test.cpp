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
  later.contexts[0].files[0].writing_s = 6.2;
  later.contexts[0].files[0].error = "disk full";
  later.contexts[0].files.emplace_back().id = "hourly";
  const std::string text = report_comparison(sample(), later);
  for (const char* line : {
           "component 'ocean', EPIOS 0.2 and 0.2\n",
           "  from start to end                     100.0 s    90.0 s      -10 %\n",
           "    waiting for room to servers         5.000 s   1.000 s      -80 %\n",
           "  file 'daily' of 'o', writing          2.000 s   6.200 s      x 3.1\n",
           "    blocked for it, all clients         8.000 s   8.000 s  as before\n",
           "  file 'daily' of 'o': failed only in the second: disk full\n",
           "  file 'hourly' of 'o': only in the second\n",
       }) {
    EXPECT_THAT(text, HasSubstr(line));
  }
}

TEST(ReportComparison, OfOneRunWithItselfShowsNoChange) {
  const std::string text = report_comparison(sample(), sample());
  EXPECT_EQ(text.find('%', text.find("fullest channel") + 60), std::string::npos) << text;
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
