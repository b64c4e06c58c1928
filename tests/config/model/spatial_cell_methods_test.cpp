// What transformations say of cells, in the words of CF.
#include <gtest/gtest.h>

#include <string>

#include "config/definitions.hpp"
#include "config/document.hpp"
#include "config/model.hpp"
#include "config/spatial.hpp"

namespace epios::config::spatial_cell_methods_test {
namespace {

/// Of a field on a grid that `elements` make, from one on domain d and axis z.
std::string methods(const std::string& elements, const std::string& grid,
                    const std::string& type = "rectilinear") {
  const SourceTexts texts{{"iodef.xml", R"(<simulation><context id="c">
    <calendar type="NoLeap" timestep="1h" start_date="2000-01-01"/>
    <domain_definition><domain id="d" type=")" +
                                            type + R"(" ni_glo="4" nj_glo="2"/></domain_definition>
    <axis_definition><axis id="z" name="deptht" n_glo="3"/></axis_definition>
    <axis_definition><axis id="p" standard_name="air_pressure" n_glo="3"/></axis_definition>)" +
                                            elements + R"(
    <grid_definition>
      <grid id="g"><domain domain_ref="d"/><axis axis_ref="z"/></grid>
      <grid id="pressures"><domain domain_ref="d"/><axis axis_ref="p"/></grid>
      <grid id="sides"><axis axis_ref="side"/><axis axis_ref="z"/></grid>
      <grid id="one"><scalar scalar_ref="all"/><axis axis_ref="z"/></grid>
      <grid id="columns"><domain domain_ref="d"/><scalar scalar_ref="column"/></grid>
      <grid id="column_p"><domain domain_ref="d"/><scalar scalar_ref="column"/></grid>
      <grid id="other"><domain domain_ref="to"/><axis axis_ref="z"/></grid>
      <grid id="combined"><scalar scalar_ref="both"/><axis axis_ref="z"/></grid>
    </grid_definition>
    <field_definition operation="instant">
      <field id="t" grid_ref=")" + std::string(grid == "column_p" ? "pressures" : "g") +
                                            R"("/>
    </field_definition>
    <file_definition><file id="f" output_freq="1h"><field field_ref="t" name="made" grid_ref=")" +
                                            grid + R"("/></file></file_definition>
    </context></simulation>)"}};
  const Model model = Definitions{Document(texts)}.resolve("c");
  return spatial_cell_methods(model, model.streams.front().expression);
}

std::string axis(const std::string& reduction) {
  return "<axis_definition><axis id=\"side\">" + reduction + "</axis></axis_definition>";
}
std::string scalar(const std::string& id, const std::string& reduction) {
  return "<scalar_definition><scalar id=\"" + id + "\">" + reduction +
         "</scalar></scalar_definition>";
}
std::string domain(const std::string& attributes) {
  return R"(<domain_definition><domain id="to" type="rectilinear" ni_glo="2" nj_glo="2">
    <generate_rectilinear_domain/><interpolate_domain )" +
         attributes + "/></domain></domain_definition>";
}

TEST(SpatialCellMethods, say_what_was_done) {
  EXPECT_EQ(methods("", "g"), "");
  EXPECT_EQ(methods(axis(R"(<reduce_domain operation="average" direction="jDir"/>)"), "sides"),
            "longitude: mean");
  EXPECT_EQ(methods(axis(R"(<reduce_domain operation="max" direction="iDir"/>)"), "sides"),
            "latitude: maximum");
  EXPECT_EQ(
      methods(axis(R"(<reduce_domain operation="sum" direction="jDir"/>)"), "sides", "curvilinear"),
      "area: sum (along i)");
  EXPECT_EQ(methods(scalar("all", R"(<reduce_domain operation="average"/>)"), "one"),
            "area: mean (unweighted)");
  EXPECT_EQ(methods(scalar("all", R"(<reduce_domain operation="min"/>)"), "one"), "area: minimum");
  EXPECT_EQ(methods(scalar("column", R"(<reduce_axis operation="sum"/>)"), "columns"),
            "deptht: sum");
  EXPECT_EQ(methods(scalar("column", R"(<reduce_axis operation="average"/>)"), "column_p"),
            "air_pressure: mean");
}

/// Of a field of a chain whose last one is `made`.
std::string of_chain(const std::string& fields) {
  const SourceTexts texts{{"iodef.xml", R"(<simulation><context id="c">
    <calendar type="NoLeap" timestep="1h" start_date="2000-01-01"/>
    <domain_definition><domain id="d" type="rectilinear" ni_glo="4" nj_glo="2"/>
      <domain id="half" type="rectilinear" ni_glo="2" nj_glo="2"><generate_rectilinear_domain/><interpolate_domain order="1"/></domain>
      <domain id="quarter" type="rectilinear" ni_glo="1" nj_glo="1"><generate_rectilinear_domain/><interpolate_domain order="1"/></domain>
    </domain_definition>
    <scalar_definition><scalar id="all"><reduce_domain operation="max"/></scalar></scalar_definition>
    <field_definition operation="instant">
      <field id="t" domain_ref="d"/>
      <field id="t_half" field_ref="t" domain_ref="half"/>)" +
                                            fields + R"(
    </field_definition>
    <file_definition><file id="f" output_freq="1d"><field field_ref="made"/></file></file_definition>
    </context></simulation>)"}};
  const Model model = Definitions{Document(texts)}.resolve("c");
  return spatial_cell_methods(model, model.streams.front().expression);
}

TEST(SpatialCellMethods, are_said_in_their_order_and_alike_neighbours_once) {
  EXPECT_EQ(of_chain(R"(<field id="made" field_ref="t_half" domain_ref="quarter"/>)"),
            "area: mean");
  EXPECT_EQ(
      of_chain(R"(<field id="made" field_ref="t_half" domain_ref="_reset_" scalar_ref="all"/>)"),
      "area: mean area: maximum");
}

TEST(SpatialCellMethods, end_at_operations_in_time_and_arithmetic) {
  const auto maximum_of = [](const std::string& expression) {
    return of_chain(
        "<field id=\"x\" field_ref=\"t_half\" operation=\"average\" freq_op=\"1h\" "
        "domain_ref=\"half\"> " +
        expression + R"( </field>
      <field id="made" field_ref="x" domain_ref="_reset_" scalar_ref="all" operation="instant"/>)");
  };
  EXPECT_EQ(maximum_of("t_half + 1"), "area: maximum");
  EXPECT_EQ(of_chain(R"(<field id="mean" field_ref="t_half" operation="average" freq_op="1h"/>
      <field id="made" domain_ref="half" freq_op="6h"> @mean </field>)"),
            "");
}

TEST(SpatialCellMethods, of_weights_are_said_where_they_are_known) {
  EXPECT_EQ(methods(domain("order=\"1\""), "other"), "area: mean");
  EXPECT_EQ(methods(domain("quantity=\"true\""), "other"), "area: sum");
  EXPECT_EQ(methods(domain("method=\"bilinear\""), "other"), "");
  EXPECT_EQ(methods(domain("mode=\"read\" weight_filename=\"w.nc\""), "other"), "");
}

TEST(SpatialCellMethods, of_one_client_are_those_of_all_if_these_are_put_together_alike) {
  const auto combined = [](const std::string& operation, const std::string& other) {
    return methods(
        scalar("both", "<reduce_domain operation=\"" + operation +
                           "\" local=\"true\"/><reduce_scalar operation=\"" + other + "\"/>"),
        "combined");
  };
  EXPECT_EQ(combined("sum", "sum"), "area: sum");
  EXPECT_EQ(combined("max", "max"), "area: maximum");
  EXPECT_EQ(combined("sum", "max"), "");
  EXPECT_EQ(combined("average", "average"), "") << "means of means";
  EXPECT_EQ(methods(scalar("all", R"(<reduce_domain operation="sum" local="true"/>)"), "one"), "");
}

}  // namespace
}  // namespace epios::config::spatial_cell_methods_test
