// Random expressions in random chains of temporal operations, against an evaluator of this test's
// own that knows steps as whole numbers and works recursively, in long double.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "config/statistics.hpp"
#include "expressions.hpp"
#include "random.hpp"
#include "recorder.hpp"

namespace epios::io {
namespace {

using config::ExpressionOp;
using config::Operation;
using test::Random;
using test::Record;

using Real = long double;
using Values = std::vector<Real>;
/// What a node has at which steps; what came late is not for others.
struct Datum {
  Values values;
  bool is_late = false;
};
using Series = std::map<std::int64_t, Datum>;

constexpr Real missing = std::numeric_limits<Real>::quiet_NaN();
constexpr std::int64_t points = 3;

Real value_of(ExpressionOp op, Real a, Real b, Real c) {
  const bool is_missing = std::isnan(a) || std::isnan(b);
  switch (op) {
    case ExpressionOp::negate:
      return -a;
    case ExpressionOp::abs:
      return std::fabs(a);
    case ExpressionOp::add:
      return a + b;
    case ExpressionOp::subtract:
      return a - b;
    case ExpressionOp::multiply:
      return a * b;
    case ExpressionOp::min:
      return is_missing ? missing : std::fmin(a, b);
    case ExpressionOp::max:
      return is_missing ? missing : std::fmax(a, b);
    case ExpressionOp::less:
      return a < b ? 1 : 0;
    case ExpressionOp::equal:
      return a == b || (std::isnan(a) && std::isnan(b)) ? 1 : 0;
    case ExpressionOp::select:
      return std::isnan(a) ? missing : (a != 0 ? b : c);
    default:
      ADD_FAILURE() << "not made by this test";
      return missing;
  }
}

/// Steps of a sampling with the default offset.
struct Steps {
  std::int64_t freq_op = 1, output_freq = 1;
};
Steps steps_of(const config::Sampling& s) {
  return {static_cast<std::int64_t>(s.freq_op.hour), static_cast<std::int64_t>(s.output_freq.hour)};
}

Values reduced(Operation operation, const std::vector<Values>& samples, bool ignores_missing) {
  Values out(points, missing);
  for (std::size_t p = 0; p < out.size(); ++p) {
    Real value = missing;
    std::int64_t count = 0;
    for (const Values& sample : samples) {
      const Real next = sample[p];
      if (ignores_missing && std::isnan(next) && operation != Operation::instant) continue;
      const bool is_sum = operation == Operation::average || operation == Operation::accumulate;
      if (count == 0 || operation == Operation::instant) {
        value = next;
      } else if (is_sum) {
        value += next;
      } else if (std::isnan(next) || std::isnan(value)) {
        value = missing;
      } else {
        value = operation == Operation::minimum ? std::min(value, next) : std::max(value, next);
      }
      ++count;
    }
    out[p] =
        operation == Operation::average && count > 0 ? value / static_cast<Real>(count) : value;
  }
  return out;
}

/// Records by number, with what makes them; `end` is the last step of the run.
struct Made {
  std::int64_t number = 0;
  Datum datum;
  std::int64_t samples = 0;
};
std::vector<Made> records_of(const Series& data, const config::Sampling& sampling,
                             bool ignores_missing, std::int64_t end) {
  const auto [f, o] = steps_of(sampling);
  std::vector<Made> out;
  if (sampling.operation == Operation::once) {
    for (const auto& [step, datum] : data) {
      if (step >= f) return {{0, {datum.values, datum.is_late}, 1}};
    }
    return out;
  }
  // The first datum at or behind each sampling date counts, unless its period is over by then.
  std::map<std::int64_t, std::vector<std::pair<std::int64_t, Values>>> periods;
  std::map<std::int64_t, bool> is_late_at;
  std::int64_t taken = 0;  // sampling dates that are over
  for (const auto& [step, datum] : data) {
    const std::int64_t due = step / f;
    if (due <= taken) continue;
    const std::int64_t period = (step - 1) / o;
    if (due * f > period * o) periods[period].emplace_back(step, datum.values);
    taken = due;
    is_late_at[step] = datum.is_late;
  }
  for (std::int64_t period = 0; (period + 1) * o <= end; ++period) {
    const std::int64_t last = (period + 1) * o;
    const auto at_end = data.find(last);
    const auto& samples = periods[period];
    if (samples.empty() && at_end == data.end()) continue;
    std::vector<Values> values;
    for (const auto& [step, sample] : samples) values.push_back(sample);
    const bool is_late = at_end == data.end() || at_end->second.is_late;
    out.push_back({period,
                   {reduced(sampling.operation, values, ignores_missing), is_late},
                   static_cast<std::int64_t>(values.size())});
  }
  return out;
}

std::string text_of(const config::Sampling& s) {
  return fmt::format("{} every {} of {}", name(s.operation), s.output_freq.text(),
                     s.freq_op.text());
}

/// Everything of one model.
class Reference {
 public:
  Reference(const config::Model& model, std::vector<Series> sent, std::int64_t end)
      : model_(model), sent_(std::move(sent)), end_(end) {
    for (const auto& expression : model.expressions) results_.push_back(result_of(expression));
  }

  std::vector<Made> records(const config::Stream& stream) const {
    return records_of(data(stream.source, stream.expression), stream.sampling,
                      stream.attributes.detect_missing_value.value_or(false), end_);
  }

 private:
  const Series& data(int source, int expression) const {
    return source >= 0 ? sent_[static_cast<std::size_t>(source)]
                       : results_[static_cast<std::size_t>(expression)];
  }
  Series leaf(const config::FieldExpressionNode& node) const {
    const Series& plain = data(node.source, node.expression);
    return node.is_temporal ? results(plain, node) : plain;
  }
  /// Of '@'.
  Series results(const Series& plain, const config::FieldExpressionNode& node) const {
    const std::int64_t o = steps_of(node.sampling).output_freq;
    Series out;
    for (const Made& made : records_of(plain, node.sampling, node.detect_missing_value, end_)) {
      const bool is_once = node.sampling.operation == Operation::once;
      out[is_once ? plain.begin()->first : (made.number + 1) * o] = made.datum;
    }
    return out;
  }
  /// Equal for equal data, whatever expressions they are parts of.
  std::string structure_of(const config::FieldExpression& expression, std::size_t at) const {
    const auto& node = expression.nodes[at];
    const bool is_result = node.is_temporal || node.op == ExpressionOp::temporal;
    std::string out =
        is_result ? fmt::format("@ {} {} ", text_of(node.sampling), node.detect_missing_value)
                  : fmt::format("{} ", name(is_data(node.op) ? ExpressionOp::field : node.op));
    if (node.op == ExpressionOp::number) out += std::to_string(node.number);
    if (is_data(node.op)) {
      out += node.source >= 0 ? fmt::format("f{}", node.source) : structure_of(node.expression);
    }
    for (const int argument : node.arguments) {
      out += "(" + structure_of(expression, static_cast<std::size_t>(argument)) + ")";
    }
    return out;
  }
  std::string structure_of(int expression) const {
    const auto& other = model_.expressions[static_cast<std::size_t>(expression)];
    return structure_of(other, other.nodes.size() - 1);
  }
  /// What a node of an expression is made of in the end, each once.
  std::set<std::string> leaves_of(const config::FieldExpression& expression, std::size_t at) const {
    const auto& node = expression.nodes[at];
    if (node.is_temporal || node.op == ExpressionOp::temporal || node.source >= 0) {
      return {structure_of(expression, at)};
    }
    if (node.expression >= 0) {
      const auto& other = model_.expressions[static_cast<std::size_t>(node.expression)];
      return leaves_of(other, other.nodes.size() - 1);
    }
    std::set<std::string> out;
    for (const int argument : node.arguments) {
      out.merge(leaves_of(expression, static_cast<std::size_t>(argument)));
    }
    return out;
  }
  /// What comes late meets nothing else.
  Series in_time(Series series, const config::FieldExpression& expression, std::size_t at) const {
    if (leaves_of(expression, at).size() > 1) {
      std::erase_if(series, [](const auto& entry) { return entry.second.is_late; });
    }
    return series;
  }
  Series result_of(const config::FieldExpression& expression) const {
    return in_time(values_of(expression), expression, expression.nodes.size() - 1);
  }
  Series values_of(const config::FieldExpression& expression) const {
    std::vector<std::optional<Series>> series;  // none: a number
    std::vector<Real> numbers;
    for (const auto& node : expression.nodes) {
      numbers.push_back(node.op == ExpressionOp::number ? static_cast<Real>(node.number) : missing);
      if (node.arguments.empty()) {
        series.push_back(is_data(node.op) ? std::optional(leaf(node)) : std::nullopt);
        continue;
      }
      if (node.op == ExpressionOp::temporal) {
        const auto argument = static_cast<std::size_t>(node.arguments.front());
        series.push_back(results(in_time(series[argument].value(), expression, argument), node));
        continue;
      }
      std::optional<Series> out;
      for (const int argument : node.arguments) {
        const auto& other = series[static_cast<std::size_t>(argument)];
        if (!other) continue;
        out = out ? common(*out, *other) : *other;
      }
      const auto value = [&](std::size_t i, std::int64_t step, std::size_t p) {
        if (i >= node.arguments.size()) return Real{0};
        const auto argument = static_cast<std::size_t>(node.arguments[i]);
        return series[argument] ? series[argument]->at(step).values[p] : numbers[argument];
      };
      if (!out) {
        numbers.back() = value_of(node.op, value(0, 0, 0), value(1, 0, 0), value(2, 0, 0));
      } else {
        for (auto& [step, datum] : *out) {
          for (std::size_t p = 0; p < datum.values.size(); ++p) {
            datum.values[p] =
                value_of(node.op, value(0, step, p), value(1, step, p), value(2, step, p));
          }
        }
      }
      series.push_back(std::move(out));
    }
    return series.back().value();
  }
  /// The steps that both have.
  static Series common(const Series& a, const Series& b) {
    Series out;
    for (const auto& [step, datum] : a) {
      const auto other = b.find(step);
      if (other != b.end()) out[step] = {datum.values, datum.is_late || other->second.is_late};
    }
    return out;
  }

  const config::Model& model_;
  std::vector<Series> sent_;
  std::vector<Series> results_;
  std::int64_t end_;
};

/// A random expression over ids; `@` where there is an operation for it.
class Texts {
 public:
  Texts(Random& random, std::vector<std::string> ids) : random_(random), ids_(std::move(ids)) {}
  std::string expression(int depth) {
    const auto kind = depth == 0 ? 0 : random_.pick(0, 8);
    const auto part = [&] { return expression(depth - 1); };
    if (kind == 0) return operand();
    if (kind == 1) return "-" + ("(" + part() + ")");
    if (kind == 2) return "min(" + part() + ", " + part() + ")";
    if (kind == 3) return "abs(" + part() + ")";
    if (kind == 4) return "((" + part() + ") < (" + part() + ") ? (" + part() + ") : 2)";
    if (kind == 8) return "@(" + field() + " * " + part() + ")";
    const std::vector<std::string> operators = {" + ", " - ", " * "};
    return "(" + part() + operators[static_cast<std::size_t>(kind - 5)] + part() + ")";
  }
  std::string operand() {
    if (random_.pick(0, 5) == 0) return std::to_string(random_.pick(0, 9));
    return field();
  }
  std::string field() {
    return ids_[static_cast<std::size_t>(random_.pick(0, static_cast<int>(ids_.size()) - 1))];
  }

 private:
  Random& random_;
  std::vector<std::string> ids_;
};

config::Sampling random_sampling(Random& random, bool with_once) {
  const auto f = random.pick(1, 3);
  const auto o = f * random.pick(1, 3);
  const auto operation = static_cast<Operation>(random.pick(0, with_once ? 5 : 4));
  return test::sampling(operation, static_cast<double>(o), static_cast<double>(f));
}

struct Case {
  config::Model model = test::line_model(points);
  std::vector<Series> sent;
  std::int64_t end = 0;
};

Case random_case(Random& random, bool misses_some) {
  Case out;
  std::vector<std::string> ids;
  const auto sources = random.pick(1, 3);
  for (std::int64_t s = 0; s < sources; ++s) {
    test::add_source(out.model, 0);
    ids.push_back(out.model.sources.back().id);
  }
  const auto expressions = random.pick(1, 5);
  for (std::int64_t e = 0; e < expressions; ++e) {
    test::Nested nested;
    std::vector<std::string> operands = ids;
    for (const std::string& id : ids) {
      nested[id] = random_sampling(random, false);
      if (random.flip()) operands.push_back("@" + id);
    }
    nested[""] = random_sampling(random, false);
    Texts texts(random, operands);
    test::add_expression(out.model, texts.field() + " + " + texts.expression(3), nested);
    for (auto& node : out.model.expressions.back().nodes) {
      const bool is_result = node.is_temporal || node.op == ExpressionOp::temporal;
      if (is_result) node.detect_missing_value = random.flip();
    }
    ids.push_back(out.model.expressions.back().id);
  }
  const auto streams = random.pick(1, 5);
  for (std::int64_t s = 0; s < streams; ++s) {
    const auto e = static_cast<int>(random.pick(0, expressions - 1));
    test::add_stream_of(out.model, e, random_sampling(random, true));
    out.model.streams.back().attributes.detect_missing_value = random.flip();
  }
  test::add_stream(out.model, 0, Operation::average, 2);
  out.end = random.pick(6, 20);
  for (std::int64_t s = 0; s < sources; ++s) {
    Series& series = out.sent.emplace_back();
    for (std::int64_t step = 1; step <= out.end; ++step) {
      if (misses_some && random.pick(0, 6) == 0) continue;
      Datum& datum = series[step];
      for (std::int64_t p = 0; p < points; ++p) {
        const bool is_missing = random.pick(0, 7) == 0;
        datum.values.push_back(is_missing ? missing : static_cast<Real>(random.pick(-8, 8)) / 4);
      }
    }
  }
  return out;
}

std::string text_of(const Case& c) {
  std::string out = fmt::format("{} steps\n", c.end);
  for (const auto& expression : c.model.expressions) {
    out += fmt::format("{} = {}\n", expression.id, expression.text);
    for (const auto& node : expression.nodes) {
      const bool is_of_parentheses = node.op == ExpressionOp::temporal;
      if (!node.is_temporal && !is_of_parentheses) continue;
      const std::string what = is_of_parentheses
                                   ? "()"
                                   : fmt::format("{}{}", node.source >= 0 ? 'f' : 'e',
                                                 std::max(node.source, node.expression));
      out += fmt::format("  @{}: {}{}\n", what, text_of(node.sampling),
                         node.detect_missing_value ? ", detects" : "");
    }
  }
  for (const auto& stream : c.model.streams) {
    out += fmt::format("{}: e{} {}\n", stream.id, stream.expression, text_of(stream.sampling));
  }
  return out;
}

/// Sends what the steps after `begin`, up to `end`, have.
void send(const Case& c, Random& random, Workflow& workflow, const std::vector<Record>& records,
          std::int64_t begin, std::int64_t end) {
  std::vector<int> order;
  for (std::size_t s = 0; s < c.sent.size(); ++s) order.push_back(static_cast<int>(s));
  for (std::int64_t step = begin + 1; step <= end; ++step) {
    for (std::size_t s = order.size(); s > 1; --s) {
      std::swap(order[s - 1],
                order[static_cast<std::size_t>(random.pick(0, static_cast<int>(s) - 1))]);
    }
    for (const int s : order) {
      const auto found = c.sent[static_cast<std::size_t>(s)].find(step);
      if (found == c.sent[static_cast<std::size_t>(s)].end()) continue;
      const std::vector<double> array(found->second.values.begin(), found->second.values.end());
      const std::size_t before = records.size();
      const bool is_active = workflow.is_active(s, test::at(c.model, step));
      workflow.send(s, test::at(c.model, step), std::span<const double>(array));
      EXPECT_TRUE(is_active || records.size() == before) << "what is not active has no effect";
    }
  }
}

std::vector<Record> run(const Case& c, Random& random) {
  std::vector<Record> records;
  Workflow workflow = test::workflow_into(c.model, records);
  send(c, random, workflow, records, 0, c.end);
  workflow.finish(test::at(c.model, c.end));
  return records;
}

/// What a run leaves to the next one.
struct Left {
  std::vector<config::OperationState> states;
  std::vector<std::vector<double>> values;
  std::vector<std::vector<std::uint32_t>> counts;
};

/// The same in runs that end at the steps of `ends`.
std::vector<Record> run_cut(Case c, Random& random, const std::vector<std::int64_t>& ends) {
  std::vector<Record> records;
  c.model.kept_operations = static_cast<int>(config::kept_operations(c.model).size());
  Left left;
  std::int64_t begin = 0;
  for (const std::int64_t end : ends) {
    Workflow workflow = test::workflow_into(c.model, records);
    for (std::size_t k = 0; k < left.states.size(); ++k) {
      const Workflow::KeptArrays arrays = workflow.kept_arrays(static_cast<int>(k));
      std::copy(left.values[k].begin(), left.values[k].end(), arrays.values.begin());
      std::copy(left.counts[k].begin(), left.counts[k].end(), arrays.counts.begin());
      workflow.take_up(static_cast<int>(k), left.states[k]);
    }
    workflow.resume();
    send(c, random, workflow, records, begin, end);
    workflow.finish(test::at(c.model, end));
    left = {};
    for (int k = 0; k < c.model.kept_operations; ++k) {
      const Workflow::KeptArrays arrays = workflow.kept_arrays(k);
      left.states.push_back(workflow.state(k));
      left.values.emplace_back(arrays.values.begin(), arrays.values.end());
      left.counts.emplace_back(arrays.counts.begin(), arrays.counts.end());
    }
    begin = end;
  }
  return records;
}

using ByNumber = std::map<std::pair<int, std::int64_t>, Record>;

/// What is written once is in each run.
ByNumber by_number(const Case& c, const std::vector<Record>& records) {
  ByNumber out;
  for (const Record& record : records) {
    const auto [known, is_new] = out.emplace(std::pair(record.stream, record.number), record);
    const auto& sampling = c.model.streams[static_cast<std::size_t>(record.stream)].sampling;
    EXPECT_TRUE(is_new || sampling.operation == Operation::once)
        << "stream " << record.stream << " record " << record.number;
    test::expect_same({record.values}, {known->second.values});
  }
  return out;
}

void compare(const Case& c, const std::vector<Record>& records) {
  const Reference reference(c.model, c.sent, c.end);
  for (std::size_t s = 0; s < c.model.streams.size(); ++s) {
    std::map<std::int64_t, const Record*> got;
    for (const Record& record : records) {
      if (record.stream != static_cast<int>(s)) continue;
      EXPECT_TRUE(got.emplace(record.number, &record).second) << "record " << record.number;
    }
    const auto wanted = reference.records(c.model.streams[s]);
    ASSERT_EQ(got.size(), wanted.size()) << "stream " << s;
    for (const Made& made : wanted) {
      ASSERT_TRUE(got.contains(made.number)) << "stream " << s << " record " << made.number;
      const Record& record = *got.at(made.number);
      EXPECT_EQ(record.samples, made.samples) << "stream " << s << " record " << made.number;
      for (std::size_t p = 0; p < made.datum.values.size(); ++p) {
        const Real expected = made.datum.values[p];
        if (std::isnan(expected)) {
          EXPECT_TRUE(std::isnan(record.values[p])) << "stream " << s << " point " << p;
        } else {
          EXPECT_NEAR(record.values[p], static_cast<double>(expected),
                      1e-9 * (1 + std::abs(static_cast<double>(expected))))
              << "stream " << s << " record " << made.number << " point " << p;
        }
      }
    }
  }
}

TEST(RandomWorkflow, RecordsAreThoseOfTheDefinition) {
  for (unsigned seed = 0; seed < 400; ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    const Case c = random_case(random, false);
    SCOPED_TRACE(text_of(c));
    compare(c, run(c, random));
    if (testing::Test::HasFailure()) return;
  }
}

// The order of the sends of one step never matters, whatever does not come.
TEST(RandomWorkflow, TheOrderOfSendsDoesNotMatter) {
  for (unsigned seed = 0; seed < 400; ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    const Case c = random_case(random, true);
    SCOPED_TRACE(text_of(c));
    const auto sorted = [](std::vector<Record> records) {
      std::map<std::pair<int, std::int64_t>, std::vector<double>> out;
      for (Record& record : records) out[{record.stream, record.number}] = record.values;
      return out;
    };
    const auto first = sorted(run(c, random));
    const auto second = sorted(run(c, random));
    ASSERT_EQ(first.size(), second.size());
    for (const auto& [key, values] : first) {
      ASSERT_TRUE(second.contains(key)) << "stream " << key.first << " record " << key.second;
      test::expect_same({second.at(key)}, {values});
    }
    if (testing::Test::HasFailure()) return;
  }
}

// What changes no value changes no record.
TEST(RandomWorkflow, IdentitiesChangeNothing) {
  for (unsigned seed = 0; seed < 200; ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    const Case c = random_case(random, seed % 2 == 0);
    Case around = c;
    for (config::Stream& stream : around.model.streams) {
      if (stream.expression < 0) continue;
      const std::string id =
          around.model.expressions[static_cast<std::size_t>(stream.expression)].id;
      const std::vector<std::string> identities = {"1 * " + id, "-(-" + id + ")",
                                                   "max(" + id + ", " + id + ")", id + " - 0",
                                                   "(" + id + " == " + id + " ? " + id + " : 0)"};
      stream.expression = test::add_expression(
          around.model, identities[static_cast<std::size_t>(random.pick(0, 4))]);
    }
    SCOPED_TRACE(text_of(around));
    const ByNumber wanted = by_number(c, run(c, random));
    const ByNumber got = by_number(around, run(around, random));
    ASSERT_EQ(got.size(), wanted.size());
    for (const auto& [key, record] : wanted) {
      ASSERT_TRUE(got.contains(key)) << "stream " << key.first << " record " << key.second;
      EXPECT_EQ(got.at(key).samples, record.samples);
      test::expect_same({got.at(key).values}, {record.values});
    }
    if (testing::Test::HasFailure()) return;
  }
}

// Wherever a run is cut, and whatever does not come.
TEST(RandomWorkflow, CutRunsHaveTheRecordsOfOneRun) {
  for (unsigned seed = 0; seed < 400; ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    const Case c = random_case(random, seed % 2 == 0);
    std::set<std::int64_t> ends = {c.end};
    for (auto cuts = random.pick(1, 3); cuts > 0; --cuts) ends.insert(random.pick(0, c.end));
    SCOPED_TRACE(fmt::format("{}cut at {}", text_of(c), fmt::join(ends, ", ")));
    const ByNumber wanted = by_number(c, run(c, random));
    const ByNumber got = by_number(c, run_cut(c, random, {ends.begin(), ends.end()}));
    ASSERT_EQ(got.size(), wanted.size());
    for (const auto& [key, record] : wanted) {
      ASSERT_TRUE(got.contains(key)) << "stream " << key.first << " record " << key.second;
      EXPECT_EQ(got.at(key).samples, record.samples);
      test::expect_same({got.at(key).values}, {record.values});
    }
    if (testing::Test::HasFailure()) return;
  }
}

}  // namespace
}  // namespace epios::io
