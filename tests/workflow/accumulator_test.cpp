#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <vector>

#include "hourly_model.hpp"
#include "recorder.hpp"
#include "workflow/workflow.hpp"

namespace epios::io::accumulator_test {
namespace {

using config::Operation;
using test::add_source;
using test::add_stream;
using test::at;
using test::expect_same;
using test::line_model;
using test::Record;

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

/// Records of one stream over an axis of one point per series, sent hour by hour.
std::vector<std::vector<double>> reduce(Operation operation, double output_hours,
                                        const std::vector<std::vector<double>>& steps,
                                        std::optional<double> marker = {}) {
  config::Model model = line_model(static_cast<std::int64_t>(steps.front().size()));
  add_source(model, 0);
  if (marker) {
    model.sources[0].detect_missing_value = true;
    model.sources[0].default_value = *marker;
  }
  add_stream(model, 0, operation, output_hours);
  std::vector<Record> records;
  Workflow workflow = test::workflow_into(model, records);
  for (std::size_t step = 0; step < steps.size(); ++step) {
    workflow.send(0, at(model, static_cast<std::int64_t>(step) + 1),
                  std::span<const double>(steps[step]));
  }
  std::vector<std::vector<double>> out;
  for (std::size_t r = 0; r < records.size(); ++r) {
    EXPECT_EQ(records[r].number, static_cast<std::int64_t>(r));
    out.push_back(records[r].values);
  }
  return out;
}

const std::vector<std::vector<double>> four_steps = {{1, 8}, {3, 2}, {5, 4}, {7, -6}};

TEST(Operations, WithoutMissingValues) {
  expect_same(reduce(Operation::instant, 2, four_steps), {{3, 2}, {7, -6}});
  expect_same(reduce(Operation::average, 2, four_steps), {{2, 5}, {6, -1}});
  expect_same(reduce(Operation::accumulate, 2, four_steps), {{4, 10}, {12, -2}});
  expect_same(reduce(Operation::minimum, 2, four_steps), {{1, 2}, {5, -6}});
  expect_same(reduce(Operation::maximum, 4, four_steps), {{7, 8}});
}

TEST(Operations, AverageDividesOnceAndExactly) {
  expect_same(reduce(Operation::average, 3, {{1, 0.1}, {1, 0.2}, {0, 0.3}}),
              {{2.0 / 3.0, (0.1 + 0.2 + 0.3) / 3.0}});
}

TEST(Operations, NanPropagatesWithoutDetection) {
  const std::vector<std::vector<double>> steps = {{nan, 1, nan}, {2, nan, nan}, {3, 3, 1}};
  for (const auto operation :
       {Operation::average, Operation::accumulate, Operation::minimum, Operation::maximum}) {
    expect_same(reduce(operation, 3, steps), {{nan, nan, nan}});
  }
  expect_same(reduce(Operation::instant, 3, steps), {{3, 3, 1}});
}

/// Of one sample, which is not the first one where a point is missing before.
TEST(Operations, KeepTheSignOfZero) {
  for (const auto operation : {Operation::instant, Operation::average, Operation::accumulate,
                               Operation::minimum, Operation::maximum}) {
    EXPECT_TRUE(std::signbit(reduce(operation, 1, {{-0.0}})[0][0])) << config::name(operation);
    EXPECT_TRUE(std::signbit(reduce(operation, 1, {{-0.0}}, -1)[0][0])) << config::name(operation);
    const bool is_last = operation == Operation::instant;
    const std::vector<std::vector<double>> steps{{-1}, {-0.0}, {is_last ? -0.0 : -1}};
    EXPECT_TRUE(std::signbit(reduce(operation, 3, steps, -1)[0][0])) << config::name(operation);
    EXPECT_FALSE(std::signbit(reduce(operation, 1, {{0.0}}, -1)[0][0])) << config::name(operation);
  }
}

TEST(Operations, MissingValuesAreIgnoredPointByPoint) {
  const std::vector<std::vector<double>> steps = {{-1, 4, -1, 5}, {2, -1, -1, nan}, {3, 1, -1, 1}};
  expect_same(reduce(Operation::average, 3, steps, -1), {{2.5, 2.5, nan, 3}});
  expect_same(reduce(Operation::accumulate, 3, steps, -1), {{5, 5, nan, 6}});
  expect_same(reduce(Operation::minimum, 3, steps, -1), {{2, 1, nan, 1}});
  expect_same(reduce(Operation::maximum, 3, steps, -1), {{3, 4, nan, 5}});
  expect_same(reduce(Operation::instant, 1, steps, -1),
              {{nan, 4, nan, 5}, {2, nan, nan, nan}, {3, 1, nan, 1}});
}

TEST(Operations, ANewPeriodForgetsTheLast) {
  expect_same(reduce(Operation::average, 2, {{-1}, {-1}, {4}, {-1}, {-1}, {-1}}, -1),
              {{nan}, {4}, {nan}});
  expect_same(reduce(Operation::minimum, 1, {{nan}, {4}}), {{nan}, {4}});
}

/// Hourly steps, but only some of them are sent: the hour is the value.
std::map<std::int64_t, double> reduce_some(Operation operation, double output_hours,
                                           const std::vector<std::int64_t>& sent) {
  config::Model model = line_model(1);
  add_source(model, 0);
  add_stream(model, 0, operation, output_hours);
  std::vector<Record> records;
  Workflow workflow = test::workflow_into(model, records);
  for (const std::int64_t step : sent) {
    const std::vector<double> hour = {static_cast<double>(step)};
    workflow.send(0, at(model, step), std::span<const double>(hour));
  }
  std::map<std::int64_t, double> out;
  for (const Record& record : records) {
    EXPECT_TRUE(out.emplace(record.number, record.values[0]).second) << record.number;
  }
  return out;
}

TEST(Operations, DataSentMoreRarelyThanTheOutputPeriodKeepsItsTime) {
  using Records = std::map<std::int64_t, double>;
  EXPECT_EQ(reduce_some(Operation::instant, 1, {5, 10, 15, 20}),
            (Records{{4, 5}, {9, 10}, {14, 15}, {19, 20}}));
  EXPECT_EQ(reduce_some(Operation::average, 4, {1, 3, 5, 8, 18, 20}),
            (Records{{0, 2}, {1, 6.5}, {4, 19}}));
  EXPECT_EQ(reduce_some(Operation::accumulate, 2, {1, 7, 8}), (Records{{0, 1}, {3, 15}}));
  EXPECT_EQ(reduce_some(Operation::instant, 4, {5, 8, 10}), (Records{{1, 8}}));
}

TEST(Operations, FloatMarkersCompareAsFloats) {
  config::Model model = line_model(2);
  add_source(model, 0);
  model.sources[0].detect_missing_value = true;
  model.sources[0].default_value = 1e20;  // not a float
  for (const auto operation : {Operation::instant, Operation::average, Operation::maximum}) {
    add_stream(model, 0, operation, 1);
  }
  std::vector<Record> records;
  Workflow workflow = test::workflow_into(model, records);
  const std::vector<float> array = {1e20F, 0.5F};
  workflow.send(0, at(model, 1), std::span<const float>(array));
  ASSERT_EQ(records.size(), 3U);
  for (const Record& record : records) {
    EXPECT_TRUE(std::isnan(record.values[0]));
    EXPECT_EQ(record.values[1], 0.5);
  }
}

}  // namespace
}  // namespace epios::io::accumulator_test
