// The rules of inheritance, one per test, seen through the resolved Model.
#include <gtest/gtest.h>

#include "sample.hpp"

namespace epios::config {
namespace {

const std::string elements = R"(
  <domain_definition><domain id="d" type="rectilinear" ni_glo="2" nj_glo="2"/></domain_definition>)";

/// The only stream of a file that holds `in_file`, with `fields` in the field definition.
Stream stream(const std::string& fields, const std::string& in_file) {
  const std::string files =
      "<file_definition><file id=\"f\" output_freq=\"1d\">" + in_file + "</file></file_definition>";
  const Model model = test::model(test::in_context(elements + fields + files));
  EXPECT_EQ(model.streams.size(), 1U);
  return model.streams.at(0);
}

std::string fields(const std::string& body, const std::string& attributes = "") {
  return "<field_definition domain_ref=\"d\" operation=\"instant\" " + attributes + ">" + body +
         "</field_definition>";
}

TEST(Inheritance, own_value_beats_groups_and_reference) {
  const Stream s = stream(fields("<field id='a' unit='r'/>"),
                          "<field_group unit='g'><field field_ref='a' unit='o'/></field_group>");
  EXPECT_EQ(s.attributes.unit, "o");
}

TEST(Inheritance, nearest_group_beats_outer_groups) {
  const Stream s = stream(fields("<field id='a'/>"),
                          "<field_group unit='out' long_name='l'><field_group unit='near'>"
                          "<field field_ref='a'/></field_group></field_group>");
  EXPECT_EQ(s.attributes.unit, "near");
  EXPECT_EQ(s.attributes.long_name, "l");
}

TEST(Inheritance, group_beats_explicit_value_of_the_reference) {
  const Stream s = stream(fields("<field id='a' unit='r'/>"),
                          "<field_group unit='g'><field field_ref='a'/></field_group>");
  EXPECT_EQ(s.attributes.unit, "g");
}

TEST(Inheritance, reference_brings_what_its_groups_and_references_gave_it) {
  const Stream s = stream(fields("<field_group unit='u'><field id='a' long_name='l'/></field_group>"
                                 "<field id='b' field_ref='a' standard_name='s'/>",
                                 "prec='8'"),
                          "<field field_ref='b'/>");
  EXPECT_EQ(s.attributes.unit, "u");
  EXPECT_EQ(s.attributes.long_name, "l");
  EXPECT_EQ(s.attributes.standard_name, "s");
  EXPECT_EQ(s.attributes.prec, 8);
}

TEST(Inheritance, table_default_comes_last) {
  EXPECT_EQ(stream(fields("<field id='a'/>"), "<field field_ref='a'/>").attributes.prec, 4);
}

TEST(Inheritance, reset_empties_and_stops_groups_and_references) {
  const Stream s = stream(
      fields("<field id='a' unit='r' prec='8'/>"),
      "<field_group unit='g'><field field_ref='a' unit='_reset_' prec=' _reset_ '/></field_group>");
  EXPECT_EQ(s.attributes.unit, std::nullopt);
  EXPECT_EQ(s.attributes.prec, 4);
}

TEST(Inheritance, reset_in_a_group_stops_outer_groups_only) {
  const Stream s =
      stream(fields("<field id='a' unit='r'/>"),
             "<field_group unit='out'><field_group unit='_reset_'><field field_ref='a'/>"
             "</field_group></field_group>");
  EXPECT_EQ(s.attributes.unit, "r");
}

TEST(Inheritance, field_in_a_file_takes_nothing_from_file_or_field_definition) {
  const std::string body = elements +
                           "<field_definition unit='definition'/>"
                           "<file_definition comment='c'><file id='f' output_freq='1d' "
                           "description='x' comment='file'><field id='a' domain_ref='d' "
                           "operation='instant'/></file></file_definition>";
  const Model model = test::model(test::in_context(body));
  EXPECT_EQ(model.streams.at(0).attributes.unit, std::nullopt);
  EXPECT_EQ(model.streams.at(0).attributes.comment, std::nullopt);
}

TEST(Inheritance, name_is_inherited_and_id_is_not) {
  const Stream s = stream(fields("<field id='a' name='n'/>"), "<field id='b' field_ref='a'/>");
  EXPECT_EQ(s.name, "n");
  EXPECT_EQ(s.id, "b");
}

TEST(Inheritance, output_name_is_name_then_id_then_first_user_id_of_the_chain) {
  EXPECT_EQ(stream(fields("<field id='a'/>"), "<field field_ref='a' name='n'/>").name, "n");
  EXPECT_EQ(stream(fields("<field id='a'/>"), "<field id='b' field_ref='a'/>").name, "b");
  const Stream s =
      stream(fields("<field id='a'/><field id='b' field_ref='a'/>"), "<field field_ref='b'/>");
  EXPECT_EQ(s.name, "b");
  EXPECT_EQ(s.id, "b");
}

TEST(Inheritance, source_is_the_root_of_the_chain) {
  const Model model = test::model(test::in_context(
      elements + fields("<field id='a'/><field id='b' field_ref='a'/>") +
      "<file_definition><file id='f' output_freq='1d'><field field_ref='b'/></file>"
      "<file id='g' output_freq='1d'><field field_ref='a'/></file></file_definition>"));
  ASSERT_EQ(model.sources.size(), 1U);
  EXPECT_EQ(model.sources[0].id, "a");
  EXPECT_EQ(model.streams.at(0).source, 0);
  EXPECT_EQ(model.streams.at(1).source, 0);
  EXPECT_EQ(model.find_source("a"), 0);
  EXPECT_EQ(model.find_source("b"), -1);
  EXPECT_TRUE(model.known_fields.empty());
}

TEST(Inheritance, variables_are_not_inherited) {
  const Stream s = stream(fields("<field id='a'><variable id='v'>1</variable></field>"),
                          "<field field_ref='a'/>");
  EXPECT_TRUE(s.variables.empty());
}

TEST(Inheritance, group_may_bring_the_reference) {
  const Stream s = stream(fields("<field id='a' unit='u'/>"),
                          "<field_group field_ref='a'><field name='n'/></field_group>");
  EXPECT_EQ(s.attributes.unit, "u");
  EXPECT_EQ(s.name, "n");
}

TEST(Inheritance, same_id_reopens_the_element_and_later_values_win) {
  const Stream s = stream(fields("<field id='a' unit='1' long_name='x'/>") +
                              fields("<field id='a' unit='2'/>", "prec='8'"),
                          "<field field_ref='a'/>");
  EXPECT_EQ(s.attributes.unit, "2");
  EXPECT_EQ(s.attributes.long_name, "x");
  EXPECT_EQ(s.attributes.prec, 8);
}

TEST(Inheritance, reopened_in_a_file_the_field_keeps_its_groups) {
  const Stream s = stream(fields("<field id='a'/>", "unit='u'"), "<field id='a' name='n'/>");
  EXPECT_EQ(s.attributes.unit, "u");
  EXPECT_EQ(s.name, "n");
}

TEST(Inheritance, elements_of_a_grid_inherit_from_their_references) {
  const Model model = test::model(test::in_context(R"(
    <axis_definition unit="m"><axis id="z" n_glo="5" positive="up"/></axis_definition>
    <grid_definition>
      <grid id="plain"><axis axis_ref="z"/></grid>
      <grid id="same"><axis axis_ref="z"/></grid>
      <grid id="other"><axis axis_ref="z" positive="down"/></grid>
    </grid_definition>
    <field_definition operation="instant">
      <field id="a" grid_ref="plain"/><field id="b" grid_ref="same"/>
      <field id="c" grid_ref="other"/><field id="e" axis_ref="z"/>
    </field_definition>
    <file_definition><file id="f" output_freq="1d">
      <field field_ref="a"/><field field_ref="b"/><field field_ref="c"/><field field_ref="e"/>
    </file></file_definition>)"));
  ASSERT_EQ(model.grids.size(), 4U);
  ASSERT_EQ(model.axes.size(), 2U);  // a nameless element that only refers is what it refers to
  EXPECT_EQ(model.axes[0].id, "z");
  EXPECT_EQ(model.axes[1].name, "z");
  EXPECT_EQ(model.axes[1].attributes.unit, "m");
  EXPECT_EQ(model.axes[1].attributes.n_glo, 5);
  EXPECT_EQ(model.axes[1].attributes.positive, "down");
  EXPECT_EQ(model.grids[0].elements, model.grids[1].elements);
  EXPECT_EQ(model.grids[0].elements, model.grids[3].elements);
}

TEST(Inheritance, implicit_grids_are_in_the_order_domain_axis_scalar) {
  const Model model = test::model(test::in_context(elements + R"(
    <axis_definition><axis id="z" n_glo="5"/></axis_definition>
    <scalar_definition><scalar id="s"/></scalar_definition>
    <field_definition operation="instant" scalar_ref="s" axis_ref="z" domain_ref="d">
      <field id="a"/><field id="b"/></field_definition>
    <file_definition><file id="f" output_freq="1d"><field field_ref="a"/><field field_ref="b"/>
    </file></file_definition>)"));
  ASSERT_EQ(model.grids.size(), 1U);
  using Kind = GridElement::Kind;
  EXPECT_EQ(model.grids[0].elements,
            (std::vector<GridElement>{{Kind::domain, 0}, {Kind::axis, 0}, {Kind::scalar, 0}}));
}

TEST(Inheritance, local_attributes_travel_along_references_too) {
  const Model model = test::model(test::in_context(R"(
    <axis_definition><axis id="z" n_glo="3" value="(0,2)[1 2 3]"/></axis_definition>
    <grid_definition><grid id="g"><axis axis_ref="z" unit="m"/></grid></grid_definition>
    <file_definition><file id="f" output_freq="1d">
    <field id="a" grid_ref="g" operation="instant"/></file></file_definition>)"));
  ASSERT_TRUE(model.axes.at(0).attributes.value);
  EXPECT_EQ(model.axes[0].attributes.value->values, (std::vector<double>{1, 2, 3}));
  EXPECT_EQ(model.axes[0].attributes.begin, 0);
  EXPECT_EQ(model.axes[0].attributes.n, 3);
}

TEST(Inheritance, files_and_fields_that_are_off_or_above_the_level_vanish) {
  const Model model = test::model(test::in_context(elements + fields(R"(
      <field id="a"/><field id="b" enabled=".FALSE."/><field id="c" level="6"/><field id="e"/>)") +
                                                   R"(<file_definition>
    <file id="f" output_freq="1d"><field field_ref="a"/><field field_ref="b"/>
      <field field_ref="c"/></file>
    <file id="g" output_freq="1d" output_level="9" enabled="n"><field field_ref="e"/></file>
    <file id="h" output_freq="1d"><field field_ref="c"/></file></file_definition>)"));
  ASSERT_EQ(model.files.size(), 1U);
  ASSERT_EQ(model.streams.size(), 1U);
  EXPECT_EQ(model.streams[0].name, "a");
  EXPECT_EQ(model.known_fields, (std::vector<std::string>{"b", "c", "e"}));
}

TEST(Inheritance, sampling_has_its_defaults) {
  const auto sampling = [](const std::string& attributes) {
    return stream("", "<field id='a' domain_ref='d' " + attributes + "/>").sampling;
  };
  const Sampling average = sampling("operation='average'");
  EXPECT_EQ(average.freq_op.text(), "1h");
  EXPECT_EQ(average.freq_offset.text(), "0s");
  EXPECT_EQ(average.output_freq.text(), "1d");
  const Sampling instant = sampling("operation='INSTANT'");
  EXPECT_EQ(instant.operation, Operation::instant);
  EXPECT_EQ(instant.freq_op.text(), "1d");
  EXPECT_EQ(instant.freq_offset.text(), "1d -1h");
  const Sampling maximum = sampling("operation='maximum' freq_op='4ts' freq_offset='3ts'");
  EXPECT_EQ(maximum.freq_op.text(), "4h");
  EXPECT_EQ(maximum.freq_offset.text(), "3h");
}

TEST(Inheritance, long_chains_of_references_need_no_stack) {
  std::string body;
  for (int i = 0; i < 50'000; ++i) {
    body += "<field id='f" + std::to_string(i) + "' field_ref='f" + std::to_string(i + 1) + "'/>";
  }
  body += "<field id='f50000' unit='u'/>";
  EXPECT_EQ(stream(fields(body), "<field field_ref='f0'/>").attributes.unit, "u");
}

}  // namespace
}  // namespace epios::config
