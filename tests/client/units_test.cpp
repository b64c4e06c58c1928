#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <epios/epios.hpp>
#include <string>
#include <vector>

#include "dumped.hpp"
#include "scratch.hpp"

namespace epios::client::units_test {
namespace {

using ::testing::HasSubstr;

constexpr const char* iodef = R"xml(
<simulation>
  <context id="c">
    <calendar type="NoLeap" timestep="1h" start_date="2000-01-01"/>
    <axis_definition><axis id="a" n_glo="3"/></axis_definition>
    <field_definition axis_ref="a" prec="8" operation="instant">
      <field id="sst" unit="K" default_value="-9" detect_missing_value="true"/>
      <field id="celsius" field_ref="sst" unit="degC" convert_units="true"/>
      <field id="said_celsius" field_ref="sst" unit="degC"/>
      <field id="twice" expr="2 * celsius" unit="degC"/>
      <field id="mean" operation="average" expr="@(celsius * celsius)" freq_op="2h"/>
      <field id="speed" unit="m/s"/>
    </field_definition>
    <file_definition>
      <file id="hours" name="units" output_freq="1h">
        <field field_ref="sst"/>
        <field field_ref="celsius"/>
        <field field_ref="said_celsius"/>
        <field field_ref="twice"/>
        <field name="kelvin_difference" field_ref="sst" expr="celsius - said_celsius"/>
        <field name="back" field_ref="twice" unit="K" convert_units="true"/>
        <field name="knots" field_ref="speed" unit="km/h" convert_units="true" prec="4"/>
      </file>
      <file id="two" name="mean_units" output_freq="2h">
        <field field_ref="mean"/>
        <field name="mean_celsius" field_ref="celsius" operation="average" freq_op="1h"/>
      </file>
    </file_definition>
    <coupler_out_definition><coupler_out context="c::partner">
      <field id="sent" field_ref="sst" unit="degC" convert_units="true" freq_op="1h"/>
    </coupler_out></coupler_out_definition>
  </context>
  <context id="partner">
    <calendar type="NoLeap" timestep="1h" start_date="2000-01-01"/>
    <axis_definition><axis id="a" n_glo="3"/></axis_definition>
    <coupler_in_definition><coupler_in context="c::c">
      <field id="sent" axis_ref="a" freq_op="1h"/>
    </coupler_in></coupler_in_definition>
  </context>
</simulation>)xml";

/// What is on file is in the unit that the file says; what an expression takes is in that of its
/// operand.
TEST(Units, AreThoseOfWhoeverTakesTheData) {
  const Scratch scratch(iodef);
  Session session("c");
  Client client(session);
  Context context = client.open_context("c");
  Context partner = client.open_context("partner");
  context.close_definition();
  partner.close_definition();
  for (int step = 1; step <= 2; ++step) {
    context.update_calendar(step);
    context.send("sst", std::vector<double>{283.15, 263.15 + 20 * (step - 1), -9});
    context.send("speed", std::vector<float>{1, 0, -10});
    // Would have found that a partner received kelvins of a field in degrees Celsius.
    partner.update_calendar(step);
    std::vector<double> received(3, 0);
    partner.receive("sent", received);
    EXPECT_NEAR(received[0], 10, 1e-10);
    EXPECT_NEAR(received[1], -10 + 20 * (step - 1), 1e-10);
    EXPECT_TRUE(std::isnan(received[2]));
  }
  context.finalize();
  partner.finalize();
  client.close();
  session.close();
  const std::string text = dumped("-p 9,9 units.nc");
  EXPECT_THAT(text, HasSubstr(" sst =\n  283.15, 263.15, _,\n  283.15, 283.15, _ ;"));
  EXPECT_THAT(text, HasSubstr("sst:units = \"K\" ;"));
  EXPECT_THAT(text, HasSubstr(" celsius =\n  10, -10, _,\n  10, 10, _ ;"));
  EXPECT_THAT(text, HasSubstr("celsius:units = \"degC\" ;"));
  EXPECT_THAT(text, HasSubstr(" said_celsius =\n  283.15, 263.15, _,\n  283.15, 283.15, _ ;"));
  EXPECT_THAT(text, HasSubstr(" twice =\n  20, -20, NaN,\n  20, 20, NaN ;"));
  EXPECT_THAT(text, HasSubstr(" kelvin_difference =\n  -273.15, -273.15, _,\n"));
  EXPECT_THAT(text, HasSubstr(" back =\n  293.15, 253.15, NaN,\n  293.15, 293.15, NaN ;"));
  EXPECT_THAT(text, HasSubstr(" knots =\n  3.5999999, 0, -36,\n"));
  const std::string means = dumped("-p 9,9 mean_units.nc");
  EXPECT_THAT(means, HasSubstr(" mean =\n  100, 100, NaN ;"));
  EXPECT_THAT(means, HasSubstr(" mean_celsius =\n  10, 0, _ ;"));
}

}  // namespace
}  // namespace epios::client::units_test
