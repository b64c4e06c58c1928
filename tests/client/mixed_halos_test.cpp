// Operands on one domain that is described with a halo and without, and on one level of an axis:
// point by point, whatever the arrays look like.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <epios/epios.hpp>
#include <string>
#include <vector>

#include "dumped.hpp"
#include "scratch.hpp"

namespace epios::client::mixed_halos_test {
namespace {

using ::testing::HasSubstr;

constexpr const char* iodef = R"(
<simulation>
  <context id="c">
    <calendar type="NoLeap" timestep="1h" start_date="2000-01-01"/>
    <domain_definition>
      <domain id="halo" type="rectilinear" ni_glo="2" nj_glo="2" data_dim="2" data_ibegin="-1" data_ni="4" data_jbegin="-1" data_nj="4"/>
      <domain id="inner" type="rectilinear" ni_glo="2" nj_glo="2" data_dim="2" data_ibegin="0" data_ni="2" data_jbegin="0" data_nj="2"/>
    </domain_definition>
    <axis_definition><axis id="z" n_glo="3"/></axis_definition>
    <grid_definition>
      <grid id="g"><domain domain_ref="inner"/><axis axis_ref="z"/></grid>
      <grid id="g0"><domain domain_ref="inner"/><axis axis_ref="z"><extract_axis begin="1" n="1"/></axis></grid>
    </grid_definition>
    <field_definition operation="instant" prec="8">
      <field id="a" domain_ref="halo"/>
      <field id="b" domain_ref="inner"/>
      <field id="t" grid_ref="g"/>
      <field id="ab" domain_ref="halo"> a * b </field>
      <field id="ba" domain_ref="inner"> b * a </field>
      <field id="level" field_ref="t" grid_ref="g0"/>
      <field id="surface" domain_ref="inner"> level * 2 + b </field>
    </field_definition>
    <file_definition output_freq="1h">
      <file id="f"><field field_ref="ab"/></file>
      <file id="g"><field field_ref="ba"/><field field_ref="surface"/></file>
    </file_definition>
  </context>
</simulation>)";

TEST(MixedHalos, MeetPointByPoint) {
  const Scratch scratch(iodef);
  Session session("c");
  Client client(session);
  Context context = client.open_context("c");
  context.close_definition();
  context.update_calendar(1);
  context.send("a", std::vector<double>{-9, -9, -9, -9, -9, 1, 2, -9,  //
                                        -9, 3, 4, -9, -9, -9, -9, -9});
  context.send("b", std::vector<double>{10, 20, 30, 40});
  context.send("t", std::vector<double>{-1, -1, -1, -1, 1, 2, 3, 4, -1, -1, -1, -1});
  context.finalize();
  client.close();
  session.close();

  EXPECT_THAT(dumped("f.nc"), HasSubstr(" ab =\n  10, 40,\n  90, 160 ;"));
  const std::string file = dumped("g.nc");
  EXPECT_THAT(file, HasSubstr(" ba =\n  10, 40,\n  90, 160 ;"));
  EXPECT_THAT(file, HasSubstr(" surface =\n  12, 24,\n  36, 48 ;"));
}

}  // namespace
}  // namespace epios::client::mixed_halos_test
