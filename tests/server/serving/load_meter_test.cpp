#include "serving/load_meter.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <thread>

namespace epios::server::load_meter_test {
namespace {

using std::chrono::milliseconds;

TEST(LoadMeter, CountsTheTimeInWhichContextsAreOpen) {
  LoadMeter meter;
  EXPECT_EQ(meter.load(0, false, 0).open_s, 0);
  meter.begin_open();
  std::this_thread::sleep_for(milliseconds(5));
  EXPECT_GE(meter.load(0, true, 0).open_s, 0.005);
  meter.end_open();
  const double closed_s = meter.load(0, false, 0).open_s;
  EXPECT_GE(closed_s, 0.005);
  std::this_thread::sleep_for(milliseconds(5));
  EXPECT_EQ(meter.load(0, false, 0).open_s, closed_s);
  meter.begin_open();
  std::this_thread::sleep_for(milliseconds(5));
  EXPECT_GE(meter.load(0, true, 0).open_s, closed_s + 0.005);
}

TEST(LoadMeter, ReportsWhoWasBusyForHowLong) {
  LoadMeter meter;
  meter.add_busy(milliseconds(250));
  meter.add_busy(milliseconds(500));
  const io::ServerLoad load = meter.load(3, false, 1.5);
  EXPECT_EQ(load.server, 3);
  EXPECT_EQ(load.busy_s, 0.75);
  EXPECT_EQ(load.writing_s, 1.5);
}

}  // namespace
}  // namespace epios::server::load_meter_test
