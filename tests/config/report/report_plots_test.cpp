// Plots of a report: waits over the steps of a run, and the step that took longest.
#include "report/report_plots.hpp"

#include <gtest/gtest.h>

#include <string>

#include "config/error.hpp"

namespace epios::config::report_plots_test {
namespace {

ContextCost sample() {
  ContextCost out;
  out.id = "ocean";
  out.times_opened = 1;
  out.clients = 4;
  out.blocked = {16, {0, 0.001, 0.25, 0.5, 0.125}, {1, 2, 3, 4, 5}};
  out.slowest_step = {
      37,
      "2000-01-02 12:00:00",
      {{"thetao", false, 0, 0.75}, {"thetao", true, 0.25, 0.5}, {"", true, 0.75, 0.25}},
      2};
  return out;
}

RunReport report_of(const ContextCost& context) {
  RunReport out;
  out.version = "1.0";
  out.component = "ocean";
  out.contexts = {context};
  return out;
}

TEST(ReportPlots, AreLettersOnATerminal) {
  EXPECT_EQ(blocked_lines(sample()), R"(  blocked, of the time of all clients; a column: 16 steps
  50.00 % |   #
          |   #
          |  ##
          | ####
          +-----
)");
  EXPECT_EQ(slowest_step_lines(sample()),
            R"(  step 37 (2000-01-02 12:00:00), in which the first client waited and packed longest
    thetao      |##############################          | packing 0.750 s
    thetao      |          ....................          | waiting 0.500 s
    (no record) |                              ..........| waiting 0.250 s
    2 more
)");
}

TEST(ReportPlots, AreInTheTableAndOnThePage) {
  const RunReport report = report_of(sample());
  EXPECT_NE(report_table(report).find("  50.00 % |   #\n"), std::string::npos);
  EXPECT_NE(report_table(report).find("| waiting 0.500 s\n"), std::string::npos);
  const std::string page = report_page(report);
  EXPECT_NE(page.find("<title>steps 49 to 64: 50.00 % of 4.000 s</title>"), std::string::npos)
      << page;
  EXPECT_NE(page.find("<title>thetao: waiting: 0.500 s</title>"), std::string::npos) << page;
  EXPECT_NE(page.find("<p>2 more.</p>"), std::string::npos);
}

TEST(ReportPlots, AreNotDrawnOfNothing) {
  ContextCost empty;
  EXPECT_EQ(blocked_lines(empty) + slowest_step_lines(empty) + blocked_drawing(empty) +
                slowest_step_drawing(empty),
            "");
  empty.blocked = {1, {0, 0}, {1, 1}};  // nobody has waited
  EXPECT_EQ(blocked_lines(empty) + blocked_drawing(empty), "");
}

TEST(ReportPlots, NamesAreNoMarkup) {
  ContextCost context = sample();
  context.slowest_step.spans[0].field = "<b>\"&\x1b";
  const std::string page = slowest_step_drawing(context);
  EXPECT_EQ(page.find("<b>"), std::string::npos);
  EXPECT_NE(page.find("&lt;b&gt;&quot;&amp;\\x1b"), std::string::npos) << page;
  EXPECT_EQ(slowest_step_lines(context).find('\x1b'), std::string::npos);
}

TEST(ReportPlots, ComeBackFromJson) {
  const std::string text = to_json(report_of(sample()));
  const RunReport read = read_run_report(text);
  EXPECT_EQ(to_json(read), text);
  EXPECT_EQ(read.contexts.at(0).slowest_step.spans.at(1).is_wait, true);
  // Reports of earlier versions have none of it.
  const RunReport old = read_run_report(to_json(report_of({"ocean", 1, 4, {}})));
  EXPECT_TRUE(old.contexts.at(0).blocked.shares.empty());
}

TEST(ReportPlots, NumbersThatNoRunWritesAreRefused) {
  const auto problem = [](const std::string& from, const std::string& to) -> std::string {
    std::string text = to_json(report_of(sample()));
    const std::size_t at = text.find(from);
    if (at == std::string::npos) return "not there: " + from + " in " + text;
    try {
      read_run_report(text.replace(at, from.size(), to));
    } catch (const Error& error) {
      return error.what();
    }
    return {};
  };
  EXPECT_EQ(problem("0.125", "1.5"),
            "'shares' is 1.5 (it is a number from 0 to 1). Is it as the run wrote it?");
  EXPECT_NE(
      problem("\"steps_per_column\": 16", "\"steps_per_column\": 0").find("of one step or more"),
      std::string::npos);
  EXPECT_NE(problem("\"begin_s\": 0.75", "\"begin_s\": -1").find("'begin_s' is -1"),
            std::string::npos);
}

TEST(ReportPlots, AreOfTheLongestOpening) {
  std::vector<ContextCost> contexts;
  ContextCost shorter = sample();
  shorter.blocked = {1, {0.1}, {0.5}};
  shorter.slowest_step.spans = {{"tos", true, 0, 0.001}};
  add(contexts, shorter);
  add(contexts, sample());
  add(contexts, shorter);
  ASSERT_EQ(contexts.size(), 1U);
  EXPECT_EQ(contexts[0].blocked.steps_per_column, 16);
  EXPECT_EQ(contexts[0].slowest_step.spans.size(), 3U);
}

}  // namespace
}  // namespace epios::config::report_plots_test
