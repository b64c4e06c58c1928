// What is left to the model: said in one line, written as XML to fill in, and read again.
#include <gtest/gtest.h>

#include <iterator>

#include "commands/command.hpp"
#include "sample.hpp"

namespace epios::config::model_part_test {
namespace {

using test::Command;
using test::Outcome;
using test::run;

/// The sample without what a model usually says.
std::string open_sample() {
  std::string text = test::sample_xml;
  for (const char* given : {" n_glo=\"3\"", " value=\"(0,2)[5 15.5 40]\"", " ni_glo=\"8\"",
                            " nj_glo=\"4\"", " timestep=\"1h\"", " type=\"rectilinear\""}) {
    text.erase(text.find(given), std::string(given).size());
  }
  return text;
}

void replace(std::string& text, const std::string& before, const std::string& after) {
  const std::size_t at = text.find(before);
  ASSERT_NE(at, std::string::npos) << before << " is not in\n" << text;
  text.replace(at, before.size(), after);
}

TEST_F(Command, writes_what_is_left_to_the_model) {
  const std::string path = file(open_sample());
  const Outcome written = run("check --write-model " + path);
  EXPECT_EQ(written.exit_code, 0);
  const std::string at = path + ":";
  EXPECT_EQ(written.text,
            "<?xml version=\"1.0\"?>\n"
            "<!-- What the model says of " +
                path +
                " when it runs. Replace each \"?\" and give this "
                "file to epios check as the model's part. -->\n"
                "<context_group>\n"
                "  <context id=\"ocean\">\n"
                "    <!-- " +
                at +
                "4:5 -->\n"
                "    <calendar timestep=\"?\"/>\n"
                "    <axis_definition>\n"
                "      <!-- " +
                at +
                "6:7 -->\n"
                "      <axis id=\"depth\" n_glo=\"?\"/>\n"
                "    </axis_definition>\n"
                "    <domain_definition>\n"
                "      <!-- " +
                at +
                "9:7 -->\n"
                "      <domain id=\"globe\" type=\"?\" ni_glo=\"?\" nj_glo=\"?\"/>\n"
                "    </domain_definition>\n"
                "  </context>\n"
                "</context_group>\n");
}

TEST_F(Command, what_it_writes_filled_in_leaves_nothing_open) {
  const std::string path = file(open_sample());
  std::string part = run("check --write-model " + path).text;
  replace(part, "timestep=\"?\"", "timestep=\"1h\"");
  replace(part, "n_glo=\"?\"", "n_glo=\"3\"");
  replace(part, "type=\"?\"", "type=\"rectilinear\"");
  replace(part, "ni_glo=\"?\"", "ni_glo=\"8\"");
  replace(part, "nj_glo=\"?\"", "nj_glo=\"4\"");
  ASSERT_EQ(part.find('?', part.find("<context id")), std::string::npos) << part;
  const std::string model = file(part, "model.xml");
  const Outcome closed = run("check -q --model " + model + " " + path);
  EXPECT_EQ(closed.text, "");
  EXPECT_EQ(closed.exit_code, 0);
  // With it the configuration is the whole one, in every command.
  EXPECT_EQ(run("plan --duration 1mo --model " + model + " " + path).text,
            run("plan --duration 1mo " + file(test::sample_xml, "whole.xml")).text);
  EXPECT_EQ(run("check --write-model " + file(test::sample_xml, "whole.xml")).text,
            "<?xml version=\"1.0\"?>\n<!-- " + (folder / "whole.xml").string() +
                " leaves nothing to the model. -->\n<context_group>\n</context_group>\n");
}

TEST_F(Command, what_it_writes_unfilled_is_refused) {
  const std::string path = file(open_sample());
  const std::string model = file(run("check --write-model " + path).text, "model.xml");
  const Outcome outcome = run("check --model " + model + " " + path);
  EXPECT_EQ(outcome.exit_code, 1);
  EXPECT_NE(outcome.text.find(model + ":"), std::string::npos) << outcome.text;
  EXPECT_NE(outcome.text.find("has the value '?'"), std::string::npos) << outcome.text;
}

TEST_F(Command, elements_and_variables_that_the_model_defines_are_written_too) {
  const std::string path = file(
      test::in_context("<axis_definition><axis id='known' n_glo='2'/></axis_definition>"
                       "<field_definition operation='instant'><field id='t' axis_ref='levels'/>"
                       "<field id='u' grid_ref='column'/><field id='v' domain_ref='sea'/>"
                       "<field id='w' axis_ref='known'>$factor * this</field></field_definition>"
                       "<file_definition><file id='f' output_freq='1d'><field field_ref='t'/>"
                       "<field field_ref='u'/><field field_ref='v'/><field field_ref='w'/></file>"
                       "</file_definition>",
                       "<calendar type='NoLeap'/>"));
  const std::string said = run("check " + path).text;
  EXPECT_NE(said.find(path + ": the model has to say timestep of the calendar; to define axis "
                             "'levels', grid 'column', domain 'sea' and variable 'factor' (--notes "
                             "shows each, --write-model writes a file to fill in)\n"),
            std::string::npos)
      << said;
  std::string part = run("check --write-model " + path).text;
  replace(part, "timestep=\"?\"", "timestep=\"1h\"");
  replace(part, "<axis id=\"levels\" n_glo=\"?\"/>", "<axis id=\"levels\" n_glo=\"2\"/>");
  replace(part, "<domain id=\"sea\" type=\"?\" ni_glo=\"?\" nj_glo=\"?\"/>",
          "<domain id=\"sea\" type=\"rectilinear\" ni_glo=\"4\" nj_glo=\"2\"/>");
  replace(part, "<domain domain_ref=\"?\"/>", "<axis axis_ref=\"levels\"/>");
  replace(part, "<variable id=\"factor\" type=\"?\">?</variable>",
          "<variable id=\"factor\" type=\"double\">2</variable>");
  const Outcome closed = run("check -q --model " + file(part, "model.xml") + " " + path);
  EXPECT_EQ(closed.text.find("the model has"), std::string::npos) << part << closed.text;
  EXPECT_EQ(closed.text.find("error"), std::string::npos) << closed.text;
  EXPECT_EQ(closed.exit_code, 0) << closed.text;
}

// An operand has points, too, though no file names it.
TEST_F(Command, what_operands_of_expressions_need_is_written_too) {
  const std::string path = file(test::in_context(
      "<axis_definition><axis id='levels'/><axis id='depths'/></axis_definition>"
      "<domain_definition><domain id='sea'/><domain id='coast'/></domain_definition>"
      "<field_definition operation='instant'><field id='s' domain_ref='sea'/>"
      "<field id='near' domain_ref='coast'/><field id='u' axis_ref='levels'/>"
      "<field id='v' axis_ref='depths'/><field id='w' axis_ref='new'/>"
      "<field id='both' expr='s * $factor + near'/><field id='speed' freq_op='1d' expr='sqrt(u * "
      "u) + @v + w'/>"
      "</field_definition><file_definition><file id='f' output_freq='1d'>"
      "<field field_ref='both'/><field field_ref='speed'/></file></file_definition>"));
  EXPECT_EQ(run("check " + path).text,
            path +
                ": the model has to say n_glo of 2 axes and type, ni_glo and nj_glo of 2 domains; "
                "to define axis 'new' and variable 'factor' (--notes shows each, --write-model "
                "writes a file to fill in)\n");
  std::string part = run("check --write-model " + path).text;
  for (const char* axis : {"levels", "depths", "new"}) {
    replace(part, "<axis id=\"" + std::string(axis) + "\" n_glo=\"?\"/>",
            "<axis id=\"" + std::string(axis) + "\" n_glo=\"2\"/>");
  }
  for (const char* domain : {"sea", "coast"}) {
    replace(part,
            "<domain id=\"" + std::string(domain) + "\" type=\"?\" ni_glo=\"?\" nj_glo=\"?\"/>",
            "<domain id=\"" + std::string(domain) +
                "\" type=\"rectilinear\" ni_glo=\"4\" nj_glo=\"2\"/>");
  }
  replace(part, "<variable id=\"factor\" type=\"?\">?</variable>",
          "<variable id=\"factor\" type=\"double\">2</variable>");
  const Outcome closed = run("check --model " + file(part, "model.xml") + " " + path);
  EXPECT_EQ(part.find('?', part.find("<context_group>")), std::string::npos) << part;
  EXPECT_EQ(closed.text.find("the model has"), std::string::npos) << part << closed.text;
  EXPECT_EQ(closed.text.find("error:"), std::string::npos) << closed.text;
  EXPECT_EQ(closed.exit_code, 0) << closed.text;
}

TEST_F(Command, what_nobody_can_name_is_a_comment) {
  const std::string path = file(test::in_context(
      "<grid_definition><grid id='g'>\n<axis/></grid></grid_definition>"
      "<field_definition><field id='u' grid_ref='g'/></field_definition>"
      "<file_definition><file id='f' output_freq='1d'><field field_ref='u' operation='instant'/>"
      "</file></file_definition>"));
  EXPECT_EQ(run("check " + path).text,
            path +
                ": the model has to say n_glo of one axis without id (--notes shows each, "
                "--write-model writes a file to fill in)\n");
  const std::string part = run("check --write-model " + path).text;
  EXPECT_NE(part.find("<!-- n_glo of one axis without id, to be said where it stands (" + path +
                      ":3:1) -->"),
            std::string::npos)
      << part;
}

TEST_F(Command, contexts_that_include_one_file_each_have_their_gaps) {
  file("<domain_definition>\n<domain id='face' type='unstructured'/></domain_definition>",
       "mesh.xml");
  const auto context = [](const std::string& id, const std::string& enabled) {
    return "<context id='" + id +
           "'><calendar type='NoLeap' timestep='1h'/>"
           "<domain_definition src='mesh.xml'/><field_definition operation='instant'>"
           "<field id='t' domain_ref='face'/></field_definition><file_definition><file id='" +
           id + "' output_freq='1d' enabled='" + enabled +
           "'><field field_ref='t'/></file>"
           "</file_definition></context>";
  };
  const std::string path =
      file("<simulation>" + context("idle", "false") + context("first", "true") +
           context("last", "true") + "</simulation>");
  const std::string part = run("check --write-model " + path).text;
  EXPECT_EQ(part.find("\"idle\""), std::string::npos) << part;
  for (const char* id : {"first", "last"}) {
    const std::size_t at = part.find("<context id=\"" + std::string(id) + "\">");
    ASSERT_NE(at, std::string::npos) << part;
    EXPECT_NE(part.find("<domain id=\"face\" ni_glo=\"?\"/>", at), std::string::npos) << part;
  }
}

TEST_F(Command, errors_may_hide_what_is_left_to_the_model) {
  std::string text = open_sample();
  replace(text, "<domain id=\"globe\"", "<domain id=\"globe\" colour=\"red\"");
  const std::string path = file(text);
  const Outcome outcome = run("check --write-model " + path);
  EXPECT_EQ(outcome.exit_code, 1);
  EXPECT_TRUE(outcome.text.ends_with(path + ": 1 error, which may hide more that is open\n") ||
              outcome.text.starts_with(path + ": 1 error, which may hide more that is open\n"))
      << outcome.text;
}

TEST_F(Command, elements_of_one_gap_are_counted) {
  const std::string path = file(test::in_context(
      "<domain_definition><domain id='a' type='rectilinear'/><domain id='b' type='rectilinear'/>"
      "</domain_definition><field_definition operation='instant'><field id='t' domain_ref='a'/>"
      "<field id='u' domain_ref='b'/></field_definition><file_definition>"
      "<file id='f' output_freq='1d'><field field_ref='t'/><field field_ref='u'/></file>"
      "</file_definition>"));
  EXPECT_EQ(run("check " + path).text,
            path +
                ": the model has to say ni_glo and nj_glo of 2 domains (--notes shows each, "
                "--write-model writes a file to fill in)\n");
}

}  // namespace
}  // namespace epios::config::model_part_test
