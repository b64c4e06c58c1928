#include "config/file_series.hpp"

#include <gtest/gtest.h>

#include "config/error.hpp"

namespace epios::config::file_series_test {
namespace {

const Calendar& hourly() {
  static const Calendar calendar(CalendarType::gregorian, Duration::parse("1h"));
  return calendar;
}

FileSeries series(const char* freq, SplitRule rule = {}, const char* start = "2000-01-01") {
  rule.freq = Duration::parse(freq);
  return {hourly(), hourly().parse(start), hourly().parse("1950-01-01"), std::move(rule)};
}

TEST(FileSeries, names_parts_down_to_the_smallest_unit) {
  EXPECT_EQ(series("1y").name("out", 2), "out_2002-2002");
  EXPECT_EQ(series("10y").name("out", 0), "out_2000-2009");
  EXPECT_EQ(series("1mo").name("out", 1), "out_200002-200002");
  EXPECT_EQ(series("1y 6mo").name("out", 1), "out_200107-200212");
  EXPECT_EQ(series("5d").name("out", 0), "out_20000101-20000105");
  EXPECT_EQ(series("6h").name("out", 1), "out_2000010106-2000010111");
  EXPECT_EQ(series("6ts").name("out", 1), "out_2000010106-2000010111");
  EXPECT_EQ(series("30mi").name("out", 0), "out_200001010000-200001010029");
  EXPECT_EQ(series("10s").name("out", 0), "out_20000101000000-20000101000009");
}

TEST(FileSeries, puts_dates_where_the_name_wants_them) {
  EXPECT_EQ(series("1mo").name("a/%start_date%/b_%end_date%_%start_date%", 0),
            "a/200001/b_200001_200001");
  EXPECT_EQ(series("1mo").name("only_%end_date%", 0), "only_200001");
  EXPECT_EQ(series("0s").name("a%start_date%_%end_date%", 0), "a_");
  EXPECT_EQ(series("0s").name("out", 0), "out");
  EXPECT_EQ(series("0s").part_of(hourly().parse("3000")), 0);
}

TEST(FileSeries, follows_format_offsets_and_last_date) {
  SplitRule rule;
  rule.format = "%y.%mo.%d-%D";
  EXPECT_EQ(series("1mo", rule).name("o", 0), "o_2000.01.01-18262-2000.01.31-18292");
  rule.format = "%y%mo%d";
  rule.end_offset = {};
  EXPECT_EQ(series("1mo", rule).name("o", 0), "o_20000101-20000201");
  rule.start_offset = Duration::parse("1d");
  EXPECT_EQ(series("1mo", rule).name("o", 0), "o_20000102-20000201");
  rule.last_date = hourly().parse("2000-01-20");
  EXPECT_EQ(series("1mo", rule).name("o", 0), "o_20000102-20000120");
  rule.end_offset = Duration::parse("-1s");
  EXPECT_EQ(series("1mo", rule).name("o", 0), "o_20000102-20000119");
}

TEST(FileSeries, starts_a_part_with_the_first_record_after_the_boundary) {
  const FileSeries months = series("1mo");
  EXPECT_EQ(months.part_of(hourly().parse("2000-01-01 00:00:01")), 0);
  EXPECT_EQ(months.part_of(hourly().parse("2000-02-01")), 0);
  EXPECT_EQ(months.part_of(hourly().parse("2000-02-01 00:00:01")), 1);
  const Schedule daily(hourly(), hourly().parse("2000-01-01"),
                       {Operation::average, Duration::parse("1h"), {}, Duration::parse("1d")});
  EXPECT_EQ(months.first_record(daily.times(), 1), 31);
  EXPECT_EQ(months.first_record(daily.times(), 2), 60);
  EXPECT_EQ(months.first_record(daily.times(), 12), 366);
}

TEST(FileSeries, goes_on_from_the_preceding_run) {
  // The run starts on 2000-01-16; its files are those of a run that started with the year.
  const Schedule daily(hourly(), hourly().parse("2000-01-16"),
                       {Operation::average, Duration::parse("1h"), {}, Duration::parse("1d")});
  const FileSeries months = series("1mo");
  EXPECT_EQ(months.first_record(daily.times(), 0), 0);
  EXPECT_EQ(months.first_record(daily.times(), 1), 16);
  EXPECT_EQ(months.part_of(daily.times().of(15).end), 0);
}

TEST(FileSeries, needs_no_months) {
  UserCalendar user;
  user.day_length_s = 1000;
  user.year_length_s = 3500;
  const Calendar calendar(CalendarType::user_defined, Duration::parse("10s"), user);
  SplitRule rule;
  rule.freq = Duration::parse("1d");
  EXPECT_EQ(FileSeries(calendar, {}, {}, rule).name("o", 0), "o_000001-000001");
  EXPECT_EQ(FileSeries(calendar, {}, {}, rule).format(), "%y%d");
}

TEST(FileSeries, refuses_parts_that_stand_still) {
  try {
    series("0.5mo");
    ADD_FAILURE();
  } catch (const Error& error) {
    EXPECT_EQ(std::string(error.what()),
              "split_freq '0.5mo' does not move time forward (a period must be positive, and a "
              "fraction of a month has no length).");
  }
}

TEST(RankSuffix, is_as_wide_as_the_largest_rank) {
  EXPECT_EQ(rank_suffix(3, 4, 0), "_3");
  EXPECT_EQ(rank_suffix(3, 11, 0), "_03");
  EXPECT_EQ(rank_suffix(3, 10, 0), "_3");
  EXPECT_EQ(rank_suffix(3, 2, 4), "_0003");
}

}  // namespace
}  // namespace epios::config::file_series_test
