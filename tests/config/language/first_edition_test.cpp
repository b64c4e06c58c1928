// Each word of the first edition, and what it becomes.
#include "language/first_edition.hpp"

#include <gtest/gtest.h>

#include <string>

namespace epios::config {
namespace {

std::string text(const Migrated& migrated) { return migrated.text; }
std::string remarks(const Migrated& migrated) {
  std::string out;
  for (const MigrationRemark& remark : migrated.remarks) {
    out += std::to_string(remark.line) + ":" + std::to_string(remark.column) + ": " + remark.text +
           (remark.is_done ? "\n" : " !\n");
  }
  return out;
}

TEST(FirstEdition, calendar_of_a_context_is_an_element) {
  const Migrated out = migrate(
      "<simulation>\n <context id=\"nemo\" calendar_type=\"Gregorian\" start_date=\"2000-01-01\" "
      "timestep=\"3600\">\n </context>\n</simulation>\n");
  EXPECT_EQ(text(out),
            "<simulation>\n <context id=\"nemo\"><calendar type=\"Gregorian\" "
            "start_date=\"2000-01-01\" timestep=\"3600s\"/>\n </context>\n</simulation>\n");
  EXPECT_EQ(remarks(out),
            "2:21: calendar_type=\"Gregorian\" of <context> is in <calendar> now\n"
            "2:47: start_date=\"2000-01-01\" of <context> is in <calendar> now\n"
            "2:71: timestep=\"3600\" of <context> is in <calendar> now\n");
}

TEST(FirstEdition, words_of_attributes) {
  const auto now = [](const std::string& old_text) { return text(migrate(old_text)); };
  EXPECT_EQ(now("<variable id='a' type='integer'>3</variable>"),
            "<variable id='a' type='int'>3</variable>");
  EXPECT_EQ(now("<variable type=\"boolean\"/>"), "<variable type=\"bool\"/>");
  EXPECT_EQ(now("<variable type=\"real\"/>"), "<variable type=\"double\"/>");
  EXPECT_EQ(now("<axis size=\"31\" description=\"depth\" positive=\".false.\"/>"),
            "<axis n_glo=\"31\" long_name=\"depth\" positive=\"down\"/>");
  EXPECT_EQ(now("<axis_group positive=\".TRUE.\"/>"), "<axis_group positive=\"up\"/>");
  EXPECT_EQ(now("<field operation=\"ave(X)\" freq_op=\"3600\"/>"),
            "<field operation=\"average\" freq_op=\"3600s\"/>");
  for (const auto& [old_word, word] : {std::pair{"inst(X)", "instant"},
                                       {"t_sum(X)", "accumulate"},
                                       {"max(X)", "maximum"},
                                       {"min(X)", "minimum"},
                                       {"once", "once"}}) {
    EXPECT_EQ(now(std::string("<field_definition operation=\"") + old_word + "\"/>"),
              std::string("<field_definition operation=\"") + word + "\"/>");
  }
  EXPECT_EQ(now("<file output_freq=\"86400\" name=\"5\"/>"),
            "<file output_freq=\"86400s\" name=\"5\"/>");
  EXPECT_EQ(now("<field level=\"2\" default_value=\"1.e20\"/>"),
            "<field level=\"2\" default_value=\"1.e20\"/>");
}

TEST(FirstEdition, parts_are_extracted_from_what_is_referred_to) {
  EXPECT_EQ(text(migrate("<domain id=\"eq\" domain_ref=\"grid_T\" zoom_ibegin=\"1\" "
                         "zoom_jbegin=\"70\" zoom_ni=\"182\" zoom_nj=\"1\"/>")),
            "<domain id=\"eq\" domain_ref=\"grid_T\"><extract_domain ibegin=\"0\" jbegin=\"69\" "
            "ni=\"182\" nj=\"1\"/></domain>");
  EXPECT_EQ(text(migrate("<axis id='z' axis_ref='d' zoom_begin='1' zoom_end='10'></axis>")),
            "<axis id='z' axis_ref='d'><extract_axis begin=\"0\" n=\"10\"/></axis>");
  const std::string alone = "<domain id=\"eq\" zoom_ni=\"182\"/>";
  EXPECT_EQ(text(migrate(alone)), alone);
  EXPECT_EQ(remarks(migrate(alone)),
            "1:17: zoom_ni=\"182\" of <domain> is left as it stands (a part is one of another "
            "domain: write one with domain_ref, and let fields have it) !\n");
  const std::string odd = "<axis axis_ref=\"d\" zoom_begin=\"@first@\"/>";
  EXPECT_EQ(text(migrate(odd)), odd);
}

TEST(FirstEdition, elements_of_a_grid_are_its_children) {
  EXPECT_EQ(text(migrate("<grid id=\"g\" domain_ref=\"d\" axis_ref=\"z\"/>")),
            "<grid id=\"g\"><domain domain_ref=\"d\"/><axis axis_ref=\"z\"/></grid>");
}

TEST(FirstEdition, nothing_else_changes) {
  const std::string now =
      "<?xml version=\"1.0\"?>\n<!-- <field operation=\"ave(X)\"/> -->\n<simulation>\n"
      "<field field_ref='a > b' operation=\"average\" freq_op=\"1h\"><![CDATA[ a < b "
      "]]></field>\r\n"
      "</simulation>";
  EXPECT_EQ(text(migrate(now)), now);
  EXPECT_TRUE(migrate(now).remarks.empty());
}

TEST(FirstEdition, its_words_are_known) {
  EXPECT_TRUE(is_of_first_edition("domain", "zoom_ni", "3"));
  EXPECT_TRUE(is_of_first_edition("field_group", "operation", "ave(X)"));
  EXPECT_FALSE(is_of_first_edition("field", "operation", "average"));
  EXPECT_FALSE(is_of_first_edition("field", "domain_ref", "d"));
  EXPECT_FALSE(is_of_first_edition("file", "output_freq", "1d"));
}

}  // namespace
}  // namespace epios::config
