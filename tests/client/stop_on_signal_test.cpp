// A signal of stop_on_signal: the context ends while the model goes on.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <csignal>
#include <cstdlib>
#include <epios/epios.hpp>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "dumped.hpp"
#include "scratch.hpp"

namespace epios::client::stop_on_signal_test {
namespace {

using ::testing::HasSubstr;

constexpr const char* iodef = R"(
<simulation>
  <context id="xios"><variable_definition>
    <variable id="stop_on_signal">TERM+USR2</variable><variable id="report_file">run.json</variable>
  </variable_definition></context>
  <context id="c">
    <calendar type="NoLeap" timestep="1h" start_date="2000-01-01"/>
    <axis_definition><axis id="a" n_glo="2"/></axis_definition>
    <field_definition><field id="hour" axis_ref="a"/></field_definition>
    <file_definition>
      <file id="hourly" output_freq="1h"><field field_ref="hour" operation="instant" prec="8"/></file>
      <file id="forcing" output_freq="1h" mode="read">
        <field id="wind" axis_ref="a" operation="instant" read_access="true"/>
      </file>
      <file id="means" output_freq="2h"><field field_ref="hour" operation="average" prec="8"/></file>
    </file_definition>
  </context>
</simulation>)";

constexpr const char* forcing = R"(netcdf forcing {
dimensions: time = UNLIMITED ; a = 2 ;
variables: double wind(time, a) ;
data:
 wind = 0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7 ;
}
)";

std::string refusal_to_receive(Context& context) {
  std::vector<double> wind(2);
  try {
    context.receive("wind", wind);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

bool exists(const char* path) { return std::filesystem::exists(path); }

TEST(StopOnSignal, EndsTheContextWhileTheModelGoesOn) {
  const Scratch scratch(iodef);
  std::ofstream("forcing.cdl") << forcing;
  ASSERT_EQ(std::system("ncgen -o forcing.nc forcing.cdl"), 0);  // NOLINT(cert-env33-c)
  Session session("c");
  Client client(session);
  Context context = client.open_context("c");
  context.close_definition();
  for (int hour = 1; hour <= 6; ++hour) {
    context.update_calendar(hour);
    context.update_calendar(hour);  // no date of its own
    if (hour == 2) std::raise(SIGUSR2);
    // One date for all clients to hear of it, one to end with.
    const bool goes_on = hour <= 3;
    EXPECT_EQ(context.is_active("hour", true), goes_on) << hour;
    EXPECT_EQ(exists("hourly.nc"), !goes_on) << hour;
    EXPECT_EQ(exists("run_c.json"), !goes_on) << hour;
    if (goes_on) {
      std::vector<double> wind(2);
      context.receive("wind", wind);
      EXPECT_EQ(wind[1], hour);
      context.send("hour", std::vector<double>(2, hour));
    } else {
      EXPECT_THAT(refusal_to_receive(context),
                  HasSubstr("context 'c': field 'wind' cannot be received (the context was stopped "
                            "by SIGUSR2 at 2000-01-01 03:00:00, and its files are closed)"));
    }
    EXPECT_EQ(context.current_date(), "2000-01-01 0" + std::to_string(hour) + ":00:00");
  }
  // What is borrowed and given back was not sent.
  const Field field = context.field("hour");
  EXPECT_EQ(field.borrow().size(), 2U);
  field.give_back();
  EXPECT_THAT(dumped("hourly.nc"), HasSubstr(" hour =\n  1, 1,\n  2, 2,\n  3, 3 ;"));
  EXPECT_THAT(dumped("means.nc"), HasSubstr(" hour =\n  1.5, 1.5 ;"));
  context.finalize();  // the model has ended in time: that is no error
  client.close();
  session.close();
  std::string report;
  std::getline(std::ifstream("run_c.json"), report, '\0');
  EXPECT_THAT(report, HasSubstr("\"stopped\": \"SIGUSR2 at 2000-01-01 03:00:00\""));
}

}  // namespace
}  // namespace epios::client::stop_on_signal_test
