// Broken configurations by the thousand: check() says what is wrong and nothing else happens.
#include "config/check.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <random>

#include "config/unused.hpp"
#include "sample.hpp"

namespace epios::config::check_test {
namespace {

bool has_errors(const std::vector<Diagnostic>& findings) {
  for (const Diagnostic& finding : findings) {
    if (finding.severity == Severity::error) return true;
  }
  return false;
}

/// What check() accepts without a note on what is needed must resolve, what it refuses must not.
void agrees_with_resolve(const std::string& xml) {
  const std::vector<Diagnostic> findings = check(test::texts(xml));
  bool resolves = true;
  try {
    const Definitions definitions{Document(test::texts(xml))};
    for (const std::string& context : definitions.contexts()) {
      if (context == "xios") continue;
      const Model model = definitions.resolve(context);
      EXPECT_EQ(encode(decode_model(encode(model))), encode(model));
    }
  } catch (const ConfigError&) {
    resolves = false;
  }
  bool is_complete = true;
  for (const Diagnostic& finding : findings) {
    const bool is_of_times = finding.problem.find(" of instants and field ") != std::string::npos;
    // A run goes on without a field that refers to one that the model might have defined.
    const bool is_left_out = finding.gap && finding.gap->element == "field";
    const bool is_good = finding.severity == Severity::warning ||
                         finding.topic == Topic::unneeded || is_of_times || is_left_out;
    is_complete = is_complete && is_good;
  }
  EXPECT_EQ(resolves, is_complete) << xml;
}

TEST(Check, survives_changed_bytes) {
  std::mt19937 random(5);
  std::uniform_int_distribution<std::size_t> place(0, test::sample_xml.size() - 1);
  const std::string letters = "<>/=\"'&;!-[]() \n0159.+eEamosty_\\\xff";
  std::uniform_int_distribution<std::size_t> letter(0, letters.size() - 1);
  std::uniform_int_distribution<int> times(1, 3);
  for (int i = 0; i < 1500; ++i) {
    std::string xml = test::sample_xml;
    for (int n = times(random); n > 0; --n) xml[place(random)] = letters[letter(random)];
    agrees_with_resolve(xml);
  }
}

TEST(Check, survives_lines_out_of_order) {
  std::mt19937 random(6);
  std::vector<std::string> lines;
  for (std::size_t at = 0; at < test::sample_xml.size();) {
    const std::size_t end = test::sample_xml.find('\n', at) + 1;
    lines.push_back(test::sample_xml.substr(at, end - at));
    at = end;
  }
  std::uniform_int_distribution<std::size_t> line(3, lines.size() - 4);
  for (int i = 0; i < 1500; ++i) {
    std::vector<std::string> changed = lines;
    std::swap(changed[line(random)], changed[line(random)]);
    changed[line(random)] = changed[line(random)];
    std::string xml;
    for (const std::string& text : changed) xml += text;
    agrees_with_resolve(xml);
  }
}

struct Mistake {
  const char* from;
  const char* to;
  const char* where;
};

TEST(Check, finds_seeded_mistakes_at_their_place) {
  constexpr std::array<Mistake, 16> mistakes{{
      {"timestep=\"1h\"", "timestep=\"1hour\"", "iodef.xml:4:29"},
      {"start_date=\"2001-01-01\"", "start_date=\"2001-02-30\"", "iodef.xml:4:43"},
      {"n_glo=\"3\"", "n_glo=\"2\"", "iodef.xml:6:59"},
      {"positive=\"down\"", "positive=\"donw\"", "iodef.xml:6:43"},
      {"type=\"rectilinear\"", "type=\"rectangular\"", "iodef.xml:9:26"},
      {"domain_ref=\"globe\"/>\n        <axis", "domain_ref=\"glob\"/>\n        <axis",
       "iodef.xml:16:17"},
      {"axis_ref=\"depth\"", "axis_ref=\"deph\"", "iodef.xml:17:15"},
      {"prec=\"8\"", "prec=\"16\"", "iodef.xml:20:23"},
      {"operation=\"average\"", "operaton=\"average\"", "iodef.xml:20:32"},
      {"grid_ref=\"g3d\"", "grid_ref=\"g2d\"", "iodef.xml:22:20"},
      {"default_value=\"1e20\"", "default_value=\"1e20 x\"", "iodef.xml:23:38"},
      {"output_freq=\"1d\"", "output_freq=\"1ts -1h\"", "iodef.xml:29:41"},
      {"freq_op=\"6h\"", "freq_op=\"6\"", "iodef.xml:31:66"},
      {"name=\"tosmax\"", "name=\"tos\"", "iodef.xml:31:9"},
      {"type=\"int\"", "type=\"integer\"", "iodef.xml:46:33"},
      {">30<", "><", "iodef.xml:46:7"},
  }};
  for (const Mistake& mistake : mistakes) {
    std::string xml = test::sample_xml;
    const std::size_t at = xml.find(mistake.from);
    ASSERT_NE(at, std::string::npos) << mistake.from;
    xml.replace(at, std::string(mistake.from).size(), mistake.to);
    const std::vector<Diagnostic> findings = check(test::texts(xml));
    EXPECT_TRUE(has_errors(findings)) << mistake.to;
    bool is_found = false;
    std::string all;
    for (const Diagnostic& finding : findings) {
      is_found = is_found || finding.where == mistake.where;
      all += test::text(finding) + "\n";
    }
    EXPECT_TRUE(is_found) << mistake.to << " at " << mistake.where << ", but:\n" << all;
  }
}

TEST(Check, warns_of_files_without_a_field) {
  const std::vector<Diagnostic> findings = check(test::texts(test::in_context(
      "<file_definition>\n<file id='f' output_freq='1d'/>\n<file id='off' enabled='false'/>\n"
      "</file_definition>")));
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(test::text(findings[0]),
            "iodef.xml:3:1: warning: file 'f' has no field (nothing would be written to it). Add "
            "<field field_ref=\"...\"/>?");
}

TEST(Check, says_of_a_file_without_a_field_that_is_read_that_nothing_is_read) {
  const std::vector<Diagnostic> findings = check(test::texts(test::in_context(
      "<file_definition mode='read'>\n<file id='f' output_freq='1d'/>\n</file_definition>")));
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(test::text(findings[0]),
            "iodef.xml:3:1: warning: file 'f' has no field (nothing would be read from it). Add "
            "<field field_ref=\"...\"/>?");
}

TEST(Unused, does_not_say_of_what_is_read_that_it_is_not_written) {
  const auto about_files = [](const std::string& enabled) {
    std::string out;
    for (const Diagnostic& note : unused(test::texts(test::in_context(
             "<domain_definition><domain id='d' type='rectilinear' ni_glo='1' nj_glo='1'/>"
             "</domain_definition><file_definition>\n<file id='f' mode='read' output_freq='1h'>"
             "<field id='a' name='a' domain_ref='d' operation='instant' read_access='true' "
             "enabled='" +
             enabled + "'/></file></file_definition>")))) {
      if (note.problem.starts_with("file")) out += test::text(note) + "\n";
    }
    return out;
  };
  EXPECT_EQ(about_files("true"), "");
  EXPECT_EQ(about_files("false"),
            "iodef.xml:3:1: note: file 'f' is not read (all its fields are disabled or above its "
            "output_level).\n");
}

std::vector<Diagnostic> mistakes_of_unused(const SourceTexts& sources) {
  std::vector<Diagnostic> notes = unused(sources);
  std::erase_if(notes, [](const Diagnostic& note) { return note.topic != Topic::unneeded; });
  return notes;
}

// Nobody waits for twenty thousand suggestions out of twenty thousand ids.
TEST(Check, suggestions_end_when_a_configuration_is_full_of_mistakes) {
  constexpr int count = 20'000;
  std::string fields;
  std::string references;
  for (int i = 0; i < count; ++i) {
    const std::string number = std::to_string(i);
    fields += "<field id='field_" + number + "'/>\n";
    references += "<field field_ref='feild_" + number + "'/>\n";
  }
  references += "<field field_ref='feild_0'/>";
  const auto findings_of = [&](const std::string& enabled, auto what) {
    return what(test::texts(test::in_context(
        "<field_definition>" + fields + "</field_definition><file_definition><file id='f' " +
        enabled + " output_freq='1d'>" + references + "</file></file_definition>")));
  };
  const auto all = [](const auto& texts) { return check(texts); };
  const auto of_unused = [](const auto& texts) { return mistakes_of_unused(texts); };
  EXPECT_EQ(findings_of("enabled='false'", all).size(), 1U);
  EXPECT_EQ(findings_of("enabled='false'", of_unused).size(), std::size_t{count + 1});
  const std::vector<Diagnostic> findings = findings_of("", all);
  ASSERT_EQ(findings.size(), std::size_t{count + 1});
  EXPECT_EQ(findings[0].suggestion, "Did you mean 'field_0'?");
  EXPECT_EQ(findings[count - 1].suggestion, "");
  EXPECT_EQ(findings[count].suggestion, "Did you mean 'field_0'?");
}

// The model replaces '@freq@' before the run; what it has not replaced by then, nobody does.
TEST(Check, files_that_differ_in_freq_only_meet_in_a_run) {
  const auto files = [](const std::string& first, const std::string& second) {
    return test::in_context(
        "<scalar_definition><scalar id='s'/></scalar_definition><field_definition><field id='a' "
        "operation='instant' scalar_ref='s'/></field_definition>\n<file_definition "
        "name='x_@freq@'>\n<file id='f' output_freq='" +
        first + "'><field field_ref='a'/></file>\n<file id='g' output_freq='" + second +
        "'><field field_ref='a'/></file></file_definition>");
  };
  EXPECT_TRUE(check(test::texts(files("1d", "5d"))).empty());
  const std::vector<Diagnostic> same = check(test::texts(files("1d", "1d")));
  ASSERT_EQ(same.size(), 1U);
  EXPECT_EQ(same[0].problem, "file 'g' writes to 'x_@freq@.nc'");
  EXPECT_NE(test::errors(files("1d", "5d")).find("error: file 'g' writes to 'x_@freq@.nc'"),
            std::string::npos);
}

TEST(Check, nothing_is_suggested_that_cannot_be_meant) {
  const std::vector<Diagnostic> findings = mistakes_of_unused(test::texts(
      test::in_context("<field_definition>\n<field id='tos_1' field_ref='tos_l'/>\n"
                       "<field id='tos_2' field_ref='tos_'/>\n<field id='sum' expr='suma + 1'/>\n"
                       "<field id='grid_1' grid_ref='grid_l'/>\n"
                       "<field_group id='group_a' group_ref='group_'/></field_definition>"
                       "<grid_definition><grid id='grid_1'/></grid_definition>")));
  const auto suggestion = [&findings](int line) -> std::string {
    for (const Diagnostic& finding : findings) {
      if (finding.position.line == line) return finding.suggestion;
    }
    return "no finding";
  };
  EXPECT_EQ(suggestion(3), "Did you mean 'tos_2'?") << "the nearest is the field itself";
  EXPECT_EQ(suggestion(4), "Did you mean 'tos_1'?");
  EXPECT_EQ(suggestion(5), "") << "an operand is not the field itself";
  EXPECT_EQ(suggestion(6), "Did you mean 'grid_1'?") << "that is no field";
  EXPECT_EQ(suggestion(7), "");
}

TEST(Check, one_element_may_have_any_number_of_mistakes) {
  std::string attributes;
  for (int i = 0; i < 50'000; ++i) attributes += " units" + std::to_string(i) + "='m'\n";
  const std::vector<Diagnostic> findings = check(test::texts(
      test::in_context("<field_definition><field" + attributes + "/></field_definition>")));
  ASSERT_EQ(findings.size(), 50'000U);
  EXPECT_EQ(findings[0].suggestion, "Did you mean 'unit'?");
  EXPECT_EQ(findings.back().where, "iodef.xml:50001:2");
}

TEST(Check, a_run_says_a_hundred_mistakes_and_counts_the_rest) {
  std::string axes;
  for (int i = 0; i < 120; ++i) axes += "<axis unti='m'/>\n";
  const std::string text =
      test::errors(test::in_context("<axis_definition>" + axes + "</axis_definition>"));
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 100);
  EXPECT_TRUE(
      text.ends_with("\n"
                     "... and 20 more"))
      << text;
}

}  // namespace
}  // namespace epios::config::check_test
