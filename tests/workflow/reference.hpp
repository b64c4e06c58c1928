/// @file
/// What records of a model are by definition: an evaluator that knows steps as whole numbers and
/// works recursively, in long double.
#pragma once

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "config/model.hpp"

namespace epios::io::test {

using config::ExpressionOp;
using config::Operation;

using Real = long double;
using Values = std::vector<Real>;
/// What a node has at which steps; what came late is not for others.
struct Datum {
  Values values;
  bool is_late = false;
};
using Series = std::map<std::int64_t, Datum>;

inline constexpr Real missing = std::numeric_limits<Real>::quiet_NaN();
inline constexpr std::int64_t points = 3;

inline Real value_of(ExpressionOp op, Real a, Real b, Real c) {
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

/// A sampling in steps.
struct Steps {
  std::int64_t freq_op = 1, output_freq = 1, offset = 0;
  /// Sampling dates that are not after a step.
  std::int64_t dates_until(std::int64_t step) const {
    return step <= offset ? 0 : (step - 1 - offset) / freq_op + 1;
  }
  std::int64_t date(std::int64_t number) const { return offset + number * freq_op + 1; }
  /// The step at which a record is due, the last of its period.
  std::int64_t due(std::int64_t record) const {
    return (record + 1) * output_freq - freq_op + offset + 1;
  }
  std::int64_t period_of(std::int64_t step) const {
    std::int64_t record = 0;
    while (due(record) < step) ++record;
    return record;
  }
};
inline Steps steps_of(const config::Sampling& s) {
  return {static_cast<std::int64_t>(s.freq_op.hour), static_cast<std::int64_t>(s.output_freq.hour),
          static_cast<std::int64_t>(s.freq_offset.hour)};
}

inline Values reduced(Operation operation, const std::vector<Values>& samples,
                      bool ignores_missing) {
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
inline std::vector<Made> records_of(const Series& data, const config::Sampling& sampling,
                                    bool ignores_missing, std::int64_t end) {
  const Steps steps = steps_of(sampling);
  std::vector<Made> out;
  if (sampling.operation == Operation::once) {
    for (const auto& [step, datum] : data) {
      if (step >= steps.date(0)) return {{0, {datum.values, datum.is_late}, 1}};
    }
    return out;
  }
  // The first datum at or behind each sampling date counts, unless its period is over by then.
  std::map<std::int64_t, std::vector<std::pair<std::int64_t, Values>>> periods;
  std::map<std::int64_t, bool> is_late_at;
  std::int64_t taken = 0;  // sampling dates that are over
  for (const auto& [step, datum] : data) {
    const std::int64_t over = steps.dates_until(step);
    if (over <= taken) continue;
    const std::int64_t period = steps.period_of(step);
    const bool is_in_it = period == 0 || steps.date(over - 1) > steps.due(period - 1);
    if (is_in_it) periods[period].emplace_back(step, datum.values);
    taken = over;
    is_late_at[step] = datum.is_late;
  }
  for (std::int64_t period = 0; steps.due(period) <= end; ++period) {
    const std::int64_t last = steps.due(period);
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

inline std::string text_of(const config::Sampling& s) {
  return fmt::format("{} every {} of {} from {}", name(s.operation), s.output_freq.text(),
                     s.freq_op.text(), s.freq_offset.text());
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
    const Steps steps = steps_of(node.sampling);
    Series out;
    for (const Made& made : records_of(plain, node.sampling, node.detect_missing_value, end_)) {
      const bool is_once = node.sampling.operation == Operation::once;
      out[is_once ? plain.begin()->first : steps.due(made.number)] = made.datum;
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

}  // namespace epios::io::test
