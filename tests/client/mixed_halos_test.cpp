// Operands on one domain that is described with a halo and without, or in another order, meet point
// by point.
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
    <field_definition operation="instant" prec="8">
      <field id="a" domain_ref="halo"/>
      <field id="b" domain_ref="inner"/>
      <field id="ab" domain_ref="halo"> a * b </field>
      <field id="ba" domain_ref="inner"> b * a </field>
    </field_definition>
    <file_definition output_freq="1h">
      <file id="f"><field field_ref="ab"/></file>
      <file id="g"><field field_ref="ba"/></file>
    </file_definition>
  </context>
  <context id="turned">
    <calendar type="NoLeap" timestep="1h" start_date="2000-01-01"/>
    <domain_definition>
      <domain id="cells" type="unstructured" ni_glo="4" ni="4" i_index="(0,3)[0 1 2 3]"/>
      <domain id="cells_back" type="unstructured" ni_glo="4" ni="4" i_index="(0,3)[3 2 1 0]"/>
    </domain_definition>
    <axis_definition><axis id="one" n_glo="1" value="(0,0)[5]"/></axis_definition>
    <grid_definition>
      <grid id="level"><domain domain_ref="cells_back"/><axis axis_ref="one"/></grid>
    </grid_definition>
    <field_definition operation="instant" prec="8">
      <field id="p" grid_ref="level"/>
      <field id="s" domain_ref="cells"/>
      <field id="sp" domain_ref="cells"> s * 0 + p </field>
    </field_definition>
    <file_definition output_freq="1h"><file id="turned"><field field_ref="sp"/></file></file_definition>
  </context>
</simulation>)";

/// Arrays of one size, which differ by an element of one point and by the order of their cells.
void send_turned(Client& client) {
  Context context = client.open_context("turned");
  context.close_definition();
  context.update_calendar(1);
  context.send("p", std::vector<double>{103, 102, 101, 100});
  context.send("s", std::vector<double>{0, 0, 0, 0});
  context.finalize();
}

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
  context.finalize();
  send_turned(client);
  client.close();
  session.close();

  EXPECT_THAT(dumped("f.nc"), HasSubstr(" ab =\n  10, 40,\n  90, 160 ;"));
  EXPECT_THAT(dumped("g.nc"), HasSubstr(" ba =\n  10, 40,\n  90, 160 ;"));
  EXPECT_THAT(dumped("turned.nc"), HasSubstr(" sp =\n  100, 101, 102, 103 ;"));
}

}  // namespace
}  // namespace epios::client::mixed_halos_test
