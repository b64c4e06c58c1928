/// @file
/// Random models with expressions, chains of operations and calendars, and what is sent to them.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "config/error.hpp"
#include "config/statistics.hpp"
#include "expressions.hpp"
#include "random.hpp"
#include "recorder.hpp"
#include "reference.hpp"

namespace epios::io::test {

/// A random expression over ids; `@` where there is an operation for it.
class Texts {
 public:
  /// `is_exact`: nothing but what double does without rounding, as long as numbers are short.
  Texts(Random& random, std::vector<std::string> ids, bool is_exact = false)
      : random_(random), ids_(std::move(ids)), is_exact_(is_exact) {}
  std::string expression(int depth) {
    const auto kind = depth == 0 ? 0 : random_.pick(0, is_exact_ ? 8 : 12);
    const auto part = [&] { return expression(depth - 1); };
    if (kind == 0) return operand();
    if (kind == 1) return "-" + ("(" + part() + ")");
    if (kind == 2) return one_of({"min(", "max("}) + part() + ", " + part() + ")";
    if (kind == 3) return "abs(" + part() + ")";
    if (kind == 4) return "(" + condition(depth) + " ? (" + part() + ") : " + operand() + ")";
    if (kind == 8) return "@(" + field() + " * " + part() + ")";
    if (kind == 9) return "(" + part() + ") / (" + part() + ")";
    if (kind == 10) return power(depth);
    if (kind >= 11) {
      return one_of({"sqrt(", "cos(", "sin(", "tan(", "exp(", "log(", "log10("}) + part() + ")";
    }
    const std::vector<std::string> operators = {" + ", " - ", " * "};
    return "(" + part() + operators[static_cast<std::size_t>(kind - 5)] + part() + ")";
  }
  std::string operand() {
    if (random_.pick(0, 5) == 0) return std::to_string(random_.pick(0, 9));
    if (random_.pick(0, 20) == 0) return "$missing_value";
    return field();
  }
  std::string field() { return one_of(ids_); }

 private:
  std::string one_of(const std::vector<std::string>& words) {
    return words[static_cast<std::size_t>(random_.pick(0, static_cast<int>(words.size()) - 1))];
  }
  std::string condition(int depth) {
    const std::string comparison = "((" + expression(depth - 1) + ")" +
                                   one_of({" < ", " <= ", " > ", " >= ", " == ", " /= "}) + "(" +
                                   expression(depth - 1) + "))";
    switch (random_.pick(0, 3)) {
      case 0:
        return "(" + comparison + " and (" + expression(depth - 1) + "))";
      case 1:
        return "((" + expression(depth - 1) + ") or " + comparison + ")";
      case 2:
        return "(not " + comparison + ")";
      default:
        return comparison;
    }
  }
  std::string power(int depth) {
    if (random_.pick(0, 2) == 0) return "(2 ^ (" + expression(depth - 1) + "))";
    return "((" + expression(depth - 1) + ") ^ " + one_of({"2", "3", "0.5", "1"}) + ")";
  }

  Random& random_;
  std::vector<std::string> ids_;
  bool is_exact_;
};

/// What the dates of a case are made of.
struct Clock {
  double step_s = 3600;
  MonthStarts months{0};  // in steps; one: periods are steps
  bool has_months() const { return months.size() > 1; }
};

/// As people write them: one length, said in some unit.
inline config::Duration said(Random& random, const Clock& clock, const Period& period) {
  config::Duration out;
  const auto months = static_cast<double>(period.months);
  (period.months % 12 == 0 && random.flip() ? out.year : out.month) = months;
  if (out.year > 0) out.year = months / 12;
  const double seconds = static_cast<double>(period.steps) * clock.step_s;
  switch (random.pick(0, 4)) {
    case 0:
      out.timestep = static_cast<double>(period.steps);
      break;
    case 1:
      out.second = seconds;
      break;
    case 2:
      out.minute = seconds / 60;
      break;
    case 3:
      out.day = std::trunc(seconds / 86'400);
      out.minute = std::fmod(seconds, 86'400) / 60;
      break;
    default:
      out.hour = seconds / 3600;
  }
  return out;
}

/// `output` without any length: any.
inline config::Sampling random_sampling(Random& random, const Clock& clock, bool with_once,
                                        Period output = {}) {
  if (output.months == 0 && output.steps == 0) {
    if (clock.has_months() && random.flip()) {
      output.months = random.pick(1, 3);
    } else {
      output.steps = random.pick(1, 3) * random.pick(1, 3);
    }
  }
  Period f;
  const bool in_months = output.months > 0 && random.flip();
  if (in_months) {
    f.months = random.pick(1, 3);
    while (output.months % f.months != 0) --f.months;
  } else {
    f.steps = random.pick(1, 3);
    while (output.months > 0 ? f.steps > 1 : output.steps % f.steps != 0) --f.steps;
  }
  Period offset{f.months, f.steps - 1};
  if (random.flip()) offset = {0, random.pick(0, in_months ? 27 : f.steps - 1)};
  config::Sampling out;
  out.operation = static_cast<Operation>(random.pick(0, with_once ? 5 : 4));
  out.freq_op = said(random, clock, f);
  out.freq_offset = said(random, clock, offset);
  out.output_freq = said(random, clock, output);
  return out;
}

/// Lengths of months by the rules that people learn.
inline std::int64_t days_of(config::CalendarType type, std::int64_t year, std::int64_t month) {
  constexpr std::array<std::int64_t, 12> common{31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
  using config::CalendarType;
  if (type == CalendarType::d360) return 30;
  const bool every_fourth = year % 4 == 0;
  const bool is_leap =
      type == CalendarType::all_leap || (type == CalendarType::julian && every_fourth) ||
      (type == CalendarType::gregorian && every_fourth && (year % 100 != 0 || year % 400 == 0));
  return common.at(static_cast<std::size_t>(month - 1)) + (month == 2 && is_leap ? 1 : 0);
}

struct Case {
  config::Model model = line_model(points);
  Clock clock;
  std::vector<Series> sent;
  std::int64_t end = 0;
};

/// Steps of minutes and hours, or days in all calendars from the beginning of some month.
inline void set_clock(Random& random, Case& c) {
  config::Model& model = c.model;
  using config::CalendarType;
  const std::vector<CalendarType> types = {CalendarType::gregorian, CalendarType::julian,
                                           CalendarType::no_leap, CalendarType::all_leap,
                                           CalendarType::d360};
  model.calendar_type = types[static_cast<std::size_t>(random.pick(0, 4))];
  const std::vector<std::int64_t> years = {1899, 1999, 2000, 2001, 2003, 2100};
  std::int64_t year = years[static_cast<std::size_t>(random.pick(0, 5))];
  std::int64_t month = random.pick(1, 12);
  c.end = random.pick(6, 20);
  if (random.flip()) {
    const std::vector<double> lengths = {3600, 1200, 1800, 5400, 45};
    c.clock.step_s = lengths[static_cast<std::size_t>(random.pick(0, 4))];
  } else {
    c.clock.step_s = 86'400;
    c.end = random.pick(10, 110);
  }
  model.timestep = {};
  (random.flip() ? model.timestep.second : model.timestep.minute) = c.clock.step_s;
  if (model.timestep.minute > 0) model.timestep.minute /= 60;
  model.start_date = model.calendar().instant({year, static_cast<int>(month), 1});
  if (c.clock.step_s < 86'400) return;
  for (int i = 0; i < 80; ++i) {
    c.clock.months.push_back(c.clock.months.back() + days_of(model.calendar_type, year, month));
    if (++month > 12) {
      month = 1;
      ++year;
    }
  }
}

/// Dates of output of one file in three.
inline void add_windows(Random& random, Case& c, const config::File& file) {
  if (random.pick(0, 2) > 0) return;
  config::OutputDates dates;
  for (auto count = random.pick(1, 2); count > 0; --count) {
    const std::int64_t first = random.pick(0, c.end);
    const std::int64_t last = random.pick(first, c.end);
    dates.windows.push_back({at(c.model, first), at(c.model, last)});
  }
  for (const config::StreamId stream : file.streams) {
    config::Sampling& sampling = c.model.streams[stream].sampling;
    if (sampling.operation != Operation::once) sampling.dates = dates;
  }
}

inline Case random_case(Random& random, bool misses_some) {
  Case out;
  set_clock(random, out);
  std::vector<std::string> ids;
  const auto sources = random.pick(1, 3);
  for (std::int64_t s = 0; s < sources; ++s) {
    add_source(out.model, 0);
    ids.push_back(out.model.sources.back().id);
  }
  const auto expressions = random.pick(1, 5);
  const bool is_exact = random.flip();
  for (std::int64_t e = 0; e < expressions; ++e) {
    Nested nested;
    std::vector<std::string> operands = ids;
    for (const std::string& id : ids) {
      nested[id] = random_sampling(random, out.clock, false);
      if (random.flip()) operands.push_back("@" + id);
    }
    nested[""] = random_sampling(random, out.clock, false);
    Texts texts(random, operands, is_exact);
    add_expression(out.model, texts.field() + " + " + texts.expression(3), nested);
    for (auto& node : out.model.expressions.back().nodes) {
      const bool is_result = node.is_temporal || node.op == ExpressionOp::temporal;
      if (is_result) node.detect_missing_value = random.flip();
    }
    ids.push_back(out.model.expressions.back().id);
  }
  for (int f = 0; f < 2; ++f) {
    config::File& file = out.model.files.emplace_back();
    file.id = "file" + std::to_string(out.model.files.size());
    Period period{0, random.pick(1, 6)};
    if (out.clock.has_months() && random.flip()) period = {random.pick(1, 2), 0};
    for (auto streams = random.pick(1, 3); streams > 0; --streams) {
      const auto e = static_cast<int>(random.pick(0, expressions - 1));
      file.streams.push_back(config::StreamId(
          add_stream_of(out.model, e, random_sampling(random, out.clock, true, period))));
      out.model.streams.back().file = out.model.files.last_id();
      out.model.streams.back().attributes.detect_missing_value = random.flip();
    }
  }
  add_stream(out.model, 0, Operation::average, 2);
  config::Sampling& mean = out.model.streams.back().sampling;
  mean.freq_op = said(random, out.clock, {0, 1});
  mean.freq_offset = {};
  mean.output_freq = said(random, out.clock, {0, 2});
  for (std::int64_t s = 0; s < sources; ++s) {
    Series& series = out.sent.emplace_back();
    for (std::int64_t step = 1; step <= out.end; ++step) {
      if (misses_some && random.pick(0, 6) == 0) continue;
      Datum& datum = series[step];
      for (std::int64_t p = 0; p < points; ++p) {
        const bool is_missing = random.pick(0, 7) == 0;
        datum.values.push_back(is_missing ? missing
                                          : Real(static_cast<long double>(random.pick(-8, 8)) / 4));
      }
    }
  }
  for (const config::File& file : out.model.files) add_windows(random, out, file);
  return out;
}

/// Whether another run could go on with it: records of one number may be due too far apart.
inline bool can_be_kept(const config::Model& model) {
  try {
    config::kept_operations(model);
  } catch (const Error&) {
    return false;
  }
  return true;
}

inline std::string text_of(const Case& c) {
  std::string out = fmt::format("{} steps\n", c.end);
  for (const auto& expression : c.model.expressions) {
    out += fmt::format("{} = {}\n", expression.id, expression.text);
    for (const auto& node : expression.nodes) {
      const bool is_of_parentheses = node.op == ExpressionOp::temporal;
      if (!node.is_temporal && !is_of_parentheses) continue;
      const std::string what = is_of_parentheses
                                   ? "()"
                                   : fmt::format("{}{}", node.source >= 0 ? 'f' : 'e',
                                                 std::max<int>(node.source, node.expression));
      out += fmt::format("  @{}: {}{}\n", what, text_of(node.sampling),
                         node.detect_missing_value ? ", detects" : "");
    }
  }
  for (const auto& stream : c.model.streams) {
    out += fmt::format("{}: e{} {}\n", stream.id, stream.expression, text_of(stream.sampling));
    for (const config::DateWindow& window : stream.sampling.dates.windows) {
      out += fmt::format("  from {} to {}\n", c.model.calendar().text(window.first),
                         c.model.calendar().text(window.last));
    }
  }
  const config::Calendar calendar = c.model.calendar();
  return out + fmt::format("steps of {} from {}, {}\n", c.model.timestep.text(),
                           calendar.text(c.model.start_date), calendar.cf_name());
}

/// As the model sends them.
inline std::vector<double> array_of(const Datum& datum) {
  std::vector<double> out;
  for (const Real& value : datum.values) out.push_back(static_cast<double>(value.value));
  return out;
}

using ByNumber = std::map<std::pair<int, std::int64_t>, Record>;

/// What is written once is in each run.
inline ByNumber by_number(const Case& c, const std::vector<Record>& records) {
  ByNumber out;
  for (const Record& record : records) {
    const auto [known, is_new] = out.emplace(std::pair(record.stream, record.number), record);
    const auto& sampling = nth(c.model.streams, record.stream).sampling;
    EXPECT_TRUE(is_new || sampling.operation == Operation::once)
        << "stream " << record.stream << " record " << record.number;
    expect_same({record.values}, {known->second.values});
  }
  return out;
}

}  // namespace epios::io::test
