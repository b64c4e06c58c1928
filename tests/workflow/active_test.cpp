// Whether data are called active exactly where they matter.
#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "config/data_graph.hpp"
#include "config/statistics.hpp"
#include "random_case.hpp"

namespace epios::io::active_test {
namespace {

using config::Operation;
using test::array_of;
using test::by_number;
using test::ByNumber;
using test::Case;
using test::points;
using test::Random;
using test::random_case;
using test::random_sampling;
using test::Record;
using test::Series;
using test::set_clock;
using test::text_of;

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
TEST(Active, IsWhatMatters) {
  int active = 0;
  int idle = 0;
  int idle_in_chains = 0;
  for (unsigned seed = 0; seed < 500; ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    const bool is_telling = seed % 3 != 0;
    const Case c = is_telling ? telling_case(random) : random_case(random, false);
    const bool is_kept = seed % 2 == 0 && test::can_be_kept(c.model);
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

}  // namespace
}  // namespace epios::io::active_test
