// Operands on one domain that is described with a halo and without meet point by point.
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
  context.finalize();
  client.close();
  session.close();

  EXPECT_THAT(dumped("f.nc"), HasSubstr(" ab =\n  10, 40,\n  90, 160 ;"));
  EXPECT_THAT(dumped("g.nc"), HasSubstr(" ba =\n  10, 40,\n  90, 160 ;"));
}

}  // namespace
}  // namespace epios::client::mixed_halos_test
