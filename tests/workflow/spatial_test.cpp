// Values that come later than the data they are made of: order of records, what is asked for, what
// is kept.
#include <gtest/gtest.h>

#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "config/error.hpp"
#include "expressions.hpp"
#include "recorder.hpp"

namespace epios::io::spatial_test {
namespace {

using config::Operation;
using test::at;
using test::Record;

/// Adds up what it takes.
class Sum final : public SpatialFilter {
 public:
  explicit Sum(std::vector<std::string>& calls, std::string name)
      : calls_(calls), name_(std::move(name)) {}
  void take(std::span<const std::span<const double>> inputs, config::Instant /*date*/) override {
    calls_.push_back("take " + name_);
    sum_ = 0;
    for (const std::span<const double> values : inputs) {
      sum_ = std::accumulate(values.begin(), values.end(), 10 * sum_);
    }
  }
  std::span<const double> deliver() override {
    calls_.push_back("deliver " + name_);
    return {&sum_, 1};
  }

 private:
  std::vector<std::string>& calls_;
  std::string name_;
  double sum_ = 0;
};

/// A line of three points (grid 0), which is reduced to one value (grid 1).
class Spatial : public testing::Test {
 protected:
  Spatial() {
    config::Transformation reduce;
    reduce.kind = config::ElementKind::reduce_axis_to_scalar;
    model.scalars.front().transformations.push_back(reduce);
    test::add_grid(model, {test::scalar()});
  }
  /// What a step makes of a source, or of an expression.
  int add_step(int source, int expression) {
    config::FieldExpression step;
    step.id = "e" + std::to_string(model.expressions.size());
    step.grid = config::GridId(1);
    step.transformed = 1;
    config::FieldExpressionNode& data = step.nodes.emplace_back();
    data.op = config::ExpressionOp::field;
    data.source = config::SourceId(source);
    data.expression = config::ExpressionId(expression);
    model.expressions.push_back(step);
    return static_cast<int>(model.expressions.size()) - 1;
  }
  int add_stream(int expression, Operation operation, double hours) {
    config::Stream stream;
    stream.id = "s" + std::to_string(model.streams.size());
    stream.source = config::SourceId();
    stream.expression = config::ExpressionId(expression);
    stream.grid = nth(model.expressions, expression).grid;
    stream.sampling = test::sampling(operation, hours, operation == Operation::instant ? hours : 1);
    model.streams.push_back(stream);
    return static_cast<int>(model.streams.size()) - 1;
  }
  Workflow workflow() {
    const LocalParts parts(model);
    return {model,
            parts,
            [&](int stream) { return sink(parts, stream); },
            {},
            [this](int expression) {
              return std::make_unique<Sum>(calls, std::to_string(expression));
            }};
  }
  std::unique_ptr<Sink> sink(const LocalParts& parts, int stream) {
    const int grid = nth(model.streams, stream).grid;
    return std::make_unique<test::Recorder>(stream, test::places_of_cells(model, parts, grid),
                                            records, test::Taking::arrays);
  }

  config::Model model = test::line_model(3);
  std::vector<Record> records;
  std::vector<std::string> calls;
};

using Values = std::vector<double>;

TEST_F(Spatial, what_is_taken_arrives_with_the_change_of_date) {
  const int t = test::add_source(model, 0);
  add_stream(add_step(t, -1), Operation::average, 2);
  Workflow w = workflow();
  w.send(t, at(model, 1), std::span<const double>(Values{1, 2, 3}));
  EXPECT_EQ(calls, (std::vector<std::string>{"take 0"}));
  w.send(t, at(model, 2), std::span<const double>(Values{2, 3, 5}));
  EXPECT_EQ(calls, (std::vector<std::string>{"take 0", "deliver 0", "take 0"}));
  EXPECT_TRUE(records.empty());
  w.deliver();
  w.deliver();
  EXPECT_EQ(calls.size(), 4U);
  ASSERT_EQ(records.size(), 1U);
  EXPECT_EQ(records[0].values, Values{8});
  EXPECT_EQ(records[0].samples, 2);
}

TEST_F(Spatial, the_end_of_the_run_brings_it_too) {
  const int t = test::add_source(model, 0);
  add_stream(add_step(t, -1), Operation::instant, 1);
  Workflow w = workflow();
  w.send(t, at(model, 1), std::span<const double>(Values{1, 2, 3}));
  w.finish(at(model, 1));
  ASSERT_EQ(records.size(), 1U);
  EXPECT_EQ(records[0].values, Values{6});
}

TEST_F(Spatial, others_wait_for_what_is_coming_and_are_asked_for) {
  const int t = test::add_source(model, 0);
  const int one = test::add_source(model, 1);
  const int sum = add_step(t, -1);
  const int product = test::add_expression(model, "e" + std::to_string(sum) + " * f1", {}, 1);
  add_stream(product, Operation::instant, 2);
  Workflow w = workflow();
  EXPECT_FALSE(w.is_active(t, at(model, 1)));
  EXPECT_FALSE(w.is_active(one, at(model, 1)));
  EXPECT_TRUE(w.is_active(one, at(model, 2)));
  EXPECT_TRUE(w.is_active(t, at(model, 2)));
  w.send(t, at(model, 2), std::span<const double>(Values{1, 2, 3}));
  EXPECT_FALSE(w.is_active(t, at(model, 2)));
  EXPECT_TRUE(w.is_active(one, at(model, 2)));
  Values factor{2};
  w.send(one, at(model, 2), std::span<const double>(factor));
  factor[0] = 100;  // the model's again
  EXPECT_FALSE(w.is_active(one, at(model, 2)));
  w.deliver();
  ASSERT_EQ(records.size(), 1U);
  EXPECT_EQ(records[0].values, Values{12});
}

TEST_F(Spatial, one_after_the_other_in_one_delivery) {
  const int t = test::add_source(model, 0);
  const int sum = add_step(t, -1);
  const int square = test::add_expression(model, "e" + std::to_string(sum) + " * e0", {}, 1);
  const int again = add_step(-1, square);
  add_stream(again, Operation::instant, 1);
  nth(model.expressions, again).grid = config::GridId(1);
  Workflow w = workflow();
  w.send(t, at(model, 1), std::span<const double>(Values{1, 2, 3}));
  w.deliver();
  EXPECT_EQ(calls, (std::vector<std::string>{"take 0", "deliver 0", "take 2", "deliver 2"}));
  ASSERT_EQ(records.size(), 1U);
  EXPECT_EQ(records[0].values, Values{36});
}

TEST_F(Spatial, a_late_result_and_that_of_now_go_through_it_one_after_the_other) {
  const int t = test::add_source(model, 0);
  const int mean =
      test::add_expression(model, "@f0", {{"f0", test::sampling(Operation::accumulate, 2)}}, 0);
  add_stream(add_step(-1, mean), Operation::instant, 2);
  Workflow w = workflow();
  w.send(t, at(model, 1), std::span<const double>(Values{1, 0, 0}));
  // Nothing at 2 and 3: that of 2 is late, and 4 is a period of its own.
  w.send(t, at(model, 4), std::span<const double>(Values{7, 0, 0}));
  // A send waits for nobody.
  EXPECT_EQ(calls, (std::vector<std::string>{"take 1"}));
  w.finish(at(model, 4));
  EXPECT_EQ(calls, (std::vector<std::string>{"take 1", "deliver 1", "take 1", "deliver 1"}));
  ASSERT_EQ(records.size(), 2U);
  EXPECT_EQ(records[0].values, Values{1});
  EXPECT_EQ(records[1].values, Values{7});
}

TEST_F(Spatial, the_second_of_two_is_kept_though_the_model_changes_its_array) {
  const int t = test::add_source(model, 0);
  const int mean =
      test::add_expression(model, "@f0", {{"f0", test::sampling(Operation::minimum, 2)}}, 0);
  add_stream(add_step(-1, mean), Operation::instant, 2);
  Workflow w = workflow();
  Values array{1, 0, 0};
  w.send(t, at(model, 1), std::span<const double>(array));
  array = {7, 0, 0};
  w.send(t, at(model, 4), std::span<const double>(array));
  array = {100, 0, 0};
  w.deliver();
  ASSERT_EQ(records.size(), 2U);
  EXPECT_EQ(records[0].values, Values{1});
  EXPECT_EQ(records[1].values, Values{7});
}

TEST_F(Spatial, several_inputs_are_taken_together_whatever_comes_first) {
  const int t = test::add_source(model, 0);
  const int p = test::add_source(model, 0);
  const int twice = test::add_expression(model, "2 * f1", {}, 0);
  const int step = add_step(t, -1);
  config::FieldExpressionNode coordinate;
  coordinate.op = config::ExpressionOp::field;
  coordinate.expression = config::ExpressionId(twice);
  nth(model.expressions, step).nodes.push_back(coordinate);
  add_stream(step, Operation::instant, 2);
  add_stream(twice, Operation::instant, 2);  // others need the same arithmetic
  add_stream(add_step(-1, twice), Operation::instant, 2);
  Workflow w = workflow();
  EXPECT_FALSE(w.is_active(t, at(model, 1)));
  EXPECT_FALSE(w.is_active(p, at(model, 1)));
  Values array{1, 2, 3};
  w.send(t, at(model, 2), std::span<const double>(array));
  array = {100, 100, 100};  // the model's again
  EXPECT_TRUE(calls.empty());
  EXPECT_FALSE(w.is_active(t, at(model, 2)));
  EXPECT_TRUE(w.is_active(p, at(model, 2)));
  w.send(p, at(model, 2), std::span<const double>(Values{4, 0, 0}));
  w.deliver();
  // Another date, another order; and one at which one of them is missing.
  w.send(p, at(model, 4), std::span<const double>(Values{5, 0, 0}));
  w.send(t, at(model, 4), std::span<const double>(Values{7, 0, 0}));
  w.send(t, at(model, 6), std::span<const double>(Values{7, 0, 0}));
  w.finish(at(model, 8));
  std::vector<Values> found;
  for (const Record& record : records) {
    if (record.stream == 0) found.push_back(record.values);
  }
  EXPECT_EQ(found, (std::vector<Values>{{10 * 6 + 8}, {10 * 7 + 10}}));
  found.clear();
  for (const Record& record : records) {
    if (record.stream == 1) found.push_back(record.values);
  }
  EXPECT_EQ(found, (std::vector<Values>{{8, 0, 0}, {10, 0, 0}}));
}

TEST_F(Spatial, nothing_is_taken_that_nobody_takes_on) {
  const int t = test::add_source(model, 0);
  add_stream(add_step(t, -1), Operation::instant, 2);
  Workflow w = workflow();
  w.send(t, at(model, 1), std::span<const double>(Values{1, 2, 3}));
  EXPECT_TRUE(calls.empty());
  w.finish(at(model, 1));
  EXPECT_TRUE(records.empty());
}

TEST_F(Spatial, without_somebody_who_does_it_there_is_no_workflow) {
  const int t = test::add_source(model, 0);
  add_stream(add_step(t, -1), Operation::instant, 2);
  const LocalParts parts(model);
  EXPECT_THROW(Workflow(model, parts, [&](int stream) { return sink(parts, stream); }), Error);
}

}  // namespace
}  // namespace epios::io::spatial_test
