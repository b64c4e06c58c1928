// A resolved Model as a configuration: printed and resolved again it is the same.
#include "config/model_xml.hpp"

#include <gtest/gtest.h>

#include "sample.hpp"

namespace epios::config::model_xml_test {
namespace {

Model checked_model(const std::string& xml) {
  Checked checked = check_and_resolve(test::texts(xml));
  for (const Diagnostic& finding : checked.findings) {
    if (finding.severity == Severity::error) ADD_FAILURE() << test::text(finding) << "\n" << xml;
  }
  return std::move(checked.models.at(0));
}

Model model_of(const std::string& body) {
  return checked_model(test::in_context(
      "<domain_definition><domain id='d' type='rectilinear' ni_glo='4' nj_glo='3'/>"
      "</domain_definition>\n" +
      body));
}

/// Prints, resolves and compares; returns what was printed.
std::string printed(const std::string& body) {
  const Model model = model_of(body);
  std::string xml = to_xml(model);
  const Model again = checked_model(xml);
  EXPECT_EQ(to_json(again), to_json(model)) << xml;
  EXPECT_EQ(to_xml(again), xml);
  return xml;
}

bool has(const std::string& xml, const std::string& line) {
  return xml.find(line) != std::string::npos;
}

TEST(ModelXml, expressions_stay_as_they_were_written) {
  const std::string xml = printed(
      "<variable_definition><variable id='cp'>4000</variable></variable_definition>"
      "<field_definition domain_ref='d' operation='average'><field id='tos'/><field id='sos'/>"
      "<field id='heat'> $cp * tos </field>"
      "<field id='mix' field_ref='sos'>min(heat, this_ref) &lt; 2 ? this : tos</field>"
      "</field_definition>"
      "<file_definition><file id='f' output_freq='1d'><field field_ref='mix'/>"
      "<field field_ref='heat' name='h'/></file></file_definition>");
  EXPECT_TRUE(has(xml, "<field id=\"heat\" grid_ref=\"(d)\" expr=\"$cp * tos\"/>")) << xml;
  EXPECT_TRUE(has(xml,
                  "<field id=\"mix\" field_ref=\"sos\" grid_ref=\"(d)\" "
                  "expr=\"min(heat, this_ref) &lt; 2 ? this : tos\"/>"))
      << xml;
}

TEST(ModelXml, files_that_are_read) {
  const std::string xml = printed(
      "<field_definition domain_ref='d' operation='instant'><field id='wind' name='uas'/>"
      "<field id='again' field_ref='own'/><field id='tos'/></field_definition>"
      "<file_definition>"
      "<file id='f' mode='read' name='in/winds' output_freq='6h' cyclic='true'>"
      "<field field_ref='wind' read_access='true' scale_factor='2'/>"
      "<field id='own' domain_ref='d' operation='once' freq_offset='1h'/></file>"
      "<file id='out' output_freq='1d'><field field_ref='tos'/></file></file_definition>");
  EXPECT_TRUE(has(xml, "<field id=\"again\" field_ref=\"own\"/>")) << xml;
  EXPECT_TRUE(has(xml, "<field field_ref=\"wind\" grid_ref=\"(d)\"")) << xml;
  EXPECT_TRUE(has(xml, "<field id=\"own\" grid_ref=\"(d)\"")) << xml;
}

TEST(ModelXml, data_of_files_that_are_read) {
  const std::string xml = printed(
      "<field_definition domain_ref='d' operation='instant'><field id='wind'/><field id='tos'/>"
      "<field id='stress'>wind * wind</field><field id='sum'>own + tos</field></field_definition>"
      "<file_definition>"
      "<file id='f' mode='read' name='winds' output_freq='6h' cyclic='true'>"
      "<field field_ref='wind'/><field id='own' domain_ref='d' operation='instant'/></file>"
      "<file id='out' output_freq='1d'><field field_ref='stress' operation='average'/>"
      "<field field_ref='sum'/><field field_ref='own' name='copy'/></file></file_definition>");
  EXPECT_TRUE(has(xml, "<field field_ref=\"wind\" grid_ref=\"(d)\"")) << xml;
  EXPECT_TRUE(has(xml, "<field id=\"own\" grid_ref=\"(d)\"")) << xml;
}

TEST(ModelXml, what_the_model_receives_of_its_own) {
  const std::string xml = printed(
      "<field_definition domain_ref='d' operation='average'><field id='tos'/>"
      "<field id='mean' read_access='true' freq_op='6h'>@tos</field>"
      "<field id='twice' read_access='true'>2 * tos</field>"
      "<field id='same' field_ref='tos' read_access='true'/>"
      "<field id='written' read_access='true'>tos + 1</field></field_definition>"
      "<file_definition><file id='out' output_freq='1d'><field field_ref='tos' "
      "operation='average'/>"
      "<field field_ref='written' name='w'/></file></file_definition>");
  EXPECT_TRUE(has(xml, "read_access=\"true\"")) << xml;
}

TEST(ModelXml, long_sums_are_no_deep_ones) {
  std::string sum = "tos";
  for (int i = 0; i < 1000; ++i) sum += " + tos";
  printed("<field_definition domain_ref='d' operation='average'><field id='tos'/><field id='s'>" +
          sum +
          "</field></field_definition><file_definition><file id='f' output_freq='1d'>"
          "<field field_ref='s'/></file></file_definition>");
}

TEST(ModelXml, temporal_operands_keep_their_operation_and_periods) {
  const std::string xml = printed(
      "<field_definition domain_ref='d'><field id='tos' operation='average' "
      "detect_missing_value='true' default_value='5'/>"
      "<field id='shifted' field_ref='tos' operation='minimum' freq_op='2h' freq_offset='0s'/>"
      "<field id='plain' field_ref='tos' freq_op='_reset_' detect_missing_value='false'/>"
      "<field id='now' field_ref='shifted' operation='instant' freq_op='_reset_' "
      "freq_offset='_reset_'/>"
      "<field id='a' freq_op='6h' operation='maximum'>@tos - @shifted + @plain + @now + @this"
      "</field>"
      "<field id='b' freq_op='12h' operation='average'>@now + @a</field>"
      "<field id='c' freq_op='12h' operation='minimum' detect_missing_value='true' "
      "default_value='6'>@(2 * @a) / @(tos)</field></field_definition>"
      "<file_definition><file id='f' output_freq='1d'><field field_ref='b' freq_op='1d'/>"
      "<field field_ref='shifted' freq_op='_reset_' freq_offset='_reset_'/>"
      "<field field_ref='a' freq_op='_reset_'/><field field_ref='c' freq_op='_reset_' "
      "operation='maximum' detect_missing_value='false'/></file></file_definition>");
  EXPECT_TRUE(has(xml,
                  "<field id=\"shifted\" field_ref=\"tos\" operation=\"minimum\" "
                  "freq_op=\"2h\" freq_offset=\"0s\" detect_missing_value=\"true\" "
                  "default_value=\"5\"/>"))
      << xml;
}

TEST(ModelXml, fields_in_files_keep_expressions_of_their_own) {
  const std::string xml = printed(
      "<field_definition domain_ref='d' operation='average'><field id='tos' unit='K'/>"
      "<field id='unused'/><field id='other' field_ref='unused'/></field_definition>"
      "<file_definition><file id='f' output_freq='1d'>"
      "<field field_ref='tos' name='v1'> this_ref * 2 </field>"
      "<field field_ref='tos' name='v2' freq_op='6h' unit='_reset_'>@this_ref * 3</field>"
      "<field field_ref='unused' name='v3'>tos</field>"
      "<field field_ref='other' name='v4'>tos ^ 2</field>"
      "<field field_ref='other' name='v5'>tos ^ 3</field>"
      "<field field_ref='tos' name='v6'/>"
      "<field domain_ref='d' operation='instant'>tos - 1</field>"
      "<field id='own' field_ref='tos' domain_ref='d' freq_op='12h' freq_offset='3h'>"
      "@this + this_ref</field></file>"
      "<file id='g' output_freq='12h'><field field_ref='own' name='o' freq_op='12h'/>"
      "<field field_ref='own' name='p'>@this_ref + own</field></file></file_definition>");
  EXPECT_TRUE(has(xml, "<field id=\"unused\"/>")) << xml;
  EXPECT_TRUE(has(xml, "<field field_ref=\"unused\" grid_ref=\"(d)\" name=\"v3\"")) << xml;
  EXPECT_TRUE(has(xml, "<field id=\"own\" field_ref=\"tos\" grid_ref=\"(d)\"")) << xml;
}

TEST(ModelXml, a_field_with_an_expression_may_be_in_several_files) {
  printed(
      "<field_definition domain_ref='d' operation='average'><field id='tos'/></field_definition>"
      "<file_definition><file id='f' output_freq='1d'><field id='own' domain_ref='d' "
      "operation='average'>2 * tos</field></file>"
      "<file id='g' output_freq='12h' compression_level='3'><field id='own'/></file>"
      "</file_definition>");
}

TEST(ModelXml, markers_of_missing_values_stay_where_nobody_detects_them) {
  printed(
      "<field_definition domain_ref='d' operation='average'>"
      "<field id='tos' default_value='7'/></field_definition>"
      "<file_definition><file id='f' output_freq='1d'><field field_ref='tos' "
      "default_value='_reset_'/></file></file_definition>");
}

TEST(ModelXml, couplers_keep_what_they_exchange) {
  const std::string xml = printed(
      "<field_definition domain_ref='d' operation='average'><field id='tos'/>"
      "<field id='heat'>2 * tos</field><field id='wet' field_ref='rain'/></field_definition>"
      "<coupler_in_definition><coupler_in context='atm::air'><field id='rain' domain_ref='d' "
      "freq_op='2ts' freq_offset='0s' unit='mm' operation='average'/><field id='wind'/>"
      "</coupler_in></coupler_in_definition>"
      "<coupler_out_definition><coupler_out id='out' context='atm::air'><field field_ref='tos'/>"
      "<field id='hot' field_ref='heat' freq_op='3h' operation='instant'/>"
      "<field field_ref='rain' unit='_reset_'>this_ref * 2</field>"
      "<field domain_ref='d'>tos - 1</field></coupler_out><coupler_out context='ice::ice'/>"
      "</coupler_out_definition>"
      "<file_definition><file id='f' output_freq='1d'><field field_ref='wet' name='v' "
      "operation='minimum'/><field field_ref='wind' operation='instant'/>"
      "<field field_ref='tos' freq_op='2h'>this_ref + @rain</field></file></file_definition>");
  EXPECT_TRUE(has(xml, "<coupler_out id=\"out\" context=\"atm::air\">")) << xml;
  EXPECT_TRUE(has(xml, "<field id=\"wind\"")) << xml;
}

TEST(ModelXml, refuses_what_only_fields_without_grid_need) {
  const auto refusal = [](const std::string& body) -> std::string {
    try {
      return to_xml(
          model_of("<coupler_in_definition><coupler_in id='i' context='atm::air'>"
                   "<field id='wind'/></coupler_in></coupler_in_definition>\n" +
                   body));
    } catch (const ConfigError& error) {
      return test::without_codes(error.what());
    }
  };
  const std::string why =
      " (it cannot be printed: all that needs it waits for the grid of a partner).";
  const std::string sum = refusal(
      "<field_definition domain_ref='d' operation='average'><field id='tos'/>"
      "<field id='sum'>tos + wind</field></field_definition>"
      "<file_definition><file id='f' output_freq='1d'><field field_ref='sum'/></file>"
      "</file_definition>");
  EXPECT_TRUE(has(sum, "field 'tos'" + why)) << sum;
  EXPECT_TRUE(has(sum,
                  "file 'f' (it cannot be printed: all its fields are left to the model or to a "
                  "partner)."))
      << sum;
}

}  // namespace
}  // namespace epios::config::model_xml_test
