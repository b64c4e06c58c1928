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
    <axis_definition><axis id="a" n_glo="4" mask="(0,3)[true false true true]"/></axis_definition>
    <field_definition>
      <field id="plain" axis_ref="a"/>
      <field id="filled" axis_ref="a" default_value="-9"/>
    </field_definition>
    <file_definition>
      <file id="out" output_freq="1h">
        <field field_ref="plain" operation="instant"/>
        <field field_ref="plain" name="twice" prec="8" operation="average"/>
        <field field_ref="filled" operation="instant"/>
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
}

}  // namespace
}  // namespace epios::client::masked_points_test
