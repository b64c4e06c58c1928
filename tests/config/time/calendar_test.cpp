#include "config/calendar.hpp"

#include <gtest/gtest.h>

#include <random>
#include <utility>
#include <vector>

#include "config/date_position.hpp"
#include "config/error.hpp"

namespace epios::config::calendar_test {
namespace {

constexpr std::int64_t day_ms = 86'400'000;

Calendar gregorian(const Duration& step = {}) { return {CalendarType::gregorian, step}; }
Calendar no_leap(const Duration& step = {}) { return {CalendarType::no_leap, step}; }

UserCalendar with_months(std::vector<std::int64_t> lengths, std::int64_t day_length_s = 86'400) {
  UserCalendar user;
  user.day_length_s = day_length_s;
  user.month_lengths = std::move(lengths);
  return user;
}
/// Julian years, as a user would define them.
UserCalendar like_julian(std::int64_t origin_year) {
  UserCalendar user = with_months({31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31});
  user.leap_month = 2;
  user.leap_drift = 0.25;
  // A leap year ends with a sum of one.
  user.leap_drift_offset = 0.25 * static_cast<double>(((origin_year + 3) % 4 + 4) % 4);
  user.origin_year = origin_year;
  return user;
}
/// 24.66 h a day; 668 days and a drift of 0.6.
UserCalendar mars() {
  UserCalendar user = with_months({61, 66, 66, 65, 60, 54, 50, 46, 47, 47, 51, 55}, 88'775);
  user.leap_month = 12;
  user.leap_drift = 0.6;
  return user;
}
/// The year of Mercury has 0.5 days.
UserCalendar without_months(std::int64_t day_length_s, std::int64_t year_length_s) {
  UserCalendar user;
  user.day_length_s = day_length_s;
  user.year_length_s = year_length_s;
  return user;
}
Calendar user_defined(const UserCalendar& user, const Duration& step = {}) {
  return {CalendarType::user_defined, step, user};
}

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

/// Every day of 600 years, against an odometer that knows only the lengths of months.
class EveryDay : public testing::TestWithParam<Calendar> {};

TEST_P(EveryDay, follows_the_day_before) {
  const Calendar& calendar = GetParam();
  Date date{-300, 1, 1};
  std::int64_t ms = calendar.instant(date).ms;
  int days = 0;
  for (; date.year < 300; ms += 1000 * calendar.day_length_s()) {
    ASSERT_EQ(calendar.instant(date).ms, ms) << date.text();
    ASSERT_EQ(calendar.date({ms}), date) << date.text();
    ++days;
    if (++date.day <= calendar.days_in_month(date.year, date.month)) continue;
    date.day = 1;
    if (++date.month <= calendar.months_per_year()) continue;
    date.month = 1;
    ASSERT_EQ(days, calendar.days_in_year(date.year)) << date.year;
    ASSERT_EQ(days * calendar.day_length_s(), calendar.year_length_s(date.year)) << date.year;
    ++date.year;
    days = 0;
  }
}

INSTANTIATE_TEST_SUITE_P(Calendars, EveryDay,
                         testing::Values(gregorian(), Calendar(CalendarType::julian, {}), no_leap(),
                                         Calendar(CalendarType::all_leap, {}),
                                         Calendar(CalendarType::d360, {}),
                                         user_defined(like_julian(1999)), user_defined(mars()),
                                         user_defined(with_months({1, 2, 3}, 10))));

TEST(Calendar, comes_back_from_random_instants) {
  std::mt19937_64 random(7);
  std::uniform_int_distribution<std::int64_t> any(-31'000'000'000'000'000, 31'000'000'000'000'000);
  const std::vector<Calendar> calendars{gregorian(),
                                        no_leap(),
                                        Calendar(CalendarType::julian, {}),
                                        Calendar(CalendarType::all_leap, {}),
                                        user_defined(like_julian(-7)),
                                        user_defined(without_months(86'400, 31'558'150)),
                                        user_defined(without_months(15'201'360, 7'600'530))};
  for (int i = 0; i < 100'000; ++i) {
    const Calendar& calendar = calendars[static_cast<std::size_t>(i) % calendars.size()];
    Instant instant{any(random)};
    if (!calendar.has_months()) instant.ms /= 10;  // their years may be shorter
    ASSERT_EQ(calendar.instant(calendar.date(instant)), instant) << instant.ms;
    ASSERT_EQ(calendar.parse(calendar.text(instant)), instant) << calendar.text(instant);
  }
}

TEST(Calendar, of_a_user_with_julian_years_is_julian) {
  std::mt19937_64 random(8);
  std::uniform_int_distribution<std::int64_t> any(-31'000'000'000'000'000, 31'000'000'000'000'000);
  const Calendar julian(CalendarType::julian, {});
  for (int i = 0; i < 100'000; ++i) {
    const Calendar like = user_defined(like_julian(i % 4000 - 2000));
    const Instant instant{any(random)};
    ASSERT_EQ(like.date(instant), julian.date(instant)) << instant.ms << " " << i;
  }
}

TEST(Calendar, of_a_user_has_leap_years_as_the_drift_passes_one) {
  const Calendar calendar = user_defined(mars());
  std::string leap_years;
  for (int year = 0; year < 10; ++year) {
    leap_years += calendar.days_in_year(year) == 669 ? 'L' : '-';
  }
  EXPECT_EQ(leap_years, "-L-LL-L-LL");  // sums 0.6 1.2 1.8 2.4 3.0 3.6 ...
  EXPECT_EQ(calendar.days_in_month(1, 12), 56);
  EXPECT_EQ(calendar.text({calendar.instant({1, 12, 56}).ms + 88'774'000}), "0001-12-56 24:39:34");
  EXPECT_EQ(calendar.text(calendar.add(calendar.instant({1, 12, 56}), {1, 0, 0, 1})),
            "0002-12-55 01:00:00");
}

TEST(Calendar, without_months_counts_days_of_the_year) {
  // 3.5 days a year: the last one is cut short.
  const Calendar calendar = user_defined(without_months(1000, 3500));
  EXPECT_EQ(calendar.text(calendar.parse("2-4 0:08:19")), "0002-04 00:08:19");
  EXPECT_EQ(calendar.parse("2-4 0:08:19").ms, (2 * 3500 + 3 * 1000 + 499) * 1000);
  EXPECT_EQ(calendar.text({calendar.parse("2-4 0:08:19").ms + 1000}), "0003-01 00:00:00");
  EXPECT_EQ(calendar.text(calendar.parse("-1-1 + 1y 1d 1s")), "0000-02 00:00:01");
  EXPECT_EQ(calendar.text(calendar.parse("0-1 + 0.5y")), "0000-02 00:12:30");
  EXPECT_EQ(day_of_year(calendar, {3'499'999}), 3 + 0.499999);
  const auto refusal = [&](const char* text) { return message([&] { calendar.parse(text); }); };
  const std::string hint = " Use 'year-day hour:minute:second', which may be cut from the right.";
  EXPECT_EQ(refusal("1-5"), "'0001-05 00:00:00' is not a date (a year has days 1 to 4).");
  EXPECT_EQ(refusal("1-4 0:9:0"),
            "'0001-04 00:09:00' is not a date (times are 00:00:00 to 00:08:19).");
  EXPECT_EQ(refusal("1-1-1"), "'1-1-1' is not a date ('-' where ' ' was expected)." + hint);
  EXPECT_EQ(refusal("1-1 + 1mo"),
            "duration '1mo' has months (the calendar has no months). Use y, d, h, mi, s and ts.");
}

TEST(Calendar, with_days_longer_than_the_year_counts_hours_of_the_year) {
  const Calendar calendar = user_defined(without_months(15'201'360, 7'600'530));
  EXPECT_EQ(calendar.text({7'600'530'000 + 7'600'529'000}), "0001 2111:15:29");
  EXPECT_EQ(calendar.parse("0001 2111:15:29").ms, 7'600'530'000 + 7'600'529'000);
  EXPECT_EQ(message([&] { calendar.parse("1-1"); }),
            "'1-1' is not a date ('-' where ' ' was expected). Use 'year hour:minute:second', "
            "which may be cut from the right.");
}

TEST(Calendar, of_a_user_says_what_is_wrong) {
  const auto complaint = [](const UserCalendar& user) {
    return message([&] { user_defined(user); });
  };
  EXPECT_EQ(complaint(without_months(0, 10)),
            "day_length of the calendar (a day has one second or more).");
  EXPECT_EQ(complaint(with_months({30, 0})),
            "month_lengths of the calendar (a month has one day or more).");
  EXPECT_EQ(complaint(with_months({1'000'000'000})),
            "month_lengths of the calendar (a year has at most 1000000000 seconds).");
  EXPECT_EQ(complaint({}),
            "year_length of the calendar (a year without months has one second or more).");
  UserCalendar user = with_months({30});
  user.year_length_s = 1;
  EXPECT_EQ(complaint(user), "year_length of the calendar (the year is as long as its months).");
  user = with_months({30});
  user.leap_month = 2;
  EXPECT_EQ(complaint(user), "leap_year_month of the calendar (months are 1 to 1).");
  user.leap_month = 1;
  user.leap_drift = 1;
  EXPECT_EQ(complaint(user),
            "leap_year_drift of the calendar (it is a fraction of a day, from 0 to less than 1).");
}

TEST(Calendar, answers_how_far_a_year_and_a_day_have_come) {
  const Calendar g = gregorian();
  const Instant noon = g.parse("2000-12-31 12:00:00");
  EXPECT_EQ(day_of_year(g, noon), 365.5);
  EXPECT_EQ(day_of_year(g, g.parse("2012-02-29 15:00:00")), 59.625);
  EXPECT_EQ(second_of_year(g, noon), 365.5 * 86'400);
  EXPECT_EQ(fraction_of_year(g, noon), 365.5 / 366);
  EXPECT_EQ(second_of_day(g, noon), 43'200);
  EXPECT_EQ(fraction_of_day(g, noon), 0.5);
  EXPECT_EQ(g.year_length_s(2000), 366 * 86'400);
  EXPECT_EQ(g.day_length_s(), 86'400);
  EXPECT_EQ(seconds_between(g.parse("2000-02-28"), g.parse("2000-03-01")), 2 * 86'400);
  EXPECT_EQ(seconds_between(noon, g.parse("2000-12-31")), -43'200);
  EXPECT_LT(g.parse("1999-12-31 23:59:59.999"), g.parse("2000-01-01"));
  EXPECT_DOUBLE_EQ(second_of_year(g, {-1}), 365 * 86'400 - 0.001);
}

TEST(Calendar, fills_patterns) {
  const Calendar g = gregorian();
  const Instant instant = g.parse("0850-03-04 05:06:07");
  EXPECT_EQ(g.format(instant, "%y%mo%d_%h-%mi-%s"), "08500304_05-06-07");
  EXPECT_EQ(g.format(instant, "%x%%y %"), "%x%0850 %");
  EXPECT_EQ(g.format(instant, "%S %D", g.parse("0850-03-03 05:06:08")), "86399 0");
  EXPECT_EQ(g.format({-1}, "%y-%D"), "-0001--1");
}

TEST(Calendar, has_the_lengths_of_its_type) {
  const Calendar julian(CalendarType::julian, {});
  EXPECT_EQ(julian.days_in_year(1900), 366);
  EXPECT_EQ(julian.days_in_year(1901), 365);
  const Calendar all_leap(CalendarType::all_leap, {});
  EXPECT_EQ(all_leap.days_in_month(1901, 2), 29);
  EXPECT_EQ(all_leap.days_in_year(1901), 366);
  const Calendar d360(CalendarType::d360, {});
  EXPECT_EQ(d360.days_in_month(1901, 2), 30);
  EXPECT_EQ(d360.text(d360.parse("1901-02-30 + 1mo 1d")), "1901-04-01 00:00:00");
  EXPECT_EQ(d360.days_in_year(1901), 360);
  EXPECT_EQ(message([&] { d360.parse("1901-01-31"); }),
            "'1901-01-31 00:00:00' is not a date (that month has days 1 to 30 in calendar "
            "360_day).");
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
  try {
    no_leap().days_in_month(2000, 13);
    ADD_FAILURE();
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), "month 13 does not exist (1 to 12).");
  }
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
      "'2000-02-29 00:00:00' is not a date (that month has days 1 to 28 in calendar noleap).");
  EXPECT_EQ(refusal("2000-13"), "'2000-13-01 00:00:00' is not a date (months are 1 to 12).");
  EXPECT_EQ(refusal("2000/1"), "'2000/1' is not a date ('/' where '-' was expected). " + hint);
  EXPECT_EQ(refusal(""), "'' is not a date (it is empty). " + hint);
  EXPECT_EQ(refusal("soon"), "'soon' is not a date (a number is missing or too long). " + hint);
  EXPECT_EQ(refusal("2000-01-01 24:00:00"),
            "'2000-01-01 24:00:00' is not a date (times are 00:00:00 to 23:59:59).");
  EXPECT_EQ(refusal("2000-01-01 + 1w"),
            "'2000-01-01 + 1w' is not a date (unknown unit 'w' after '+'). Use numbers with "
            "units y, mo, d, h, mi, s or ts, as in '1d 6h'.");
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

std::vector<Calendar> every_calendar(const Duration& step = {}) {
  std::vector<Calendar> out;
  for (const CalendarType type :
       {CalendarType::gregorian, CalendarType::julian, CalendarType::no_leap,
        CalendarType::all_leap, CalendarType::d360}) {
    out.emplace_back(type, step);
  }
  for (const UserCalendar& user : {like_julian(0), mars(), with_months({20, 20, 20}, 36'000),
                                   without_months(86'400, 777'600)}) {
    out.push_back(user_defined(user, step));
  }
  return out;
}

TEST(Calendar, knows_which_durations_are_equal) {
  const auto are_equal = [](const Calendar& calendar, const char* a, const char* b) {
    return calendar.are_equal(Duration::parse(a), Duration::parse(b));
  };
  for (const Calendar& calendar : every_calendar(Duration::parse("30mi"))) {
    SCOPED_TRACE(calendar.cf_name());
    EXPECT_TRUE(are_equal(calendar, "1h", "60mi"));
    EXPECT_TRUE(are_equal(calendar, "0.5h", "1ts"));
    EXPECT_TRUE(are_equal(calendar, "0.1h 24s", "6.4mi"));
    EXPECT_TRUE(are_equal(calendar, "0s", "0d"));
    EXPECT_FALSE(are_equal(calendar, "1h", "61mi"));
    EXPECT_EQ(are_equal(calendar, "1d", "24h"), calendar.day_length_s() == 86'400);
    if (!calendar.has_months()) continue;
    EXPECT_EQ(are_equal(calendar, "1y", "12mo"), calendar.months_per_year() == 12);
    EXPECT_EQ(are_equal(calendar, "1mo", "30d"), calendar.type() == CalendarType::d360);
    EXPECT_EQ(are_equal(calendar, "1y", "365d"), calendar.type() == CalendarType::no_leap);
    EXPECT_FALSE(are_equal(calendar, "0.5mo", "15d")) << "it has no length";
  }
  EXPECT_TRUE(are_equal(user_defined(with_months({20, 20, 20}, 36'000)), "3mo", "600h"));
  EXPECT_TRUE(are_equal(user_defined(without_months(86'400, 777'600)), "1y", "9d"));
  EXPECT_FALSE(are_equal(gregorian(), "1ts", "1h")) << "the model sets the time step";
}

// Whatever is said to be equal is equal at every date, repeated and in sums.
TEST(Calendar, equal_durations_lead_to_equal_dates) {
  std::mt19937 random(7);
  const auto pick = [&](int most) {
    return static_cast<double>(std::uniform_int_distribution<int>(0, most)(random));
  };
  int equal = 0;
  for (const Calendar& calendar : every_calendar(Duration::parse("15mi"))) {
    SCOPED_TRACE(calendar.cf_name());
    for (int i = 0; i < 4000; ++i) {
      Duration a;
      Duration b;
      for (Duration* const d : {&a, &b}) {
        // Few values, so that many are equal.
        if (calendar.has_months()) (pick(1) > 0 ? d->year : d->month) = pick(2) * pick(12);
        (pick(1) > 0 ? d->day : d->hour) = pick(1) * (pick(1) > 0 ? 24 : 30) * pick(2);
        d->timestep = 96 * pick(1);
      }
      if (!calendar.are_equal(a, b)) continue;
      ++equal;
      const Instant from{static_cast<std::int64_t>(pick(1'000'000)) * 3'600'000};
      const Duration other{0, pick(3), 0, pick(5), 0, 0, 0};
      const double times = pick(20);
      const Duration rest = calendar.has_months() ? other : Duration{};
      EXPECT_EQ(calendar.add(from, a * times + rest), calendar.add(from, b * times + rest))
          << a.text() << " and " << b.text() << ", " << times << " times";
    }
  }
  EXPECT_GT(equal, 1000);
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
}  // namespace epios::config::calendar_test
