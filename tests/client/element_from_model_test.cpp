// An element that transformations make, on which the model sends a field as well: each has its
// values, in one file.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <epios/epios.hpp>
#include <string>
#include <vector>

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
    </axis_definition>
    <field_definition operation="instant" prec="8">
      <field id="column" axis_ref="z"/>
      <field id="expected" axis_ref="top"/>
      <field id="upper" field_ref="column" axis_ref="top"/>
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
</simulation>)";

TEST(ElementFromModel, HasWhatIsSentAndWhatIsMade) {
  const Scratch scratch(iodef);
  Session session("c");
  Client client(session);
  Context context = client.open_context("c");
  context.close_definition();
  for (int hour = 1; hour <= 2; ++hour) {
    context.update_calendar(hour);
    context.send("column", std::vector<double>{1.0 * hour, 2.0 * hour, 3.0 * hour});
    context.send("expected", std::vector<double>{10.0 * hour, 20.0 * hour});
  }
  context.finalize();
  client.close();
  session.close();

  for (const char* name : {"made_first.nc", "sent_first.nc"}) {
    const std::string file = dumped(name);
    EXPECT_THAT(file, HasSubstr(" upper =\n  1, 2,\n  2, 4 ;"));
    EXPECT_THAT(file, HasSubstr(" expected =\n  10, 20,\n  20, 40 ;"));
    EXPECT_THAT(file, HasSubstr(" top = 1, 2 ;"));
  }
}

}  // namespace
}  // namespace epios::client::element_from_model_test
