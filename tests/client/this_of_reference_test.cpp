// `this` of a field with a reference is the data of the field that is referred to. Both points have
// the number of the hour, so that products can be worked out by hand.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <epios/epios.hpp>
#include <string>
#include <vector>

#include "dumped.hpp"
#include "scratch.hpp"

namespace epios::client::this_of_reference_test {
namespace {

using ::testing::HasSubstr;

constexpr const char* iodef = R"(
<simulation>
  <context id="c">
    <calendar type="NoLeap" timestep="1h" start_date="2000-01-01"/>
    <axis_definition><axis id="a" n_glo="2"/></axis_definition>
    <field_definition operation="instant" axis_ref="a" prec="8">
      <field id="s" unit="K"/>
      <field id="s2"/>
      <field id="transport" field_ref="s" unit="m3/s"> this * s2 </field>
    </field_definition>
    <file_definition output_freq="1h">
      <file id="r">
        <field field_ref="s"/>
        <field field_ref="transport"/>
        <field id="day_max" field_ref="s" operation="maximum" freq_op="1h"> @this </field>
        <field field_ref="s" name="without_id" unit="1"> this + 10 </field>
      </file>
    </file_definition>
  </context>
</simulation>)";

TEST(ThisOfReference, IsTheDataOfTheField) {
  const Scratch scratch(iodef);
  Session session("c");
  Client client(session);
  Context context = client.open_context("c");
  context.close_definition();
  for (int hour = 1; hour <= 3; ++hour) {
    context.update_calendar(hour);
    const std::vector<double> values(2, static_cast<double>(hour));
    context.send("s", values);
    context.send("s2", values);
  }
  context.finalize();
  client.close();
  session.close();

  const std::string file = dumped("r.nc");
  EXPECT_THAT(file, HasSubstr(" s =\n  1, 1,\n  2, 2,\n  3, 3 ;"));
  EXPECT_THAT(file, HasSubstr(" transport =\n  1, 1,\n  4, 4,\n  9, 9 ;"));
  EXPECT_THAT(file, HasSubstr(" day_max =\n  1, 1,\n  2, 2,\n  3, 3 ;"));
  EXPECT_THAT(file, HasSubstr(" without_id =\n  11, 11,\n  12, 12,\n  13, 13 ;"));
}

}  // namespace
}  // namespace epios::client::this_of_reference_test
