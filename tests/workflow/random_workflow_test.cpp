// Random expressions in random chains of temporal operations, against an evaluator of this test's
// own.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "config/data_graph.hpp"
#include "config/statistics.hpp"
#include "expressions.hpp"
#include "random.hpp"
#include "recorder.hpp"
#include "reference.hpp"

namespace epios::io {
namespace {

using config::ExpressionOp;
using config::Operation;
using test::Random;
using test::Record;

using test::Datum;
using test::Made;
using test::missing;
using test::MonthStarts;
using test::Period;
using test::points;
using test::Real;
using test::Reference;
using test::Series;
using test::text_of;

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
config::Duration said(Random& random, const Clock& clock, const Period& period) {
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
config::Sampling random_sampling(Random& random, const Clock& clock, bool with_once,
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
std::int64_t days_of(config::CalendarType type, std::int64_t year, std::int64_t month) {
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
  config::Model model = test::line_model(points);
  Clock clock;
  std::vector<Series> sent;
  std::int64_t end = 0;
};

/// Steps of minutes and hours, or days in all calendars from the beginning of some month.
void set_clock(Random& random, Case& c) {
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

Case random_case(Random& random, bool misses_some) {
  Case out;
  set_clock(random, out);
  std::vector<std::string> ids;
  const auto sources = random.pick(1, 3);
  for (std::int64_t s = 0; s < sources; ++s) {
    test::add_source(out.model, 0);
    ids.push_back(out.model.sources.back().id);
  }
  const auto expressions = random.pick(1, 5);
  const bool is_exact = random.flip();
  for (std::int64_t e = 0; e < expressions; ++e) {
    test::Nested nested;
    std::vector<std::string> operands = ids;
    for (const std::string& id : ids) {
      nested[id] = random_sampling(random, out.clock, false);
      if (random.flip()) operands.push_back("@" + id);
    }
    nested[""] = random_sampling(random, out.clock, false);
    Texts texts(random, operands, is_exact);
    test::add_expression(out.model, texts.field() + " + " + texts.expression(3), nested);
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
      file.streams.push_back(
          test::add_stream_of(out.model, e, random_sampling(random, out.clock, true, period)));
      out.model.streams.back().file = static_cast<int>(out.model.files.size()) - 1;
      out.model.streams.back().attributes.detect_missing_value = random.flip();
    }
  }
  test::add_stream(out.model, 0, Operation::average, 2);
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
  const config::Calendar calendar = c.model.calendar();
  return out + fmt::format("steps of {} from {}, {}\n", c.model.timestep.text(),
                           calendar.text(c.model.start_date), calendar.cf_name());
}

/// As the model sends them.
std::vector<double> array_of(const Datum& datum) {
  std::vector<double> out;
  for (const Real& value : datum.values) out.push_back(static_cast<double>(value.value));
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
      const std::vector<double> array = array_of(found->second);
      const std::size_t before = records.size();
      const bool is_active = workflow.is_active(s, test::at(c.model, step));
      workflow.send(s, test::at(c.model, step), std::span<const double>(array));
      EXPECT_TRUE(is_active || records.size() == before) << "what is not active has no effect";
    }
  }
}

std::vector<Record> run(const Case& c, Random& random) {
  std::vector<Record> records;
  const auto taking = random.flip() ? test::Taking::arrays : test::Taking::also_worked_out;
  Workflow workflow = test::workflow_into(c.model, records, taking);
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

/// Of a file that several runs write, records of one number are all in one run.
void expect_whole(const Case& c, const std::vector<std::vector<Record>>& runs) {
  std::map<std::pair<int, std::int64_t>, std::size_t> run_of;
  for (std::size_t r = 0; r < runs.size(); ++r) {
    for (const Record& record : runs[r]) {
      const config::Stream& stream = c.model.streams[static_cast<std::size_t>(record.stream)];
      if (stream.sampling.operation == Operation::once) continue;
      const auto [known, is_new] = run_of.emplace(std::pair(stream.file, record.number), r);
      EXPECT_EQ(known->second, r) << "file " << stream.file << " record " << record.number;
    }
  }
}

/// The same in runs that end at the steps of `ends`.
std::vector<Record> run_cut(Case c, Random& random, const std::vector<std::int64_t>& ends) {
  std::vector<std::vector<Record>> runs;
  // The last stream belongs to no file.
  const auto is_of_a_file = [&c](const Record& record) {
    return record.stream + 1 < static_cast<int>(c.model.streams.size());
  };
  c.model.kept_operations = static_cast<int>(config::kept_operations(c.model).size());
  Left left;
  std::int64_t begin = 0;
  for (const std::int64_t end : ends) {
    std::vector<Record>& records = runs.emplace_back();
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
  std::vector<Record> records;
  for (std::vector<Record>& run : runs) {
    records.insert(records.end(), run.begin(), run.end());
    std::erase_if(run, [&](const Record& record) { return !is_of_a_file(record); });
  }
  expect_whole(c, runs);
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

/// How many values could be compared, and of how many the definition says nothing since rounding
/// decides.
struct Compared {
  std::int64_t sure = 0, unsure = 0;
};

void compare(double got, const Real& wanted, Compared& count) {
  ++(wanted.is_unsure() ? count.unsure : count.sure);
  if (wanted.is_unsure()) return;
  if (wanted.is_missing()) {
    EXPECT_TRUE(std::isnan(got)) << got;
  } else if (std::isinf(wanted.value)) {
    EXPECT_EQ(got, static_cast<double>(wanted.value));
  } else {
    const auto off = static_cast<double>(std::fabs(static_cast<long double>(got) - wanted.value));
    EXPECT_LE(off, static_cast<double>(2 * wanted.error)) << got;
    EXPECT_FALSE(std::isnan(got));
  }
}

void compare(const Case& c, const std::vector<Record>& records, Compared& count) {
  const Reference reference(c.model, c.sent, c.end, c.clock.months);
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
        SCOPED_TRACE(fmt::format("stream {} record {} point {}", s, made.number, p));
        compare(record.values[p], made.datum.values[p], count);
      }
    }
  }
}

TEST(RandomWorkflow, RecordsAreThoseOfTheDefinition) {
  Compared count;
  for (unsigned seed = 0; seed < 1000; ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    const Case c = random_case(random, false);
    SCOPED_TRACE(text_of(c));
    compare(c, run(c, random), count);
    if (testing::Test::HasFailure()) return;
  }
  EXPECT_GT(count.sure, 9 * count.unsure) << "the test says something";
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

/// All that a run comes to.
struct Outcome {
  ByNumber records;
  /// Of each operation after each step, towards a result: what the next run would take up.
  std::vector<std::int64_t> samples;
  /// Of what was sent whether it had been called active.
  std::map<std::pair<std::int64_t, int>, bool> active;
};

/// Sources in their order at each step, but for one send that does not come.
Outcome run_without(Case c, bool is_kept, std::int64_t omitted_step, int omitted_source) {
  if (is_kept) c.model.kept_operations = static_cast<int>(config::kept_operations(c.model).size());
  Outcome out;
  std::vector<Record> records;
  Workflow workflow = test::workflow_into(c.model, records);
  for (std::int64_t step = 1; step <= c.end; ++step) {
    for (int s = 0; s < static_cast<int>(c.sent.size()); ++s) {
      const auto& sent = c.sent[static_cast<std::size_t>(s)];
      const auto found = sent.find(step);
      if (found == sent.end() || (step == omitted_step && s == omitted_source)) continue;
      const std::vector<double> array = array_of(found->second);
      out.active[{step, s}] = workflow.is_active(s, test::at(c.model, step));
      workflow.send(s, test::at(c.model, step), std::span<const double>(array));
    }
    for (int k = 0; k < c.model.kept_operations; ++k) {
      out.samples.push_back(workflow.state(k).samples);
    }
  }
  workflow.finish(test::at(c.model, c.end));
  out.records = by_number(c, records);
  return out;
}

bool are_equal(const std::vector<double>& a, const std::vector<double>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](double x, double y) { return x == y || (std::isnan(x) && std::isnan(y)); });
}

bool are_same(const Outcome& a, const Outcome& b) {
  if (a.samples != b.samples || a.records.size() != b.records.size()) return false;
  return std::all_of(a.records.begin(), a.records.end(), [&](const auto& entry) {
    const auto other = b.records.find(entry.first);
    return other != b.records.end() && other->second.samples == entry.second.samples &&
           are_equal(other->second.values, entry.second.values);
  });
}

/// Samples that stand for the last one of their period, should that not come: nobody can tell from
/// a run in which it does.
bool has_stand_ins(const config::Model& model) {
  const config::DataGraph graph = config::data_graph(model);
  const config::Calendar calendar = model.calendar();
  return std::any_of(graph.nodes.begin(), graph.nodes.end(), [&](const config::DataNode& node) {
    const config::Sampling& sampling = node.sampling;
    return node.kind == config::DataNode::Kind::temporal &&
           sampling.operation == Operation::instant &&
           !calendar.are_equal(sampling.freq_op, sampling.output_freq);
  });
}

/// Each value counts: nothing but sums, and values that no two sends share.
Case telling_case(Random& random) {
  Case out;
  set_clock(random, out);
  std::vector<std::string> ids;
  const auto sources = random.pick(1, 3);
  for (std::int64_t s = 0; s < sources; ++s) {
    test::add_source(out.model, 0);
    ids.push_back(out.model.sources.back().id);
  }
  const auto additive = [&](std::int64_t period) {
    config::Sampling sampling = random_sampling(random, out.clock, false, {0, period});
    if (sampling.operation == Operation::minimum || sampling.operation == Operation::maximum) {
      sampling.operation = Operation::accumulate;
    }
    return sampling;
  };
  const auto expressions = random.pick(1, 5);
  for (std::int64_t e = 0; e < expressions; ++e) {
    test::Nested nested;
    const auto operand = [&] {
      const std::string id =
          ids[static_cast<std::size_t>(random.pick(0, static_cast<int>(ids.size()) - 1))];
      if (random.flip()) return id;
      nested.try_emplace(id, additive(0));
      return "@" + id;
    };
    nested[""] = additive(0);
    std::string text = operand();
    for (auto more = random.pick(0, 2); more > 0; --more) text += " + " + operand();
    if (random.pick(0, 2) == 0) text = "@(" + text + ")";
    test::add_expression(out.model, text, nested);
    ids.push_back(out.model.expressions.back().id);
  }
  for (auto streams = random.pick(1, 2); streams > 0; --streams) {
    const auto e = static_cast<int>(random.pick(0, expressions - 1));
    test::add_stream_of(out.model, e, additive(random.pick(1, 6)));
  }
  out.end = out.clock.has_months() ? 500 : 120;
  double value = 1;
  for (std::int64_t s = 0; s < sources; ++s) {
    Series& series = out.sent.emplace_back();
    for (std::int64_t step = 1; step <= out.end; ++step) {
      for (std::int64_t p = 0; p < points; ++p) series[step].values.emplace_back(value);
      value = std::fmod(value * 1.618 + static_cast<double>(step), 1000);
    }
  }
  return out;
}

// Data are active exactly where a run without them comes to something else, in the end or for the
// run that goes on with it. (Where others do not come, nobody can know beforehand.)
TEST(RandomWorkflow, ActiveIsWhatMatters) {
  int active = 0;
  int idle = 0;
  int idle_in_chains = 0;
  for (unsigned seed = 0; seed < 1500; ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    const bool is_telling = seed % 3 != 0;
    const bool is_kept = seed % 2 == 0;
    const Case c = is_telling ? telling_case(random) : random_case(random, false);
    SCOPED_TRACE(text_of(c));
    const Outcome all = run_without(c, is_kept, -1, -1);
    for (int pick = 0; pick < 4; ++pick) {
      // Late enough that what was missing before has come, early enough to be seen.
      const std::int64_t last = is_telling ? 60 : c.end;
      const auto step = random.pick(1, last);
      const auto source = static_cast<int>(random.pick(0, static_cast<int>(c.sent.size()) - 1));
      const bool is_active = all.active.at({step, source});
      const Outcome without = run_without(c, is_kept, step, source);
      const bool matters = !are_same(all, without);
      EXPECT_TRUE(is_active || !matters) << "step " << step << " source " << source;
      if (is_telling && !has_stand_ins(c.model)) {
        EXPECT_TRUE(matters || !is_active) << "step " << step << " source " << source;
        idle_in_chains += is_active ? 0 : 1;
      }
      ++(is_active ? active : idle);
    }
    if (testing::Test::HasFailure()) return;
  }
  EXPECT_GT(active, 100);
  EXPECT_GT(idle, 100);
  EXPECT_GT(idle_in_chains, 100);
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
    const ByNumber wanted = by_number(c, run_cut(c, random, {c.end}));
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
