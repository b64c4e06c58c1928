// Climatologies: records of periods within a cycle over several cycles, in one run and in several,
// with data that do not come.
#include <cmath>
#include <limits>
#include <map>
#include <utility>
#include <vector>

#include "continued_runs.hpp"
#include "hourly_model.hpp"
#include "recorder.hpp"

namespace epios::io::climatology_test {
namespace {

using config::Operation;
using test::expect_equal;
using test::hours;
using test::Outcome;
constexpr std::int64_t points = test::points_sent;
using test::run_at;
using test::values_at;

constexpr std::int64_t periods = 4;     // of six hours in a day
constexpr std::int64_t whole_days = 3;  // that a climatology is of
constexpr std::int64_t steps = 7 * 24;  // two climatologies, and a day
constexpr std::int64_t records_of_one = periods * whole_days;

/// Six-hourly records within days over three days: of means without and with missing values, and of
/// maxima.
config::Model diurnal_model() {
  config::Model model = test::line_model(points);
  test::add_source(model, 0);
  model.sources.front().detect_missing_value = true;
  model.sources.front().default_value = -1;
  for (const Operation operation :
       {Operation::average, Operation::maximum, Operation::accumulate}) {
    const int stream = test::add_stream(model, 0, operation, 24 / periods);
    config::OutputDates& dates = nth(model.streams, stream).sampling.dates;
    dates.cycle_periods = periods;
    dates.climatology_freq = hours(24 * whole_days);
  }
  return model;
}

std::vector<std::int64_t> all_steps() {
  std::vector<std::int64_t> out;
  for (std::int64_t step = 1; step <= steps; ++step) out.push_back(step);
  return out;
}

/// What a record of one operation has, from the samples of its periods alone, which are among so
/// many that follow each other.
std::vector<double> expected(Operation operation, std::int64_t record,
                             const std::vector<std::int64_t>& sent,
                             std::int64_t together = records_of_one) {
  std::vector<double> out;
  const std::int64_t begin = record / together * together;
  for (std::size_t point = 0; point < points; ++point) {
    double sum = 0;
    double largest = -1;
    double count = 0;
    for (const std::int64_t step : sent) {
      const std::int64_t period = (step - 1) / (24 / periods);
      const bool is_inside = period >= begin && period < begin + together;
      if (!is_inside || period % periods != record % periods) continue;
      if (point == 1 && step % 5 == 0) continue;  // missing
      const double value = values_at(step)[point];
      sum += value;
      largest = std::max(largest, value);
      ++count;
    }
    const double missing = std::numeric_limits<double>::quiet_NaN();
    const double result = operation == Operation::average   ? sum / count
                          : operation == Operation::maximum ? largest
                                                            : sum;
    out.push_back(count > 0 ? result : missing);
  }
  return out;
}

void expect_records(const config::Model& model, const Outcome& out,
                    const std::vector<std::int64_t>& sent) {
  for (const auto& [key, record] : out.records) {
    const Operation operation = nth(model.streams, key.first).sampling.operation;
    SCOPED_TRACE(key.second);
    test::expect_same({record.values}, {expected(operation, key.second, sent)});
  }
}

// A sum that went on from one climatology into the next, or from one part of the day into another,
// would show here; so would a record that leaves on another day than the last one.
TEST(Climatology, RecordsHaveTheSamplesOfTheirPeriodsInAllCycles) {
  const config::Model model = diurnal_model();
  const Outcome out = run_at(model, all_steps(), {steps});
  ASSERT_EQ(out.records.size(), 3U * 2 * periods);
  for (const std::int64_t record : {8, 9, 10, 11, 20, 21, 22, 23}) {
    ASSERT_TRUE(out.records.contains({0, record})) << record;
    EXPECT_EQ(out.records.at({0, record}).samples, whole_days * 24 / periods);
  }
  expect_records(model, out, all_steps());
  for (const StreamAccount& account : out.accounts) {
    EXPECT_EQ(account.dates_missed, 0);
    EXPECT_EQ(account.records, 2 * periods);
    EXPECT_TRUE(account.is_complete());
    EXPECT_EQ(account.samples_left, 24) << "those of the day behind the last climatology";
  }
}

// Operations that differ in their climatology alone, or that have none, were taken for one: the
// file of each period got the records of the climatology, or the other way round.
TEST(Climatology, IsNoOtherOneAndNoFileOfEachPeriod) {
  config::Model model = diurnal_model();
  constexpr std::int64_t shorter_days = 2;
  const int plain = test::add_stream(model, 0, Operation::average, 24 / periods);
  const int shorter = test::add_stream(model, 0, Operation::average, 24 / periods);
  config::OutputDates& dates = nth(model.streams, shorter).sampling.dates;
  dates.cycle_periods = periods;
  dates.climatology_freq = hours(24 * shorter_days);
  const Outcome out = run_at(model, all_steps(), {steps});
  std::map<int, std::int64_t> counts;
  for (const auto& [key, record] : out.records) {
    const auto& [stream, number] = key;
    SCOPED_TRACE(stream);
    SCOPED_TRACE(number);
    ++counts[stream];
    const std::int64_t together = stream == plain     ? 1
                                  : stream == shorter ? periods * shorter_days
                                                      : records_of_one;
    const Operation operation = nth(model.streams, stream).sampling.operation;
    test::expect_same({record.values}, {expected(operation, number, all_steps(), together)});
  }
  EXPECT_EQ(counts[0], 2 * periods);
  EXPECT_EQ(counts[plain], 7 * periods);
  EXPECT_EQ(counts[shorter], 3 * periods);
}

// The state of each period of the cycle outlives a run, wherever it is cut.
TEST(Climatology, GoesOnInTheNextRun) {
  const config::Model model = diurnal_model();
  const Outcome whole = run_at(model, all_steps(), {steps});
  for (const std::int64_t cut : {1, 5, 6, 7, 24, 31, 48, 54, 60, 72, 75, 100, 144}) {
    SCOPED_TRACE(cut);
    expect_equal(run_at(model, all_steps(), {cut, steps}), whole);
  }
  expect_equal(run_at(model, all_steps(), {20, 50, 57, 90, 140, steps}), whole);
}

// A model that sends nothing for the rest of the last day loses no record that has samples of the
// days before; one that sends nothing for longer than a day neither.
TEST(Climatology, RecordsWithoutDataInTheLastCycleLeaveLate) {
  const config::Model model = diurnal_model();
  const auto without = [](std::int64_t first, std::int64_t last) {
    std::vector<std::int64_t> out = all_steps();
    std::erase_if(out, [&](std::int64_t step) { return step >= first && step <= last; });
    return out;
  };
  struct Gap {
    std::int64_t first, last;
  };
  for (const Gap gap : {Gap{50, 80}, Gap{57, 63}, Gap{49, 72}, Gap{49, 120}, Gap{49, 125},
                        Gap{30, 75}, Gap{60, 100}, Gap{130, 168}, Gap{140, 168}}) {
    SCOPED_TRACE(gap.first);
    const std::vector<std::int64_t> sent = without(gap.first, gap.last);
    const Outcome out = run_at(model, sent, {steps});
    EXPECT_EQ(out.records.size(), 3U * 2 * periods);
    expect_records(model, out, sent);
    for (const StreamAccount& account : out.accounts) {
      EXPECT_GT(account.dates_missed, 0);
      EXPECT_EQ(account.records_missing, 0);
      EXPECT_GT(account.records_short, 0);
    }
  }
  // Nothing at all from 00 to 06 o'clock: that record alone is missing.
  std::vector<std::int64_t> days = all_steps();
  std::erase_if(days, [](std::int64_t step) { return (step - 1) % 24 < 24 / periods; });
  const Outcome out = run_at(model, days, {steps});
  EXPECT_EQ(out.records.size(), 3U * 2 * (periods - 1));
  expect_records(model, out, days);
  EXPECT_EQ(out.accounts.front().records_missing, 2);
}

}  // namespace
}  // namespace epios::io::climatology_test
