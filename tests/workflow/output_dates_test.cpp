// Dates of output in runs: lists of dates in place of periods, the state at the start, and what is
// said about data that do not come. Windows are in the cases of random_workflow_test.
#include <algorithm>
#include <map>
#include <utility>
#include <vector>

#include "continued_runs.hpp"
#include "hourly_model.hpp"
#include "recorder.hpp"

namespace epios::io::output_dates_test {
namespace {

using config::Operation;
using test::add_source;
using test::add_stream;
using test::hours;
using test::line_model;
using test::Record;

using test::expect_equal;
using test::Outcome;
constexpr std::int64_t points = test::points_sent;
using test::run_at;
using test::values_at;

/// Sends at the steps from `first` to `last`, but for those of `omitted`.
Outcome run(const config::Model& model, std::int64_t first, std::int64_t last,
            const std::vector<std::int64_t>& omitted = {}) {
  std::vector<Record> records;
  Workflow workflow = test::workflow_into(model, records);
  for (std::int64_t step = first; step <= last; ++step) {
    if (std::find(omitted.begin(), omitted.end(), step) != omitted.end()) continue;
    const std::vector<double> values = values_at(step);
    const bool is_active = workflow.is_active(0, test::at(model, step));
    const std::size_t before = records.size();
    workflow.send(0, test::at(model, step), std::span<const double>(values));
    EXPECT_TRUE(is_active || records.size() == before) << step;
  }
  workflow.finish(test::at(model, last));
  Outcome out;
  for (std::size_t s = 0; s < model.streams.size(); ++s) {
    out.accounts.push_back(workflow.account(static_cast<int>(s)));
  }
  for (Record& record : records)
    out.records.emplace(std::pair(record.stream, record.number), record);
  return out;
}

/// A stream whose records end at these steps, as XML makes it.
int add_list(config::Model& model, Operation operation, const std::vector<std::int64_t>& steps) {
  const int stream = add_stream(model, 0, operation, 1);
  config::Sampling& sampling = nth(model.streams, stream).sampling;
  sampling.output_freq = {};
  if (operation == Operation::instant) sampling.freq_offset = {};
  for (const std::int64_t step : steps) sampling.dates.ends.push_back(test::at(model, step));
  return stream;
}

TEST(OutputDates, RecordsOfAListEndAtItsDates) {
  config::Model model = line_model(points);
  add_source(model, 0);
  const int instant = add_list(model, Operation::instant, {2, 3, 7, 11});
  const int mean = add_list(model, Operation::average, {2, 3, 7, 11});
  const int sum = add_list(model, Operation::accumulate, {5});
  const Outcome out = run(model, 1, 20);
  ASSERT_EQ(out.records.size(), 9U);
  const std::vector<std::int64_t> ends = {2, 3, 7, 11};
  std::int64_t begin = 0;
  for (std::int64_t n = 0; n < 4; ++n) {
    const std::int64_t end = ends[static_cast<std::size_t>(n)];
    test::expect_same({out.records.at({instant, n}).values}, {values_at(end)});
    double total = 0;
    for (std::int64_t step = begin + 1; step <= end; ++step) total += static_cast<double>(step);
    EXPECT_EQ(out.records.at({mean, n}).samples, end - begin);
    EXPECT_EQ(out.records.at({mean, n}).values[0], total / static_cast<double>(end - begin));
    begin = end;
  }
  EXPECT_EQ(out.records.at({sum, 0}).values, (std::vector<double>{15, 55}));
  for (const StreamAccount& account : out.accounts) {
    EXPECT_EQ(account.dates_missed, 0);
    EXPECT_EQ(account.samples_left, 0) << "nothing is summed up behind the last date";
  }
}

// A list of equal periods is what output_freq would be.
TEST(OutputDates, AListOfEqualPeriodsIsThePeriod) {
  config::Model model = line_model(points);
  add_source(model, 0);
  for (const Operation operation : {Operation::instant, Operation::average, Operation::maximum}) {
    add_stream(model, 0, operation, 4);
    add_list(model, operation, {4, 8, 12, 16, 20});
  }
  const Outcome out = run(model, 1, 20, {4, 5, 6, 7, 8, 13, 20});
  ASSERT_FALSE(out.records.empty());
  for (const auto& [key, record] : out.records) {
    const int other = key.first % 2 == 0 ? key.first + 1 : key.first - 1;
    ASSERT_TRUE(out.records.contains({other, key.second})) << key.first << " " << key.second;
    test::expect_same({record.values}, {out.records.at({other, key.second}).values});
  }
  for (std::size_t s = 0; s < out.accounts.size(); s += 2) {
    EXPECT_EQ(out.accounts[s].records_missing, out.accounts[s + 1].records_missing);
    EXPECT_EQ(out.accounts[s].records_short, out.accounts[s + 1].records_short);
    EXPECT_EQ(out.accounts[s].dates_missed, out.accounts[s + 1].dates_missed);
  }
}

TEST(OutputDates, TheStateAtTheStartIsTheFirstRecord) {
  config::Model model = line_model(points);
  add_source(model, 0);
  const int each = add_stream(model, 0, Operation::instant, 4);
  const int sampled = add_stream(model, 0, Operation::instant, 4, 2);
  const int mean = add_stream(model, 0, Operation::average, 4);
  for (config::Stream& stream : model.streams) stream.sampling.dates.has_initial = true;
  const Outcome out = run(model, 0, 8);
  ASSERT_EQ(out.records.size(), 8U);
  for (std::int64_t n = 0; n < 3; ++n) {
    for (const int stream : {each, sampled}) {
      test::expect_same({out.records.at({stream, n}).values}, {values_at(4 * n)});
    }
  }
  EXPECT_EQ(out.records.at({mean, 1}).values[0], 2.5);
  EXPECT_EQ(out.records.at({mean, 2}).values[0], 6.5);
  const config::RecordTimes times = model.record_times(nth(model.streams, mean));
  EXPECT_EQ(times.of(0).end, model.start_date);
  EXPECT_EQ(times.of(0).begin, model.start_date);
  EXPECT_EQ(times.of(2).begin, test::at(model, 4));
  EXPECT_EQ(times.of(2).end, test::at(model, 8));
}

// A model that sends nothing before its first step has no such state; that is said.
TEST(OutputDates, WithoutDataOfTheStartItsRecordIsMissing) {
  config::Model model = line_model(points);
  add_source(model, 0);
  add_stream(model, 0, Operation::instant, 4);
  model.streams.front().sampling.dates.has_initial = true;
  const Outcome out = run(model, 1, 8);
  EXPECT_EQ(out.records.size(), 2U);
  EXPECT_FALSE(out.records.contains({0, 0}));
  EXPECT_EQ(out.accounts.front().records_missing, 1);
  EXPECT_EQ(out.accounts.front().first_missed, model.start_date);
}

// Nobody is told about dates that no record needs, and the model need not send then.
TEST(OutputDates, OnlyDatesInsideWindowsAreMissed) {
  config::Model model = line_model(points);
  add_source(model, 0);
  add_stream(model, 0, Operation::average, 2);
  add_stream(model, 0, Operation::instant, 2);
  for (config::Stream& stream : model.streams) {
    stream.sampling.dates.windows = {{test::at(model, 4), test::at(model, 8)},
                                     {test::at(model, 14), test::at(model, 16)}};
  }
  std::vector<std::int64_t> outside = {1, 2, 3, 9, 10, 11, 12, 13, 17, 18};
  const Outcome all = run(model, 1, 18, outside);
  EXPECT_EQ(all.records.size(), 8U);  // means of 5-6, 7-8, 15-16; instants at 4, 6, 8, 14, 16
  for (const StreamAccount& account : all.accounts) {
    EXPECT_EQ(account.dates_missed, 0);
    EXPECT_EQ(account.records_missing, 0);
  }
  outside.insert(outside.end(), {15, 16});
  const Outcome some = run(model, 1, 18, outside);
  EXPECT_EQ(some.records.size(), 6U);
  EXPECT_EQ(some.accounts[0].dates_missed, 2);
  EXPECT_EQ(some.accounts[0].first_missed, test::at(model, 15));
  EXPECT_EQ(some.accounts[0].last_missed, test::at(model, 16));
  EXPECT_EQ(some.accounts[0].records_missing, 1);
  EXPECT_EQ(some.accounts[1].records_missing, 1);
}

// A model that takes long steps first and short ones later: what it sends stands for its step.
TEST(WeightedMeans, SamplesCountForTheirTime) {
  config::Model model = line_model(points);
  add_source(model, 0);
  model.sources.front().detect_missing_value = true;
  model.sources.front().default_value = -1;
  add_stream(model, 0, Operation::average, 6);
  const int weighted = add_stream(model, 0, Operation::average, 6);
  nth(model.streams, weighted).sampling.is_weighted = true;
  const std::vector<std::int64_t> steps = {3, 6, 9, 10, 12, 13, 14, 15, 16, 17, 18, 20, 24};
  const Outcome out = run_at(model, steps, {24});
  ASSERT_EQ(out.records.size(), 8U);
  const auto first_of = [&](int stream, std::int64_t record) {
    return out.records.at({stream, record}).values[0];
  };
  EXPECT_EQ(first_of(0, 1), (9 + 10 + 12) / 3.0);
  EXPECT_EQ(first_of(weighted, 0), (3 * 3 + 3 * 6) / 6.0);
  EXPECT_EQ(first_of(weighted, 1), (3 * 9 + 10 + 2 * 12) / 6.0);
  EXPECT_EQ(first_of(weighted, 2), first_of(0, 2)) << "of equal steps";
  EXPECT_EQ(first_of(weighted, 3), (2 * 20 + 4 * 24) / 6.0);
  // Of the second point, the values of steps 10, 15 and 20 are missing.
  EXPECT_EQ(out.records.at({weighted, 1}).values[1], (3 * 81 + 2 * 144) / 5.0);
  EXPECT_EQ(out.records.at({weighted, 3}).values[1], 576);
  EXPECT_EQ(out.records.at({weighted, 1}).samples, 6);
  EXPECT_EQ(out.accounts[1].dates_missed, 0) << "steps are as long as they are";
  EXPECT_EQ(out.accounts[1].records_short, 0);
  EXPECT_GT(out.accounts[0].dates_missed, 0);
  // Where a step ends behind a period, the rest of that period has no sample.
  const Outcome late = run_at(model, {4, 8, 12}, {12});
  EXPECT_EQ(late.records.at({weighted, 0}).values[0], 4);
  EXPECT_EQ(late.records.at({weighted, 1}).values[0], (2 * 8 + 4 * 12) / 6.0);
}

TEST(WeightedMeans, GoOnInTheNextRun) {
  config::Model model = line_model(points);
  add_source(model, 0);
  model.sources.front().detect_missing_value = true;
  model.sources.front().default_value = -1;
  const int weighted = add_stream(model, 0, Operation::average, 6);
  nth(model.streams, weighted).sampling.is_weighted = true;
  const std::vector<std::int64_t> steps = {3, 6, 9, 10, 12, 15, 17, 18};
  const Outcome whole = run_at(model, steps, {18});
  for (const std::int64_t cut : {1, 3, 6, 9, 10, 15, 17}) {
    SCOPED_TRACE(cut);
    expect_equal(run_at(model, steps, {cut, 18}), whole);
  }
}

/// Daily and monthly records, as the calendar has them or from another date, of hourly steps from
/// 9 January 03:00 on.
config::Model anchored_model(config::Instant anchor, double hours_of_output) {
  config::Model model = line_model(points);
  model.start_date = model.calendar().instant({2000, 1, 9, 3});
  add_source(model, 0);
  for (const Operation operation : {Operation::instant, Operation::average, Operation::maximum}) {
    const int stream = add_stream(model, 0, operation, hours_of_output);
    config::OutputDates& dates = nth(model.streams, stream).sampling.dates;
    dates.has_anchor = true;
    dates.anchor = anchor;
  }
  return model;
}

// Such a run has the records of one from the beginning of the period that sends nothing at first.
TEST(AnchoredPeriods, AreThoseOfARunFromTheirBeginning) {
  const config::Calendar calendar = test::hourly_model().calendar();
  struct Case {
    config::Date anchor;
    double hours;
    config::Date origin;
  };
  for (const Case& c :
       {Case{{0, 1, 1}, 6, {2000, 1, 9, 0}}, Case{{0, 1, 1}, 24, {2000, 1, 9, 0}},
        Case{{2000, 1, 9, 1}, 5, {2000, 1, 9, 1}}, Case{{2000, 1, 9, 13}, 4, {2000, 1, 9, 1}},
        Case{{0, 1, 1}, 1, {2000, 1, 9, 3}}}) {
    const config::Model model = anchored_model(calendar.instant(c.anchor), c.hours);
    config::Model plain = model;
    plain.start_date = calendar.instant(c.origin);
    for (config::Stream& stream : plain.streams) stream.sampling.dates = {};
    const std::int64_t before = (model.start_date.ms - plain.start_date.ms) / 3'600'000;
    std::vector<Record> records;
    Workflow reference = test::workflow_into(plain, records);
    std::vector<std::int64_t> steps;
    for (std::int64_t step = 0; step <= 60; ++step) {
      steps.push_back(step);
      std::vector<double> array = values_at(step);
      if (step % 5 == 0) array[1] = -1;
      if (step > 0) {
        reference.send(0, test::at(plain, step + before), std::span<const double>(array));
      }
    }
    reference.finish(test::at(plain, 60 + before));
    Outcome wanted;
    for (Record& record : records) {
      wanted.records.emplace(std::pair(record.stream, record.number), record);
    }
    ASSERT_GT(wanted.records.size(), 5U);
    expect_equal(run_at(model, steps, {60}), wanted);
    for (const std::int64_t cut : {0, 2, 3, 21, 40})
      expect_equal(run_at(model, steps, {cut, 60}), wanted);
    const config::RecordTimes times = model.record_times(nth(model.streams, 1));
    EXPECT_EQ(times.of(0).begin, model.start_date);
    EXPECT_EQ(times.of(1).begin, times.of(0).end);
    EXPECT_EQ(times.origin(), plain.start_date);
    const Outcome out = run_at(model, steps, {60});
    for (const StreamAccount& account : out.accounts) {
      EXPECT_EQ(account.dates_missed, 0) << "before the start nothing is missing";
      EXPECT_EQ(account.records_short, 0);
      EXPECT_EQ(account.records_missing, 0);
    }
  }
}

}  // namespace
}  // namespace epios::io::output_dates_test
