// Expressions inside a configuration: where their mistakes are, and what they depend on.
#include <gtest/gtest.h>

#include "sample.hpp"

namespace epios::config::expression_check_test {
namespace {

/// A context with fields that stand on lines of their own from line 3, and a file with all of them.
std::string context_of(const std::string& fields, const std::string& enabled = "true") {
  std::string in_file;
  for (std::size_t at = fields.find("id='"); at != std::string::npos;
       at = fields.find("id='", at + 1)) {
    const std::size_t begin = at + std::string_view("id='").size();
    in_file +=
        "<field field_ref='" + fields.substr(begin, fields.find('\'', begin) - begin) + "'/>";
  }
  return test::in_context(
      "<field_definition operation='average' scalar_ref='s'>\n" + fields +
      "\n</field_definition><scalar_definition><scalar id='s'/></scalar_definition>"
      "<variable_definition><variable id='rho'>1026.d0</variable><variable "
      "id='word'>many</variable>"
      "</variable_definition><file_definition><file id='f' output_freq='1d' enabled='" +
      enabled + "'>" + in_file + "</file></file_definition>");
}

std::string lines(const std::vector<Diagnostic>& findings) {
  std::string text;
  for (const Diagnostic& finding : findings) {
    if (finding.topic != Topic::feature) text += test::text(finding) + "\n";
  }
  return text;
}

std::string findings(const std::string& fields) {
  return lines(check(test::texts(context_of(fields))));
}

TEST(ExpressionCheck, accepts_what_fits_together) {
  EXPECT_EQ(findings("<field id='a'/>\n<field id='b' freq_op='1d'> a * $rho + @this </field>\n"
                     "<field id='c' field_ref='a'> this_ref ^ 2 </field>\n"
                     "<field id='d' expr='b + c'/>\n<field id='e' field_ref='d'/>"),
            "");
}

TEST(ExpressionCheck, shows_the_place_of_a_mistake) {
  EXPECT_EQ(findings("<field id='a'> this + * 2 </field>"),
            "iodef.xml:3:23: error: expression of field 'a' ('*' where a value was expected).\n");
  EXPECT_EQ(findings("<field id='a' expr='this + * 2'/>"),
            "iodef.xml:3:28: error: expression of field 'a' ('*' where a value was expected).\n");
  EXPECT_EQ(findings("<field id='a'>\n  this\n  &lt; 3 &lt; 4\n</field>"),
            "iodef.xml:5:10: error: expression of field 'a' ('<' after a comparison). Write a < b "
            "and b < c for a < b < c.\n");
}

TEST(ExpressionCheck, counts_columns_as_they_stand_in_the_file) {
  const auto place = [](const std::string& field) {
    const std::string text = findings(field);
    return text.substr(0, text.find(" error"));
  };
  EXPECT_EQ(place("<field id='a'> this &gt; 2 * * </field>"), "iodef.xml:3:30:");
  EXPECT_EQ(place("<field id='a'> this > 2 * * </field>"), "iodef.xml:3:27:");
  EXPECT_EQ(place("<field id='a'> this &#60; 2 * * </field>"), "iodef.xml:3:31:");
  EXPECT_EQ(place("<field id='a' expr='this &gt; 2 * *'/>"), "iodef.xml:3:35:");
  EXPECT_EQ(place("<field id='a' expr = 'this + *'/>"), "iodef.xml:3:30:");
  EXPECT_EQ(place("<field id='a' expr\n  =  'this + *'/>"), "iodef.xml:4:14:");
  EXPECT_EQ(place("<field id='a' expr='this\n + *'/>"), "iodef.xml:4:4:");
  EXPECT_EQ(place("<field id='a'> this <!-- no --> + * </field>"), "iodef.xml:3:35:");
  EXPECT_EQ(place("<field id='a'><expr> this &gt; * </expr></field>"), "iodef.xml:3:32:");
}

TEST(ExpressionCheck, names_what_is_not_there) {
  EXPECT_EQ(findings("<field id='temp'/>\n<field id='a'> 2 * tempp </field>"),
            "iodef.xml:4:20: error: expression of field 'a' (there is no field 'tempp' in context "
            "'ocean'). Did you mean 'temp'?\n");
  EXPECT_EQ(findings("<field id='a'> this * $rhoo </field>"),
            "iodef.xml:3:23: note: expression of field 'a' (there is no variable 'rhoo' in context "
            "'ocean'). Did you mean 'rho'?\n");
  EXPECT_EQ(findings("<field id='a'> this * $word </field>"),
            "iodef.xml:3:23: error: expression of field 'a' (variable 'word' is no number: "
            "'many').\n");
  EXPECT_EQ(findings("<field id='a'> this_ref </field>"),
            "iodef.xml:3:16: error: expression of field 'a' ('this_ref' is the field of field_ref, "
            "which is not given). Add field_ref=\"...\"?\n");
  EXPECT_EQ(findings("<field id='a'> 2 * 3 </field>"),
            "iodef.xml:3:16: error: expression of field 'a' (there is no field in it, so that "
            "nothing says when it has a value). Use 'this' for what the model sends?\n");
  EXPECT_EQ(findings("<field id='a'> a * 3 </field>"),
            "iodef.xml:3:16: error: expression of field 'a' ('a' is the field itself). Use 'this' "
            "for what the model sends.\n");
}

TEST(ExpressionCheck, looks_at_what_is_needed) {
  const std::string fields =
      "<field id='a'/>\n<field id='b'> a * </field>\n<field id='c'> b + nothing </field>";
  EXPECT_EQ(
      lines(check(test::texts(context_of(fields, "false")))),
      "iodef.xml:4:19: note: expressions that cannot be worked out: 2 in what no enabled file "
      "needs (the first: expression of field 'b': it ends where a value was expected). "
      "--unused shows all of them.\n");
  const Definitions definitions = test::definitions(context_of(fields, "false"));
  EXPECT_EQ(definitions.resolve("ocean").unwritten.known,
            (std::vector<std::string>{"a", "b", "c"}));
  Definitions enabled = definitions;
  enabled.set("ocean", ElementKind::file, "f", "enabled", true, "test");
  try {
    const Model model = enabled.resolve("ocean");
    ADD_FAILURE() << "the model needs what is wrong";
  } catch (const ConfigError& error) {
    EXPECT_NE(test::without_codes(error.what())
                  .find("iodef.xml:4:19: error: expression of field 'b' (it "
                        "ends where a value was expected)."),
              std::string::npos)
        << test::without_codes(error.what());
  }
}

TEST(ExpressionCheck, finds_circles) {
  EXPECT_EQ(findings("<field id='a'> b </field>\n<field id='b'> 2 * a </field>"),
            "iodef.xml:3:16: error: field 'a' depends on itself (a -> b -> a).\n");
  EXPECT_EQ(findings("<field id='a' field_ref='b'/>\n<field id='b'> c </field>\n"
                     "<field id='c'> a + this </field>"),
            "iodef.xml:3:15: error: field 'a' depends on itself (a -> b -> c -> a).\n");
  EXPECT_EQ(findings("<field id='a' field_ref='b'> this_ref </field>\n<field id='b'> a </field>"),
            "iodef.xml:3:30: error: field 'a' depends on itself (a -> b -> a).\n");
}

}  // namespace
}  // namespace epios::config::expression_check_test
