#include "config/time_axis.hpp"

#include <gtest/gtest.h>

namespace epios::config::time_axis_test {
namespace {

constexpr CounterTime none = CounterTime::none;
constexpr CounterTime instant = CounterTime::instant;
constexpr CounterTime centered = CounterTime::centered;
constexpr CounterTime record = CounterTime::record;

/// One row of the table of modes: for files with both kinds of field, instant ones, centred ones.
struct Row {
  const char* mode;
  TimeAxis both, only_instant, only_centered;
};

TEST(TimeAxis, has_eight_modes) {
  const std::vector<Row> rows{
      {"", {centered, true, true}, {instant, true, false}, {centered, false, true}},
      {"centered", {centered, true, true}, {none, true, false}, {centered, false, true}},
      {"instant", {instant, true, true}, {instant, true, false}, {none, false, true}},
      {"centered_exclusive",
       {centered, true, false},
       {none, true, false},
       {centered, false, false}},
      {"instant_exclusive", {instant, false, true}, {instant, false, false}, {none, false, true}},
      {"exclusive", {centered, true, false}, {instant, false, false}, {centered, false, false}},
      {"record", {record, true, true}, {record, true, false}, {record, false, true}},
      {"none", {none, true, true}, {none, true, false}, {none, false, true}},
  };
  for (const Row& row : rows) {
    EXPECT_EQ(time_axis(row.mode, true, true), row.both) << row.mode;
    EXPECT_EQ(time_axis(row.mode, true, false), row.only_instant) << row.mode;
    EXPECT_EQ(time_axis(row.mode, false, true), row.only_centered) << row.mode;
  }
}

TEST(TimeStamp, is_the_end_or_the_middle) {
  const Calendar calendar(CalendarType::gregorian, Duration::parse("1h"));
  const Instant origin = calendar.parse("2000-01-01");
  const RecordTime day{calendar.parse("2000-01-02"), calendar.parse("2000-01-03")};
  const auto stamp = [&](bool is_centered, TimeUnits units) {
    return time_stamp(calendar, day, is_centered, origin, units);
  };
  EXPECT_EQ(stamp(false, TimeUnits::seconds), (TimeStamp{172'800, {172'800, 172'800}}));
  EXPECT_EQ(stamp(true, TimeUnits::seconds), (TimeStamp{129'600, {86'400, 172'800}}));
  EXPECT_EQ(stamp(false, TimeUnits::days), (TimeStamp{2, {2, 2}}));
  EXPECT_EQ(stamp(true, TimeUnits::days), (TimeStamp{1.5, {1, 2}}));
}

}  // namespace
}  // namespace epios::config::time_axis_test
