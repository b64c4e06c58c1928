// An element that transformations make, on which the model sends a field as well: each has its
// values, in one file.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <epios/epios.hpp>
#include <string>
#include <vector>

#include "../integration/netcdf_file.hpp"
#include "dumped.hpp"
#include "scratch.hpp"

namespace epios::client::element_from_model_test {
namespace {

using ::testing::HasSubstr;

constexpr const char* iodef = R"(
<simulation>
  <context id="c">
    <calendar type="NoLeap" timestep="1h" start_date="2000-01-01"/>
    <axis_definition>
      <axis id="z" n_glo="3" value="(0,2)[1 2 3]"/>
      <axis id="top" n_glo="2" value="(0,1)[1 2]"><extract_axis begin="0" n="2"/></axis>
      <axis id="above" axis_ref="z"><extract_axis begin="1" n="2"/></axis>
    </axis_definition>
    <field_definition operation="instant" prec="8">
      <field id="column" axis_ref="z"/>
      <field id="expected" axis_ref="top"/>
      <field id="upper" field_ref="column" axis_ref="top"/>
      <field id="uppermost" field_ref="column" axis_ref="above" read_access="true"/>
    </field_definition>
    <file_definition output_freq="1h">
      <file id="made_first">
        <field field_ref="upper"/>
        <field field_ref="expected"/>
      </file>
      <file id="sent_first">
        <field field_ref="expected"/>
        <field field_ref="upper"/>
      </file>
    </file_definition>
  </context>
  <context id="coarse">
    <calendar type="NoLeap" timestep="1h" start_date="2000-01-01"/>
    <domain_definition>
      <domain id="src" type="rectilinear" ni_glo="8" nj_glo="6"><generate_rectilinear_domain/></domain>
      <domain id="dst" type="rectilinear" ni_glo="4" nj_glo="3" lonvalue_1d="(0,3)[45 135 225 315]"
              latvalue_1d="(0,2)[-60 0 60]"
              bounds_lon_1d="(0,1)x(0,3)[0 90 90 180 180 270 270 360]"
              bounds_lat_1d="(0,1)x(0,2)[-90 -30 -30 30 30 90]"><interpolate_domain order="1"/></domain>
    </domain_definition>
    <grid_definition>
      <grid id="gs"><domain domain_ref="src"/></grid><grid id="gd"><domain domain_ref="dst"/></grid>
    </grid_definition>
    <field_definition operation="instant" prec="8">
      <field id="expected" grid_ref="gd"/>
      <field id="odata" grid_ref="gs"/>
      <field id="rdata" field_ref="odata" grid_ref="gd"/>
    </field_definition>
    <file_definition output_freq="1h">
      <file id="interpolated"><field field_ref="rdata"/><field field_ref="expected"/></file>
    </file_definition>
  </context>
</simulation>)";

/// Pairs of columns have their mean.
void run_interpolated(Client& client) {
  Context context = client.open_context("coarse");
  context.close_definition();
  for (int hour = 1; hour <= 2; ++hour) {
    context.update_calendar(hour);
    std::vector<double> columns;
    for (int cell = 0; cell < 48; ++cell) columns.push_back(cell % 8 * hour);
    context.send("odata", columns);
    std::vector<double> means;
    for (int cell = 0; cell < 12; ++cell) means.push_back((cell % 4 * 2 + 0.5) * hour);
    context.send("expected", means);
  }
  context.finalize();
}

TEST(ElementFromModel, HasWhatIsSentAndWhatIsMade) {
  const Scratch scratch(iodef);
  Session session("c");
  Client client(session);
  Context context = client.open_context("c");
  // Would have found that it said to have the coordinates of the axis that it is made of.
  const Element above = context.at("axis", "above");
  context.close_definition();
  EXPECT_EQ(above.get<std::vector<double>>("value"), (std::vector<double>{2, 3}));
  EXPECT_EQ(above.get<int>("n"), 2);
  for (int hour = 1; hour <= 2; ++hour) {
    context.update_calendar(hour);
    context.send("column", std::vector<double>{1.0 * hour, 2.0 * hour, 3.0 * hour});
    context.send("expected", std::vector<double>{10.0 * hour, 20.0 * hour});
  }
  context.finalize();
  run_interpolated(client);
  client.close();
  session.close();

  const toy::NetcdfFile coarse("interpolated.nc");
  const std::vector<double> expected = coarse.values("expected");
  const std::vector<double> made = coarse.values("rdata");
  ASSERT_EQ(expected.size(), 24U);
  ASSERT_EQ(made.size(), 24U);
  for (std::size_t i = 0; i < 24; ++i) EXPECT_NEAR(made[i], expected[i], 1e-12) << i;

  for (const char* name : {"made_first.nc", "sent_first.nc"}) {
    const std::string file = dumped(name);
    EXPECT_THAT(file, HasSubstr(" upper =\n  1, 2,\n  2, 4 ;"));
    EXPECT_THAT(file, HasSubstr(" expected =\n  10, 20,\n  20, 40 ;"));
    EXPECT_THAT(file, HasSubstr(" top = 1, 2 ;"));
  }
}

}  // namespace
}  // namespace epios::client::element_from_model_test
