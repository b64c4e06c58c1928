#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <epios/epios.hpp>
#include <string>
#include <vector>

#include "../client/dumped.hpp"
#include "../client/scratch.hpp"

namespace epios::client::chain_test {
namespace {

using ::testing::HasSubstr;

constexpr const char* iodef = R"(
<simulation>
  <context id="c">
    <calendar type="NoLeap" timestep="1h" start_date="2000-01-01"/>
    <axis_definition>
      <axis id="z" n_glo="4" value="(0,3)[10 20 30 40]"/>
      <axis id="upper" axis_ref="z"><extract_axis begin="1" n="2"/></axis>
      <axis id="upwards" axis_ref="upper"><inverse_axis/></axis>
      <axis id="other" n_glo="4" value="(0,3)[5 6 7 8]"/>
      <axis id="listed"><extract_axis index="(0,1)[3 0]"/></axis>
      <axis id="first"><extract_axis begin="0" n="1"/></axis>
    </axis_definition>
    <grid_definition>
      <grid id="g_upper"><axis axis_ref="upper"/></grid>
      <grid id="g_upwards"><axis axis_ref="upwards"/></grid>
    </grid_definition>
    <scalar_definition><scalar id="point"><extract_axis position="1"/></scalar></scalar_definition>
    <field_definition axis_ref="z" operation="instant">
      <field id="t"/>
      <field id="e"/>
      <field id="t_upper" field_ref="t" axis_ref="upper"/>
      <field id="e_upper" field_ref="e" axis_ref="upper"/>
      <field id="t_upwards" field_ref="t_upper" axis_ref="upwards"/>
      <field id="t_whole_chain" field_ref="t" axis_ref="upwards"/>
      <field id="product" axis_ref="upper"> t_upper * e_upper + 1 </field>
      <field id="product_there" axis_ref="upper"> t * e + 1 </field>
      <field id="product_upwards" field_ref="product" axis_ref="upwards"/>
      <field id="t_point" field_ref="t_upper" axis_ref="_reset_" scalar_ref="point"/>
      <field id="t_other" field_ref="t" axis_ref="other"/>
      <field id="t_listed" field_ref="t" axis_ref="listed"/>
      <field id="t_back" field_ref="t_upper" axis_ref="upper" read_access="true"/>
    </field_definition>
    <file_definition>
      <file id="out" output_freq="2h">
        <field field_ref="t_upper" operation="average"/>
        <field field_ref="t_upwards"/>
        <field field_ref="t_whole_chain"/>
        <field field_ref="product"/>
        <field field_ref="product_there"/>
        <field field_ref="product_upwards" operation="maximum"/>
        <field field_ref="t_point"/>
        <field field_ref="t_other"/>
        <field field_ref="t_listed"/>
        <field field_ref="t" name="t_first" axis_ref="first"/>
        <field field_ref="t" name="t_by_path" axis_ref="first" grid_path="g_upper,g_upwards"/>
      </file>
    </file_definition>
  </context>
  <context id="equal">
    <calendar type="NoLeap" timestep="1h" start_date="2000-01-01"/>
    <domain_definition><domain id="d" type="rectilinear" ni_glo="2" nj_glo="1"/></domain_definition>
    <axis_definition>
      <axis id="z" n_glo="3" value="(0,2)[1 2 3]"/>
      <axis id="zi" axis_ref="z"><inverse_axis/></axis>
      <axis id="also_zi" axis_ref="z"><inverse_axis/></axis>
      <axis id="back" axis_ref="zi"><inverse_axis/></axis>
      <axis id="other_unit" axis_ref="z" unit="m"><inverse_axis/></axis>
    </axis_definition>
    <grid_definition>
      <grid id="g"><domain domain_ref="d"/><axis axis_ref="z"/></grid>
      <grid id="g1"><domain domain_ref="d"/><axis axis_ref="zi"/></grid>
      <grid id="g2"><domain domain_ref="d"/><axis axis_ref="zi"/></grid>
      <grid id="g3"><domain domain_ref="d"/><axis n_glo="3" name="zz"><inverse_axis/></axis></grid>
      <grid id="g4"><domain domain_ref="d"/><axis n_glo="3" name="zz"><inverse_axis/></axis></grid>
      <grid id="g5"><domain domain_ref="d"/><axis axis_ref="also_zi"/></grid>
      <grid id="g6"><domain domain_ref="d"/><axis axis_ref="back"/></grid>
      <grid id="g7"><domain domain_ref="d"/><axis axis_ref="other_unit"/></grid>
    </grid_definition>
    <field_definition operation="instant">
      <field id="t" grid_ref="g"/>
      <field id="t1" field_ref="t" grid_ref="g1"/>
      <field id="t2" field_ref="t1" grid_ref="g2"/>
      <field id="t3" field_ref="t" grid_ref="g3"/>
      <field id="t4" field_ref="t3" grid_ref="g4"/>
      <field id="t5" field_ref="t1" grid_ref="g5"/>
      <field id="t6" field_ref="t1" grid_ref="g6"/>
      <field id="t7" field_ref="t1" grid_ref="g7"/>
    </field_definition>
    <file_definition>
      <file id="equal" output_freq="1h">
        <field field_ref="t1" name="t1"/><field field_ref="t2" name="t2"/><field field_ref="t3" name="t3"/>
        <field field_ref="t4" name="t4"/><field field_ref="t5" name="t5"/><field field_ref="t6" name="t6"/>
        <field field_ref="t7" name="t7"/>
      </file>
    </file_definition>
  </context>
  <context id="columns">
    <calendar type="NoLeap" timestep="1h" start_date="2000-01-01"/>
    <axis_definition>
      <axis id="z" n_glo="4"/>
      <axis id="at" n_glo="1" value="(0,0)[2.5]"><interpolate_axis coordinate_src="p"/></axis>
      <axis id="uneven" n_glo="4" value="(0,3)[5 0 0 5]"/>
      <axis id="at_once" n_glo="1" value="(0,0)[2.5]"><interpolate_axis/></axis>
    </axis_definition>
    <field_definition operation="instant" prec="8">
      <field id="p" axis_ref="z"/>
      <field id="v" axis_ref="z"/>
      <field id="w" axis_ref="uneven"/>
      <field id="v_at" field_ref="v" axis_ref="at" read_access="true"/>
      <field id="w_at" field_ref="w" axis_ref="at_once" read_access="true"/>
    </field_definition>
  </context>
</simulation>)";

/// Levels in an order that no sort leaves as it is: of equal coordinates the first level counts,
/// whatever its value.
void expect_first_of_equal_coordinates(Client& client) {
  Context context = client.open_context("columns");
  context.close_definition();
  struct Column {
    std::vector<double> p, v;
    double expected;
  };
  const std::vector<Column> columns{{{5, 0, 0, 9}, {10, 30, 20, 0}, 20},
                                    {{5, 0, 0, 9}, {10, 20, 30, 0}, 15},
                                    {{9, 5, 5, 0}, {0, 40, 10, 20}, 30},
                                    {{0, 0, 5, 9}, {30, 20, 10, 0}, 20},
                                    {{5, 0.0, -0.0, 5}, {10, 30, 20, -40}, 20}};
  int step = 0;
  for (const Column& column : columns) {
    context.update_calendar(++step);
    context.send("p", column.p);
    context.send("v", column.v);
    context.send("w", std::vector<double>{10, 30, 20, -40});
    std::vector<double> found(1);
    context.receive("v_at", std::span<double>(found));
    EXPECT_EQ(found[0], column.expected) << "step " << step;
    context.receive("w_at", std::span<double>(found));
    EXPECT_EQ(found[0], 20);
  }
  context.finalize();
}

/// An element that says the same as that of the data is not made once more; one that says more, or
/// something else, is.
void expect_equal_elements_made_once(Client& client) {
  Context context = client.open_context("equal");
  context.close_definition();
  context.update_calendar(1);
  context.send("t", std::vector<double>{1, 2, 3, 4, 5, 6});
  context.finalize();
  const std::string text = dumped("equal.nc");
  const std::string once = "\n  5, 6,\n  3, 4,\n  1, 2 ;";
  const std::string twice = "\n  1, 2,\n  3, 4,\n  5, 6 ;";
  for (const char* name : {"t1", "t2", "t3", "t4", "t5"}) {
    EXPECT_THAT(text, HasSubstr(" " + std::string(name) + " =" + once));
  }
  EXPECT_THAT(text, HasSubstr(" t6 =" + twice));
  EXPECT_THAT(text, HasSubstr(" t7 =" + twice));
}

TEST(Chains, of_fields_and_of_transformations) {
  const Scratch scratch(iodef);
  Session session("c");
  Client client(session);
  Context context = client.open_context("c");
  context.close_definition();
  for (int step = 1; step <= 2; ++step) {
    context.update_calendar(step);
    EXPECT_TRUE(context.is_active("t"));
    context.send("t", std::vector<double>{1.0 * step, 2.0 * step, 3.0 * step, 4.0 * step});
    context.send("e", std::vector<double>{2, 2, 3, 3});
    std::vector<double> back(2);
    context.receive("t_back", std::span<double>(back));
    EXPECT_EQ(back, (std::vector<double>{2.0 * step, 3.0 * step}));
  }
  context.finalize();
  expect_first_of_equal_coordinates(client);
  expect_equal_elements_made_once(client);
  client.close();
  session.close();
  const std::string text = dumped("out.nc");
  EXPECT_THAT(text, HasSubstr(" upper = 20, 30 ;"));
  EXPECT_THAT(text, HasSubstr(" upwards = 30, 20 ;"));
  EXPECT_THAT(text, HasSubstr(" other = 5, 6, 7, 8 ;"));
  EXPECT_THAT(text, HasSubstr(" listed = 40, 10 ;"));
  EXPECT_THAT(text, HasSubstr(" point = 30 ;"));
  EXPECT_THAT(text, HasSubstr(" t_upper =\n  3, 4.5 ;"));
  EXPECT_THAT(text, HasSubstr(" t_upwards =\n  6, 4 ;"));
  EXPECT_THAT(text, HasSubstr(" t_whole_chain =\n  6, 4 ;"));
  EXPECT_THAT(text, HasSubstr(" product =\n  9, 19 ;"));
  EXPECT_THAT(text, HasSubstr(" product_there =\n  9, 19 ;"));
  EXPECT_THAT(text, HasSubstr(" product_upwards =\n  19, 9 ;"));
  EXPECT_THAT(text, HasSubstr(" t_point = 6 ;"));
  EXPECT_THAT(text, HasSubstr(" t_other =\n  2, 4, 6, 8 ;"));
  EXPECT_THAT(text, HasSubstr(" t_listed =\n  8, 2 ;"));
  EXPECT_THAT(text, HasSubstr(" t_first =\n  2 ;"));
  EXPECT_THAT(text, HasSubstr(" t_by_path =\n  6 ;"));
}

}  // namespace
}  // namespace epios::client::chain_test
