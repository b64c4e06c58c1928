// Operations on results of others whose periods do not divide, in files: no record has data from
// behind its period, and no part of a file is closed before its last record has come. All values
// are the number of the step that they were sent at, so that means can be worked out by hand.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <epios/epios.hpp>
#include <string>
#include <vector>

#include "dumped.hpp"
#include "scratch.hpp"

namespace epios::client::fed_schedules_test {
namespace {

using ::testing::HasSubstr;

constexpr const char* iodef = R"(
<simulation>
  <context id="months">
    <calendar type="NoLeap" timestep="1d" start_date="2000-09-01" time_origin="2000-09-01"/>
    <axis_definition><axis id="a" n_glo="1"/></axis_definition>
    <field_definition axis_ref="a" prec="8" default_value="-9">
      <field id="s" operation="average"/>
      <field id="x5" field_ref="s" operation="instant" freq_op="5d">@s</field>
    </field_definition>
    <file_definition>
      <file id="monthly" output_freq="1mo" split_freq="4mo">
        <field field_ref="x5" name="m" operation="instant" freq_op="1mo"/>
        <field field_ref="s" name="days" operation="average"/>
      </file>
    </file_definition>
  </context>
  <context id="late">
    <calendar type="NoLeap" timestep="1h" start_date="2000-01-01"/>
    <axis_definition><axis id="a" n_glo="1"/></axis_definition>
    <field_definition axis_ref="a" prec="8" default_value="-9">
      <field id="s" operation="average"/>
      <field id="smean" field_ref="s" operation="average" freq_op="1ts" freq_offset="1h"/>
    </field_definition>
    <file_definition output_freq="5h">
      <file id="parts" split_freq="10h"><field field_ref="s" name="m" operation="average" freq_op="2h">@smean</field></file>
      <file id="single" split_freq="5h"><field field_ref="s" name="m" operation="average" freq_op="2h">@smean</field></file>
      <file id="whole"><field field_ref="s" name="m" operation="average" freq_op="2h">@smean</field></file>
    </file_definition>
  </context>
  <context id="fives">
    <calendar type="NoLeap" timestep="1h" start_date="2000-01-01"/>
    <axis_definition><axis id="a" n_glo="1"/></axis_definition>
    <field_definition axis_ref="a" prec="8" default_value="-9">
      <field id="s" operation="average"/>
      <field id="x5" field_ref="s" operation="instant" freq_op="5h">@s</field>
    </field_definition>
    <file_definition>
      <file id="sixes" output_freq="6h">
        <field field_ref="x5" name="n" operation="average" freq_op="1h"/>
        <field field_ref="x5" name="i" operation="instant" freq_op="6h"/>
      </file>
    </file_definition>
  </context>
</simulation>)";

void run(Client& client, const std::string& id, int steps) {
  Context context = client.open_context(id);
  context.close_definition();
  for (int step = 1; step <= steps; ++step) {
    context.update_calendar(step);
    context.send("s", std::vector<double>{static_cast<double>(step)});
  }
  context.finalize();
}

TEST(FedSchedules, GiveFilesTheDataOfTheirPeriods) {
  const Scratch scratch(iodef);
  Session session("c");
  Client client(session);
  run(client, "months", 130);
  run(client, "late", 24);
  testing::internal::CaptureStderr();
  run(client, "fives", 30);
  client.close();
  session.close();
  const std::string said = testing::internal::GetCapturedStderr();

  // Of the months only the first one ends with a mean of five days, that of day 30.
  const std::string monthly = dumped("monthly_200009-200012.nc");
  EXPECT_THAT(monthly, HasSubstr(" m =\n  28,\n  _,\n  _,\n  _ ;"));
  EXPECT_THAT(monthly, HasSubstr(" days =\n  15.5,\n  46,\n  76.5,\n  107 ;"));

  // Every second record comes an hour behind the end of its period, and of its part.
  EXPECT_THAT(dumped("whole.nc"), HasSubstr(" m =\n  3.5,\n  8.5,\n  13.5,\n  18.5 ;"));
  EXPECT_THAT(dumped("parts_2000010100-2000010109.nc"), HasSubstr(" m =\n  3.5,\n  8.5 ;"));
  EXPECT_THAT(dumped("parts_2000010110-2000010119.nc"), HasSubstr(" m =\n  13.5,\n  18.5 ;"));
  EXPECT_THAT(dumped("single_2000010105-2000010109.nc"), HasSubstr(" m =\n  8.5 ;"));
  EXPECT_THAT(dumped("single_2000010115-2000010119.nc"), HasSubstr(" m =\n  18.5 ;"));

  const std::string sixes = dumped("sixes.nc");
  EXPECT_THAT(sixes, HasSubstr(" n =\n  3,\n  8,\n  13,\n  18,\n  25.5 ;"));
  EXPECT_THAT(sixes, HasSubstr(" i =\n  _,\n  _,\n  _,\n  _,\n  28 ;"));
  EXPECT_THAT(said,
              HasSubstr("'i' of file 'sixes' has no data at 4 of 5 dates, 2000-01-01 06:00:00 "
                        "to 2000-01-02 00:00:00"));
}

}  // namespace
}  // namespace epios::client::fed_schedules_test
