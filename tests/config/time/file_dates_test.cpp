// Time coordinates of files that others made, on the calendar of a run.
#include "config/file_dates.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "config/error.hpp"

namespace epios::config {
namespace {

std::string date(const Calendar& run, const std::string& units, const std::string& calendar,
                 double value) {
  try {
    return run.text(FileDates(run, units, calendar).at(value));
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::io);
    return error.what();
  }
}

TEST(FileDates, know_the_ways_in_which_an_origin_is_written) {
  const Calendar run(CalendarType::no_leap, {});
  for (const std::string origin : {"1900-01-01",
                                   "1900-1-1",
                                   "1900-01-01 00:00:00",
                                   "1900-01-01T00:00:00Z",
                                   "1900-01-01t00:00:00z",
                                   "1900-1-1 0:0:0",
                                   "1900-01-01 00:00",
                                   "1900-01-01 00",
                                   "1900-01-01 00:00:00 UTC",
                                   "1900-01-01 00:00:00UTC",
                                   "1900-01-01 00:00:00.0",
                                   "1900-01-01 00:00:0.0",
                                   "1900-01-01T00:00:00.000000Z",
                                   "1900-01-01 00:00:00 +00:00",
                                   "1900-01-01 00:00:00+00:00",
                                   "1900-01-01 00:00:00 0:00",
                                   "1900-01-01 00:00:00 +0:00",
                                   "1900-01-01 00:00:00 +0000",
                                   "1900-01-01 00:00:00 +00",
                                   "1900-01-01 00:00:00 GMT",
                                   "1900-01-01 UTC",
                                   "1900-01-01Z",
                                   " 1900-01-01  00:00:00 ",
                                   "1899-12-31 23:00:00 -01:00",
                                   "1900-01-01 03:30:00 +0330",
                                   "1900-01-01 02:00:00 UTC+2",
                                   "1899-12-31 23:59:59.999999"}) {
    EXPECT_EQ(date(run, "hours since " + origin, "noleap", 30), "1900-01-02 06:00:00") << origin;
  }
  EXPECT_EQ(date(run, "days since 1-1-1 00:00:0.0", "noleap", 365), "0002-01-01 00:00:00");
  EXPECT_EQ(date(run, "hours since 1900-01-01 00:00:00 CET", "noleap", 30),
            "their units are 'hours since 1900-01-01 00:00:00 CET': 'CET' is no zone of time");
}

TEST(FileDates, know_units_and_calendars_however_they_are_spelt) {
  const Calendar run(CalendarType::no_leap, {});
  for (const std::string unit : {"days", "Days", "day", "d", "DAYS"}) {
    EXPECT_EQ(date(run, unit + " since 2000-01-01", "365_day", 59.25), "2000-03-01 06:00:00");
  }
  EXPECT_EQ(date(run, "Hours Since 2000-01-01", "NOLEAP", 6), "2000-01-01 06:00:00");
  EXPECT_EQ(date(run, "milliseconds since 2000-01-01", "noleap", 6e6), "2000-01-01 01:40:00");
  EXPECT_EQ(date(run, "months since 2000-01-01", "noleap", 1),
            "their units are 'months since 2000-01-01'");
  EXPECT_EQ(date(run, "days", "noleap", 1), "their units are 'days'");
  EXPECT_EQ(date(run, "days since 2000-01-01", "", 1),
            "their calendar is 'standard', the run has 'noleap'");
  EXPECT_EQ(date(run, "days since 2000-01-01", "360_day", 1),
            "their calendar is '360_day', the run has 'noleap'");
  EXPECT_EQ(date(run, "days since 2000-01-01", "noleap", 1e30),
            "one of them is 1e+30 days since 2000-01-01");
  const Calendar d360(CalendarType::d360, {});
  EXPECT_EQ(date(d360, "days since 2000-02-30", "360_Day", 31), "2000-04-01 00:00:00");
}

/// Values as cftime has them (num2date of the distribution's Python).
TEST(FileDates, of_the_mixed_calendar_are_those_of_cf) {
  const Calendar run(CalendarType::gregorian, {});
  for (const std::string calendar : {"standard", "gregorian", "Gregorian", ""}) {
    EXPECT_EQ(date(run, "days since 0001-01-01", calendar, 730121), "2000-01-01 00:00:00");
    EXPECT_EQ(date(run, "days since 1-1-1 00:00:00", calendar, 730121), "2000-01-01 00:00:00");
    EXPECT_EQ(date(run, "days since 1582-10-04", calendar, 1), "1582-10-15 00:00:00");
    EXPECT_EQ(date(run, "days since 1582-10-15", calendar, 1), "1582-10-16 00:00:00");
    EXPECT_EQ(date(run, "hours since 1800-01-01 00:00:0.0", calendar, 1753152),
              "2000-01-01 00:00:00");
  }
  EXPECT_EQ(date(run, "days since 0001-01-01", "proleptic_gregorian", 730119),
            "2000-01-01 00:00:00");
  const Calendar julian(CalendarType::julian, {});
  EXPECT_EQ(date(julian, "days since 0001-01-01", "julian", 366), "0002-01-02 00:00:00");
}

}  // namespace
}  // namespace epios::config
