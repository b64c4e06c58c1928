// The rules of inheritance, one per test, seen through the resolved Model.
#include <gtest/gtest.h>

#include <algorithm>

#include "sample.hpp"

namespace epios::config::inheritance_test {
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
  EXPECT_TRUE(model.unwritten.known.empty());
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
      <field field_ref="a"/><field field_ref="b"/>
    </file><file id="other" output_freq="1d"><field field_ref="c"/></file>
    <file id="plain" output_freq="1d"><field field_ref="e"/></file></file_definition>)"));
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
  EXPECT_EQ(model.unwritten.known, (std::vector<std::string>{"b", "c", "e"}));
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

/// A model with a file "f" around `in_file`.
Model with_file(const std::string& definitions, const std::string& in_file) {
  return test::model(test::in_context(elements + definitions +
                                      "<file_definition><file id='f' output_freq='1d'>" + in_file +
                                      "</file></file_definition>"));
}

std::string units(const Model& model) {
  std::string text;
  for (const Stream& s : model.streams) text += s.name + "=" + s.attributes.unit.value_or("") + " ";
  return text;
}

TEST(GroupRef, puts_the_fields_of_a_group_into_a_file) {
  const Model model = with_file(
      fields("<field_group id='g' long_name='l'><field id='a' unit='1'/><field name='nameless'/>"
             "<field_group id='inner'><field id='b' unit='2'/></field_group></field_group>"
             "<field id='c'/>"),
      "<field_group group_ref='g'/>");
  EXPECT_EQ(units(model), "a=1 b=2 ");
  EXPECT_EQ(model.streams.at(1).attributes.long_name, "l");
  EXPECT_EQ(model.streams.at(0).id, "a");
}

TEST(GroupRef, attributes_of_the_group_count_as_those_of_a_group) {
  const Model model = with_file(
      fields("<field_group id='g' prec='8' unit='g'><field id='a' prec='4' unit='a'/>"
             "</field_group>"),
      "<field_group group_ref='g' unit='here'><field_group unit='_reset_' name='n' group_ref='g'/>"
      "</field_group>");
  ASSERT_EQ(model.streams.size(), 2U);
  EXPECT_EQ(model.streams[0].attributes.unit, "a");  // `_reset_` stops groups, not the field
  EXPECT_EQ(model.streams[0].attributes.prec, 8);
  EXPECT_EQ(model.streams[1].attributes.unit, "here");
}

TEST(GroupRef, reaches_through_groups_that_have_one_too) {
  EXPECT_EQ(units(with_file(fields("<field_group id='all' group_ref='late'/>"
                                   "<field_group id='late'><field id='a' unit='1'/></field_group>"),
                            "<field_group group_ref='all'/>")),
            "a=1 ");
}

std::string with_group_in_file(const std::string& groups, const std::string& in_file,
                               const std::string& enabled = "true") {
  return test::in_context("<field_definition>" + groups +
                          "</field_definition><file_definition><file id='f' output_freq='1d' "
                          "enabled='" +
                          enabled + "'>\n" + in_file + "</file></file_definition>");
}

TEST(GroupRef, says_what_is_wrong) {
  const std::string circle =
      "<field_group id='a' group_ref='b'/><field_group id='b' group_ref='a'/>";
  EXPECT_EQ(test::errors(with_group_in_file(circle, "<field_group group_ref='b'/>")),
            "iodef.xml:2:39: error: group_ref of field_group 'a' leads in a circle (a -> b -> a).");
  EXPECT_EQ(test::errors(with_group_in_file("<field_group id='ocean_2d'/>",
                                            "<field_group group_ref='ocean2d'/>")),
            "iodef.xml:3:14: error: group_ref 'ocean2d' refers to nothing (there is no field_group "
            "'ocean2d' in context 'ocean'). Did you mean 'ocean_2d'?");
}

TEST(GroupRef, of_nothing_in_what_nobody_needs_is_no_error) {
  const std::string wrong = "<field_group id='a' group_ref='nothing'><field id='b'/></field_group>";
  EXPECT_EQ(test::errors(with_group_in_file(wrong, "")), "");
  EXPECT_EQ(test::errors(with_group_in_file(wrong, "<field_group group_ref='a'/>", "false")), "");
  EXPECT_EQ(
      test::errors(with_group_in_file(wrong, "<field_group enabled='false' group_ref='nothing'/>")),
      "");
  // By way of another group, of a group inside a group, and as a group around what is written.
  for (const std::string in_file :
       {"<field_group><field_group group_ref='a'/></field_group>", "<field field_ref='b'/>",
        "<field_group group_ref='around'/>"}) {
    const std::string all = "<field_group id='around'>" + wrong + "</field_group>";
    EXPECT_NE(test::errors(with_group_in_file(all, in_file)).find("group_ref 'nothing'"),
              std::string::npos)
        << in_file;
  }
}

TEST(Lent, elements_come_from_the_grid_of_a_field) {
  const Model model = test::model(test::in_context(elements + R"(
    <axis_definition><axis id="z" n_glo="5" unit="m"/></axis_definition>
    <grid_definition>
      <grid id="g"><domain domain_ref="d"/><axis axis_ref="z"/></grid>
      <grid id="h"><axis axis_ref="a::" positive="up"/><domain domain_ref="a::d"/></grid>
    </grid_definition>
    <field_definition operation="instant">
      <field id="a" grid_ref="g"/><field id="b" grid_ref="h"/><field id="c" grid_ref="a::"/>
      <field id="e" axis_ref="c::z"/>
    </field_definition>
    <file_definition><file id="f" output_freq="1d"><field field_ref="a"/></file>
      <file id="g" output_freq="1d"><field field_ref="b"/></file>
      <file id="h" output_freq="1d"><field field_ref="c"/><field field_ref="e"/></file>
    </file_definition>)"));
  ASSERT_EQ(model.streams.size(), 4U);
  EXPECT_EQ(model.streams[2].grid, model.streams[0].grid);
  const Grid& lent = model.grids.at(static_cast<std::size_t>(model.streams[1].grid));
  ASSERT_EQ(lent.elements.size(), 2U);
  const Axis& axis = model.axes.at(static_cast<std::size_t>(lent.elements[0].index));
  EXPECT_EQ(axis.attributes.unit, "m");
  EXPECT_EQ(axis.attributes.positive, "up");
  const Grid& first = model.grids.at(static_cast<std::size_t>(model.streams[0].grid));
  EXPECT_EQ(lent.elements[1], first.elements[0]);
  EXPECT_EQ(model.grids.at(static_cast<std::size_t>(model.streams[3].grid)).elements[0],
            first.elements[1]);
}

TEST(Lent, says_what_is_wrong) {
  const auto wrong = [](const std::string& reference) {
    return test::errors(
        test::in_context(elements +
                         "<field_definition domain_ref='d' operation='instant'><field id='a'/>"
                         "</field_definition>\n<field_definition><field id='b' " +
                         reference +
                         "/></field_definition><file_definition><file id='f' output_freq='1d'>"
                         "<field field_ref='b' operation='instant'/></file></file_definition>"));
  };
  EXPECT_EQ(wrong("grid_ref='aa::'"),
            "iodef.xml:4:33: error: grid_ref 'aa::' refers to nothing (there is no field 'aa' in "
            "context 'ocean').");
  EXPECT_EQ(wrong("axis_ref='a::'"),
            "iodef.xml:4:33: error: axis_ref 'a::' refers to nothing (the grid of field 'a' has no "
            "axis).");
  EXPECT_EQ(wrong("domain_ref='a::e'"),
            "iodef.xml:4:33: error: domain_ref 'a::e' refers to nothing (the grid of field 'a' has "
            "no domain 'e').");
  EXPECT_EQ(wrong("field_ref='a::b'"),
            "iodef.xml:4:33: error: field_ref 'a::b' refers to nothing (a field cannot be part of "
            "another one). Write 'a'.");
}

TEST(Lent, grids_in_a_circle_are_an_error) {
  EXPECT_NE(test::errors(test::in_context("<file_definition><file id='f' output_freq='1d'>"
                                          "<field id='a' grid_ref='b::' operation='instant'/>"
                                          "<field id='b' grid_ref='a::' operation='instant'/>"
                                          "</file></file_definition>"))
                .find("leads in a circle"),
            std::string::npos);
}

TEST(Inheritance, a_disabled_file_switches_off_its_fields_and_who_refers_to_them) {
  const Model model =
      test::model(test::in_context(
          elements + "<file_definition><file id='off' enabled='false' output_freq='1d'>"
                     "<field id='a' domain_ref='d' operation='instant'/>"
                     "<field id='b' domain_ref='d' operation='instant'/></file>"
                     "<file id='f' output_freq='1d'><field field_ref='a' name='x'/><field id='b'/>"
                     "<field field_ref='a' name='y' enabled='true'/></file></file_definition>"));
  ASSERT_EQ(model.streams.size(), 2U);
  EXPECT_EQ(model.streams[0].name, "b");  // stands in a file that is on
  EXPECT_EQ(model.streams[1].name, "y");  // says so itself
}

TEST(Inheritance, compression_level_falls_back_to_the_file) {
  const Model model = with_file(fields("<field id='a'/>"), "<field field_ref='a'/>");
  EXPECT_EQ(model.streams.at(0).attributes.compression_level, 0);
}

TEST(Inheritance, transformations_come_along_references_unless_the_shape_is_new) {
  const auto tags = [](const std::string& attributes) {
    const Checked checked = check_and_resolve(test::texts(test::in_context(R"(
      <axis_definition><axis id="z" n_glo="5"><extract_axis begin="1" n="3"/></axis>
      <axis id="w" axis_ref="z" )" + attributes + R"(><inverse_axis/></axis></axis_definition>
      <file_definition><file id="f" output_freq="1d">
      <field id="a" axis_ref="w" operation="instant"/></file></file_definition>)")));
    std::string text;
    for (const Transformation& t : checked.models.at(0).axes.at(0).transformations) {
      text += std::string(name(t.kind)) + " ";
    }
    return text;
  };
  EXPECT_EQ(tags(""), "extract_axis inverse_axis ");
  EXPECT_EQ(tags("unit='m'"), "extract_axis inverse_axis ");
  EXPECT_EQ(tags("n_glo='4'"), "inverse_axis ");
}

TEST(Inheritance, long_chains_of_references_need_no_stack) {
  std::string body;
  for (int i = 0; i < 50'000; ++i) {
    body += "<field id='f" + std::to_string(i) + "' field_ref='f" + std::to_string(i + 1) + "'/>";
  }
  body += "<field id='f50000' unit='u'/>";
  EXPECT_EQ(stream(fields(body), "<field field_ref='f0'/>").attributes.unit, "u");
}

// Bounds, labels and areas are of the points for which they were given.
TEST(Inheritance, an_element_with_points_of_its_own_takes_no_bounds_of_others) {
  const Model model = test::model(test::in_context(R"(
    <axis_definition>
      <axis id="z" n_glo="2" value="(0,1)[10 20]" bounds="(0,1)x(0,1)[5 15 15 25]" unit="m"/>
      <axis id="same" axis_ref="z" n_glo="2" value="(0,1)[12 18]"><interpolate_axis/></axis>
      <axis id="fewer" axis_ref="z" n_glo="1" value="(0,0)[12]"><interpolate_axis/></axis>
      <axis id="own" axis_ref="z" n_glo="1" value="(0,0)[12]" bounds="(0,1)x(0,0)[11 13]"><interpolate_axis/></axis>
    </axis_definition>
    <grid_definition>
      <grid id="g"><axis axis_ref="z"/></grid> <grid id="g_same"><axis axis_ref="same"/></grid>
      <grid id="g_fewer"><axis axis_ref="fewer"/></grid> <grid id="g_own"><axis axis_ref="own"/></grid>
    </grid_definition>
    <field_definition operation="instant"><field id="f" grid_ref="g"/></field_definition>
    <file_definition><file id="x" output_freq="1d">
      <field field_ref="f"/>
      <field field_ref="f" name="f1" grid_ref="g_same"/> <field field_ref="f" name="f2" grid_ref="g_fewer"/>
      <field field_ref="f" name="f3" grid_ref="g_own"/>
    </file></file_definition>)"));
  int seen = 0;
  for (const Axis& axis : model.axes) {
    EXPECT_EQ(axis.attributes.unit, "m") << axis.id;
    const bool has_bounds = axis.id != "same" && axis.id != "fewer";
    EXPECT_EQ(axis.attributes.bounds.has_value(), has_bounds) << axis.id;
    ++seen;
  }
  EXPECT_EQ(seen, 4);
}

TEST(Inheritance, a_domain_with_points_of_its_own_takes_no_bounds_of_others) {
  const Model model = test::model(test::in_context(R"(
    <domain_definition>
      <domain id="d" type="rectilinear" ni_glo="2" nj_glo="1" lonvalue_1d="(0,1)[0 180]" latvalue_1d="(0,0)[0]"
              bounds_lon_1d="(0,1)x(0,1)[-90 90 90 270]" bounds_lat_1d="(0,1)x(0,0)[-90 90]" lon_name="x"/>
      <domain id="to" domain_ref="d" ni_glo="3" lonvalue_1d="(0,2)[0 120 240]"><interpolate_domain/></domain>
    </domain_definition>
    <field_definition operation="instant"><field id="f" domain_ref="d"/></field_definition>
    <file_definition><file id="x" output_freq="1d"><field field_ref="f" domain_ref="to"/></file></file_definition>)"));
  const auto to = std::find_if(model.domains.begin(), model.domains.end(),
                               [](const Domain& domain) { return domain.id == "to"; });
  ASSERT_NE(to, model.domains.end());
  EXPECT_FALSE(to->attributes.bounds_lon_1d);
  EXPECT_FALSE(to->attributes.bounds_lat_1d);
  EXPECT_EQ(to->attributes.lon_name, "x");
}

}  // namespace
}  // namespace epios::config::inheritance_test
