// Arithmetic between a model's arrays and the records.
#include <algorithm>
#include <cfenv>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include "config/data_graph.hpp"
#include "config/error.hpp"
#include "expressions.hpp"
#include "recorder.hpp"

namespace epios::io::expression_test {
namespace {

using config::Operation;
using test::add_expression;
using test::add_source;
using test::add_stream;
using test::add_stream_of;
using test::at;
using test::expect_same;
using test::line_model;
using test::Record;
using test::sampling;

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr double infinity = std::numeric_limits<double>::infinity();

void send(Workflow& workflow, const config::Model& model, int source, std::int64_t step,
          const std::vector<double>& values) {
  workflow.send(source, at(model, step), std::span<const double>(values));
}

/// Grid 0 has an axis of 2 and one of 1 point, which stands between two others in the array; grid 1
/// the first axis alone.
config::Model hourly_model_of_level() {
  config::Model model = line_model(2);
  model.grids.clear();
  const int level = test::add_axis(model, 1);
  nth(model.axes, level).attributes.data_begin = -1;
  nth(model.axes, level).attributes.data_n = 3;
  test::add_grid(model, {test::axis(0), test::axis(level)});
  test::add_grid(model, {test::axis(0)});
  return model;
}

/// Values of an expression over f0 and f1.
std::vector<double> value_of(const std::string& text, const std::vector<double>& a,
                             const std::vector<double>& b) {
  config::Model model = line_model(static_cast<std::int64_t>(a.size()));
  add_source(model, 0);
  add_source(model, 0);
  add_stream_of(model, add_expression(model, text), sampling(Operation::instant, 1));
  std::vector<Record> records;
  Workflow workflow = test::workflow_into(model, records);
  send(workflow, model, 0, 1, a);
  send(workflow, model, 1, 1, b);
  EXPECT_EQ(records.size(), 1U) << text;
  return records.empty() ? std::vector<double>() : records[0].values;
}

TEST(Expression, Operators) {
  const std::vector<double> a = {3, -2, 0.5};
  const std::vector<double> b = {4, 0, 8};
  expect_same({value_of("sqrt(f0*f0 + f1*f1)", a, b)}, {{5, 2, std::sqrt(0.25 + 64)}});
  expect_same({value_of("-f0^2 + f1", a, b)}, {{-5, -4, 7.75}});
  expect_same({value_of("2^f0", a, b)}, {{8, 0.25, std::pow(2, 0.5)}});
  expect_same({value_of("(f0 > 0 and f1 /= 0) ? f1 : -1", a, b)}, {{4, -1, 8}});
  expect_same({value_of("not (f0 >= 0.5) or f1 == 4", a, b)}, {{1, 1, 0}});
  expect_same({value_of("min(f0, f1, 1) + max(f0, f1)", a, b)}, {{5, -2, 8.5}});
  expect_same({value_of("abs(f0) - exp(0*f1)", a, b)}, {{2, 1, -0.5}});
  expect_same({value_of("(f0 < 1) ? 10 : 20", a, b)}, {{20, 10, 10}});
}

TEST(Expression, DivisionByZeroAndMissingValues) {
  expect_same({value_of("f0 / f1", {1, -1, 0, nan}, {0, 0, 0, 2})},
              {{infinity, -infinity, nan, nan}});
  expect_same({value_of("f0 == $missing_value ? f1 : f0", {1, nan}, {5, 6})}, {{1, 6}});
  expect_same({value_of("f0 /= $missing_value", {1, nan}, {5, 6})}, {{1, 0}});
  expect_same({value_of("f1 > 5 ? f0 : $missing_value", {1, 2}, {5, 6})}, {{nan, 2}});
  expect_same({value_of("min(f0, f1) + max(f1, f0)", {1, nan}, {nan, 6})}, {{nan, nan}});
  expect_same({value_of("f0 ? 1 : 2", {nan, 0}, {0, 0})}, {{nan, 2}});
}

// A model that was built to stop at invalid operations is not stopped by ours, and rounds as it
// wants.
TEST(Expression, TheModelsFloatingPointEnvironmentIsItsOwn) {
  std::fenv_t before{};
  ASSERT_EQ(std::fegetenv(&before), 0);
  ASSERT_EQ(feenableexcept(FE_INVALID | FE_DIVBYZERO | FE_OVERFLOW), 0);
  ASSERT_EQ(std::fesetround(FE_UPWARD), 0);
  const auto result = value_of("f0 / f1 + 0 * log(f0)", {0, 1}, {0, 3});
  const auto constants = value_of("f0 + 1 / 3 + f1 / (1 / 0)", {0, 1}, {0, 3});
  EXPECT_EQ(std::fegetround(), FE_UPWARD);
  EXPECT_EQ(fegetexcept(), FE_INVALID | FE_DIVBYZERO | FE_OVERFLOW);
  ASSERT_EQ(std::fesetenv(&before), 0);
  expect_same({result}, {{nan, 1.0 / 3.0}});
  expect_same({constants}, {{1.0 / 3.0, 1 + 1.0 / 3.0}});
}

TEST(Expression, MarkersAndFloats) {
  config::Model model = line_model(3);
  add_source(model, 0);
  add_source(model, 0);
  model.sources[0].detect_missing_value = true;
  model.sources[0].default_value = -9;
  add_stream_of(model, add_expression(model, "f0 + f1"), sampling(Operation::instant, 1));
  add_stream_of(model, add_expression(model, "f0"), sampling(Operation::average, 2));
  std::vector<Record> records;
  Workflow workflow = test::workflow_into(model, records);
  const std::vector<float> floats = {-9, 2, 3};
  workflow.send(0, at(model, 1), std::span<const float>(floats));
  send(workflow, model, 1, 1, {1, -9, 1});
  ASSERT_EQ(records.size(), 1U);
  expect_same({records[0].values}, {{nan, -7, 4}});
  send(workflow, model, 1, 2, {1, 1, 1});
  send(workflow, model, 0, 2, {4, 4, -9});
  ASSERT_EQ(records.size(), 3U);
  expect_same({records[1].values, records[2].values}, {{5, 5, nan}, {nan, 3, nan}});
}

TEST(Expression, WhateverComesFirst) {
  config::Model model = line_model(2);
  for (int i = 0; i < 3; ++i) add_source(model, 0);
  add_stream_of(model, add_expression(model, "f0 - f1 / f2"), sampling(Operation::instant, 1));
  std::vector<int> order = {0, 1, 2};
  const std::vector<std::vector<double>> values = {{9, 8}, {6, 3}, {2, 1}};
  do {
    std::vector<Record> records;
    Workflow workflow = test::workflow_into(model, records);
    for (std::int64_t step = 1; step <= 2; ++step) {
      for (const int source : order) {
        std::vector<double> array = values[static_cast<std::size_t>(source)];
        EXPECT_TRUE(workflow.is_active(source, at(model, step)));
        send(workflow, model, source, step, array);
        EXPECT_FALSE(workflow.is_active(source, at(model, step)));
        array.assign(2, 1e9);  // the model goes on with it
      }
    }
    ASSERT_EQ(records.size(), 2U);
    expect_same({records[1].values}, {{6, 5}});
  } while (std::next_permutation(order.begin(), order.end()));
}

TEST(Expression, AnOperandThatDoesNotComeLeavesAHole) {
  config::Model model = line_model(1);
  add_source(model, 0);
  add_source(model, 0);
  add_stream_of(model, add_expression(model, "f0 + f1"), sampling(Operation::average, 3));
  std::vector<Record> records;
  Workflow workflow = test::workflow_into(model, records);
  for (std::int64_t step = 1; step <= 3; ++step) {
    send(workflow, model, 0, step, {10});
    if (step != 2) send(workflow, model, 1, step, {static_cast<double>(step)});
  }
  workflow.finish(at(model, 3));
  ASSERT_EQ(records.size(), 1U);
  EXPECT_EQ(records[0].values[0], 12);
  EXPECT_EQ(records[0].samples, 2);
  EXPECT_EQ(workflow.account(0).dates_missed, 1);
  EXPECT_EQ(workflow.account(0).first_missed, at(model, 2));
  EXPECT_EQ(workflow.account(0).records_short, 1);
}

TEST(Expression, MaximumOfMeans) {
  config::Model model = line_model(2);
  add_source(model, 0);
  const int daily = add_expression(model, "@f0", {{"f0", sampling(Operation::average, 2)}});
  add_stream_of(model, daily, sampling(Operation::maximum, 6, 2));
  std::vector<Record> records;
  Workflow workflow = test::workflow_into(model, records);
  const std::vector<double> first = {1, 3, 9, 5, 0, 2};
  for (std::int64_t step = 1; step <= 6; ++step) {
    send(workflow, model, 0, step, {first[static_cast<std::size_t>(step - 1)], 1});
  }
  ASSERT_EQ(records.size(), 1U);
  expect_same({records[0].values}, {{7, 1}});
  EXPECT_EQ(records[0].samples, 3);
  EXPECT_TRUE(workflow.account(0).is_complete());
}

// The mean of a tracer weighted by the thickness of its layer.
TEST(Expression, WeightedMeans) {
  config::Model model = line_model(1);
  add_source(model, 0);
  add_source(model, 0);
  add_expression(model, "f0 * f1");
  const auto mean = sampling(Operation::average, 3);
  const int weighted = add_expression(model, "@e0 / @f1", {{"e0", mean}, {"f1", mean}});
  add_stream_of(model, weighted, sampling(Operation::instant, 3, 3));
  std::vector<Record> records;
  Workflow workflow = test::workflow_into(model, records);
  for (std::int64_t step = 1; step <= 6; ++step) {
    const auto value = static_cast<double>(step);
    EXPECT_TRUE(workflow.is_active(0, at(model, step)));
    send(workflow, model, 0, step, {value});
    send(workflow, model, 1, step, {10 * value});
  }
  ASSERT_EQ(records.size(), 2U);
  expect_same({records[0].values, records[1].values}, {{(140.0 / 3) / 20}, {(770.0 / 3) / 50}});
}

TEST(Expression, AnomaliesOfTheDayMeetTheLastSample) {
  config::Model model = line_model(1);
  add_source(model, 0);
  const int anomaly = add_expression(model, "f0 - @f0", {{"f0", sampling(Operation::average, 2)}});
  add_stream_of(model, anomaly, sampling(Operation::instant, 2, 2));
  std::vector<Record> records;
  Workflow workflow = test::workflow_into(model, records);
  for (std::int64_t step = 1; step <= 4; ++step) {
    send(workflow, model, 0, step, {static_cast<double>(step * step)});
  }
  ASSERT_EQ(records.size(), 2U);
  expect_same({records[0].values, records[1].values}, {{1.5}, {3.5}});
}

// Step 4, the last of the second mean, never comes: the mean leaves late, and goes on alone.
TEST(Expression, ALateResultGoesOnUnderItsOwnDate) {
  config::Model model = line_model(1);
  add_source(model, 0);
  const auto mean = sampling(Operation::average, 2);
  add_stream_of(model, add_expression(model, "2 * @f0", {{"f0", mean}}),
                sampling(Operation::maximum, 4, 2));
  add_stream_of(model, add_expression(model, "f0 + @f0", {{"f0", mean}}),
                sampling(Operation::instant, 2, 2));
  std::vector<Record> records;
  Workflow workflow = test::workflow_into(model, records);
  for (const std::int64_t step : {1, 2, 3, 5, 6}) {
    send(workflow, model, 0, step, {static_cast<double>(step)});
  }
  workflow.finish(at(model, 6));
  std::vector<std::vector<double>> maxima;
  std::vector<std::int64_t> sums;
  for (const Record& record : records) {
    if (record.stream == 0) maxima.push_back(record.values);
    if (record.stream == 1) sums.push_back(record.number);
  }
  expect_same(maxima, {{6}});
  EXPECT_EQ(sums, (std::vector<std::int64_t>{0, 2}));
  EXPECT_EQ(workflow.account(1).records_missing, 1);
  EXPECT_TRUE(workflow.account(0).is_complete());
}

TEST(Expression, OnlyWhatSomebodyTakesIsActive) {
  config::Model model = line_model(1);
  add_source(model, 0);
  add_source(model, 0);
  add_stream_of(model, add_expression(model, "f0 * f1"), sampling(Operation::instant, 6, 3));
  std::vector<Record> records;
  const Workflow workflow = test::workflow_into(model, records);
  for (std::int64_t step = 1; step <= 2; ++step) {
    EXPECT_FALSE(workflow.is_active(0, at(model, step)));
  }
  EXPECT_TRUE(workflow.is_active(0, at(model, 3)));
  EXPECT_TRUE(workflow.is_active(1, at(model, 3)));
}

// `@f1` has results at even steps only: the other operand is of no use at odd ones.
TEST(Expression, AnOperandIsActiveWhenTheOthersCanCome) {
  config::Model model = line_model(1);
  add_source(model, 0);
  add_source(model, 0);
  const int sum = add_expression(model, "f0 + @f1", {{"f1", sampling(Operation::average, 2)}});
  add_stream_of(model, sum, sampling(Operation::instant, 1));
  std::vector<Record> records;
  Workflow workflow = test::workflow_into(model, records);
  for (std::int64_t step = 1; step <= 4; ++step) {
    EXPECT_EQ(workflow.is_active(0, at(model, step)), step % 2 == 0) << step;
    EXPECT_TRUE(workflow.is_active(1, at(model, step)));
    send(workflow, model, 0, step, {1});
    send(workflow, model, 1, step, {2});
  }
  EXPECT_EQ(records.size(), 2U);
}

TEST(Expression, OnceTakesTheFirst) {
  config::Model model = line_model(1);
  add_source(model, 0);
  add_stream_of(model, add_expression(model, "2 * f0"), sampling(Operation::once, 4));
  add_stream(model, 0, Operation::once, 4, 1);
  std::vector<Record> records;
  Workflow workflow = test::workflow_into(model, records);
  for (std::int64_t step = 1; step <= 9; ++step) {
    EXPECT_EQ(workflow.is_active(0, at(model, step)), step == 1);
    send(workflow, model, 0, step, {static_cast<double>(step)});
  }
  workflow.finish(at(model, 9));
  ASSERT_EQ(records.size(), 2U);
  expect_same({records[0].values, records[1].values}, {{2}, {1}});
  EXPECT_TRUE(workflow.account(0).is_complete());
}

// As NEMO has it: velocities on two grids of one shape, with masks of their own.
TEST(Expression, OperandsOnGridsOfOneShapeMeetWhereBothHaveValues) {
  config::Model model = line_model(3);
  const int other = test::add_axis(model, 3);
  test::add_grid(model, {test::axis(other)});
  model.axes[1].attributes.mask = test::mask({1, 1, 0});
  add_source(model, 0);
  add_source(model, 1);
  add_stream_of(model, add_expression(model, "f0 + f1"), sampling(Operation::instant, 1));
  std::vector<Record> records;
  Workflow workflow = test::workflow_into(model, records);
  send(workflow, model, 1, 1, {10, 20, 30});
  send(workflow, model, 0, 1, {1, 2, 3});
  ASSERT_EQ(records.size(), 1U);
  expect_same({records[0].values}, {{11, 22, nan}});
}

TEST(Expression, OperandsAtOtherPlacesAreRefused) {
  config::Model model = line_model(4);
  const int other = test::add_axis(model, 4);
  test::add_grid(model, {test::axis(other)});
  model.axes[1].attributes.n = 3;
  add_source(model, 0);
  add_source(model, 1);
  add_stream_of(model, add_expression(model, "f0 + f1"), sampling(Operation::instant, 1));
  std::vector<Record> records;
  EXPECT_THROW(test::workflow_into(model, records), Error);
}

/// A window shows other points of the source's array, which one point by point would not see.
TEST(Expression, WindowsMeetNoArraysOfAnotherSize) {
  config::Model model = line_model(4);
  const int turned = test::add_axis(model, 4);
  config::Transformation inverse;
  inverse.kind = config::ElementKind::inverse_axis;
  model.axes.back().transformations.push_back(inverse);
  test::add_grid(model, {test::axis(turned)});
  test::add_grid(model, {test::axis(test::add_axis(model, 4))});
  model.axes.back().attributes.data_begin = -1;
  model.axes.back().attributes.data_n = 6;
  add_source(model, 0);
  add_source(model, 2);
  const int window = add_expression(model, "f0", {}, 1);
  model.expressions.back().transformed = 1;
  const std::string product = "e" + std::to_string(window) + " * f1";
  add_stream_of(model, add_expression(model, product, {}, 2), sampling(Operation::instant, 1));
  std::vector<Record> records;
  EXPECT_THROW(test::workflow_into(model, records), Error);
}

/// One axis described twice, with halos and without: by points, whichever comes first.
TEST(Expression, OperandsWithHalosAndWithoutMeetPointByPoint) {
  for (const bool is_halo_first : {true, false}) {
    config::Model model = line_model(4);
    test::add_grid(model, {test::axis(test::add_axis(model, 4))});
    model.axes[0].attributes.data_begin = -1;
    model.axes[0].attributes.data_n = 6;
    add_source(model, 0);
    add_source(model, 1);
    const std::string sum = is_halo_first ? "f0 + f1" : "f1 + f0";
    add_stream_of(model, add_expression(model, sum, {}, is_halo_first ? 0 : 1),
                  sampling(Operation::instant, 1));
    std::vector<Record> records;
    Workflow workflow = test::workflow_into(model, records);
    send(workflow, model, 1, 1, {10, 20, 30, 40});
    send(workflow, model, 0, 1, {-9, 1, 2, 3, 4, -9});
    ASSERT_EQ(records.size(), 1U);
    expect_same({records[0].values}, {{11, 22, 33, 44}});
  }
}

TEST(Expression, AnElementOfOnePointMayBeMissing) {
  config::Model model = hourly_model_of_level();
  add_source(model, 0);
  add_source(model, 1);
  add_stream_of(model, add_expression(model, "f0 * f1", {}, 1), sampling(Operation::instant, 1));
  std::vector<Record> records;
  Workflow workflow = test::workflow_into(model, records);
  send(workflow, model, 1, 1, {10, 20});
  send(workflow, model, 0, 1, {-9, -9, 1, 2, -9, -9});
  ASSERT_EQ(records.size(), 1U);
  expect_same({records[0].values}, {{10, 40}});
}

// What waits in an array that stays is not copied, and is safe when the array is let go.
TEST(Expression, ArraysThatStayWaitWhereTheyAre) {
  config::Model model = line_model(3);
  add_source(model, 0);
  add_source(model, 0);
  add_stream_of(model, add_expression(model, "f0 - f1"), sampling(Operation::instant, 1));
  std::vector<Record> records;
  Workflow workflow = test::workflow_into(model, records);
  std::vector<float> waiting = {5, 6, 7};
  const std::vector<double> other = {1, 2, 3};
  const auto stays = Workflow::Array::stays;
  workflow.send(0, at(model, 1), std::span<const float>(waiting), stays);
  waiting[1] = 60;
  workflow.send(1, at(model, 1), std::span<const double>(other));
  workflow.send(0, at(model, 2), std::span<const float>(waiting), stays);
  workflow.let_go(0, at(model, 2));
  waiting = {0, 0, 0};
  workflow.send(1, at(model, 2), std::span<const double>(other));
  // Nobody asks for what is older.
  workflow.send(0, at(model, 3), std::span<const float>(waiting), stays);
  workflow.let_go(0, at(model, 4));
  waiting = {9, 9, 9};
  workflow.send(0, at(model, 4), std::span<const float>(waiting));
  waiting = {0, 0, 0};
  workflow.send(1, at(model, 4), std::span<const double>(other));
  ASSERT_EQ(records.size(), 3U);
  expect_same({records[0].values, records[1].values, records[2].values},
              {{4, 58, 4}, {4, 58, 4}, {8, 7, 6}});
}

TEST(DataGraph, EqualPartsAreOneNode) {
  config::Model model = line_model(1);
  add_source(model, 0);
  add_source(model, 0);
  const int speed = add_expression(model, "sqrt(f0*f0 + f1*f1)");
  const int same = add_expression(model, "sqrt((f0*f0) + (f1*f1))");
  const int twice = add_expression(model, "2 * (3 - 1) * sqrt(f0*f0 + f1*f1)");
  for (const int e : {speed, same, twice}) {
    add_stream_of(model, e, sampling(Operation::average, 2));
  }
  const config::DataGraph graph = config::data_graph(model);
  EXPECT_EQ(graph.of_expression[0], graph.of_expression[1]);
  EXPECT_EQ(graph.of_stream[0], graph.of_stream[1]);
  EXPECT_NE(graph.of_stream[0], graph.of_stream[2]);
  const auto count = [&](config::DataNode::Kind kind) {
    return std::count_if(graph.nodes.begin(), graph.nodes.end(),
                         [&](const auto& node) { return node.kind == kind; });
  };
  // Two squares, a sum, a root, and its product with what is a number before the run.
  EXPECT_EQ(count(config::DataNode::Kind::arithmetic), 5);
  EXPECT_EQ(count(config::DataNode::Kind::temporal), 2);
  EXPECT_EQ(graph.sources_of(graph.of_stream[2]),
            (std::vector<config::SourceId>{config::SourceId(0), config::SourceId(1)}));
}

TEST(DataGraph, EqualPeriodsAreOneHoweverTheyAreSaid) {
  config::Model model = line_model(1);
  add_source(model, 0);
  const auto mean_of = [&](const char* freq_op, const char* output_freq) {
    config::Sampling out = sampling(Operation::average, 24);
    out.freq_op = config::Duration::parse(freq_op);
    out.freq_offset = out.freq_op + model.timestep * -1.0;
    out.output_freq = config::Duration::parse(output_freq);
    const int e = add_expression(model, "@f0", {{"f0", out}});
    return add_stream_of(model, e, out);
  };
  mean_of("1h", "1d");
  mean_of("60mi", "24h");
  mean_of("1h", "1440mi");
  mean_of("2h", "1d");
  const config::DataGraph graph = config::data_graph(model);
  EXPECT_EQ(graph.of_stream[0], graph.of_stream[1]);
  EXPECT_EQ(graph.of_stream[0], graph.of_stream[2]);
  EXPECT_NE(graph.of_stream[0], graph.of_stream[3]);
  EXPECT_EQ(graph.of_expression[0], graph.of_expression[1]);
  EXPECT_EQ(graph.nodes.size(), 5U) << "f0, and of two periods @f0 and its mean";
}

// Each of these is made of two operations on the one before: questions and passing time look at
// each once, not along every way through them.
TEST(Expression, DeepDiamondsCostWhatTheyHave) {
  config::Model model = test::line_model(2);
  test::add_source(model, 0);
  std::string last = "f0";
  constexpr int depth = 60;
  for (int i = 0; i < depth; ++i) {
    const auto below = [&](Operation operation) {
      const test::Nested nested = {{last, test::sampling(operation, 1)}};
      test::add_expression(model, "@" + last, nested);
      return model.expressions.back().id;
    };
    const std::string mean = below(Operation::average);
    const std::string most = below(Operation::maximum);
    test::add_expression(model, "(" + mean + " + " + most + ") / 2");
    last = model.expressions.back().id;
  }
  const int result = static_cast<int>(model.expressions.size()) - 1;
  const int stream = test::add_stream_of(model, result, test::sampling(Operation::instant, 1));
  std::vector<Record> records;
  Workflow workflow = test::workflow_into(model, records);
  EXPECT_TRUE(workflow.is_active(0, test::at(model, 1)));
  const std::vector<double> array = {3, 5};
  workflow.send(0, test::at(model, 1), std::span<const double>(array));
  ASSERT_EQ(records.size(), 1U);
  EXPECT_EQ(records[0].values, array);
  workflow.pass(stream, test::at(model, 3));
  EXPECT_TRUE(workflow.is_active(0, test::at(model, 3)));
  workflow.finish(test::at(model, 3));
  EXPECT_EQ(workflow.account(stream).records_missing, 2);
}

// The unit of a file: factor * x + offset before the operation, and once for all who want it.
TEST(Expression, DataAreConverted) {
  config::Model model = line_model(3);
  add_source(model, 0);
  model.sources[0].detect_missing_value = true;
  model.sources[0].default_value = -9;
  const auto add = [&](Operation operation, std::vector<double> conversion) {
    const int stream = add_stream(model, 0, operation, 2);
    nth(model.streams, stream).conversion = std::move(conversion);
  };
  add(Operation::accumulate, {2, 0.5});
  add(Operation::maximum, {-1, 0});
  add(Operation::instant, {1, 0.5});
  add(Operation::minimum, {2, 0.5});
  const config::DataGraph graph = config::data_graph(model);
  EXPECT_EQ(std::count_if(
                graph.nodes.begin(), graph.nodes.end(),
                [](const auto& node) { return node.kind == config::DataNode::Kind::arithmetic; }),
            4)
      << "2 * x, + 0.5, -1 * x, x + 0.5";
  std::vector<Record> records;
  Workflow workflow = test::workflow_into(model, records);
  send(workflow, model, 0, 1, {1, -9, 3});
  send(workflow, model, 0, 2, {4, -9, -9});
  ASSERT_EQ(records.size(), 4U);
  expect_same({records[0].values, records[1].values, records[2].values, records[3].values},
              {{11, nan, 6.5}, {-1, nan, -3}, {4.5, nan, nan}, {2.5, nan, 6.5}});
}

}  // namespace
}  // namespace epios::io::expression_test
