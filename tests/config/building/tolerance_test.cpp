// What is tolerated, what it says, and what `strict` and `compat` make of it.
#include <gtest/gtest.h>

#include "sample.hpp"

namespace epios::config::tolerance_test {
namespace {

/// All findings, one per line.
std::string findings(const std::string& xml) {
  std::string text;
  for (const Diagnostic& finding : check(test::texts(xml))) text += test::text(finding) + "\n";
  return text;
}

/// A root element with attributes around a context; the body begins on line 2.
std::string simulation(const std::string& attributes, const std::string& body) {
  return "<simulation" + attributes +
         "><context id='ocean'><calendar type='NoLeap' timestep='1h'/>\n" + body +
         "\n</context></simulation>";
}

TEST(Lenient, dashes_in_a_comment) {
  EXPECT_EQ(findings(simulation("", "<!-- old -- new -->")),
            "iodef.xml:2:10: warning: '--' inside a comment (XML forbids it). Write the comment "
            "without it.\n");
  EXPECT_EQ(findings(simulation("", "<!-- old --->")),
            "iodef.xml:2:10: warning: '--' inside a comment (XML forbids it). Write the comment "
            "without it.\n");
  EXPECT_EQ(findings(simulation("", "<!-- old - new --><!----><!-- > -->")), "");
}

TEST(Lenient, declaration_that_is_late) {
  const std::string good = simulation("", "");
  EXPECT_EQ(findings("\n <?xml version='1.0'?>" + good),
            "iodef.xml:2:2: warning: the XML declaration is not at the very start (XML wants "
            "nothing in front of it, it is ignored). Remove what stands before.\n");
  EXPECT_EQ(findings("<?xml version='1.0'?>" + good), "");
  EXPECT_EQ(findings("\xef\xbb\xbf<?xml version='1.0'?>" + good), "");
  EXPECT_EQ(findings("\n<?xml-stylesheet href='a'?>" + good), "");
}

TEST(Lenient, closing_tag_of_another_name_ends_the_innermost_element) {
  const std::string body =
      "<axis_definition>\n<axis id='z' n_glo='2'></axes>\n</axis_defs><domain_definition "
      "long_nam='x'/>";
  EXPECT_EQ(findings(simulation("", body)),
            "iodef.xml:3:24: warning: closing tag </axes> ends <axis> (it was opened at "
            "iodef.xml:3:1). Is a closing tag missing or misspelt?\n"
            "iodef.xml:4:1: warning: closing tag </axis_defs> ends <axis_definition> (it was "
            "opened at iodef.xml:2:1). Is a closing tag missing or misspelt?\n"
            "iodef.xml:4:32: error: unknown attribute 'long_nam' of <domain_definition>. Did you "
            "mean 'long_name'?\n");
}

TEST(Lenient, a_missing_closing_tag_is_found_at_what_it_would_close) {
  EXPECT_EQ(findings("<simulation><context id='a'>\n<axis_definition>\n</context></simulation>"),
            "iodef.xml:2:1: error: <axis_definition> is not closed (</context> comes first, at "
            "iodef.xml:3:1). Is </axis_definition> missing?\n");
}

TEST(Lenient, brackets_in_values_comments_and_cdata_are_no_tags) {
  EXPECT_EQ(findings(simulation("",
                                "<variable_definition><variable id='a'><![CDATA[</b> -- "
                                "<c>]]></variable><!-- </d> --></variable_definition>\n"
                                "<axis_definition long_name='</e>'/>")),
            "iodef.xml:3:29: warning: '<' in the value of an attribute (XML forbids it). Write "
            "'&lt;'.\n");
  EXPECT_EQ(findings(simulation(" compat='xios3'", "<axis_definition long_name='<&&b;'/>")), "");
}

TEST(Strict, makes_every_warning_an_error) {
  const std::string body = "<!-- a -- b --><unknown/>";
  EXPECT_EQ(findings(simulation(" strict='true'", body)),
            "iodef.xml:2:8: error: '--' inside a comment (XML forbids it). Write the comment "
            "without it.\n"
            "iodef.xml:2:16: error: unknown element <unknown> in <context> (it is ignored with "
            "everything inside).\n");
  EXPECT_THROW(test::definitions(simulation(" strict='true'", body)), ConfigError);
  EXPECT_EQ(test::definitions(simulation("", body)).warnings().size(), 2U);
}

TEST(Compat, takes_silently_what_xios_takes_silently) {
  const std::string body =
      "<!-- a -- b --><unknown/><axis_definition>text<axis id='z' n_glo='3'><zoom_axis n='1'/>"
      "</axis></axis_definition><field_definition check_if_active='true'/>";
  EXPECT_EQ(findings(simulation(" compat='xios3'", body)), "");
  EXPECT_EQ(findings(simulation(" compat='XIOS2'", body)), "");
  EXPECT_NE(findings(simulation("", body)), "");
  EXPECT_EQ(findings("<simulation compat='xios3'><context/></simulation>"), "");
}

TEST(Compat, a_reference_for_attributes_that_leads_to_nothing_is_no_reference) {
  const std::string body =
      "<axis_definition><axis id='z' axis_ref='nothing' n_glo='3'/></axis_definition>"
      "<file_definition><file id='f' output_freq='1d'><field id='a' field_ref='gone' axis_ref='z' "
      "operation='instant'/></file></file_definition>";
  EXPECT_EQ(findings(simulation(" compat='xios3'", body)), "");
  const Model model = test::model(simulation(" compat='xios3'", body));
  ASSERT_EQ(model.streams.size(), 1U);
  EXPECT_EQ(model.sources.at(0).id, "a");
  EXPECT_NE(findings(simulation("", body)).find("axis_ref 'nothing' refers to nothing"),
            std::string::npos);
  // What names the grid of a field is an error there too.
  EXPECT_NE(findings(simulation(" compat='xios3'",
                                "<field_definition><field id='b' axis_ref='gone'/>"
                                "</field_definition>"))
                .find("axis_ref 'gone' refers to nothing"),
            std::string::npos);
}

TEST(Compat, words_are_checked) {
  EXPECT_EQ(findings("<simulation\n compat='xios4' strict='perhaps' stict='y'/>"),
            "iodef.xml:2:2: error: attribute 'compat' of <simulation> has the value 'xios4' "
            "(allowed: none, xios2, xios3). Did you mean 'xios2'?\n"
            "iodef.xml:2:17: error: attribute 'strict' of <simulation> has the value 'perhaps' "
            "(not a boolean). Use true or false.\n"
            "iodef.xml:2:34: warning: unknown attribute 'stict' of <simulation> (it is ignored). "
            "Did you mean "
            "'strict'?\n");
}

TEST(Compat, includes_of_xios2_are_relative_to_the_working_directory) {
  const auto sources = [](const std::string& attributes, const std::string& second) {
    return SourceTexts{
        {"run/iodef.xml",
         "<simulation" + attributes + "><context id='a' src='sub/c.xml'/></simulation>"},
        {second, "<context><axis_definition><axis id='z'/></axis_definition></context>"}};
  };
  const auto has_axis = [](const SourceTexts& texts) {
    return Definitions(Document(texts)).has("a", ElementKind::axis, "z");
  };
  EXPECT_TRUE(has_axis(sources("", "run/sub/c.xml")));
  EXPECT_TRUE(has_axis(sources(" compat='xios3'", "run/sub/c.xml")));
  EXPECT_TRUE(has_axis(sources(" compat='xios2'", "sub/c.xml")));
  EXPECT_THROW(has_axis(sources(" compat='xios2'", "run/sub/c.xml")), ConfigError);
}

TEST(Later, what_no_run_can_do_is_an_error_there_and_a_note_in_a_check) {
  const std::string body =
      "<coupler_in_definition><coupler_in context='air::air'>\n"
      "<field id='rain' operation='once'/></coupler_in></coupler_in_definition>";
  EXPECT_EQ(test::errors(simulation("", body)),
            "iodef.xml:3:1: error: a received field without a grid of its own is not available yet "
            "(it is understood, but no run can do it).");
  for (const Diagnostic& finding : check(test::texts(simulation("", body)))) {
    EXPECT_EQ(finding.severity, Severity::note) << test::text(finding);
  }
}

TEST(Later, what_is_not_used_is_not_asked_for) {
  EXPECT_EQ(test::errors(simulation("",
                                    "<axis_definition><axis id='z'><inverse_axis/></axis>"
                                    "</axis_definition><file_definition><file id='f' "
                                    "split_freq='1d'/></file_definition>")),
            "");
}

TEST(Tolerance, containers_of_transformations_do_nothing) {
  std::string text;
  for (const Diagnostic& finding : check(test::texts(
           test::in_context("<extract_axis_definition><extract_axis/></extract_axis_definition>\n"
                            "<zoom_domain_group/>")))) {
    text += test::text(finding) + "\n";
  }
  EXPECT_EQ(text,
            "iodef.xml:2:1: warning: <extract_axis_definition> has no effect (a transformation "
            "works where it stands in a domain, an axis or a scalar). Remove it.\n"
            "iodef.xml:3:1: warning: <zoom_domain_group> has no effect (a transformation works "
            "where it stands in a domain, an axis or a scalar). Remove it.\n");
}

}  // namespace
}  // namespace epios::config::tolerance_test
