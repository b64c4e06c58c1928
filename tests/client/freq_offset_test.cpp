// Samples outside of the period of their record, as XIOS takes them, in files. All values are the
// number of the hour that they were sent at, so that means can be worked out by hand.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <epios/epios.hpp>
#include <string>
#include <vector>

#include "dumped.hpp"
#include "scratch.hpp"

namespace epios::client::freq_offset_test {
namespace {

using ::testing::HasSubstr;

constexpr const char* iodef = R"(
<simulation>
  <context id="c">
    <calendar type="NoLeap" timestep="1h" start_date="2000-01-01"/>
    <axis_definition><axis id="a" n_glo="1"/></axis_definition>
    <field_definition default_value="-9"><field id="hour" axis_ref="a"/></field_definition>
    <file_definition output_freq="2h">
      <file id="whole">
        <field field_ref="hour" name="start" operation="instant" freq_op="2h" freq_offset="-1ts"/>
        <field field_ref="hour" name="mean" operation="average" freq_op="1h" freq_offset="-1ts"/>
        <field field_ref="hour" name="late" operation="instant" freq_op="2h" freq_offset="3h"/>
        <field field_ref="hour" name="before" operation="instant" freq_op="2h" freq_offset="-3h"/>
        <field field_ref="hour" name="first" operation="once" freq_offset="-1ts"/>
        <field field_ref="hour" name="usual" operation="average"/>
      </file>
      <file id="parts" split_freq="4h" split_freq_format="%d_%h">
        <field field_ref="hour" name="start" operation="instant" freq_op="2h" freq_offset="-1ts"/>
        <field field_ref="hour" name="late" operation="instant" freq_op="2h" freq_offset="3h"/>
      </file>
    </file_definition>
  </context>
</simulation>)";

TEST(FreqOffset, MayLeadOutOfThePeriod) {
  const Scratch scratch(iodef);
  Session session("c");
  Client client(session);
  Context context = client.open_context("c");
  context.close_definition();
  EXPECT_TRUE(context.is_active("hour", true)) << "the state at the start";
  for (int hour = 0; hour <= 6; ++hour) {
    if (hour > 0) context.update_calendar(hour);
    context.send("hour", std::vector<double>{static_cast<double>(hour)});
  }
  context.finalize();
  client.close();
  session.close();

  const std::string whole = dumped("whole.nc");
  EXPECT_THAT(whole, HasSubstr(" start =\n  0,\n  2,\n  4,\n  6,\n  _ ;"));
  EXPECT_THAT(whole, HasSubstr(" mean =\n  0.5,\n  2.5,\n  4.5,\n  _,\n  _ ;"));
  EXPECT_THAT(whole, HasSubstr(" late =\n  4,\n  6,\n  _,\n  _,\n  _ ;"));
  EXPECT_THAT(whole, HasSubstr(" before =\n  _,\n  0,\n  2,\n  4,\n  6 ;"));
  EXPECT_THAT(whole, HasSubstr(" first = 0 ;"));
  EXPECT_THAT(whole, HasSubstr(" usual =\n  1.5,\n  3.5,\n  5.5,\n  _,\n  _ ;"));
  // As in XIOS: the dates of records are those of their number, whenever samples are taken.
  EXPECT_THAT(whole, HasSubstr(" time_instant = 7200, 14400, 21600, 28800, 36000 ;"));

  // The first part is whole when what is late has come, while the second one is written already.
  const std::string first = dumped("parts_01_00-01_03.nc");
  EXPECT_THAT(first, HasSubstr(" start =\n  0,\n  2 ;"));
  EXPECT_THAT(first, HasSubstr(" late =\n  4,\n  6 ;"));
  const std::string second = dumped("parts_01_04-01_07.nc");
  EXPECT_THAT(second, HasSubstr(" start =\n  4,\n  6 ;"));
  EXPECT_THAT(second, HasSubstr(" late =\n  _,\n  _ ;"));
}

}  // namespace
}  // namespace epios::client::freq_offset_test
