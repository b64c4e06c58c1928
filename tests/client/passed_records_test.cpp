// Records of a partner that the calendar goes past although a file has them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <epios/epios.hpp>
#include <string>
#include <vector>

#include "dumped.hpp"
#include "scratch.hpp"

namespace epios::client::passed_records_test {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

constexpr const char* iodef = R"(
<simulation>
  <context id="sea">
    <calendar type="NoLeap" timestep="1h" start_date="2000-01-01"/>
    <axis_definition><axis id="a" n_glo="1"/></axis_definition>
    <field_definition><field id="sst" axis_ref="a"/></field_definition>
    <coupler_out_definition><coupler_out context="c::sky">
      <field field_ref="sst" operation="instant" freq_op="1h"/>
    </coupler_out></coupler_out_definition>
  </context>
  <context id="sky">
    <calendar type="NoLeap" timestep="1h" start_date="2000-01-01"/>
    <axis_definition><axis id="a" n_glo="1"/></axis_definition>
    <coupler_in_definition><coupler_in context="c::sea">
      <field id="sst" axis_ref="a" freq_op="1h" prec="8"/>
    </coupler_in></coupler_in_definition>
    <file_definition>
      <file id="means" output_freq="3h"><field field_ref="sst" operation="average"/></file>
    </file_definition>
  </context>
</simulation>)";

/// Would have found that means were made of fewer records, and nobody was told.
TEST(PassedRecords, OfPartnersAreWarnedOfOnce) {
  const Scratch scratch(iodef);
  Session session("c");
  Client client(session);
  Context sea = client.open_context("sea");
  Context sky = client.open_context("sky");
  sea.close_definition();
  sky.close_definition();
  testing::internal::CaptureStderr();
  const auto go_to = [&](int step) {
    if (step != 2 && step != 5) sky.update_calendar(step);
    sea.update_calendar(step);
    sea.send("sst", std::vector<double>{static_cast<double>(step)});
  };
  for (int step = 1; step <= 6; ++step) go_to(step);
  sea.finalize();
  sky.finalize();
  const std::string said = testing::internal::GetCapturedStderr();
  client.close();
  session.close();
  EXPECT_THAT(said, HasSubstr("context 'sky': field 'sst' from 'c::sea': the record of 2000-01-01 "
                              "02:00:00 is lost to what is made of it (the calendar went from "
                              "2000-01-01 01:00:00 to 2000-01-01 03:00:00"));
  EXPECT_THAT(said, Not(HasSubstr("the record of 2000-01-01 05:00:00 is lost")));
  EXPECT_THAT(dumped("means.nc"), HasSubstr(" sst =\n  2,\n  5 ;"));
}

}  // namespace
}  // namespace epios::client::passed_records_test
