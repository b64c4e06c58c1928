/// @file
/// What records of a model are by definition: an evaluator that knows steps as whole numbers and
/// works recursively, in long double with bounds of error.
#pragma once

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "bounded.hpp"
#include "config/model.hpp"

namespace epios::io::test {

using config::ExpressionOp;
using config::Operation;

using Real = Bounded;
using Values = std::vector<Real>;
/// What a node has at which steps; what came late is not for others.
struct Datum {
  Values values;
  bool is_late = false;
};
using Series = std::map<std::int64_t, Datum>;

inline const Real missing = std::numeric_limits<long double>::quiet_NaN();
inline constexpr std::int64_t points = 3;

/// By the words of the reference page alone.
// NOLINTNEXTLINE(readability-function-size): a case per operator
inline Real value_of(ExpressionOp op, Real a, Real b, Real c) {
  if (op == ExpressionOp::select) {
    const Real condition = truth(a);
    if (condition.is_unsure() || condition.is_missing()) return condition;
    return condition.value == 1 ? b : c;
  }
  const auto logical = [&](auto combine) {
    if (a.is_missing() || b.is_missing()) return is_any_unsure({a, b}) ? Real::unsure() : missing;
    const Real x = truth(a);
    const Real y = truth(b);
    return is_any_unsure({x, y}) ? Real::unsure() : Real(combine(x.value == 1, y.value == 1));
  };
  const auto extreme = [&](bool is_least) {
    if (is_any_unsure({a, b})) return Real::unsure();
    if (a.is_missing() || b.is_missing()) return missing;
    Real out = (a.value < b.value) == is_least ? a : b;
    out.error = std::max(a.error, b.error);
    return out;
  };
  const auto is_same = [](long double x, long double y) {
    return x == y || (std::isnan(x) && std::isnan(y));
  };
  switch (op) {
    case ExpressionOp::negate:
      return -a;
    case ExpressionOp::abs:
      return through(
          a, [](long double x) { return std::fabs(x); }, 1);
    case ExpressionOp::sqrt:
      return through(
          a, [](long double x) { return std::sqrt(x); }, 2);
    case ExpressionOp::exp:
      return through(a, [](long double x) { return std::exp(x); });
    case ExpressionOp::log:
      return through(a, [](long double x) { return std::log(x); });
    case ExpressionOp::log10:
      return through(a, [](long double x) { return std::log10(x); });
    case ExpressionOp::sin:
    case ExpressionOp::cos: {
      if (a.is_unsure() || a.is_missing()) return a;
      if (std::fabs(a.value) > 1e6L) return Real::unsure();
      return rounded(op == ExpressionOp::sin ? std::sin(a.value) : std::cos(a.value), a.error, 4);
    }
    case ExpressionOp::tan: {
      if (a.is_unsure() || a.is_missing()) return a;
      if (std::fabs(a.value) > 1e6L || std::fabs(std::cos(a.value)) < 1e-3L) return Real::unsure();
      return rounded(std::tan(a.value), a.error * 2e6L, 4);
    }
    case ExpressionOp::logical_not: {
      const Real is_true = truth(a);
      if (is_true.is_unsure() || is_true.is_missing()) return is_true;
      return {is_true.value == 1 ? 0.0L : 1.0L};
    }
    case ExpressionOp::add:
      return a + b;
    case ExpressionOp::subtract:
      return a - b;
    case ExpressionOp::multiply:
      return a * b;
    case ExpressionOp::divide:
      return a / b;
    case ExpressionOp::power: {
      if (a.is_missing() || b.is_missing()) return is_any_unsure({a, b}) ? Real::unsure() : missing;
      if (b.is_exact() && b.value == 2) return a * a;
      if (!b.is_exact()) return Real::unsure();
      if (!a.is_exact() && std::fabs(a.value) <= 2 * a.error) return Real::unsure();
      return through(a, [&](long double x) { return std::pow(x, b.value); });
    }
    case ExpressionOp::equal:
      return compared(a, b, is_same);
    case ExpressionOp::not_equal:
      return compared(a, b, [&](long double x, long double y) { return !is_same(x, y); });
    case ExpressionOp::less:
      return compared(a, b, std::less<>());
    case ExpressionOp::less_equal:
      return compared(a, b, std::less_equal<>());
    case ExpressionOp::greater:
      return compared(a, b, std::greater<>());
    case ExpressionOp::greater_equal:
      return compared(a, b, std::greater_equal<>());
    case ExpressionOp::logical_and:
      return logical([](bool x, bool y) { return x && y ? 1.0L : 0.0L; });
    case ExpressionOp::logical_or:
      return logical([](bool x, bool y) { return x || y ? 1.0L : 0.0L; });
    case ExpressionOp::min:
      return extreme(true);
    case ExpressionOp::max:
      return extreme(false);
    default:
      ADD_FAILURE() << "not made by this test";
      return missing;
  }
}

/// Months of a run, in steps from its start at the beginning of a month; written down, not worked
/// out by the calendars of the library.
using MonthStarts = std::vector<std::int64_t>;

/// A period: so many months, then so many steps.
struct Period {
  std::int64_t months = 0, steps = 0;
};

/// When data come, as far as somebody looks: from step to step that they are from, which is the end
/// of the period of a result. None: at any step.
using Dates = std::optional<std::map<std::int64_t, std::int64_t>>;
/// Behind all steps that somebody looks at.
inline constexpr std::int64_t far_step = std::numeric_limits<std::int64_t>::max() / 2;

/// The periods of a sampling, in steps.
struct Periods {
  Period freq_op{0, 1}, output_freq{0, 1}, offset;
  MonthStarts months{0};

  std::int64_t at(std::int64_t months_after, std::int64_t steps) const {
    const auto month = static_cast<std::size_t>(months_after);
    return month < months.size() ? months[month] + steps : far_step;
  }
  std::int64_t sample(std::int64_t k) const {
    return at(offset.months + k * freq_op.months, offset.steps + k * freq_op.steps + 1);
  }
  /// The last date of a record, and the end of its period.
  std::int64_t last(std::int64_t n) const {
    return at((n + 1) * output_freq.months - freq_op.months + offset.months,
              (n + 1) * output_freq.steps - freq_op.steps + offset.steps + 1);
  }
  std::int64_t end(std::int64_t n) const {
    return at((n + 1) * output_freq.months, (n + 1) * output_freq.steps);
  }
  bool is_of_each_step() const { return freq_op.months == 0 && freq_op.steps == 1; }
};

/// All samples and records of a sampling up to some step. The rule: a sample is the first data at
/// or behind its date, unless they are from behind its record; a record leaves with its last
/// sample.
class Steps {
 public:
  struct Sample {
    std::int64_t date;  // when the data come; its own date if none do
    std::int64_t end;   // data from behind it are not of the record
    bool has_data;
  };

  Steps(Periods periods, Dates dates, std::int64_t horizon)
      : periods_(std::move(periods)), dates_(std::move(dates)) {
    std::int64_t record = 0;
    for (std::int64_t k = 0; periods_.sample(k) <= horizon; ++k) {
      const std::int64_t own = periods_.sample(k);
      while (periods_.last(record) < own) ++record;
      // An offset of more than freq_op moves samples of the model behind the period.
      const std::int64_t end = std::max(periods_.end(record), periods_.last(record));
      const auto [step, of] = next(own);
      samples_.push_back(of <= end ? Sample{step, end, true} : Sample{own, end, false});
    }
    // A sampling of each step takes what there is in its period, and waits for nothing.
    const bool waits = dates_ && !periods_.is_of_each_step();
    std::size_t samples = 0;
    for (std::int64_t n = 0; periods_.last(n) <= horizon; ++n) {
      const std::int64_t last = periods_.last(n);
      while (samples < samples_.size() &&
             periods_.sample(static_cast<std::int64_t>(samples)) <= last) {
        ++samples;
      }
      due_.push_back(waits && samples > 0 ? std::max(last, samples_[samples - 1].date) : last);
    }
  }

  /// So many records are known.
  std::int64_t records() const { return static_cast<std::int64_t>(due_.size()); }
  std::int64_t due(std::int64_t record) const { return due_.at(static_cast<std::size_t>(record)); }
  std::int64_t end_of(std::int64_t record) const { return periods_.end(record); }
  const Sample& sample(std::int64_t number) const {
    return samples_.at(static_cast<std::size_t>(number));
  }
  /// The first date of a sample.
  std::int64_t first_date() const { return samples_.empty() ? far_step : samples_.front().date; }
  /// Samples whose dates are not after a step.
  std::int64_t dates_until(std::int64_t step) const {
    return std::count_if(samples_.begin(), samples_.end(),
                         [&](const Sample& sample) { return sample.date <= step; });
  }
  /// Whether data that come at a step may be a sample.
  bool may_take(std::int64_t number, std::int64_t step) const {
    if (!dates_) return true;
    const auto found = dates_->find(step);
    return (found == dates_->end() ? step : found->second) <= sample(number).end;
  }
  /// The record that data of a step count for.
  std::int64_t period_of(std::int64_t step) const {
    return std::count_if(due_.begin(), due_.end(), [&](std::int64_t due) { return due < step; });
  }
  /// Whether data come for any sample of a record.
  bool is_ever_made(std::int64_t record) const {
    return std::any_of(samples_.begin(), samples_.end(), [&](const Sample& sample) {
      return sample.has_data && sample.date <= due(record) &&
             (record == 0 || sample.date > due(record - 1));
    });
  }

 private:
  /// The first data from there on, and the step that they are from.
  std::pair<std::int64_t, std::int64_t> next(std::int64_t step) const {
    if (!dates_) return {step, step};
    const auto found = dates_->lower_bound(step);
    if (found == dates_->end()) return {far_step, far_step};
    return *found;
  }

  Periods periods_;
  Dates dates_;
  std::vector<Sample> samples_;
  std::vector<std::int64_t> due_;
};

/// Durations of models whose months are whole steps, as the test makes them.
inline Period period_of(const config::Model& model, const config::Duration& d) {
  const auto seconds = [](const config::Duration& x) {
    return x.day * 86'400 + x.hour * 3600 + x.minute * 60 + x.second;
  };
  return {
      static_cast<std::int64_t>(d.year * 12 + d.month),
      static_cast<std::int64_t>(std::llround(seconds(d) / seconds(model.timestep) + d.timestep))};
}
inline Periods periods_of(const config::Model& model, const MonthStarts& months,
                          const config::Sampling& s) {
  return {period_of(model, s.freq_op), period_of(model, s.output_freq),
          period_of(model, s.freq_offset), months};
}

inline Values reduced(Operation operation, const std::vector<Values>& samples,
                      bool ignores_missing) {
  Values out(points, missing);
  for (std::size_t p = 0; p < out.size(); ++p) {
    Real value = missing;
    std::int64_t count = 0;
    bool is_unsure = false;
    for (const Values& sample : samples) {
      const Real next = sample[p];
      // One that may be missing may count, or not.
      is_unsure =
          operation == Operation::instant ? next.is_unsure() : is_unsure || next.is_unsure();
      if (ignores_missing && next.is_missing() && operation != Operation::instant) continue;
      const bool is_sum = operation == Operation::average || operation == Operation::accumulate;
      if (count == 0 || operation == Operation::instant) {
        value = next;
      } else if (is_sum) {
        value = value + next;
      } else {
        value = value_of(operation == Operation::minimum ? ExpressionOp::min : ExpressionOp::max,
                         value, next, Real());
      }
      ++count;
    }
    if (operation == Operation::average && count > 0) {
      value = value / Real(static_cast<long double>(count));
    }
    out[p] = is_unsure ? Real::unsure() : value;
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
                                    const Steps& steps, bool ignores_missing, std::int64_t end) {
  std::vector<Made> out;
  if (sampling.operation == Operation::once) {
    for (const auto& [step, datum] : data) {
      if (step >= steps.first_date()) return {{0, {datum.values, datum.is_late}, 1}};
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
    const bool is_in_it = period == 0 || steps.sample(over - 1).date > steps.due(period - 1);
    if (is_in_it && steps.may_take(over - 1, step)) {
      periods[period].emplace_back(step, datum.values);
    }
    taken = over;
    is_late_at[step] = datum.is_late;
  }
  for (std::int64_t period = 0; period < steps.records() && steps.due(period) <= end; ++period) {
    const std::int64_t last = steps.due(period);
    const auto at_end = data.find(last);
    const auto& samples = periods[period];
    if (samples.empty()) continue;
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
  Reference(const config::Model& model, std::vector<Series> sent, std::int64_t end,
            MonthStarts months = {0})
      : model_(model), sent_(std::move(sent)), end_(end), months_(std::move(months)) {
    for (const auto& expression : model.expressions) {
      results_.push_back(result_of(expression));
      dates_.push_back(dates_of(expression).back());
    }
  }

  std::vector<Made> records(const config::Stream& stream) const {
    const Steps steps = steps_of(stream.sampling, dates(stream.source, stream.expression));
    std::vector<Made> made =
        records_of(data(stream.source, stream.expression), stream.sampling, steps,
                   stream.attributes.detect_missing_value.value_or(false), end_);
    std::erase_if(made, [&](const Made& record) {
      return !is_within(stream.sampling, steps, record.number);
    });
    return made;
  }

 private:
  /// Whether the dates of output have a record: those of an instant its date, others its period.
  bool is_within(const config::Sampling& sampling, const Steps& steps, std::int64_t record) const {
    const std::vector<config::DateWindow>& windows = sampling.dates.windows;
    if (windows.empty()) return true;
    const auto date_of = [&](std::int64_t step) {
      return model_.calendar().at_step(model_.start_date, step);
    };
    const config::Instant end = date_of(steps.end_of(record));
    const bool is_instant = sampling.operation == Operation::instant;
    const config::Instant begin =
        is_instant ? end : date_of(record > 0 ? steps.end_of(record - 1) : 0);
    return std::any_of(windows.begin(), windows.end(), [&](const config::DateWindow& window) {
      return window.first <= begin && end <= window.last;
    });
  }
  /// What comes behind the run decides of its last records: somebody may wait for it.
  Steps steps_of(const config::Sampling& sampling, Dates dates) const {
    return {periods_of(model_, months_, sampling), std::move(dates), 2 * end_ + 100};
  }
  /// What the model sends may come at any step.
  Dates dates(int source, int expression) const {
    return source >= 0 ? Dates() : dates_[static_cast<std::size_t>(expression)];
  }
  /// Of '@': those that are made. What comes once is there at all dates.
  Dates dates_of_results(const config::Sampling& sampling, const Dates& data) const {
    if (sampling.operation == Operation::once) return std::nullopt;
    const Steps steps = steps_of(sampling, data);
    Dates out(std::in_place);
    for (std::int64_t record = 0; record < steps.records(); ++record) {
      const std::int64_t due = steps.due(record);
      if (steps.is_ever_made(record)) out->emplace(due, std::min(due, steps.end_of(record)));
    }
    return out;
  }
  /// Per node of an expression. Operands meet where all have data.
  std::vector<Dates> dates_of(const config::FieldExpression& expression) const {
    std::vector<Dates> out;
    for (const auto& node : expression.nodes) {
      Dates all = is_data(node.op) ? dates(node.source, node.expression) : Dates();
      for (const int argument : node.arguments) {
        const Dates& other = out[static_cast<std::size_t>(argument)];
        if (!other) continue;
        if (all) {
          Dates both(std::in_place);
          for (const auto& [step, of] : *all) {
            const auto found = other->find(step);
            if (found != other->end()) both->emplace(step, std::max(of, found->second));
          }
          all = std::move(both);
        } else {
          all = other;
        }
      }
      const bool is_result = node.is_temporal || node.op == ExpressionOp::temporal;
      out.push_back(is_result ? dates_of_results(node.sampling, all) : std::move(all));
    }
    return out;
  }
  const Series& data(int source, int expression) const {
    return source >= 0 ? sent_[static_cast<std::size_t>(source)]
                       : results_[static_cast<std::size_t>(expression)];
  }
  Series leaf(const config::FieldExpressionNode& node) const {
    const Series& plain = data(node.source, node.expression);
    return node.is_temporal ? results(plain, dates(node.source, node.expression), node) : plain;
  }
  /// Of '@'.
  Series results(const Series& plain, const Dates& dates,
                 const config::FieldExpressionNode& node) const {
    const Steps steps = steps_of(node.sampling, dates);
    Series out;
    for (const Made& made :
         records_of(plain, node.sampling, steps, node.detect_missing_value, end_)) {
      const bool is_once = node.sampling.operation == Operation::once;
      out[is_once ? plain.begin()->first : steps.due(made.number)] = made.datum;
    }
    return out;
  }
  /// However the periods are said.
  std::string key_of(const config::Sampling& sampling) const {
    std::string out(name(sampling.operation));
    for (const config::Duration& d :
         {sampling.freq_op, sampling.output_freq, sampling.freq_offset}) {
      const Period period = period_of(model_, d);
      out += fmt::format(" {} {}", period.months, period.steps);
    }
    return out;
  }
  /// Equal for equal data, whatever expressions they are parts of.
  std::string structure_of(const config::FieldExpression& expression, std::size_t at) const {
    const auto& node = nth(expression.nodes, at);
    const bool is_result = node.is_temporal || node.op == ExpressionOp::temporal;
    std::string out =
        is_result ? fmt::format("@ {} {} ", key_of(node.sampling), node.detect_missing_value)
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
    const auto& other = nth(model_.expressions, expression);
    return structure_of(other, other.nodes.size() - 1);
  }
  /// What a node of an expression is made of in the end, each once.
  std::set<std::string> leaves_of(const config::FieldExpression& expression, std::size_t at) const {
    const auto& node = nth(expression.nodes, at);
    if (node.is_temporal || node.op == ExpressionOp::temporal || node.source >= 0) {
      return {structure_of(expression, at)};
    }
    if (node.expression >= 0) {
      const auto& other = model_.expressions[node.expression];
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
    const std::vector<Dates> dates = dates_of(expression);
    for (const auto& node : expression.nodes) {
      numbers.push_back(node.op == ExpressionOp::number ? Real(node.number) : missing);
      if (node.arguments.empty()) {
        series.push_back(is_data(node.op) ? std::optional(leaf(node)) : std::nullopt);
        continue;
      }
      if (node.op == ExpressionOp::temporal) {
        const auto argument = static_cast<std::size_t>(node.arguments.front());
        series.push_back(results(in_time(series[argument].value(), expression, argument),
                                 dates[argument], node));
        continue;
      }
      std::optional<Series> out;
      for (const int argument : node.arguments) {
        const auto& other = series[static_cast<std::size_t>(argument)];
        if (!other) continue;
        out = out ? common(*out, *other) : *other;
      }
      const auto value = [&](std::size_t i, std::int64_t step, std::size_t p) {
        if (i >= node.arguments.size()) return Real(0);
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
  std::vector<Dates> dates_;  // of the results
  std::int64_t end_;
  MonthStarts months_;
};

}  // namespace epios::io::test
