#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <epios/epios.hpp>
#include <string>
#include <vector>

#include "dumped.hpp"
#include "scratch.hpp"

namespace epios::client::masked_points_test {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

constexpr const char* iodef = R"(
<simulation>
  <context id="c">
    <calendar type="NoLeap" timestep="1h" start_date="2000-01-01"/>
    <axis_definition>
      <axis id="a" n_glo="4" mask="(0,3)[true false true true]"/>
      <axis id="b" n_glo="4"/>
      <axis id="tail" axis_ref="b"><extract_axis begin="1" n="3"/></axis>
      <axis id="on_h" n_glo="1" value="(0,0)[250]"><interpolate_axis coordinate_src="h"/></axis>
      <axis id="on_k" n_glo="1" value="(0,0)[250]"><interpolate_axis coordinate_src="k_lower"/></axis>
    </axis_definition>
    <scalar_definition><scalar id="sum"><reduce_axis operation="sum"/></scalar></scalar_definition>
    <grid_definition>
      <grid id="sum"><scalar scalar_ref="sum"/></grid>
      <grid id="second" mask_1d="(0,3)[true false true true]"><axis axis_ref="b"/></grid>
      <grid id="third" mask_1d="(0,3)[true true false true]"><axis axis_ref="b"/></grid>
      <grid id="open"><axis axis_ref="b"/></grid>
      <grid id="lower" mask_1d="(0,3)[true true true false]"><axis axis_ref="b"/></grid>
      <grid id="on_h"><axis axis_ref="on_h"/></grid>
      <grid id="on_k"><axis axis_ref="on_k"/></grid>
      <grid id="tail" mask_1d="(0,2)[true true false]"><axis axis_ref="tail"/></grid>
    </grid_definition>
    <field_definition>
      <field id="p" grid_ref="second" default_value="-9"/>
      <field id="q" grid_ref="third" default_value="-9"/>
      <field id="p_open" field_ref="p" grid_ref="open"/>
      <field id="p_tail" field_ref="p" grid_ref="tail"/>
      <field id="q_tail" field_ref="q" grid_ref="tail"/>
      <field id="r" grid_ref="open" default_value="-9"/>
      <field id="r_third" field_ref="r" grid_ref="third"/>
      <field id="h" grid_ref="lower"/>
      <field id="k" grid_ref="open"/>
      <field id="k_lower" field_ref="k" grid_ref="lower"/>
      <field id="r_on_h" field_ref="r" grid_ref="on_h"/>
      <field id="r_on_k" field_ref="r" grid_ref="on_k"/>
      <field id="r_sum" field_ref="r_third" grid_ref="sum"/>
      <field id="r_path" field_ref="r" grid_path="third" grid_ref="sum"/>
      <field id="r_twice" default_value="-9"> r_third * 2 </field>
      <field id="r_both" default_value="-9"> r + r_third </field>
      <field id="plain" axis_ref="a"/>
      <field id="filled" axis_ref="a" default_value="-9"/>
    </field_definition>
    <file_definition>
      <file id="out" output_freq="1h">
        <field field_ref="plain" operation="instant"/>
        <field field_ref="plain" name="twice" prec="8" operation="average"/>
        <field field_ref="filled" operation="instant"/>
      </file>
      <file id="grids" output_freq="1h">
        <field field_ref="p_open" operation="instant"/>
        <field field_ref="p_open" name="mean" operation="average"/>
        <field field_ref="p_tail" operation="instant"/>
        <field field_ref="q_tail" operation="instant"/>
        <field field_ref="r_on_h" operation="instant"/>
        <field field_ref="r_on_k" operation="instant"/>
        <field field_ref="r_sum" operation="instant"/>
        <field field_ref="r_path" operation="instant"/>
        <field field_ref="r_twice" operation="instant"/>
        <field field_ref="r_both" operation="instant"/>
      </file>
    </file_definition>
  </context>
</simulation>)";

/// As quirk 23 says: NaN unless there is a default_value, and only that is said on file.
TEST(MaskedPoints, AreNanWithoutDefaultValue) {
  const Scratch scratch(iodef);
  Session session("c");
  Client client(session);
  Context context = client.open_context("c");
  context.close_definition();
  const std::vector<double> values = {1, 2, 3, 4};
  context.update_calendar(1);
  context.send("plain", values);
  context.send("filled", values);
  context.send("p", values);
  context.send("q", values);
  context.send("r", values);
  context.send("h", std::vector<double>{100, 200, 300, 240});
  context.send("k", std::vector<double>{100, 200, 300, 240});
  context.finalize();
  client.close();
  session.close();
  const std::string text = dumped("out.nc");
  EXPECT_THAT(text, HasSubstr(" plain =\n  1, NaNf, 3, 4 ;"));
  EXPECT_THAT(text, HasSubstr(" twice =\n  1, NaN, 3, 4 ;"));
  EXPECT_THAT(text, HasSubstr(" filled =\n  1, _, 3, 4 ;"));
  EXPECT_THAT(text, HasSubstr("filled:_FillValue = -9.f ;"));
  EXPECT_THAT(text, Not(HasSubstr("plain:_FillValue")));
  EXPECT_THAT(text, Not(HasSubstr("twice:_FillValue")));

  // Would have found that what the model has at masked points was written if the field in the file
  // has a grid of the same elements without that mask.
  const std::string grids = dumped("grids.nc");
  EXPECT_THAT(grids, HasSubstr(" p_open =\n  1, _, 3, 4 ;"));
  EXPECT_THAT(grids, HasSubstr(" mean =\n  1, _, 3, 4 ;"));
  // And that a mask of such a grid was refused where the size of the axis comes along its
  // reference, and of two fields extracted to one grid the second one was masked where the first
  // one's is, too.
  EXPECT_THAT(grids, HasSubstr(" p_tail =\n  _, 3, _ ;"));
  EXPECT_THAT(grids, HasSubstr(" q_tail =\n  2, _, _ ;"));
  // And that the mask of a grid counted for nothing in what is made of a field on it, if the data
  // of that field come without the mask.
  EXPECT_THAT(grids, HasSubstr(" r_sum = 7 ;"));
  EXPECT_THAT(grids, HasSubstr(" r_path = 7 ;"));
  EXPECT_THAT(grids, HasSubstr(" r_twice =\n  2, 4, _, 8 ;"));
  EXPECT_THAT(grids, HasSubstr(" r_both =\n  2, 4, _, 8 ;"));
  // And that what the model has at masked points of a coordinate counted as one: 3.833.
  EXPECT_THAT(grids, HasSubstr(" r_on_h =\n  2.5 ;"));
  EXPECT_THAT(grids, HasSubstr(" r_on_k =\n  2.5 ;"));
}

}  // namespace
}  // namespace epios::client::masked_points_test
