// Names of a run in the texts of a configuration.
#include "config/run_names.hpp"

#include <gtest/gtest.h>

#include "config/check.hpp"
#include "config/definitions.hpp"
#include "config/document.hpp"
#include "config/error.hpp"

namespace epios::config::run_names_test {
namespace {

TEST(RunNames, have_the_member_behind_the_code_id) {
  EXPECT_EQ(run_names("ocean", ""), (RunNames{"ocean", ""}));
  EXPECT_EQ(run_names("ocean", "003"), (RunNames{"ocean_003", "003"}));
  EXPECT_EQ(run_names("ocean", "r1i1p1f1"), (RunNames{"ocean_r1i1p1f1", "r1i1p1f1"}));
  // As models name themselves that know of their ensemble.
  EXPECT_EQ(run_names("ocean_003", ""), (RunNames{"ocean_003", "003"}));
  EXPECT_EQ(run_names("sea_ice", ""), (RunNames{"sea_ice", ""}));
  EXPECT_EQ(run_names("sea_ice", "7"), (RunNames{"sea_ice_7", "7"}));
  for (const char* plain : {"orca025", "ocean_", "_3"}) {
    EXPECT_EQ(run_names(plain, ""), (RunNames{plain, ""}));
  }
}

std::string refusal(std::string_view code, std::string_view member) {
  try {
    run_names(code, member);
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::argument);
    return error.what();
  }
  return "none";
}

TEST(RunNames, are_parts_of_names_of_files) {
  EXPECT_EQ(refusal("ocean", "a/b"),
            "EPIOS_MEMBER is 'a/b' (the member of an ensemble is part of the names of files: "
            "letters, digits, '.' and '-'). EPIOS_MEMBER=001?");
  EXPECT_EQ(refusal("ocean_2", "1"),
            "EPIOS_MEMBER is '1', and component 'ocean_2' is member 2 by its name already. Unset "
            "EPIOS_MEMBER?");
}

TEST(RunNames, take_their_places) {
  const RunNames names{"ocean_003", "003"};
  EXPECT_EQ(with_names("%component%/%member%_%member%.nc", names), "ocean_003/003_003.nc");
  EXPECT_EQ(with_names("%start_date% 5 %", names), "%start_date% 5 %");
  EXPECT_EQ(with_names("%component%_%member%", {}), "%component%_%member%");
  EXPECT_EQ(complaint("%member%", names), "");
  EXPECT_EQ(complaint("%member%", {}), "");
  EXPECT_EQ(complaint("%component%", {"ocean", ""}), "");
}

Definitions definitions_of(const std::string& code_id, const std::string& member) {
  Additions additions;
  additions.names = run_names(code_id, member);
  return Definitions(Document(
      {{"iodef.xml",
        "<simulation><context id='c' output_dir='%component%'>\n"
        "<calendar type='NoLeap' timestep='1h' start_date='2000-01-01'/>"
        "<scalar_definition><scalar id='s'/></scalar_definition>"
        "<field_definition><field id='a' scalar_ref='s'/></field_definition>"
        "<file_definition output_freq='1d'>\n"
        "<file id='f' name='daily_%member%' name_suffix='_x'><field field_ref='a' "
        "operation='instant'/>\n<variable id='realization' type='string'>%member%</variable></file>"
        "</file_definition></context></simulation>"}},
      additions));
}

TEST(RunNames, stand_in_attributes_and_variables_of_a_run) {
  Definitions ocean = definitions_of("ocean", "003");
  Model model = ocean.resolve("c");
  ASSERT_EQ(model.files.size(), 1U);
  EXPECT_EQ(model.files.front().path, "ocean_003/daily_003_x.nc");
  EXPECT_EQ(ocean.variable("c", "realization"), "003");
  // What the model says reads alike.
  ocean.set_text("c", ElementKind::file, "f", "name", "other_%member%", "call");
  EXPECT_EQ(ocean.resolve("c").files.front().path, "ocean_003/other_003_x.nc");
  ocean.set("c", ElementKind::file, "f", "name", Value(std::string("%component%")), "call");
  EXPECT_EQ(ocean.resolve("c").files.front().path, "ocean_003/ocean_003_x.nc");
  const ElementHandle file = ocean.at("c", "file", "f");
  ocean.set("c", file, "name", Value(std::string("third_%member%")), "call");
  EXPECT_EQ(ocean.resolve("c").files.front().path, "ocean_003/third_003_x.nc");
  ocean.set_text("c", file, "name", "fourth_%member%", "call");
  EXPECT_EQ(ocean.resolve("c").files.front().path, "ocean_003/fourth_003_x.nc");
  EXPECT_TRUE(ocean.set_variable("c", "realization", "of %component%"));
  EXPECT_EQ(ocean.variable("c", "realization"), "of ocean_003");
}

TEST(RunNames, of_no_member_leave_no_place_for_one) {
  Definitions ocean = definitions_of("ocean", "");
  try {
    ocean.open_context("c");
    FAIL() << "taken";
  } catch (const ConfigError& error) {
    const std::string text = error.what();
    EXPECT_NE(text.find("iodef.xml:3:14: error: attribute 'name' of <file> has the value "
                        "'daily_%member%' (component 'ocean' is no member of an ensemble, for "
                        "which %member% stands). Start each member with a number of its own in "
                        "EPIOS_MEMBER?"),
              std::string::npos)
        << text;
    EXPECT_NE(text.find("the text of <variable> has the value '%member%'"), std::string::npos)
        << text;
  }
}

TEST(RunNames, of_other_components_are_their_own_business) {
  Additions additions;
  additions.names = {"atm", ""};
  const SourceTexts texts{{"iodef.xml",
                           "<simulation><context id='ocean' output_dir='%member%'/>\n"
                           "<context id='atm' output_dir='%component%'/></simulation>"}};
  Definitions atm = Definitions(Document(texts, additions));
  EXPECT_NO_THROW(atm.open_context("atm"));
  EXPECT_THROW(atm.open_context("ocean"), ConfigError);
  // Which contexts are its own, a check does not know.
  std::vector<Diagnostic> findings = check(texts, additions);
  std::erase_if(findings, [](const auto& finding) { return finding.severity == Severity::note; });
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings.front().text(),
            "iodef.xml:1:33: warning: attribute 'output_dir' of <context> has the value "
            "'%member%' (component 'atm' is no member of an ensemble, for which %member% stands: "
            "it cannot open context 'ocean'). Start each member with a number of its own in "
            "EPIOS_MEMBER? [E0203]");
}

TEST(RunNames, of_no_member_have_no_place_in_what_all_read) {
  Additions additions;
  additions.names = {"atm", ""};
  for (const char* const text :
       {"<simulation><context id='xios'><variable id='report_file'>%member%</variable></context>"
        "</simulation>",
        "<simulation name='%member%'/>"}) {
    EXPECT_THROW(Document({{"iodef.xml", text}}, additions), ConfigError) << text;
  }
}

TEST(RunNames, of_no_member_are_refused_in_calls) {
  Definitions ocean =
      Definitions(Document({{"iodef.xml", "<simulation><context id='c'/></simulation>"}}, [] {
        Additions additions;
        additions.names = {"ocean", ""};
        return additions;
      }()));
  try {
    ocean.set_text("c", ElementKind::context, "", "output_dir", "run_%member%", "call");
    FAIL() << "taken";
  } catch (const Error& error) {
    EXPECT_EQ(std::string(error.what()),
              "API call call: the value 'run_%member%' (component 'ocean' is no member of an "
              "ensemble, for which %member% stands).");
  }
}

}  // namespace
}  // namespace epios::config::run_names_test
