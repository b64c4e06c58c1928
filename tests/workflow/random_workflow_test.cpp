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
#include "random_case.hpp"

namespace epios::io::random_workflow_test {
namespace {

using config::Operation;
using test::array_of;
using test::by_number;
using test::ByNumber;
using test::Case;
using test::Made;
using test::Random;
using test::random_case;
using test::Real;
using test::Record;
using test::Reference;
using test::text_of;

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
      const config::Stream& stream = nth(c.model.streams, record.stream);
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
    const auto wanted = reference.records(nth(c.model.streams, s));
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

void expect_same_records(const ByNumber& got, const ByNumber& wanted) {
  ASSERT_EQ(got.size(), wanted.size());
  for (const auto& [key, record] : wanted) {
    ASSERT_TRUE(got.contains(key)) << "stream " << key.first << " record " << key.second;
    EXPECT_EQ(got.at(key).samples, record.samples);
    test::expect_same({got.at(key).values}, {record.values});
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
      const std::string id = around.model.expressions[stream.expression].id;
      const std::vector<std::string> identities = {"1 * " + id, "-(-" + id + ")",
                                                   "max(" + id + ", " + id + ")", id + " - 0",
                                                   "(" + id + " == " + id + " ? " + id + " : 0)"};
      stream.expression = config::ExpressionId(test::add_expression(
          around.model, identities[static_cast<std::size_t>(random.pick(0, 4))]));
    }
    SCOPED_TRACE(text_of(around));
    const ByNumber wanted = by_number(c, run(c, random));
    const ByNumber got = by_number(around, run(around, random));
    expect_same_records(got, wanted);
    if (testing::Test::HasFailure()) return;
  }
}

// Wherever a run is cut, and whatever does not come.
TEST(RandomWorkflow, CutRunsHaveTheRecordsOfOneRun) {
  constexpr int cases = 400;
  int refused = 0;
  for (unsigned seed = 0; seed < cases; ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    const Case c = random_case(random, seed % 2 == 0);
    if (!test::can_be_kept(c.model)) {
      ++refused;
      continue;
    }
    std::set<std::int64_t> ends = {c.end};
    for (auto cuts = random.pick(1, 3); cuts > 0; --cuts) ends.insert(random.pick(0, c.end));
    SCOPED_TRACE(fmt::format("{}cut at {}", text_of(c), fmt::join(ends, ", ")));
    const ByNumber wanted = by_number(c, run_cut(c, random, {c.end}));
    const ByNumber got = by_number(c, run_cut(c, random, {ends.begin(), ends.end()}));
    expect_same_records(got, wanted);
    if (testing::Test::HasFailure()) return;
  }
  EXPECT_LT(refused, cases / 4) << "the test says something";
}

}  // namespace
}  // namespace epios::io::random_workflow_test
