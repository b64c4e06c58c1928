// What check shows of many findings, and in which order.
#include <gtest/gtest.h>

#include "commands/command.hpp"
#include "sample.hpp"

namespace epios::config::finding_print_test {
namespace {

using test::Command;
using test::Outcome;
using test::run;

/// A file of a field, and around it what `unneeded` holds, which no file uses.
std::string with_output(const std::string& field, const std::string& unneeded) {
  return test::in_context("<axis_definition>\n" + unneeded +
                          "<axis id='z' n_glo='3'/>\n"
                          "</axis_definition>\n<field_definition operation='instant'>\n"
                          "<field id='t' axis_ref='z' " +
                          field +
                          "/>\n</field_definition>\n"
                          "<file_definition><file id='f' output_freq='1d'>"
                          "<field field_ref='t'/></file></file_definition>");
}

TEST_F(Command, errors_in_the_way_of_output_come_first) {
  const std::string path = file(with_output("colour='red'", "<axis id='w' n_glo='3' unti='m'/>\n"));
  const Outcome outcome = run("check " + path);
  const std::size_t first = outcome.text.find("unknown attribute 'colour' of <field>");
  const std::size_t second = outcome.text.find("unknown attribute 'unti' of <axis>");
  ASSERT_NE(first, std::string::npos) << outcome.text;
  ASSERT_NE(second, std::string::npos) << outcome.text;
  EXPECT_LT(first, second) << outcome.text;
  EXPECT_TRUE(
      outcome.text.ends_with(": 2 errors (1 in what no enabled file needs), 0 warnings, 0 notes\n"))
      << outcome.text;
  const std::string json = run("check --json " + path).text;
  EXPECT_NE(json.find("\"affects_output\": false"), std::string::npos) << json;
  EXPECT_NE(json.find("\"affects_output\": true"), std::string::npos) << json;
}

TEST_F(Command, what_a_field_in_a_file_refers_to_is_in_the_way_of_output) {
  const auto is_alone = [this](const std::string& text) {
    const std::string said = run("check " + file(text)).text;
    EXPECT_TRUE(said.ends_with(": 1 error, 0 warnings, 0 notes\n")) << said;
  };
  is_alone(with_output("prec='x'", ""));
  // Through groups around, through references, and of the definition.
  is_alone(test::in_context(
      "<axis_definition unti='m'><axis id='z' n_glo='3'/></axis_definition>"
      "<field_definition operation='instant'><field id='t' axis_ref='z'/></field_definition>"
      "<file_definition><file id='f' output_freq='1d'><field field_ref='t'/></file>"
      "</file_definition>"));
  is_alone(test::in_context(
      "<axis_definition><axis_group id='g' unti='m'><axis id='z' n_glo='3'/></axis_group>"
      "<axis id='y' axis_ref='z'/></axis_definition>"
      "<field_definition operation='instant'><field id='t' axis_ref='y'/></field_definition>"
      "<file_definition><file id='f' output_freq='1d'><field field_ref='t'/></file>"
      "</file_definition>"));
  is_alone(test::in_context(
      "<axis_definition><axis id='z' n_glo='3'/></axis_definition>"
      "<field_definition operation='instant'><field_group id='g' opertion='instant'>"
      "<field id='t' axis_ref='z'/></field_group></field_definition>"
      "<file_definition><file id='f' output_freq='1d'><field_group group_ref='g'/></file>"
      "</file_definition>"));
  // What is no element that files choose.
  is_alone(
      test::in_context("<variable_definition><variable id='a' type='int'/>"
                       "</variable_definition>"));
  is_alone(test::in_context("", "<calendar type='NoLeap' timestep='1h' strt='2000'/>"));
}

TEST_F(Command, what_nothing_refers_to_is_not_in_the_way_of_output) {
  const auto is_beside = [this](const std::string& text) {
    const std::string said = run("check " + file(text)).text;
    EXPECT_TRUE(
        said.ends_with(": 1 error (1 in what no enabled file needs), 0 warnings, 0 notes\n"))
        << said;
    EXPECT_EQ(run("check " + file(text)).exit_code, 1);
  };
  is_beside(with_output("", "<axis_group unti='m'><axis id='w' n_glo='3'/></axis_group>\n"));
  is_beside(
      test::in_context("<file_definition><file id='f' output_freq='1d' enabled='false'>"
                       "<field id='t' opertion='instant'/></file></file_definition>"));
}

TEST_F(Command, equal_findings_are_one_with_their_places) {
  std::string axes;
  for (int i = 0; i < 8; ++i)
    axes += "<axis id='a" + std::to_string(i) + "' n_glo='3' unti='m'/>\n";
  const std::string path = file(with_output("", axes));
  const std::string shown = run("check " + path).text;
  EXPECT_NE(shown.find(path + ":3:25: error: unknown attribute 'unti' of <axis>. Did you mean "
                              "'unit'? [E0202]\n"),
            std::string::npos)
      << shown;
  EXPECT_NE(shown.find("  ... and 7 more like this: " + path +
                       ":4, 5, 6, 7, 8 and 2 more (--all shows each)\n"),
            std::string::npos)
      << shown;
  const std::string all = run("check --all " + path).text;
  EXPECT_EQ(all.find("more like this"), std::string::npos) << all;
}

TEST_F(Command, no_more_than_a_hundred_kinds_are_shown) {
  std::string axes = "<axis id='a'";
  for (int i = 0; i < 120; ++i) axes += " unknown_" + std::to_string(i) + "='m'\n";
  const std::string shown = run("check " + file(with_output("", axes + "/>"))).text;
  EXPECT_NE(shown.find("... and 20 more of other kinds (--all shows them)\n"), std::string::npos)
      << shown;
}

TEST_F(Command, statistics_count_codes) {
  const std::string path = file(with_output(
      "colour='red' size='big'", "<axis id='w' n_glo='3'>text</axis>\n<axis id='v' n_glo='x'/>\n"));
  const Outcome outcome = run("check --statistics " + path);
  EXPECT_EQ(outcome.text,
            "  errors  warnings   notes  code\n"
            "       2         0       0  E0202  an unknown attribute\n"
            "       1         0       0  E0203  a text is not a value of the attribute\n"
            "       0         1       0  E0204  something has no effect\n" +
                path + ": 3 errors (1 in what no enabled file needs), 1 warning, 0 notes\n");
  EXPECT_EQ(outcome.exit_code, 1);
}

TEST_F(Command, what_no_run_can_do_is_counted_by_feature) {
  const std::string path = file(
      test::in_context("<coupler_in_definition><coupler_in context='air::air'>\n"
                       "<field id='rain' operation='once'/>\n<field id='snow' operation='once'/>\n"
                       "</coupler_in></coupler_in_definition>"));
  const Outcome outcome = run("check " + path);
  EXPECT_EQ(outcome.text, path +
                              ": no run can do all of this yet:\n"
                              "  a received field without a grid of its own: 2 times, first at " +
                              path + ":3:1\n");
  EXPECT_EQ(outcome.exit_code, 3);
}

TEST_F(Command, what_a_run_leaves_out_is_a_warning) {
  const std::string path = file(test::in_context(
      "<axis_definition><axis id='z' n_glo='3'/><axis id='w' n_glo='4'/></axis_definition>\n"
      "<field_definition operation='instant'><field id='t' axis_ref='z'/></field_definition>\n"
      "<file_definition>\n<file id='f' output_freq='1d'>\n"
      "<field axis_ref='w' operation='instant' name='a'>t + 1</field>\n"
      "<field axis_ref='w' operation='instant' name='b'>t + 2</field>\n"
      "</file></file_definition>"));
  const Outcome outcome = run("check " + path);
  EXPECT_NE(outcome.text.find(": 0 errors, 2 warnings"), std::string::npos) << outcome.text;
  EXPECT_EQ(outcome.exit_code, 0);
}

}  // namespace
}  // namespace epios::config::finding_print_test
