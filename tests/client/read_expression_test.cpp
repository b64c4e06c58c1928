// An expression in a file that is read works on what is read: received by the model, written by
// another file, sampled, and as a mask of what the model sends.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <epios/epios.hpp>
#include <fstream>
#include <string>
#include <vector>

#include "dumped.hpp"
#include "scratch.hpp"

namespace epios::client::read_expression_test {
namespace {

using ::testing::HasSubstr;

constexpr const char* forcing = R"(netcdf forcing {
dimensions: time = UNLIMITED ; a = 2 ;
variables: double tair(time, a) ; tair:missing_value = 1e20 ; double land(a) ;
data:
 tair = 274.15, 1e20, 275.15, 275.15, 276.15, 275.15, 277.15, 275.15 ;
 land = 0, 1 ;
}
)";

constexpr const char* iodef = R"(
<simulation>
  <context id="c">
    <calendar type="NoLeap" timestep="1h" start_date="2000-01-01"/>
    <axis_definition><axis id="a" n_glo="2"/></axis_definition>
    <field_definition operation="instant" axis_ref="a" prec="8">
      <field id="q" default_value="-1"/>
      <field id="celsius" field_ref="plain" unit="degC" convert_units="true" read_access="true"/>
      <field id="largest_of_two" expr="@largest" freq_op="2h" read_access="true"/>
      <field id="largest" field_ref="plain" operation="maximum"/>
      <field id="other_mark" field_ref="marked" default_value="-5" read_access="true"/>
    </field_definition>
    <file_definition>
      <file id="in" name="forcing" output_freq="1h" mode="read">
        <field id="r" name="tair" axis_ref="a" operation="instant" read_access="true"> (this &gt; 1e10) ? 0 : this - 273.15 </field>
        <field id="plain" name="tair" axis_ref="a" operation="instant" unit="K"/>
        <field id="marked" name="tair" axis_ref="a" operation="instant" default_value="-1" detect_missing_value="true"/>
        <field id="land" axis_ref="a" operation="once" expr="this == 0 ? $missing_value : 1"/>
      </file>
      <file id="w" output_freq="1h">
        <field field_ref="r" name="direct" operation="instant"/>
        <field field_ref="r" name="twice" operation="instant"> this * 2 </field>
        <field id="masked" field_ref="q" operation="instant"> this * land </field>
      </file>
      <file id="m" output_freq="2h">
        <field field_ref="r" name="largest" operation="maximum"/>
        <field field_ref="r" name="largest_so" operation="maximum" freq_op="2h"> @this </field>
      </file>
    </file_definition>
  </context>
</simulation>)";

TEST(ReadExpression, IsOfWhatIsRead) {
  const Scratch scratch(iodef);
  std::ofstream("forcing.cdl") << forcing;
  ASSERT_EQ(std::system("ncgen -o forcing.nc forcing.cdl"), 0);  // NOLINT(cert-env33-c)
  Session session("c");
  Client client(session);
  Context context = client.open_context("c");
  context.close_definition();
  std::vector<double> received(2, -9);
  context.receive("r", received);
  EXPECT_NEAR(received[0], 1, 1e-10);
  EXPECT_EQ(received[1], 0);
  // Would have found that a field that refers to a plain one was received as that one is: in its
  // unit, and with its default_value.
  context.receive("celsius", received);
  EXPECT_NEAR(received[0], 1, 1e-10);
  context.receive("marked", received);
  EXPECT_EQ(received, (std::vector<double>{274.15, -1}));
  context.receive("other_mark", received);
  EXPECT_EQ(received, (std::vector<double>{274.15, -5}));
  for (int hour = 1; hour <= 3; ++hour) {
    context.update_calendar(hour);
    // Would have found that what is made of files alone was never active: models that ask received
    // nothing.
    for (const char* id : {"r", "celsius", "plain"}) {
      EXPECT_TRUE(context.is_active(id) && context.is_active(id, true)) << id;
    }
    EXPECT_TRUE(context.is_active("largest_of_two"));
    EXPECT_EQ(context.is_active("largest_of_two", true), hour == 2);
    if (hour == 2) {
      context.receive("largest_of_two", received);
      EXPECT_EQ(received[0], 276.15);
    }
    context.receive("r", received);
    EXPECT_NEAR(received[0], hour + 1, 1e-10);
    EXPECT_NEAR(received[1], 2, 1e-10);
    context.send("q", std::vector<double>(2, static_cast<double>(hour)));
  }
  context.finalize();
  client.close();
  session.close();

  const std::string file = dumped("-p 9,9 w.nc");
  EXPECT_THAT(file, HasSubstr(" direct =\n  2, 2,\n  3, 2,\n  4, 2 ;"));
  EXPECT_THAT(file, HasSubstr(" twice =\n  4, 4,\n  6, 4,\n  8, 4 ;"));
  EXPECT_THAT(file, HasSubstr(" masked =\n  _, 1,\n  _, 2,\n  _, 3 ;"));
  const std::string means = dumped("-p 9,9 m.nc");
  EXPECT_THAT(means, HasSubstr(" largest =\n  3, 2 ;"));
  EXPECT_THAT(means, HasSubstr(" largest_so =\n  3, 2 ;"));
}

}  // namespace
}  // namespace epios::client::read_expression_test
