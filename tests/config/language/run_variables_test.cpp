// Settings of one run beside its files.
#include "config/run_variables.hpp"

#include <gtest/gtest.h>

#include <string>

#include "config/definitions.hpp"
#include "config/document.hpp"
#include "config/error.hpp"

namespace epios::config::run_variables_test {
namespace {

const SourceTexts files = {
    {"iodef.xml",
     R"(<simulation><context id="xios"><variable_definition><variable id="carrier">messages</variable>
     <variable id="patience_s">3</variable></variable_definition></context><context id="a"/></simulation>)"}};

Definitions with(std::string_view pairs) {
  return Definitions(Document(files, {.model = settings_part("EPIOS_SET", pairs)}));
}

TEST(SettingsPart, wins_over_the_files) {
  const Definitions definitions = with("carrier = one_sided; give_up_s=7 ;");
  EXPECT_EQ(definitions.variable("xios", "carrier"), "one_sided");
  EXPECT_EQ(definitions.variable("xios", "give_up_s"), "7");
  EXPECT_EQ(definitions.variable("xios", "patience_s"), "3");
  EXPECT_TRUE(definitions.warnings().empty());
}

TEST(SettingsPart, may_come_to_files_without_that_context) {
  const Definitions definitions(
      Document({{"iodef.xml", R"(<simulation><context id="a"/></simulation>)"}},
               {.model = settings_part("EPIOS_SET", "report_file=a<b>&c.json")}));
  EXPECT_EQ(definitions.variable("xios", "report_file"), "a<b>&c.json");
}

TEST(SettingsPart, says_where_its_mistakes_stand) {
  const auto warnings = with("patience_s=1; carier=messages").warnings();
  ASSERT_EQ(warnings.size(), 1U);
  EXPECT_EQ(warnings.front().position.file, "EPIOS_SET");
  EXPECT_EQ(warnings.front().position.line, 2);
  EXPECT_EQ(warnings.front().position.column, 15);
  EXPECT_EQ(warnings.front().problem, "variable 'carier' has no effect");
  try {
    with("carrier");
    FAIL() << "a word that is no pair was taken";
  } catch (const ConfigError& error) {
    EXPECT_NE(
        std::string(error.what()).find("EPIOS_SET:2:1: error: text 'carrier' is not a variable"),
        std::string::npos)
        << error.what();
  }
}

}  // namespace
}  // namespace epios::config::run_variables_test
