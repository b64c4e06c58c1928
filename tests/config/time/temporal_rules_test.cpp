// Every combination of periods and calendars, against the rules as they are written down: dates
// looked for one step after the other.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "config/file_series.hpp"
#include "config/temporal.hpp"
#include "time/multiples.hpp"

namespace epios::config::temporal_rules_test {
namespace {

constexpr int steps = 150;

std::vector<Calendar> calendars(const Duration& step) {
  UserCalendar mars;
  mars.day_length_s = 90'000;
  mars.month_lengths = {61, 66, 66, 65, 60, 54, 50, 46, 47, 47, 51, 55};
  mars.leap_month = 12;
  mars.leap_drift = 0.6;
  std::vector<Calendar> result;
  for (const CalendarType type :
       {CalendarType::gregorian, CalendarType::julian, CalendarType::no_leap,
        CalendarType::all_leap, CalendarType::d360}) {
    result.emplace_back(type, step);
  }
  result.emplace_back(CalendarType::user_defined, step, mars);
  return result;
}

/// One field in one file of one run.
struct Case {
  const Calendar& calendar;
  Instant start;
  Sampling sampling;
  Duration split;
  std::string text() const {
    return std::string(calendar.cf_name()) + " " + calendar.timestep().text() + " / " +
           sampling.freq_op.text() + " / " + sampling.freq_offset.text() + " / " +
           sampling.output_freq.text() + " / " + split.text();
  }
  Instant after(const Duration& duration) const { return calendar.add(start, duration); }
};

/// Samples and records of all steps as decide() says, against the dates of the rule.
void check_schedule(const Case& run) {
  const Schedule schedule(run.calendar, run.start, run.sampling);
  const Duration& f = run.sampling.freq_op;
  const Duration& o = run.sampling.output_freq;
  const Duration& off = run.sampling.freq_offset;
  Schedule::Counters counters = schedule.before_start();
  auto sample = static_cast<int>(counters.samples);
  auto record = static_cast<int>(counters.records);
  for (int step = 0; step <= steps; ++step) {
    const Instant now = run.calendar.at_step(run.start, step);
    const bool is_sampled = now >= run.after(off + f * sample + run.calendar.timestep());
    const bool is_leaving = now > run.after(o * (record + 1) + f * -1.0 + off);
    const Schedule::Decision decision = schedule.decide(now, counters);
    ASSERT_EQ(decision.sample, is_sampled) << "step " << step;
    ASSERT_EQ(decision.record, is_leaving ? record : -1) << "step " << step;
    ASSERT_EQ(decision.late_record, -1) << "step " << step;
    if (is_sampled) {
      ASSERT_EQ(schedule.step_of_sample(sample++), step);
    }
    if (is_leaving) {
      ASSERT_EQ(schedule.step_of_record(record++), step);
    }
    ASSERT_EQ(schedule.records_within(step), record) << "step " << step;
    counters = decision.counters;
  }
}

/// Where records stand, against walking through the boundaries of the parts.
void check_series(const Case& run) {
  const Schedule schedule(run.calendar, run.start, run.sampling);
  const FileSeries series(run.calendar, run.start, run.start, {run.split, "", {}, {}, {}});
  std::int64_t part = 0;
  std::string name;
  for (std::int64_t record = 0; record < schedule.records_within(steps); ++record) {
    const RecordTime time = schedule.times().of(record);
    ASSERT_EQ(time.begin, run.after(run.sampling.output_freq * static_cast<double>(record)));
    ASSERT_EQ(time.end, run.after(run.sampling.output_freq * static_cast<double>(record + 1)));
    const bool is_new = time.end > run.after(run.split * static_cast<double>(part + 1));
    while (time.end > run.after(run.split * static_cast<double>(part + 1))) ++part;
    ASSERT_EQ(series.part_of(time.end), part) << "record " << record;
    ASSERT_GT(time.end, series.period(part).begin);
    ASSERT_LE(time.end, series.period(part).end);
    if (record == 0 || is_new) {
      ASSERT_EQ(series.first_record(schedule.times(), part), record);
      const std::string new_name = series.name("f", part);
      ASSERT_NE(new_name, name);
      name = new_name;
    }
  }
}

TEST(TemporalRules, hold_for_every_combination) {
  int count = 0;
  for (const char* step_text : {"1h", "6h", "1d", "1mo"}) {
    const Duration step = Duration::parse(step_text);
    for (const Calendar& calendar : calendars(step)) {
      const Instant start = calendar.instant({1999, 12, 1});
      const auto fits = [&](const Duration& period, const Duration& unit) {
        return is_multiple(calendar, start, period, unit);
      };
      for (const char* f : {"1h", "2h", "6h", "1d", "5d", "1mo"}) {
        const Duration freq_op = Duration::parse(f);
        if (!fits(freq_op, step)) continue;
        for (const char* o : {"1h", "6h", "1d", "10d", "1mo", "3mo", "1y"}) {
          const Duration output_freq = Duration::parse(o);
          if (!fits(output_freq, freq_op)) continue;
          for (const Duration& offset : {freq_op + step * -1.0, Duration{}, step, step * -1.0,
                                         freq_op + step, step * -3.0}) {
            for (const char* s : {"1d", "1mo", "1y", "10y"}) {
              const Case run{calendar,
                             start,
                             {Operation::average, freq_op, offset, output_freq},
                             Duration::parse(s)};
              SCOPED_TRACE(run.text());
              // The schedule knows nothing of splits.
              if (std::string(s) == "1d") check_schedule(run);
              if (!HasFatalFailure()) check_series(run);
              if (HasFatalFailure()) return;
              ++count;
            }
          }
        }
      }
    }
  }
  EXPECT_GT(count, 1000);
}

TEST(Schedule, of_once_is_over_with_the_first_sample) {
  const Calendar calendar(CalendarType::d360, Duration::parse("1h"));
  const Instant start = calendar.instant({2000, 1, 1});
  const Schedule schedule(
      calendar, start,
      {Operation::once, Duration::parse("2h"), Duration::parse("1h"), Duration::parse("1d")});
  Schedule::Counters counters;
  for (std::int64_t step = 1; step < 100; ++step) {
    const Schedule::Decision decision = schedule.decide(calendar.at_step(start, step), counters);
    EXPECT_EQ(decision.sample, step == 2) << step;
    EXPECT_EQ(decision.record, step == 2 ? 0 : -1) << step;
    EXPECT_EQ(decision.late_record, -1) << step;
    counters = decision.counters;
  }
  EXPECT_EQ(schedule.step_of_record(0), 2);
  EXPECT_EQ(schedule.records_within(1), 0);
  EXPECT_EQ(schedule.records_within(1000), 1);
  EXPECT_FALSE(has_time(Operation::once));
  EXPECT_FALSE(is_centered(Operation::once));
  EXPECT_EQ(cell_method(Operation::once), "");
}

}  // namespace
}  // namespace epios::config::temporal_rules_test
