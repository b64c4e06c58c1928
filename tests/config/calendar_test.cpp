#include "config/calendar.hpp"

#include <gtest/gtest.h>

#include <random>

#include "config/error.hpp"

namespace epios::config {
namespace {

constexpr std::int64_t day_ms = 86'400'000;

Calendar gregorian(const Duration& step = {}) { return {CalendarType::gregorian, step}; }
Calendar no_leap(const Duration& step = {}) { return {CalendarType::no_leap, step}; }

std::string message(const auto& call) {
  try {
    call();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::configuration);
    return error.what();
  }
  return "no error";
}

TEST(Calendar, knows_dates_from_elsewhere) {
  const Calendar g = gregorian();
  EXPECT_EQ(g.instant({0, 1, 1}).ms, 0);
  EXPECT_EQ(g.instant({1970, 1, 1}).ms, 719'528 * day_ms);    // Unix epoch
  EXPECT_EQ(g.instant({2000, 1, 1}).ms, 730'485 * day_ms);    // Unix day 10957
  EXPECT_EQ(g.instant({1858, 11, 17}).ms, 678'941 * day_ms);  // modified Julian day 0
  EXPECT_EQ(no_leap().instant({2000, 1, 1}).ms, 730'000 * day_ms);
  EXPECT_EQ(g.date({719'528 * day_ms - 1}).text(), "1969-12-31 23:59:59.999");
  EXPECT_EQ(g.date({-1}).text(), "-0001-12-31 23:59:59.999");
}

/// Every day of 1200 years, against an odometer that knows only the lengths of months.
class EveryDay : public testing::TestWithParam<CalendarType> {};

TEST_P(EveryDay, follows_the_day_before) {
  const Calendar calendar(GetParam(), {});
  Date date{-600, 1, 1};
  std::int64_t ms = calendar.instant(date).ms;
  int days = 0;
  for (; date.year < 600; ms += day_ms) {
    ASSERT_EQ(calendar.instant(date).ms, ms) << date.text();
    ASSERT_EQ(calendar.date({ms}), date) << date.text();
    ++days;
    if (++date.day <= calendar.days_in_month(date.year, date.month)) continue;
    date.day = 1;
    if (++date.month <= 12) continue;
    date.month = 1;
    ASSERT_EQ(days, calendar.days_in_year(date.year)) << date.year;
    ++date.year;
    days = 0;
  }
}

INSTANTIATE_TEST_SUITE_P(Calendars, EveryDay,
                         testing::Values(CalendarType::gregorian, CalendarType::no_leap));

TEST(Calendar, comes_back_from_random_instants) {
  std::mt19937_64 random(7);
  std::uniform_int_distribution<std::int64_t> any(-31'000'000'000'000'000, 31'000'000'000'000'000);
  for (int i = 0; i < 100'000; ++i) {
    const Instant instant{any(random)};
    ASSERT_EQ(gregorian().instant(gregorian().date(instant)), instant) << instant.ms;
    ASSERT_EQ(no_leap().instant(no_leap().date(instant)), instant) << instant.ms;
  }
}

TEST(Calendar, has_leap_days_by_the_400_year_rule) {
  for (const std::int64_t year : {2000, 2004, 0, -4, 1600, 2400}) {
    EXPECT_EQ(gregorian().days_in_month(year, 2), 29) << year;
    EXPECT_EQ(gregorian().days_in_year(year), 366) << year;
  }
  for (const std::int64_t year : {1900, 2001, 2100, -100}) {
    EXPECT_EQ(gregorian().days_in_month(year, 2), 28) << year;
  }
  EXPECT_EQ(no_leap().days_in_month(2000, 2), 28);
  EXPECT_EQ(no_leap().days_in_year(2000), 365);
}

TEST(Calendar, adds_months_before_the_rest) {
  const auto sum = [](const Calendar& calendar, const char* date, const char* duration) {
    return calendar.date(calendar.add(calendar.parse(date), Duration::parse(duration))).text();
  };
  EXPECT_EQ(sum(gregorian(), "2000-01-31", "1mo"), "2000-02-29 00:00:00");
  EXPECT_EQ(sum(no_leap(), "2000-01-31", "1mo"), "2000-02-28 00:00:00");
  EXPECT_EQ(sum(gregorian(), "2000-01-31", "1mo 1d"), "2000-03-01 00:00:00");
  EXPECT_EQ(sum(gregorian(), "2000-02-29 06:00:00", "1y"), "2001-02-28 06:00:00");
  EXPECT_EQ(sum(gregorian(), "2000-01-15", "-1mo"), "1999-12-15 00:00:00");
  EXPECT_EQ(sum(gregorian(), "2000-01-15", "0.5y"), "2000-07-15 00:00:00");
  EXPECT_EQ(sum(gregorian(), "2000-01-15", "1.5mo"), "2000-02-15 00:00:00");
  EXPECT_EQ(sum(gregorian(), "2000-01-01", "1.5d 0.5h 0.25s"), "2000-01-02 12:30:00.250");
  EXPECT_EQ(sum(gregorian(Duration::parse("1800s")), "2000-01-01", "1d -1ts"),
            "2000-01-01 23:30:00");
}

TEST(Calendar, steps_do_not_accumulate_rounding) {
  const Calendar calendar = gregorian(Duration::parse("0.3333333333333333h"));
  const Instant start = calendar.instant({2000, 1, 1});
  for (const std::int64_t step : {1, 3, 72, 72'000, 26'280'000}) {
    EXPECT_EQ(calendar.at_step(start, step).ms, start.ms + step * 1'200'000) << step;
  }
  const Calendar monthly = gregorian(Duration::parse("1mo"));
  EXPECT_EQ(monthly.date(monthly.at_step(monthly.parse("2000-01-31"), 2)).text(),
            "2000-03-31 00:00:00");
}

TEST(Calendar, reads_dates_cut_from_the_right) {
  const Calendar g = gregorian();
  const auto read = [&](const char* text) { return g.date(g.parse(text)).text(); };
  EXPECT_EQ(read("2000"), "2000-01-01 00:00:00");
  EXPECT_EQ(read("2000-2"), "2000-02-01 00:00:00");
  EXPECT_EQ(read(" 2000-02-29 "), "2000-02-29 00:00:00");
  EXPECT_EQ(read("2000-02-29 7"), "2000-02-29 07:00:00");
  EXPECT_EQ(read("2000-02-29 07:08"), "2000-02-29 07:08:00");
  EXPECT_EQ(read("2000-02-29 07:08:09.5"), "2000-02-29 07:08:09.500");
  EXPECT_EQ(read("-0044-03-15"), "-0044-03-15 00:00:00");
  EXPECT_EQ(read("2000-01-31 + 1mo 1h"), "2000-02-29 01:00:00");
}

TEST(Calendar, says_why_a_date_is_refused) {
  const std::string hint =
      "Use 'year-month-day hour:minute:second', which may be cut from the right.";
  const auto refusal = [](const char* text) { return message([&] { no_leap().parse(text); }); };
  EXPECT_EQ(
      refusal("2000-02-29"),
      "'2000-02-29 00:00:00' is not a date (that month has days 1 to 28 in calendar noleap). " +
          hint);
  EXPECT_EQ(refusal("2000-13"),
            "'2000-13-01 00:00:00' is not a date (months are 1 to 12). " + hint);
  EXPECT_EQ(refusal("2000/1"), "'2000/1' is not a date ('/' where '-' was expected). " + hint);
  EXPECT_EQ(refusal(""), "'' is not a date (it is empty). " + hint);
  EXPECT_EQ(refusal("soon"), "'soon' is not a date (a number is missing or too long). " + hint);
  EXPECT_EQ(refusal("2000-01-01 24:00:00"),
            "'2000-01-01 24:00:00' is not a date (times are 00:00:00 to 23:59:59). " + hint);
  EXPECT_EQ(refusal("2000-01-01 + 1w"),
            "'2000-01-01 + 1w' is not a date (unknown unit 'w' after '+'). " + hint);
  EXPECT_EQ(refusal("2000-01-01 01:02:03 UTC"),
            "'2000-01-01 01:02:03 UTC' is not a date (' UTC' after its end). " + hint);
}

TEST(Calendar, refuses_what_would_overflow) {
  EXPECT_EQ(message([] { gregorian().add({0}, Duration::parse("1e300d")); }),
            "date out of range (more than 1000000 years from year 0).");
  EXPECT_THROW(gregorian().add({0}, Duration::parse("1e300y")), Error);
  EXPECT_THROW(gregorian().date({INT64_MAX}), Error);
  EXPECT_THROW(gregorian().add({INT64_MIN}, {}), Error);
  EXPECT_EQ(message([] { gregorian(Duration::parse("2ts")); }),
            "time step '2ts' contains 'ts' (a time step cannot be measured in time steps). Use y, "
            "mo, d, h, mi and s.");
}

TEST(Duration, reads_and_prints) {
  const Duration d = Duration::parse(" 1y 2mo3d 4 h 5mi 6.5s -7ts");
  EXPECT_EQ(d, (Duration{1, 2, 3, 4, 5, 6.5, -7}));
  EXPECT_EQ(d.text(), "1y 2mo 3d 4h 5mi 6.5s -7ts");
  EXPECT_EQ(Duration{}.text(), "0s");
  EXPECT_TRUE(Duration::parse("0s").is_zero());
}

TEST(Duration, comes_back_from_its_text) {
  std::mt19937 random(3);
  std::normal_distribution<double> number(0, 1e3);
  std::bernoulli_distribution is_given(0.5);
  for (int i = 0; i < 2000; ++i) {
    Duration d;
    for (double* part : {&d.year, &d.month, &d.day, &d.hour, &d.minute, &d.second, &d.timestep}) {
      if (is_given(random)) *part = number(random);
    }
    ASSERT_EQ(Duration::parse(d.text()), d) << d.text();
  }
}

TEST(Duration, says_why_it_is_refused) {
  const auto refusal = [](const char* text) { return message([&] { Duration::parse(text); }); };
  const std::string hint = "Use numbers with units y, mo, d, h, mi, s or ts, as in '1d 6h'.";
  EXPECT_EQ(refusal("1w"), "'1w' is not a duration (unknown unit 'w'). " + hint);
  EXPECT_EQ(refusal("1d 2d"), "'1d 2d' is not a duration (unit 'd' twice). " + hint);
  EXPECT_EQ(refusal("day"), "'day' is not a duration (no number at 'day'). " + hint);
  EXPECT_EQ(refusal("12"), "'12' is not a duration (no unit after 12). " + hint);
  EXPECT_EQ(refusal(""), "'' is not a duration (empty text is not a duration). " + hint);
  EXPECT_EQ(refusal("infd"), "'infd' is not a duration (no number at 'infd'). " + hint);
}

}  // namespace
}  // namespace epios::config
