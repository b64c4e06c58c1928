// A window of an array meets data of other arrays point by point, and another window of its own.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <epios/epios.hpp>
#include <string>
#include <vector>

#include "dumped.hpp"
#include "scratch.hpp"

namespace epios::client::window_operands_test {
namespace {

using ::testing::HasSubstr;

constexpr const char* iodef = R"(
<simulation>
  <context id="c">
    <calendar type="NoLeap" timestep="1h" start_date="2000-01-01"/>
    <domain_definition>
      <domain id="d" type="rectilinear" ni_glo="2" nj_glo="2" ni="2" nj="2" ibegin="0" jbegin="0"/>
      <domain id="halo" domain_ref="d" data_dim="2" data_ibegin="-1" data_ni="4" data_jbegin="-1" data_nj="4"/>
      <domain id="right" domain_ref="halo"><extract_domain ibegin="1" ni="1" jbegin="0" nj="2"/></domain>
    </domain_definition>
    <axis_definition><axis id="z" n_glo="3" value="(0,2)[1 2 3]"/></axis_definition>
    <scalar_definition><scalar id="one"/></scalar_definition>
    <grid_definition>
      <grid id="g"><domain domain_ref="d"/><axis axis_ref="z"/></grid>
      <grid id="g0"><domain domain_ref="d"/><axis axis_ref="z"><extract_axis begin="0" n="1"/></axis></grid>
      <grid id="g1"><domain domain_ref="d"/><axis axis_ref="z"><extract_axis begin="1" n="1"/></axis></grid>
      <grid id="g2"><domain domain_ref="d"/><scalar><extract_axis position="2"/></scalar></grid>
      <grid id="below"><domain domain_ref="d"/><axis axis_ref="z"><extract_axis begin="1" n="2"/></axis></grid>
      <grid id="above"><domain domain_ref="d"/><axis axis_ref="z"><extract_axis begin="0" n="2"/></axis></grid>
    </grid_definition>
    <field_definition operation="instant" prec="8">
      <field id="t" grid_ref="g"/>
      <field id="s" domain_ref="d"/>
      <field id="h" domain_ref="halo"/>
      <field id="t0" field_ref="t" grid_ref="g0"/>
      <field id="t1" field_ref="t" grid_ref="g1"/>
      <field id="t2" field_ref="t" grid_ref="g2"/>
      <field id="lower" field_ref="t" grid_ref="below"/>
      <field id="upper" field_ref="t" grid_ref="above"/>
      <field id="surface" domain_ref="d"> t1 * 2 </field>
      <field id="flux" domain_ref="d"> s + t1 </field>
      <field id="flux_there" grid_ref="g1"> t1 + s </field>
      <field id="bottom" domain_ref="d"> t2 + s </field>
      <field id="step" domain_ref="d"> t1 - t0 </field>
      <field id="step_there" grid_ref="g1"> t1 - t0 </field>
      <field id="step_alone"> t1 - t0 </field>
      <field id="leap" grid_ref="g1"> t1 - t2 </field>
      <field id="jump" grid_ref="below"> lower - upper </field>
      <field id="twice" grid_ref="g1"> t1 * 2 </field>
      <field id="through" domain_ref="d"> twice + s </field>
      <field id="hourly" domain_ref="d"> @t1 + s </field>
      <field id="mixed" domain_ref="halo"> h + s </field>
      <field id="mixed_right" field_ref="mixed" domain_ref="right"/>
    </field_definition>
    <file_definition output_freq="1h">
      <file id="f">
        <field field_ref="surface"/> <field field_ref="flux"/> <field field_ref="flux_there"/>
        <field field_ref="bottom"/> <field field_ref="step"/> <field field_ref="jump"/>
        <field field_ref="step_there"/> <field field_ref="step_alone"/> <field field_ref="leap"/>
        <field field_ref="through"/> <field field_ref="hourly" freq_op="1h"/>
      </file>
      <file id="k"><field field_ref="mixed_right"/></file>
    </file_definition>
  </context>
</simulation>)";

TEST(WindowOperands, MeetPointByPoint) {
  const Scratch scratch(iodef);
  Session session("c");
  Client client(session);
  Context context = client.open_context("c");
  context.close_definition();
  context.update_calendar(1);
  context.send("t", std::vector<double>{1, 2, 3, 4, 11, 12, 13, 14, 31, 32, 33, 34});
  context.send("s", std::vector<double>{100, 200, 300, 400});
  context.send("h", std::vector<double>{-9, -9, -9, -9, -9, 1, 2, -9,  //
                                        -9, 3, 4, -9, -9, -9, -9, -9});
  context.finalize();
  client.close();
  session.close();

  const std::string f = dumped("f.nc");
  EXPECT_THAT(f, HasSubstr(" surface =\n  22, 24,\n  26, 28 ;"));
  EXPECT_THAT(f, HasSubstr(" flux =\n  111, 212,\n  313, 414 ;"));
  EXPECT_THAT(f, HasSubstr(" flux_there =\n  111, 212,\n  313, 414 ;"));
  EXPECT_THAT(f, HasSubstr(" bottom =\n  131, 232,\n  333, 434 ;"));
  EXPECT_THAT(f, HasSubstr(" step =\n  10, 10,\n  10, 10 ;"));
  // Would have found that two levels of one array met place by place on the grid of either: all
  // missing.
  EXPECT_THAT(f, HasSubstr(" step_there =\n  10, 10,\n  10, 10 ;"));
  EXPECT_THAT(f, HasSubstr(" step_alone =\n  10, 10,\n  10, 10 ;"));
  EXPECT_THAT(f, HasSubstr(" leap =\n  -20, -20,\n  -20, -20 ;"));
  EXPECT_THAT(f, HasSubstr(" jump =\n  10, 10,\n  10, 10,\n  20, 20,\n  20, 20 ;"));
  EXPECT_THAT(f, HasSubstr(" through =\n  122, 224,\n  326, 428 ;"));
  EXPECT_THAT(f, HasSubstr(" hourly =\n  111, 212,\n  313, 414 ;"));
  EXPECT_THAT(dumped("k.nc"), HasSubstr(" mixed_right =\n  202,\n  404 ;"));
}

}  // namespace
}  // namespace epios::client::window_operands_test
