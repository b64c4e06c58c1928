// Random dates, against a table that calendar_reference.py made with cftime.
#include <gtest/gtest.h>

#include <array>
#include <fstream>
#include <map>
#include <string>

#include "config/calendar.hpp"
#include "config/date_position.hpp"

namespace epios::config::calendar_reference_test {
namespace {

constexpr std::array types{CalendarType::gregorian, CalendarType::julian, CalendarType::no_leap,
                           CalendarType::all_leap, CalendarType::d360};

TEST(Calendar, has_the_dates_that_cftime_has) {
  std::map<std::string, Calendar> calendars;
  for (const CalendarType type : types) {
    calendars.emplace(std::string(cf_name(type)), Calendar(type, {}));
  }
  std::ifstream table(EPIOS_CALENDAR_TABLE);
  ASSERT_TRUE(table) << EPIOS_CALENDAR_TABLE;
  std::map<std::string, int> counts;
  std::string name;
  while (table >> name) {
    Instant instant;
    Date date;
    std::int64_t day_of_year = 0;
    table >> instant.ms >> date.year >> date.month >> date.day >> date.hour >> date.minute >>
        date.second >> date.millisecond >> day_of_year;
    ASSERT_TRUE(table);
    const Calendar& calendar = calendars.at(name);
    ASSERT_EQ(calendar.date(instant), date) << name << " " << instant.ms;
    ASSERT_EQ(calendar.instant(date), instant) << name << " " << date.text();
    ASSERT_EQ(calendar.parse(calendar.text(instant)), instant) << name << " " << date.text();
    const std::int64_t ms_of_day =
        ((date.hour * 60 + date.minute) * 60 + date.second) * 1000 + date.millisecond;
    const double fraction = static_cast<double>(ms_of_day) / 86'400'000;
    const auto whole_days = static_cast<double>(day_of_year - 1);
    const double days_of_year = calendar.days_in_year(date.year);
    ASSERT_NEAR(epios::config::day_of_year(calendar, instant), whole_days + fraction, 1e-12)
        << name << " " << date.text();
    ASSERT_EQ(second_of_day(calendar, instant), static_cast<double>(ms_of_day) / 1000);
    ASSERT_NEAR(fraction_of_day(calendar, instant), fraction, 1e-15);
    ASSERT_NEAR(second_of_year(calendar, instant), (whole_days + fraction) * 86'400, 1e-7);
    ASSERT_NEAR(fraction_of_year(calendar, instant), (whole_days + fraction) / days_of_year, 1e-15);
    ++counts[name];
  }
  ASSERT_EQ(counts.size(), types.size());
  for (const auto& [calendar, count] : counts) EXPECT_EQ(count, 20'000) << calendar;
}

}  // namespace
}  // namespace epios::config::calendar_reference_test
