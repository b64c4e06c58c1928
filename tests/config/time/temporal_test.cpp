#include "config/temporal.hpp"

#include <gtest/gtest.h>

#include <map>
#include <set>
#include <tuple>
#include <vector>

#include "config/error.hpp"

namespace epios::config::temporal_test {
namespace {

struct Case {
  const char* timestep;
  const char* freq_op;
  const char* freq_offset;  ///< nullptr: the default, freq_op - 1ts
  const char* output_freq;
};

std::ostream& operator<<(std::ostream& out, const Case& c) {
  return out << c.timestep << " / " << c.freq_op << " / "
             << (c.freq_offset == nullptr ? "default" : c.freq_offset) << " / " << c.output_freq;
}

constexpr int steps = 400;

/// The rule of Schedule, word by word: first dates looked for one after the other.
struct Statement {
  Statement(const Calendar& calendar, Instant start, const Sampling& s,
            const std::vector<Instant>& dates) {
    // Both dates grow with k and n, so the search goes on where it stopped.
    std::size_t i = 0;
    for (int k = 0; k < 8 * steps; ++k) {
      const Instant when = calendar.add(start, s.freq_offset + s.freq_op * k + calendar.timestep());
      while (i < dates.size() && dates[i] < when) ++i;
      if (i < dates.size()) sampled.insert(i);
    }
    i = 0;
    for (int n = 1; n < 8 * steps; ++n) {
      const Instant when =
          calendar.add(start, s.output_freq * n + s.freq_op * -1.0 + s.freq_offset);
      while (i < dates.size() && dates[i] <= when) ++i;
      if (i < dates.size()) leaving[i].push_back(n - 1);
    }
  }
  std::set<std::size_t> sampled;
  std::map<std::size_t, std::vector<std::int64_t>> leaving;
};

class ScheduleRule : public testing::TestWithParam<std::tuple<CalendarType, const char*, Case>> {};

TEST_P(ScheduleRule, is_what_decide_does) {
  const auto& [type, start_text, c] = GetParam();
  const Calendar calendar(type, Duration::parse(c.timestep));
  const Instant start = calendar.parse(start_text);
  Sampling s;
  s.freq_op = Duration::parse(c.freq_op);
  s.freq_offset = c.freq_offset == nullptr ? s.freq_op + calendar.timestep() * -1.0
                                           : Duration::parse(c.freq_offset);
  s.output_freq = Duration::parse(c.output_freq);
  std::vector<Instant> dates;
  for (int step = 1; step <= steps; ++step) dates.push_back(calendar.at_step(start, step));
  const Statement statement(calendar, start, s, dates);
  const Schedule schedule(calendar, start, s);
  Schedule::Counters counters;
  for (std::size_t i = 0; i < dates.size(); ++i) {
    const Schedule::Decision decision = schedule.decide(dates[i], counters);
    ASSERT_EQ(decision.late_record, -1) << c << " step " << i + 1;
    ASSERT_EQ(decision.sample, statement.sampled.contains(i)) << c << " step " << i + 1;
    const auto leaving = statement.leaving.find(i);
    if (leaving == statement.leaving.end()) {
      ASSERT_EQ(decision.record, -1) << c << " step " << i + 1;
    } else {
      ASSERT_EQ(leaving->second, std::vector<std::int64_t>{decision.record})
          << c << " step " << i + 1;
    }
    counters = decision.counters;
  }
  EXPECT_GT(counters.samples, 0);
  // The end of the run is over what has come at every date, and over nothing else.
  for (std::size_t i = 0; i < dates.size(); i += 7) {
    Schedule::Counters so_far;
    for (std::size_t j = 0; j <= i; ++j) so_far = schedule.decide(dates[j], so_far).counters;
    const Schedule::Decision all_came = schedule.decide_end(dates[i], so_far);
    ASSERT_EQ(all_came.late_record, -1) << c << " step " << i + 1;
    ASSERT_EQ(all_came.counters, so_far) << c << " step " << i + 1;
    const Schedule::Decision nothing_came = schedule.decide_end(dates[i], {});
    ASSERT_EQ(nothing_came.counters, so_far) << c << " step " << i + 1;
    ASSERT_EQ(nothing_came.late_record, so_far.records > 0 ? 0 : -1) << c << " step " << i + 1;
  }
  // Every sampling date lies in the period of one record.
  std::int64_t samples = 0;
  for (std::int64_t record = 0; record < counters.records; ++record) {
    for (std::int64_t n = schedule.samples_of(record); n > 0; --n, ++samples) {
      ASSERT_LE(schedule.sampling_date(samples), schedule.due_date(record)) << c;
      const bool is_later =
          record == 0 || schedule.sampling_date(samples) > schedule.due_date(record - 1);
      ASSERT_TRUE(is_later) << c;
    }
    ASSERT_GT(schedule.sampling_date(samples), schedule.due_date(record)) << c;
  }
}

// Worked out by hand: dates are hours from the start, of which data come at all from 0 on.
TEST(Schedule, with_an_offset_out_of_its_period_samples_there) {
  struct Row {
    const char* freq_op;
    const char* freq_offset;
    std::vector<std::int64_t> sampled;
    std::vector<std::int64_t> left;  ///< when the records leave, from the first that has data
    Schedule::Counters before;
    std::int64_t samples_of_first;  ///< of that record
  };
  const Calendar calendar(CalendarType::no_leap, Duration::parse("1h"));
  const Instant start = calendar.parse("2000-01-01");
  for (const Row& row : std::vector<Row>{
           {"4h", "-1h", {0, 4, 8, 12}, {0, 4, 8, 12}, {0, 0}, 1},
           {"2h", "-1h", {0, 2, 4, 6, 8, 10, 12}, {2, 6, 10}, {0, 0}, 2},
           {"2h", "-2h", {1, 3, 5, 7, 9, 11}, {1, 5, 9}, {1, 0}, 1},
           {"4h", "-6h", {3, 7, 11}, {3, 7, 11}, {2, 2}, 1},
           {"2h", "-8h", {1, 3, 5, 7, 9, 11}, {3, 7, 11}, {4, 2}, 2},
           {"4h", "4h", {5, 9}, {5, 9}, {0, 0}, 1},
           {"2h", "5h", {6, 8, 10, 12}, {8, 12}, {0, 0}, 2},
       }) {
    SCOPED_TRACE(std::string(row.freq_op) + " " + row.freq_offset);
    const Schedule schedule(calendar, start,
                            {Operation::average, Duration::parse(row.freq_op),
                             Duration::parse(row.freq_offset), Duration::parse("4h")});
    EXPECT_EQ(schedule.before_start(), row.before);
    EXPECT_EQ(schedule.samples_of(row.before.records), row.samples_of_first);
    Schedule::Counters counters = schedule.before_start();
    std::vector<std::int64_t> sampled;
    std::vector<std::int64_t> left;
    for (std::int64_t hour = 0; hour <= 12; ++hour) {
      const Instant now = calendar.at_step(start, hour);
      const bool has_effect = now >= schedule.next_effect(counters);
      const Schedule::Decision decision = schedule.decide(now, counters);
      counters = decision.counters;
      EXPECT_EQ(decision.late_record, -1);
      EXPECT_EQ(has_effect, decision.sample || decision.record >= 0);
      if (decision.sample) {
        EXPECT_EQ(schedule.step_of_sample(counters.samples - 1), hour);
        sampled.push_back(hour);
      }
      if (decision.record >= 0) {
        EXPECT_EQ(schedule.step_of_record(decision.record), hour);
        left.push_back(hour);
      }
      EXPECT_EQ(schedule.records_within(hour), counters.records);
    }
    EXPECT_EQ(sampled, row.sampled);
    EXPECT_EQ(left, row.left);
  }
}

TEST(Schedule, of_the_start_keeps_the_time_of_its_record) {
  const Calendar calendar(CalendarType::no_leap, Duration::parse("1h"));
  const Instant start = calendar.parse("2000-01-01");
  const Schedule schedule(
      calendar, start,
      {Operation::instant, Duration::parse("1mo"), Duration::parse("-1h"), Duration::parse("1mo")});
  EXPECT_EQ(schedule.due_date(0), start);
  EXPECT_EQ(calendar.text(schedule.due_date(1)), "2000-02-01 00:00:00");
  EXPECT_EQ(calendar.text(schedule.times().of(0).end), "2000-02-01 00:00:00");
  const Schedule once(
      calendar, start,
      {Operation::once, Duration::parse("1h"), Duration::parse("-1h"), Duration::parse("1mo")});
  EXPECT_EQ(once.step_of_record(0), 0);
  EXPECT_EQ(once.records_within(0), 1);
}

TEST(Schedule, of_once_is_due_with_its_first_sample) {
  const Calendar calendar(CalendarType::no_leap, Duration::parse("1h"));
  const Instant start = calendar.parse("2000-01-01");
  Sampling s;
  s.operation = Operation::once;
  s.freq_op = s.output_freq = Duration::parse("1h");
  s.freq_offset = Duration::parse("2h");
  const Schedule schedule(calendar, start, s);
  EXPECT_EQ(schedule.due_date(0), calendar.at_step(start, 3));
  EXPECT_EQ(schedule.samples_of(0), 1);
  EXPECT_EQ(schedule.decide_end(calendar.at_step(start, 2), {}).late_record, -1);
  EXPECT_EQ(schedule.decide_end(calendar.at_step(start, 3), {}).late_record, 0);
  EXPECT_EQ(schedule.decide_end(calendar.at_step(start, 9), {1, 1}).late_record, -1);
}

INSTANTIATE_TEST_SUITE_P(
    All, ScheduleRule,
    testing::Combine(testing::Values(CalendarType::gregorian, CalendarType::no_leap),
                     testing::Values("2000-01-01", "1999-12-31 18:00:00", "2004-02-28"),
                     testing::Values(Case{"1h", "1h", nullptr, "1d"},     //
                                     Case{"1h", "6h", nullptr, "1d"},     //
                                     Case{"1h", "1d", nullptr, "1d"},     //
                                     Case{"1h", "1h", nullptr, "1h"},     //
                                     Case{"1h", "5h", nullptr, "7h"},     //
                                     Case{"1h", "2h", "0s", "1d"},        //
                                     Case{"1h", "2h", "-1h", "1d"},       //
                                     Case{"1h", "1ts", nullptr, "12ts"},  //
                                     Case{"1h", "1h", "1d", "1d"},        //
                                     Case{"6h", "1d", nullptr, "1mo"},    //
                                     Case{"6h", "6h", nullptr, "1mo"},    //
                                     Case{"1d", "1mo", nullptr, "1mo"},   //
                                     Case{"1d", "1mo", nullptr, "3mo"},   //
                                     Case{"1d", "1d", nullptr, "1y"},     //
                                     Case{"1d", "1mo", "10d", "1mo"},     //
                                     Case{"7d", "1d", nullptr, "7d"},     //
                                     Case{"20mi", "1h", nullptr, "3h"},   //
                                     Case{"0.1s", "0.3s", nullptr, "1.2s"})));

TEST(Schedule, with_defaults_samples_and_writes_at_multiples) {
  const Calendar calendar(CalendarType::gregorian, Duration::parse("1h"));
  const Instant start = calendar.parse("2000-01-01");
  const Schedule schedule(calendar, start,
                          {Operation::average, Duration::parse("1h"), {}, Duration::parse("1d")});
  EXPECT_FALSE(schedule.decide(start, {}).sample);
  EXPECT_EQ(schedule.decide(calendar.at_step(start, 23), {22, 0}).record, -1);
  EXPECT_EQ(schedule.decide(calendar.at_step(start, 24), {23, 0}).record, 0);
  EXPECT_EQ(calendar.date(schedule.times().of(0).begin).text(), "2000-01-01 00:00:00");
  EXPECT_EQ(calendar.date(schedule.times().of(0).end).text(), "2000-01-02 00:00:00");
  EXPECT_EQ(calendar.date(schedule.times().of(59).end).text(), "2000-03-01 00:00:00");
}

TEST(Schedule, takes_late_data_once_for_all_sampling_dates_it_missed) {
  const Calendar calendar(CalendarType::gregorian, Duration::parse("1h"));
  const Instant start = calendar.parse("2000-01-01");
  const Schedule schedule(calendar, start,
                          {Operation::average, Duration::parse("1h"), {}, Duration::parse("1d")});
  for (const std::int64_t step : {2, 3, 10, 1000, 87'660}) {
    const Schedule::Decision decision = schedule.decide(calendar.at_step(start, step), {});
    EXPECT_TRUE(decision.sample);
    EXPECT_EQ(decision.counters.samples, step);
    EXPECT_FALSE(schedule.decide(calendar.at_step(start, step), decision.counters).sample);
  }
}

TEST(Schedule, data_that_skips_periods_stands_under_its_own_time) {
  const Calendar calendar(CalendarType::gregorian, Duration::parse("1h"));
  const Instant start = calendar.parse("2000-01-01");
  const Schedule hourly(calendar, start,
                        {Operation::instant, Duration::parse("1h"), {}, Duration::parse("1h")});
  Schedule::Counters counters;
  for (const std::int64_t step : {5, 10, 15, 87'660}) {
    const Schedule::Decision decision = hourly.decide(calendar.at_step(start, step), counters);
    EXPECT_TRUE(decision.sample);
    EXPECT_EQ(decision.record, step - 1);
    EXPECT_EQ(hourly.times().of(decision.record).end, calendar.at_step(start, step));
    counters = decision.counters;
    EXPECT_EQ(counters, (Schedule::Counters{step, step}));
  }
}

TEST(Schedule, a_period_without_data_on_its_last_date_ends_before_later_data) {
  const Calendar calendar(CalendarType::gregorian, Duration::parse("1h"));
  const Instant start = calendar.parse("2000-01-01");
  const Schedule daily(calendar, start,
                       {Operation::average, Duration::parse("1h"), {}, Duration::parse("1d")});
  const auto decide = [&](std::int64_t step, const Schedule::Counters& so_far) {
    return daily.decide(calendar.at_step(start, step), so_far);
  };
  const Schedule::Decision first = decide(20, {});
  EXPECT_EQ(first.late_record, -1);
  EXPECT_EQ(first.record, -1);
  const Schedule::Decision later = decide(25, first.counters);
  EXPECT_EQ(later.late_record, 0);
  EXPECT_TRUE(later.sample);
  EXPECT_EQ(later.record, -1);
  const Schedule::Decision at_the_end = decide(96, later.counters);
  EXPECT_EQ(at_the_end.late_record, 1);
  EXPECT_TRUE(at_the_end.sample);
  EXPECT_EQ(at_the_end.record, 3);
}

TEST(Schedule, a_missed_sampling_date_of_an_earlier_period_takes_no_later_data) {
  const Calendar calendar(CalendarType::gregorian, Duration::parse("1h"));
  const Instant start = calendar.parse("2000-01-01");
  const Sampling sampling = {Operation::instant, Duration::parse("1d"), Duration::parse("23h"),
                             Duration::parse("1d")};
  const Schedule schedule(calendar, start, sampling);
  const Schedule::Decision missed = schedule.decide(calendar.at_step(start, 25), {});
  EXPECT_FALSE(missed.sample);
  EXPECT_EQ(missed.record, -1);
  const Schedule::Decision met = schedule.decide(calendar.at_step(start, 48), missed.counters);
  EXPECT_TRUE(met.sample);
  EXPECT_EQ(met.record, 1);
}

/// Whatever the offset: a period of five days has the results of its five days.
TEST(Schedule, waits_for_data_that_come_at_dates_of_their_own) {
  const Calendar calendar(CalendarType::no_leap, Duration::parse("4h"));
  const Instant start = calendar.instant({2000, 1, 1});
  const auto after = [&](double hours) { return calendar.add(start, {.hour = hours}); };
  for (const double offset : {-4.0, 0.0, 4.0, 16.0, 20.0, 24.0}) {
    Schedule schedule(calendar, start,
                      {Operation::average, {.day = 1}, {.hour = offset}, {.day = 5}});
    schedule.feed([&](Instant date) {  // of results that are due at 24 h, 48 h ... of this offset
      std::int64_t day = 1;
      while (after(static_cast<double>(day) * 24 + offset) < date) ++day;
      return Schedule::Data{after(static_cast<double>(day) * 24 + offset),
                            after(static_cast<double>(day) * 24 + std::min(offset, 0.0))};
    });
    EXPECT_EQ(schedule.sampling_date(0), after(24 + offset)) << offset;
    EXPECT_EQ(schedule.sampling_date(4), after(120 + offset)) << offset;
    EXPECT_EQ(schedule.due_date(0), after(120 + offset)) << offset;
    EXPECT_EQ(schedule.due_date(1), after(240 + offset)) << offset;
    EXPECT_EQ(schedule.samples_of(0), 5) << offset;
    EXPECT_EQ(schedule.samples_of(1), 5) << offset;
    Schedule::Counters counters = schedule.before_start();
    int samples = 0;
    for (int day = 1; day <= 5; ++day) {
      const auto decision = schedule.decide(after(day * 24 + offset), counters);
      samples += decision.sample ? 1 : 0;
      EXPECT_EQ(decision.record, day == 5 ? 0 : -1) << offset << " day " << day;
      EXPECT_EQ(decision.late_record, -1);
      counters = decision.counters;
    }
    EXPECT_EQ(samples, 5) << offset;
  }
}

/// Where every step is a sample, what comes more seldom is one at its own date.
TEST(Schedule, of_what_comes_counts_dates_that_have_data) {
  const Calendar calendar(CalendarType::no_leap, Duration::parse("1h"));
  const Instant start = calendar.instant({2000, 1, 1});
  Schedule schedule(calendar, start, {Operation::average, {.hour = 1}, {}, {.hour = 5}});
  schedule.feed([&](Instant date) {
    constexpr std::int64_t two_hours = 7'200'000;
    const Instant next{start.ms + (date.ms - start.ms + two_hours - 1) / two_hours * two_hours};
    return Schedule::Data{next, next};
  });
  EXPECT_EQ(schedule.due_date(0), calendar.at_step(start, 5));
  EXPECT_EQ(schedule.samples_of(0), 2) << "2 h and 4 h";
  EXPECT_EQ(schedule.samples_of(1), 3) << "6 h, 8 h and 10 h";
  EXPECT_EQ(schedule.samples_within(0, 10), 5);
}

/// Returns when data comes every so many hours.
Schedule::NextData every(Instant start, std::int64_t hours) {
  return [start, length = hours * 3'600'000](Instant date) {
    const std::int64_t since = std::max<std::int64_t>(date.ms - start.ms, 1);
    const Instant next{start.ms + (since + length - 1) / length * length};
    return Schedule::Data{next, next};
  };
}

TEST(Schedule, waits_for_no_data_from_behind_the_period) {
  const Calendar calendar(CalendarType::no_leap, Duration::parse("1h"));
  const Instant start = calendar.instant({2000, 1, 1});
  const auto at = [&](std::int64_t step) { return calendar.at_step(start, step); };
  Schedule instants(calendar, start, {Operation::instant, {.hour = 6}, {.hour = 5}, {.hour = 6}});
  instants.feed(every(start, 5));
  EXPECT_EQ(instants.due_date(0), at(6)) << "the data of 10 h are of the next period";
  EXPECT_FALSE(instants.has_data(0));
  EXPECT_TRUE(instants.has_data(4)) << "30 h are 5 times 6 and 6 times 5";
  EXPECT_EQ(instants.samples_of(0), 1) << "somebody misses it";
  EXPECT_EQ(instants.records_with_samples(0, 5), 5);
  const auto second = instants.decide(at(10), {});
  EXPECT_FALSE(second.sample);
  EXPECT_EQ(second.late_record, 0);
  const auto fifth = instants.decide(at(30), second.counters);
  EXPECT_TRUE(fifth.sample);
  EXPECT_EQ(fifth.record, 4);

  Schedule means(calendar, start, {Operation::average, {.hour = 6}, {.hour = 5}, {.day = 1}});
  means.feed(every(start, 5));
  EXPECT_EQ(means.sampling_date(0), at(10));
  EXPECT_EQ(means.sampling_date(2), at(20));
  EXPECT_EQ(means.sampling_date(3), at(24)) << "25 h are of the next day";
  EXPECT_EQ(means.due_date(0), at(24));
  EXPECT_TRUE(means.has_data(0));
  EXPECT_EQ(means.samples_of(0), 4) << "one of them never comes";
}

/// From September: the third period is the first that ends with a result.
TEST(Schedule, of_five_days_in_months_has_the_months_that_end_with_a_result) {
  const Calendar calendar(CalendarType::no_leap, Duration::parse("1d"));
  const Instant start = calendar.parse("2000-09-01");
  Schedule monthly(calendar, start,
                   {Operation::instant, Duration::parse("1mo"),
                    Duration::parse("1mo") + Duration::parse("-1d"), Duration::parse("1mo")});
  monthly.feed(every(start, 5 * 24));
  EXPECT_TRUE(monthly.has_data(0));
  EXPECT_EQ(calendar.text(monthly.due_date(0)), "2000-10-01 00:00:00");
  for (const int record : {1, 2, 3}) EXPECT_FALSE(monthly.has_data(record)) << record;
  EXPECT_EQ(calendar.text(monthly.due_date(3)), "2001-01-01 00:00:00");
}

TEST(Schedule, bounds_of_months_follow_the_calendar) {
  const Calendar calendar(CalendarType::no_leap, Duration::parse("1d"));
  const Schedule schedule(calendar, calendar.parse("2000-01-01"),
                          {Operation::average, Duration::parse("1d"), {}, Duration::parse("1mo")});
  EXPECT_EQ(calendar.date(schedule.times().of(1).begin).text(), "2000-02-01 00:00:00");
  EXPECT_EQ(calendar.date(schedule.times().of(1).end).text(), "2000-03-01 00:00:00");
  EXPECT_EQ(calendar.date(schedule.times().of(12).begin).text(), "2001-01-01 00:00:00");
}

TEST(Schedule, refuses_periods_that_stand_still) {
  const Calendar calendar(CalendarType::gregorian, Duration::parse("1h"));
  const auto with_freq_op = [&](const char* freq_op) {
    try {
      Schedule(calendar, {}, {Operation::average, Duration::parse(freq_op), {}, {0, 0, 1}});
    } catch (const Error& error) {
      return std::string(error.what());
    }
    return std::string("no error");
  };
  EXPECT_EQ(with_freq_op("0s"),
            "freq_op '0s' does not move time forward (a period must be positive, and a fraction of "
            "a month has no length).");
  EXPECT_NE(with_freq_op("-1h"), "no error");
  EXPECT_NE(with_freq_op("0.5mo"), "no error");
  EXPECT_EQ(with_freq_op("0.5y"), "no error");
}

/// Every date of some months against the records counted one by one, also where months differ.
class ReadScheduleOf : public testing::TestWithParam<CalendarType> {};

TEST_P(ReadScheduleOf, calendar_has_a_record_at_its_dates_and_nowhere_else) {
  const Calendar calendar(GetParam(), Duration::parse("6h"));
  for (const char* begin : {"2000-01-30 00:00:00", "1999-12-01 06:00:00"}) {
    const Instant start = calendar.parse(begin);
    for (const char* period : {"6h", "1d", "10d", "1mo", "1mo6h", "1y"}) {
      for (const char* offset : {"0s", "6h", "2d", "-6h", "-9d"}) {
        const Reading reading{false, Duration::parse(period), Duration::parse(offset)};
        const ReadSchedule schedule(calendar, start, reading);
        std::int64_t next = 0;
        while (calendar.add(start, reading.offset + reading.period * static_cast<double>(next)) <
               start) {
          ++next;
        }
        for (int step = 0; step < 1600; ++step) {
          const Instant now = calendar.at_step(start, step);
          const Instant due =
              calendar.add(start, reading.offset + reading.period * static_cast<double>(next));
          ASSERT_EQ(schedule.date_of(next), due);
          const bool is_date = now == due;
          ASSERT_EQ(schedule.record_at(now), is_date ? next : -1) << period << offset << step;
          if (is_date) ++next;
          ASSERT_EQ(schedule.latest(now), next - 1);
        }
        EXPECT_GE(next, 2);
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(All, ReadScheduleOf,
                         testing::Values(CalendarType::gregorian, CalendarType::julian,
                                         CalendarType::no_leap, CalendarType::all_leap,
                                         CalendarType::d360));

TEST(ReadSchedule, once_is_at_any_date) {
  const Calendar calendar(CalendarType::no_leap, Duration::parse("6h"));
  const Instant start = calendar.parse("2000-01-31 00:00:00");
  const ReadSchedule schedule(calendar, start, {true, {}, {}});
  for (int step = 0; step < 9; ++step) {
    EXPECT_EQ(schedule.record_at(calendar.at_step(start, step)), 0);
  }
}

TEST(ReadSchedule, refuses_a_period_that_stands_still) {
  const Calendar calendar(CalendarType::no_leap, Duration::parse("6h"));
  EXPECT_THROW(ReadSchedule(calendar, {}, {false, {}, {}}), Error);
}

TEST(Operation, has_a_word_for_cell_methods) {
  EXPECT_EQ(cell_method(Operation::instant), "point");
  EXPECT_EQ(cell_method(Operation::average), "mean");
  EXPECT_EQ(cell_method(Operation::accumulate), "sum");
  EXPECT_EQ(cell_method(Operation::minimum), "minimum");
  EXPECT_EQ(cell_method(Operation::maximum), "maximum");
  EXPECT_FALSE(is_centered(Operation::instant));
  EXPECT_TRUE(is_centered(Operation::accumulate));
}

TEST(Operations, words_lead_there_and_back) {
  for (const std::string_view word :
       {"instant", "average", "accumulate", "minimum", "maximum", "once"}) {
    const auto operation = operation_named(word);
    ASSERT_TRUE(operation.has_value()) << word;
    EXPECT_EQ(name(*operation), word);
  }
  EXPECT_EQ(operation_named("mean"), std::nullopt);
  EXPECT_EQ(cell_method(Operation::accumulate), "sum");
  EXPECT_EQ(cell_method(Operation::once), "");
}

}  // namespace
}  // namespace epios::config::temporal_test
