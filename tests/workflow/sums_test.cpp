// Means of expressions over more points than a block has: the last operation adds to the sum where
// nobody else wants its values.
#include <cmath>
#include <functional>
#include <vector>

#include "config/elementary.hpp"
#include "expressions.hpp"
#include "recorder.hpp"

namespace epios::io::sums_test {
namespace {

using config::Operation;
using test::Record;

constexpr std::int64_t points = 1300;
constexpr int samples = 3;

double value(int source, int step, std::size_t point) {
  return 1 +
         static_cast<double>((point * 7 + static_cast<std::size_t>(100 * step + source)) % 1000) /
             1024;
}

using Formula = std::function<double(double a, double b)>;

/// As the definition says: one sample after the other, divided once.
std::vector<double> mean_of(const Formula& formula) {
  std::vector<double> out(static_cast<std::size_t>(points));
  for (std::size_t p = 0; p < out.size(); ++p) {
    for (int step = 1; step <= samples; ++step) {
      out[p] += formula(value(0, step, p), value(1, step, p));
    }
    out[p] /= samples;
  }
  return out;
}

TEST(Sums, of_expressions_have_the_bits_of_values_that_are_added_one_by_one) {
  const std::vector<std::pair<std::string, Formula>> all = {
      {"sqrt(f0*f0 + f1)", [](double a, double b) { return std::sqrt(a * a + b); }},
      {"f0 / (f1 + 3)", [](double a, double b) { return a / (b + 3); }},
      {"exp(f0) - f1",
       [](double a, double b) { return config::elementary(config::ExpressionOp::exp, a) - b; }},
      {"exp(f0 * f1)",
       [](double a, double b) { return config::elementary(config::ExpressionOp::exp, a * b); }},
      {"-f0", [](double a, double) { return -a; }},
      {"f0 - f1", [](double a, double b) { return a - b; }},
      {"(f0 - f1) * 2", [](double a, double b) { return (a - b) * 2; }}};
  config::Model model = test::line_model(points);
  test::add_source(model, 0);
  test::add_source(model, 0);
  for (const auto& [text, formula] : all) {
    const int expression = test::add_expression(model, text);
    test::add_stream_of(model, expression, test::sampling(Operation::average, samples));
    // Two that take the values of one expression.
    if (text == "-f0")
      test::add_stream_of(model, expression, test::sampling(Operation::maximum, samples));
  }
  std::vector<Record> records;
  Workflow workflow = test::workflow_into(model, records);
  for (int step = 1; step <= samples; ++step) {
    for (int source = 0; source < 2; ++source) {
      std::vector<double> array(static_cast<std::size_t>(points));
      for (std::size_t p = 0; p < array.size(); ++p) array[p] = value(source, step, p);
      workflow.send(source, test::at(model, step), std::span<const double>(array));
    }
  }
  ASSERT_EQ(records.size(), all.size() + 1);
  for (const Record& record : records) {
    const int before = record.stream > 5 ? 1 : 0;  // the maximum is stream 5
    if (record.stream == 5) continue;
    const auto& [text, formula] = all[static_cast<std::size_t>(record.stream - before)];
    EXPECT_EQ(record.values, mean_of(formula)) << text;
  }
}

}  // namespace
}  // namespace epios::io::sums_test
