// Random expressions in random chains of temporal operations, against an evaluator of this test's
// own.
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
using test::points;
using test::Real;
using test::Reference;
using test::Series;
using test::text_of;

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

/// `output_freq` 0: any.
config::Sampling random_sampling(Random& random, bool with_once, std::int64_t output_freq = 0) {
  auto f = random.pick(1, 3);
  while (output_freq > 0 && output_freq % f != 0) --f;
  const auto o = output_freq > 0 ? output_freq : f * random.pick(1, 3);
  const auto operation = static_cast<Operation>(random.pick(0, with_once ? 5 : 4));
  config::Sampling out = test::sampling(operation, static_cast<double>(o), static_cast<double>(f));
  if (random.flip()) out.freq_offset = test::hours(static_cast<double>(random.pick(0, f - 1)));
  return out;
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
  for (const std::int64_t period : {random.pick(1, 6), random.pick(1, 6)}) {
    config::File& file = out.model.files.emplace_back();
    file.id = "file" + std::to_string(out.model.files.size());
    for (auto streams = random.pick(1, 3); streams > 0; --streams) {
      const auto e = static_cast<int>(random.pick(0, expressions - 1));
      file.streams.push_back(
          test::add_stream_of(out.model, e, random_sampling(random, true, period)));
      out.model.streams.back().file = static_cast<int>(out.model.files.size()) - 1;
      out.model.streams.back().attributes.detect_missing_value = random.flip();
    }
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

/// All that a run comes to: its records, and what the next one would take up.
struct Outcome {
  ByNumber records;
  std::vector<std::int64_t> samples;  ///< of each operation after each step, towards a result
  /// Of what was sent whether it had been called active.
  std::map<std::pair<std::int64_t, int>, bool> active;
};

/// Sources in their order at each step, but for one send that does not come.
Outcome run_without(Case c, std::int64_t omitted_step, int omitted_source) {
  c.model.kept_operations = static_cast<int>(config::kept_operations(c.model).size());
  Outcome out;
  std::vector<Record> records;
  Workflow workflow = test::workflow_into(c.model, records);
  for (std::int64_t step = 1; step <= c.end; ++step) {
    for (int s = 0; s < static_cast<int>(c.sent.size()); ++s) {
      const auto& sent = c.sent[static_cast<std::size_t>(s)];
      const auto found = sent.find(step);
      if (found == sent.end() || (step == omitted_step && s == omitted_source)) continue;
      const std::vector<double> array(found->second.values.begin(), found->second.values.end());
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

bool are_same(const Outcome& a, const Outcome& b) {
  if (a.samples != b.samples || a.records.size() != b.records.size()) return false;
  return std::all_of(a.records.begin(), a.records.end(), [&](const auto& entry) {
    const auto other = b.records.find(entry.first);
    return other != b.records.end() && other->second.samples == entry.second.samples;
  });
}

// Data are active exactly where a run without them comes to something else. (Where others do not
// come, nobody can know beforehand.)
TEST(RandomWorkflow, ActiveIsWhatMatters) {
  int active = 0;
  int idle = 0;
  int exact = 0;  // where nothing hides what is active in vain
  for (unsigned seed = 0; seed < 1000; ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    const Case c = random_case(random, false);
    SCOPED_TRACE(text_of(c));
    const config::DataGraph graph = config::data_graph(c.model);
    const auto is_operation = [&](int node) {
      return graph.nodes[static_cast<std::size_t>(node)].kind == config::DataNode::Kind::temporal;
    };
    const bool has_chains =
        std::any_of(graph.nodes.begin(), graph.nodes.end(), [&](const config::DataNode& node) {
          return std::any_of(node.arguments.begin(), node.arguments.end(), is_operation);
        });
    const Outcome all = run_without(c, -1, -1);
    for (int pick = 0; pick < 4 && !all.active.empty(); ++pick) {
      const auto chosen =
          std::next(all.active.begin(), random.pick(0, static_cast<int>(all.active.size()) - 1));
      const auto [step, source] = chosen->first;
      const Outcome without = run_without(c, step, source);
      const bool matters = !are_same(all, without);
      EXPECT_TRUE(chosen->second || !matters) << "step " << step << " source " << source;
      EXPECT_TRUE(matters || !chosen->second || has_chains)
          << "step " << step << " source " << source;
      ++(chosen->second ? active : idle);
      if (!has_chains && chosen->second) ++exact;
    }
    if (testing::Test::HasFailure()) return;
  }
  EXPECT_GT(active, 100);
  EXPECT_GT(idle, 100);
  EXPECT_GT(exact, 100);
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
