// What cftime makes of it is tested with the files: file_dates.
#include "config/time_reference.hpp"

#include <gtest/gtest.h>

namespace epios::config::time_reference_test {
namespace {

/// "<calendar> since <epoch>"
std::string reference(const Calendar& calendar, const std::string& origin,
                      const std::string& start) {
  const TimeReference out = time_reference(calendar, calendar.parse(origin), calendar.parse(start));
  return out.calendar + " since " + calendar.text(out.epoch);
}

std::string reference(CalendarType type, const std::string& origin, const std::string& start) {
  return reference(Calendar(type, {}), origin, start);
}

TEST(TimeReference, of_gregorian_dates_depends_on_the_change_of_calendar) {
  const auto gregorian = CalendarType::gregorian;
  EXPECT_EQ(reference(gregorian, "1582-10-15", "2000"), "standard since 1582-10-15 00:00:00");
  EXPECT_EQ(reference(gregorian, "1582-10-14", "2000"),
            "proleptic_gregorian since 1582-10-14 00:00:00");
  EXPECT_EQ(reference(gregorian, "1900", "1582-10-14 23:59:59"),
            "proleptic_gregorian since 1900-01-01 00:00:00");
  EXPECT_EQ(reference(gregorian, "0000", "2000"), "proleptic_gregorian since 0000-01-01 00:00:00");
}

TEST(TimeReference, is_never_in_a_year_that_readers_dispute) {
  EXPECT_EQ(reference(CalendarType::julian, "0000-06", "2000"), "julian since 0001-01-01 00:00:00");
  EXPECT_EQ(reference(CalendarType::julian, "0001-06", "2000"), "julian since 0001-06-01 00:00:00");
  for (const auto& [type, name] :
       std::vector<std::pair<CalendarType, std::string>>{{CalendarType::no_leap, "noleap"},
                                                         {CalendarType::all_leap, "all_leap"},
                                                         {CalendarType::d360, "360_day"}}) {
    EXPECT_EQ(reference(type, "0000-06", "2000"), name + " since 0000-06-01 00:00:00");
    EXPECT_EQ(reference(type, "-0001-06", "2000"), name + " since 0001-01-01 00:00:00");
  }
}

UserCalendar like_julian(double offset) {
  UserCalendar user;
  user.month_lengths = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
  user.leap_month = 2;
  user.leap_drift = 0.25;
  user.leap_drift_offset = offset;
  return user;
}

TEST(TimeReference, knows_calendars_that_a_user_defines_again) {
  const auto type = CalendarType::user_defined;
  UserCalendar months;
  months.month_lengths.assign(12, 30);
  EXPECT_EQ(reference({type, {}, months}, "2000", "2000"), "360_day since 2000-01-01 00:00:00");
  EXPECT_EQ(reference({type, {}, like_julian(0.75)}, "0000", "2000"),
            "julian since 0001-01-01 00:00:00");
  EXPECT_EQ(reference({type, {}, like_julian(0.5)}, "0000", "2000"),
            "user_defined since 0000-01-01 00:00:00")
      << "leap years are 1, 5, 9, ...";
  months.day_length_s = 88'775;
  EXPECT_EQ(reference({type, {}, months}, "2000", "2000"),
            "user_defined since 2000-01-01 00:00:00");
  months.day_length_s = 86'400;
  months.month_lengths.assign(10, 36);
  EXPECT_EQ(reference({type, {}, months}, "2000", "2000"),
            "user_defined since 2000-01-01 00:00:00");
}

}  // namespace
}  // namespace epios::config::time_reference_test
