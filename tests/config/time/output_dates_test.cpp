// The text of output_dates, and what it makes of records: their times, and which are left out.
#include "time/output_dates.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "config/error.hpp"

namespace epios::config::output_dates_test {
namespace {

Duration hours(double count) {
  Duration out;
  out.hour = count;
  return out;
}
Duration months(double count) {
  Duration out;
  out.month = count;
  return out;
}

class OutputDatesText : public testing::Test {
 protected:
  Calendar calendar_{CalendarType::gregorian, hours(1)};
  Instant start_ = calendar_.instant({2000, 1, 1});

  Instant at(const std::string& text) const { return calendar_.parse(text); }
  OutputDates parse(const std::string& text) const {
    return parse_output_dates(calendar_, start_, text);
  }
  std::string refusal(const std::string& text) const {
    try {
      parse(text);
    } catch (const Error& error) {
      return error.what();
    }
    return "none";
  }
};

TEST_F(OutputDatesText, ListsAndWindows) {
  EXPECT_FALSE(has_windows("2000-01-05"));
  EXPECT_EQ(parse("2000-01-05 , 2000-01-17 12:00").ends,
            (std::vector<Instant>{at("2000-01-05"), at("2000-01-17 12:00:00")}));
  EXPECT_EQ(parse("+6h, +1d, 2000-01-02 + 1d").ends,
            (std::vector<Instant>{at("2000-01-01 06:00"), at("2000-01-02"), at("2000-01-03")}));
  EXPECT_TRUE(has_windows("2000-01-05 .. "));
  const OutputDates two = parse("2000-01-05..2000-02-01, 2000-03-01 .. +1y");
  EXPECT_TRUE(two.ends.empty());
  EXPECT_EQ(two.windows, (std::vector<DateWindow>{{at("2000-01-05"), at("2000-02-01")},
                                                  {at("2000-03-01"), at("2001-01-01")}}));
  const OutputDates open = parse(".. 2000-02-01");
  EXPECT_LT(open.windows.front().first, at("-9999-01-01"));
  EXPECT_EQ(open.windows.front().last, at("2000-02-01"));
  EXPECT_GT(parse("2000-02-01 ..").windows.front().last, at("9999-01-01"));
}

TEST_F(OutputDatesText, Mistakes) {
  const auto says = [&](const std::string& text, const std::string& what) {
    EXPECT_NE(refusal(text).find(what), std::string::npos) << refusal(text);
  };
  says("", "a date is missing");
  says("2000-01-05,", "a date is missing");
  says("2000-01-05, 2000-01-06 .. 2000-01-07", "both dates and windows");
  says("2000-02-30", "'2000-02-30' is not a date");
  says("+6x", "a period is expected");
  says("2000-01-05 .. 2000-01-04", "ends before it begins");
  says("2000-01-05 .. 2000-01-06 .. 2000-01-07", "more than two dates");
  says("2000-01-05, 2000-01-05", "is not after the date before it");
}

/// What a walk through all hours gives for a schedule.
struct Walk {
  std::vector<std::int64_t> records, samples, steps;
};
Walk walk(const Calendar& calendar, Instant start, const Schedule& schedule, std::int64_t steps) {
  Walk out;
  Schedule::Counters counters = schedule.before_start();
  std::int64_t samples = 0;
  for (std::int64_t step = 0; step <= steps; ++step) {
    const Instant now = calendar.at_step(start, step);
    const Schedule::Decision decision = schedule.decide(now, counters);
    EXPECT_TRUE(now >= schedule.next_effect(counters) ||
                (!decision.sample && decision.record < 0 && decision.late_record < 0))
        << step;
    counters = decision.counters;
    if (decision.sample) ++samples;
    if (decision.record < 0) continue;
    out.records.push_back(decision.record);
    out.samples.push_back(samples);
    out.steps.push_back(step);
    samples = 0;
  }
  EXPECT_EQ(samples, 0) << "what no record has is sampled";
  return out;
}

// Means have whole periods inside, instants their dates.
TEST_F(OutputDatesText, WindowsOfDays) {
  Sampling mean{Operation::average,
                hours(1),
                {},
                hours(24),
                parse("2000-01-05 .. 2000-01-08, 2000-01-10 .. 2000-01-10 12:00")};
  const Schedule means(calendar_, start_, mean);
  const Walk of_means = walk(calendar_, start_, means, 20 * 24);
  EXPECT_EQ(of_means.records, (std::vector<std::int64_t>{4, 5, 6}));
  EXPECT_EQ(of_means.samples, (std::vector<std::int64_t>{24, 24, 24}));
  EXPECT_EQ(of_means.steps, (std::vector<std::int64_t>{120, 144, 168}));
  EXPECT_EQ(means.times().first_wanted(0), 4);
  EXPECT_EQ(means.samples_of(3), 0);
  EXPECT_EQ(means.samples_of(4), 24);
  EXPECT_EQ(means.samples_within(0, 20 * 24), 72);
  EXPECT_EQ(first_wanted_sample(means, 0, 480), 96);
  EXPECT_EQ(last_wanted_sample(means, 0, 480), 167);
  EXPECT_EQ(means.records_with_samples(0, 20), 3);
  EXPECT_FALSE(means.always_has_data());

  Sampling instant = mean;
  instant.operation = Operation::instant;
  instant.freq_op = hours(24);
  instant.freq_offset = hours(23);
  const Walk of_instants = walk(calendar_, start_, Schedule(calendar_, start_, instant), 20 * 24);
  EXPECT_EQ(of_instants.records, (std::vector<std::int64_t>{3, 4, 5, 6, 8}));
}

// Months of different lengths, cut by the window.
TEST_F(OutputDatesText, WindowsOfMonths) {
  const Sampling mean{
      Operation::average, hours(1), {}, months(1), parse("2000-02-01 .. 2000-04-15")};
  const Walk out = walk(calendar_, start_, Schedule(calendar_, start_, mean), 366 * 24);
  EXPECT_EQ(out.records, (std::vector<std::int64_t>{1, 2}));
  EXPECT_EQ(out.samples, (std::vector<std::int64_t>{29 * 24, 31 * 24}));
}

// Dates of jobs before this one stay in the list, so that records have the same numbers in all.
TEST_F(OutputDatesText, ListsWithDatesBeforeTheStart) {
  const Sampling mean{Operation::average,
                      hours(2),
                      hours(1),
                      {},
                      parse("1999-12-01, 2000-01-01 08:00, 2000-01-02")};
  const Schedule schedule(calendar_, start_, mean);
  const Walk out = walk(calendar_, start_, schedule, 60);
  EXPECT_EQ(out.records, (std::vector<std::int64_t>{1, 2}));
  EXPECT_EQ(out.samples, (std::vector<std::int64_t>{4, 8}));
  EXPECT_EQ(out.steps, (std::vector<std::int64_t>{8, 24}));
  EXPECT_EQ(schedule.times().of(1).begin, start_);
  EXPECT_EQ(schedule.times().of(1).end, at("2000-01-01 08:00"));
  EXPECT_EQ(schedule.times().of(2).begin, at("2000-01-01 08:00"));
  EXPECT_EQ(schedule.records_within(1000), 3);
  EXPECT_EQ(schedule.first_due(at("2000-02-01")), 3);
}

// Data at certain dates only: an instant waits for no other date than its own.
TEST_F(OutputDatesText, InstantsOfAListThatIsFed) {
  Sampling sampling{Operation::instant,
                    hours(1),
                    {},
                    {},
                    parse("2000-01-01 06:00, 2000-01-01 07:00, 2000-01-01 12:00")};
  Schedule schedule(calendar_, start_, sampling);
  schedule.feed([this](Instant date) {
    const std::int64_t six_hours = 6 * 3'600'000;
    const std::int64_t since = date.ms - start_.ms;
    const std::int64_t periods = since <= 0 ? 0 : (since + six_hours - 1) / six_hours;
    const Instant next{start_.ms + periods * six_hours};
    return Schedule::Data{next, next};
  });
  EXPECT_TRUE(schedule.has_data(0));
  EXPECT_FALSE(schedule.has_data(1));
  EXPECT_TRUE(schedule.has_data(2));
  EXPECT_FALSE(schedule.has_data(3));
  EXPECT_EQ(schedule.due_date(2), at("2000-01-01 12:00"));
}

// The run begins on 10 January at noon: its first month has 21.5 days.
TEST_F(OutputDatesText, MonthsOfTheCalendarFromAnyStart) {
  const Instant start = at("2000-01-10 12:00");
  Sampling mean{Operation::average, hours(1), {}, months(1)};
  mean.dates.has_anchor = true;
  const Schedule schedule(calendar_, start, mean);
  const std::int64_t until_may = 111 * 24 + 12;
  const Walk out = walk(calendar_, start, schedule, until_may);
  EXPECT_EQ(out.records, (std::vector<std::int64_t>{0, 1, 2, 3}));
  EXPECT_EQ(out.samples, (std::vector<std::int64_t>{21 * 24 + 12, 29 * 24, 31 * 24, 30 * 24}));
  EXPECT_EQ(schedule.times().of(0).begin, start);
  EXPECT_EQ(schedule.times().of(0).end, at("2000-02-01"));
  EXPECT_EQ(schedule.times().of(1).begin, at("2000-02-01"));
  EXPECT_EQ(schedule.samples_of(0), 21 * 24 + 12);
  EXPECT_EQ(schedule.records_within(until_may), 4);

  Sampling instant{Operation::instant, hours(6), hours(5), hours(6)};
  instant.dates.has_anchor = true;
  const Instant three = at("2000-01-10 03:00");
  EXPECT_EQ(walk(calendar_, three, Schedule(calendar_, three, instant), 24).steps,
            (std::vector<std::int64_t>{3, 9, 15, 21}))
      << "at 06, 12, 18 and 00 o'clock";
}

TEST_F(OutputDatesText, PeriodsBeginBeforeTheStartOrWithIt) {
  const auto begin = [&](const char* anchor, const char* start, const Duration& period) {
    return calendar_.text(period_begin(calendar_, at(anchor), at(start), period));
  };
  EXPECT_EQ(begin("0000-01-01", "2000-01-10 03:00", hours(6)), "2000-01-10 00:00:00");
  EXPECT_EQ(begin("0000-01-01", "2000-01-10 06:00", hours(6)), "2000-01-10 06:00:00");
  EXPECT_EQ(begin("0000-01-01", "2000-05-10", months(3)), "2000-04-01 00:00:00");
  EXPECT_EQ(begin("0000-01-01", "2003-05-10", months(120)), "2000-01-01 00:00:00");
  EXPECT_EQ(begin("2000-01-10 13:00", "2000-01-10 03:00", hours(4)), "2000-01-10 01:00:00");
  EXPECT_EQ(begin("2000-01-10 13:00", "2000-01-10 01:00", hours(4)), "2000-01-10 01:00:00");
}

// Months of ten years, leap years among them: those of the last year are records, with bounds from
// the first one on.
TEST_F(OutputDatesText, MonthsWithinYearsOverTenYears) {
  Sampling mean{Operation::average, hours(24), {}, months(1)};
  mean.dates.cycle_periods = 12;
  mean.dates.climatology_freq = months(120);
  const Schedule schedule(calendar_, start_, mean);
  const RecordTimes& times = schedule.times();
  EXPECT_EQ(times.first_wanted(0), 108);
  EXPECT_EQ(times.first_wanted(120), 228);
  for (std::int64_t record = 0; record < 240; ++record) {
    EXPECT_EQ(times.leaves_out(record), record % 120 < 108) << record;
    EXPECT_FALSE(times.skips_samples(record)) << record;
  }
  EXPECT_EQ(times.first_period_of(109), 1);
  EXPECT_EQ(times.first_period_of(229), 121);
  EXPECT_EQ(times.of(109).begin, at("2000-02-01"));
  EXPECT_EQ(times.of(109).begin_of_last(), at("2009-02-01"));
  EXPECT_EQ(times.of(109).end, at("2009-03-01"));
  EXPECT_EQ(times.whole_of(50).begin, start_);
  EXPECT_EQ(times.whole_of(50).end, at("2010-01-01"));
  EXPECT_EQ(schedule.samples_of(109), 3 * 29 + 7 * 28);  // 2000, 2004, 2008
  EXPECT_EQ(schedule.samples_of(1), 0);
}

// Hours of the day for each month, which have other numbers of days: of a run that begins on
// 10 January at noon, and with months of the calendar.
TEST_F(OutputDatesText, HoursWithinDaysOverMonths) {
  Sampling mean{Operation::average, hours(1), {}, hours(6)};
  mean.dates.cycle_periods = 4;
  mean.dates.climatology_freq = months(1);
  const RecordTimes plain(calendar_, start_, mean);
  EXPECT_EQ(plain.first_wanted(0), 30 * 4);
  EXPECT_EQ(plain.first_wanted(31 * 4), (31 + 28) * 4);  // February 2000 has 29 days
  EXPECT_EQ(plain.first_period_of((31 + 28) * 4 + 3), 31 * 4 + 3);
  const Instant start = at("2000-01-10 12:00");
  mean.dates.has_anchor = true;
  const RecordTimes anchored(calendar_, start, mean);
  EXPECT_EQ(anchored.of(0).end, at("2000-01-10 18:00"));
  const std::int64_t first = anchored.first_wanted(0);
  EXPECT_EQ(anchored.of(first).end, at("2000-01-31 06:00"));
  EXPECT_EQ(anchored.of(first).begin, at("2000-01-11"));
  EXPECT_EQ(anchored.of(first + 2).begin, start) << "from 12 to 18 o'clock, since the start";
  EXPECT_EQ(anchored.of(anchored.first_wanted(first + 4)).end, at("2000-02-29 06:00"));
}

}  // namespace
}  // namespace epios::config::output_dates_test
