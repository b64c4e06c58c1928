#include "workflow/workflow.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <map>
#include <vector>

#include "config/error.hpp"
#include "hourly_model.hpp"
#include "models.hpp"
#include "random.hpp"
#include "recorder.hpp"

namespace epios::io::workflow_test {
namespace {

using config::Operation;
using test::add_source;
using test::add_stream;
using test::at;
using test::expect_same;
using test::hourly_model;
using test::line_model;
using test::Random;
using test::Record;

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

TEST(Workflow, InstantOfAnIdentityIsTheModelsArray) {
  config::Model model = line_model(3);
  add_source(model, 0);
  add_stream(model, 0, Operation::instant, 1);
  std::vector<Record> records;
  Workflow workflow = test::workflow_into(model, records);
  const std::vector<double> array = {1, 2, 3};
  workflow.send(0, at(model, 1), std::span<const double>(array));
  ASSERT_EQ(records.size(), 1U);
  EXPECT_EQ(records[0].address, array.data());
}

TEST(Workflow, EqualSamplingsShareAFilter) {
  config::Model model = line_model(3);
  add_source(model, 0);
  add_stream(model, 0, Operation::average, 2);
  add_stream(model, 0, Operation::maximum, 2);
  add_stream(model, 0, Operation::average, 2);
  std::vector<Record> records;
  Workflow workflow = test::workflow_into(model, records);
  const std::vector<double> array = {1, 2, 3};
  workflow.send(0, at(model, 1), std::span<const double>(array));
  workflow.send(0, at(model, 2), std::span<const double>(array));
  ASSERT_EQ(records.size(), 3U);
  for (int s = 0; s < 3; ++s) EXPECT_EQ(records[static_cast<std::size_t>(s)].stream, s);
  EXPECT_EQ(records[0].address, records[2].address);
  EXPECT_NE(records[0].address, records[1].address);
}

TEST(Workflow, SourcesAreSeparate) {
  config::Model model = line_model(1);
  add_source(model, 0);
  add_source(model, 0);
  add_stream(model, 1, Operation::accumulate, 1);
  add_stream(model, 0, Operation::accumulate, 1);
  std::vector<Record> records;
  Workflow workflow = test::workflow_into(model, records);
  const std::vector<double> five = {5};
  const std::vector<double> six = {6};
  workflow.send(0, at(model, 1), std::span<const double>(five));
  workflow.send(1, at(model, 1), std::span<const double>(six));
  ASSERT_EQ(records.size(), 2U);
  EXPECT_EQ(records[0].stream, 1);
  EXPECT_EQ(records[0].values, five);
  EXPECT_EQ(records[1].stream, 0);
  EXPECT_EQ(records[1].values, six);
}

TEST(Workflow, SamplingFollowsFreqOp) {
  config::Model model = line_model(1);
  add_source(model, 0);
  add_stream(model, 0, Operation::accumulate, 6, 3);
  std::vector<Record> records;
  Workflow workflow = test::workflow_into(model, records);
  std::vector<std::int64_t> active;
  for (std::int64_t step = 0; step <= 12; ++step) {
    const std::vector<double> array = {std::pow(10, static_cast<double>(step))};
    if (workflow.is_active(0, at(model, step))) active.push_back(step);
    workflow.send(0, at(model, step), std::span<const double>(array));
  }
  EXPECT_EQ(active, (std::vector<std::int64_t>{3, 6, 9, 12}));
  ASSERT_EQ(records.size(), 2U);
  EXPECT_EQ(records[0].values[0], 1e3 + 1e6);
  EXPECT_EQ(records[1].values[0], 1e9 + 1e12);
}

TEST(Workflow, InstantKeepsTheLastSampleOfThePeriod) {
  config::Model model = line_model(1);
  add_source(model, 0);
  add_stream(model, 0, Operation::instant, 4, 2);
  std::vector<Record> records;
  Workflow workflow = test::workflow_into(model, records);
  std::vector<double> array(1);
  for (const std::int64_t step : {1, 2, 3}) {
    array[0] = static_cast<double>(step);
    workflow.send(0, at(model, step), std::span<const double>(array));
  }
  EXPECT_TRUE(records.empty());
  array[0] = 4;
  workflow.send(0, at(model, 4), std::span<const double>(array));
  ASSERT_EQ(records.size(), 1U);
  EXPECT_EQ(records[0].values[0], 4);
}

TEST(Workflow, ARecordWithoutSamplesIsNone) {
  for (const auto operation : {Operation::instant, Operation::average, Operation::minimum}) {
    config::Model model = line_model(1);
    add_source(model, 0);
    add_stream(model, 0, operation, 2, 6);  // samples more seldom than records
    std::vector<Record> records;
    Workflow workflow = test::workflow_into(model, records);
    const std::vector<double> array = {5};
    for (std::int64_t step = 1; step <= 12; ++step) {
      workflow.send(0, at(model, step), std::span<const double>(array));
    }
    ASSERT_EQ(records.size(), 2U) << config::name(operation);
    EXPECT_EQ(records[0].number, 2);
    EXPECT_EQ(records[1].number, 5);
    for (const Record& record : records) EXPECT_EQ(record.values[0], 5);
    workflow.finish(at(model, 12));
    EXPECT_TRUE(workflow.account(0).is_complete()) << config::name(operation);
  }
}

TEST(Workflow, ASampleThatPassedThroughEndsItsPeriod) {
  // Samples are due at steps 2, 4, 6, ..., records at 3, 6, 9, ...
  config::Model model = line_model(1);
  add_source(model, 0);
  add_stream(model, 0, Operation::instant, 3, 2);
  std::vector<Record> records;
  Workflow workflow = test::workflow_into(model, records);
  for (const std::int64_t step : {2, 6, 13}) {
    const std::vector<double> array = {static_cast<double>(step)};
    workflow.send(0, at(model, step), std::span<const double>(array));
  }
  ASSERT_EQ(records.size(), 2U) << "no sample is left for the record at 9";
  EXPECT_EQ(records[0].number, 0);
  EXPECT_EQ(records[0].values[0], 2);
  EXPECT_EQ(records[1].number, 1);
  EXPECT_EQ(records[1].values[0], 6);
}

/// Sends the steps of a list; the run ends at `last_step`.
Workflow run_steps(const config::Model& model, const std::vector<std::int64_t>& sent,
                   std::int64_t last_step, std::vector<Record>& records) {
  Workflow workflow = test::workflow_into(model, records);
  for (const std::int64_t step : sent) {
    const std::vector<double> array = {static_cast<double>(step)};
    workflow.send(0, at(model, step), std::span<const double>(array));
  }
  workflow.finish(at(model, last_step));
  return workflow;
}

TEST(Workflow, WhatHasAllItsDataIsComplete) {
  config::Model model = line_model(1);
  add_source(model, 0);
  add_stream(model, 0, Operation::average, 3);
  add_stream(model, 0, Operation::instant, 2);
  std::vector<Record> records;
  const Workflow workflow = run_steps(model, {1, 2, 3, 4, 5, 6, 7, 8}, 8, records);
  EXPECT_EQ(records.size(), 6U);
  const StreamAccount& mean = workflow.account(0);
  EXPECT_TRUE(mean.is_complete());
  EXPECT_EQ(mean.dates, 8);
  EXPECT_EQ(mean.dates_missed, 0);
  EXPECT_EQ(mean.records, 2);
  EXPECT_EQ(mean.samples_left, 2) << "of the third period";
  EXPECT_TRUE(workflow.account(1).is_complete());
  EXPECT_EQ(workflow.account(1).dates, 4);
  EXPECT_EQ(workflow.account(1).samples_left, 0);
  for (const Record& record : records) EXPECT_EQ(record.samples, record.stream == 0 ? 3 : 1);
}

TEST(Workflow, ASampleThatNeverCameIsCounted) {
  config::Model model = line_model(1);
  add_source(model, 0);
  add_stream(model, 0, Operation::average, 3);
  std::vector<Record> records;
  const Workflow workflow = run_steps(model, {1, 3, 4, 5, 6, 7, 8, 9}, 9, records);
  ASSERT_EQ(records.size(), 3U);
  EXPECT_EQ(records[0].samples, 2);
  EXPECT_EQ(records[0].values[0], 2);
  const StreamAccount& account = workflow.account(0);
  EXPECT_EQ(account.dates, 9);
  EXPECT_EQ(account.dates_missed, 1);
  EXPECT_EQ(account.first_missed, at(model, 2));
  EXPECT_EQ(account.last_missed, at(model, 2));
  EXPECT_EQ(account.records_short, 1);
  EXPECT_EQ(account.records_missing, 0);
}

// Steps 5 to 10 never come: the second record leaves with one of three samples, the third is
// missing, the fourth lacks one.
TEST(Workflow, APauseIsSharedOutToItsRecords) {
  config::Model model = line_model(1);
  add_source(model, 0);
  add_stream(model, 0, Operation::maximum, 3);
  std::vector<Record> records;
  const Workflow workflow = run_steps(model, {1, 2, 3, 4, 11, 12}, 12, records);
  ASSERT_EQ(records.size(), 3U);
  EXPECT_EQ(records[1].number, 1);
  EXPECT_EQ(records[1].samples, 1);
  EXPECT_EQ(records[2].number, 3);
  EXPECT_EQ(records[2].samples, 2);
  const StreamAccount& account = workflow.account(0);
  EXPECT_EQ(account.dates_missed, 6);
  EXPECT_EQ(account.first_missed, at(model, 5));
  EXPECT_EQ(account.last_missed, at(model, 10));
  EXPECT_EQ(account.records, 4);
  EXPECT_EQ(account.records_short, 2);
  EXPECT_EQ(account.records_missing, 1);
}

// The last record must not wait for ever for data of its last date.
TEST(Workflow, TheEndOfTheRunEndsPeriods) {
  config::Model model = line_model(1);
  add_source(model, 0);
  add_stream(model, 0, Operation::average, 3);
  add_stream(model, 0, Operation::instant, 3);
  std::vector<Record> records;
  const Workflow workflow = run_steps(model, {1, 2, 3, 4, 5}, 9, records);
  ASSERT_EQ(records.size(), 3U);
  EXPECT_EQ(records[2].stream, 0);
  EXPECT_EQ(records[2].number, 1);
  EXPECT_EQ(records[2].values[0], 4.5);
  const StreamAccount& mean = workflow.account(0);
  EXPECT_EQ(mean.dates_missed, 4);
  EXPECT_EQ(mean.records_short, 1);
  EXPECT_EQ(mean.records_missing, 1);
  EXPECT_EQ(mean.samples_left, 0);
  const StreamAccount& instant = workflow.account(1);
  EXPECT_EQ(instant.dates, 3);
  EXPECT_EQ(instant.dates_missed, 2);
  EXPECT_EQ(instant.first_missed, at(model, 6));
  EXPECT_EQ(instant.records_missing, 2);
}

// What a part of a file is to hold must leave before the part is complete, and change nothing else.
TEST(Workflow, PassingADateSendsWhatIsLateAndNothingElse) {
  config::Model model = line_model(1);
  add_source(model, 0);
  for (const Operation operation : {Operation::average, Operation::instant}) {
    add_stream(model, 0, operation, 3);
  }
  for (const std::vector<std::int64_t>& sent :
       {std::vector<std::int64_t>{1, 2, 3, 4, 5, 6, 7, 8, 9},
        {1, 2, 4, 8, 9},
        {3, 5, 9},
        {7, 8},
        {1, 9}}) {
    std::vector<Record> without;
    const Workflow plain = run_steps(model, sent, 9, without);
    std::vector<Record> with;
    Workflow passing = test::workflow_into(model, with);
    std::size_t begun = 0;
    for (std::int64_t step = 1; step <= 9; ++step) {
      passing.pass(static_cast<int>(step % 2), at(model, step));
      passing.pass(0, at(model, step));
      if (step == 4) begun = with.size();
      if (std::find(sent.begin(), sent.end(), step) == sent.end()) continue;
      const std::vector<double> array = {static_cast<double>(step)};
      passing.send(0, at(model, step), std::span<const double>(array));
    }
    passing.finish(at(model, 9));
    ASSERT_EQ(with.size(), without.size());
    std::size_t of_first_period = 0;
    for (std::size_t r = 0; r < with.size(); ++r) {
      EXPECT_EQ(with[r].stream, without[r].stream);
      EXPECT_EQ(with[r].number, without[r].number);
      EXPECT_EQ(with[r].values, without[r].values);
      if (with[r].number == 0) ++of_first_period;
    }
    EXPECT_EQ(begun, of_first_period) << "all that is over has left";
    for (int stream = 0; stream < 2; ++stream) {
      EXPECT_EQ(passing.account(stream).records_missing, plain.account(stream).records_missing);
      EXPECT_EQ(passing.account(stream).records_short, plain.account(stream).records_short);
      EXPECT_EQ(passing.account(stream).dates_missed, plain.account(stream).dates_missed);
    }
  }
}

TEST(Workflow, AFieldNeverSentIsCounted) {
  config::Model model = line_model(1);
  add_source(model, 0);
  add_stream(model, 0, Operation::minimum, 2);
  add_stream(model, 0, Operation::once, 1, 1);
  std::vector<Record> records;
  const Workflow workflow = run_steps(model, {}, 5, records);
  EXPECT_TRUE(records.empty());
  EXPECT_EQ(workflow.account(0).dates, 5);
  EXPECT_EQ(workflow.account(0).dates_missed, 5);
  EXPECT_EQ(workflow.account(0).records_missing, 2);
  EXPECT_EQ(workflow.account(1).records_missing, 1);
  EXPECT_FALSE(workflow.account(1).is_complete());
}

// Against the definition: which of the steps are sent decides everything.
TEST(Workflow, AccountsFollowFromTheStepsThatWereSent) {
  constexpr std::int64_t steps = 9;
  constexpr std::int64_t period = 3;
  config::Model model = line_model(1);
  add_source(model, 0);
  add_stream(model, 0, Operation::average, period);
  add_stream(model, 0, Operation::instant, period);
  for (unsigned bits = 0; bits < 1U << steps; ++bits) {
    SCOPED_TRACE(bits);
    std::vector<std::int64_t> sent;
    for (std::int64_t step = 1; step <= steps; ++step) {
      if ((bits >> (step - 1) & 1U) != 0) sent.push_back(step);
    }
    std::int64_t records_short = 0;
    std::int64_t missing = 0;
    std::int64_t instants = 0;
    for (std::int64_t first = 1; first <= steps; first += period) {
      const auto count = std::count_if(sent.begin(), sent.end(), [&](std::int64_t step) {
        return step >= first && step < first + period;
      });
      if (count == 0) ++missing;
      if (count > 0 && count < period) ++records_short;
      instants += std::count(sent.begin(), sent.end(), first + period - 1);
    }
    std::vector<Record> records;
    const Workflow workflow = run_steps(model, sent, steps, records);
    const StreamAccount& mean = workflow.account(0);
    EXPECT_EQ(mean.dates_missed, steps - static_cast<std::int64_t>(sent.size()));
    EXPECT_EQ(mean.records_short, records_short);
    EXPECT_EQ(mean.records_missing, missing);
    const auto puts = [&](int stream) {
      return std::count_if(records.begin(), records.end(),
                           [&](const Record& record) { return record.stream == stream; });
    };
    EXPECT_EQ(puts(0), 3 - missing);
    const StreamAccount& instant = workflow.account(1);
    EXPECT_EQ(instant.dates_missed, 3 - instants);
    EXPECT_EQ(instant.records_missing, 3 - instants);
    EXPECT_EQ(instant.records_short, 0);
    EXPECT_EQ(puts(1), instants);
  }
}

TEST(Workflow, ASecondSendAtOneDateIsCounted) {
  config::Model model = line_model(1);
  add_source(model, 0);
  add_stream(model, 0, Operation::average, 2);
  std::vector<Record> records;
  const Workflow workflow = run_steps(model, {1, 1, 2, 2, 2, 3}, 3, records);
  EXPECT_EQ(workflow.repeated_sends(0), 3);
  EXPECT_TRUE(workflow.account(0).is_complete());
}

TEST(Workflow, WrongSizeSaysBothCounts) {
  config::Model model = line_model(12);
  add_source(model, 0);
  add_stream(model, 0, Operation::average, 1);
  std::vector<Record> records;
  Workflow workflow = test::workflow_into(model, records);
  EXPECT_EQ(workflow.layout(model.sources[0].grid).size(), 12);
  const std::vector<double> array(10);
  try {
    workflow.send(0, at(model, 1), std::span<const double>(array));
    FAIL() << "a wrong size was taken";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::argument);
    EXPECT_STREQ(error.what(),
                 "array has 10 values (expected 12, that is 12). Do its extents "
                 "agree with the local sizes, halos included?");
  }
  EXPECT_TRUE(records.empty());
}

TEST(Workflow, AStreamOnAnotherGridIsRefused) {
  config::Model model = line_model(2);
  test::add_grid(model, {});
  add_source(model, 0);
  add_stream(model, 0, Operation::average, 1);
  model.streams[0].grid = config::GridId(1);
  std::vector<Record> records;
  EXPECT_THROW(test::workflow_into(model, records), Error);
  model.grids[1].elements = model.grids[0].elements;
  EXPECT_NO_THROW(test::workflow_into(model, records));
}

TEST(Workflow, AClientWithoutPointsStillSendsRecords) {
  config::Model model = line_model(2);
  model.axes[0].attributes.begin = 2;
  model.axes[0].attributes.n = 0;
  add_source(model, 0);
  add_stream(model, 0, Operation::average, 1);
  add_stream(model, 0, Operation::instant, 1);
  std::vector<Record> records;
  Workflow workflow = test::workflow_into(model, records);
  workflow.send(0, at(model, 1), std::span<const double>{});
  ASSERT_EQ(records.size(), 2U);
  EXPECT_TRUE(records[0].values.empty());
}

TEST(Workflow, CanBeMoved) {
  config::Model model = line_model(1);
  add_source(model, 0);
  add_stream(model, 0, Operation::average, 1);
  std::vector<Record> records;
  Workflow first = test::workflow_into(model, records);
  Workflow second(std::move(first));
  const std::vector<double> array = {5};
  second.send(0, at(model, 1), std::span<const double>(array));
  EXPECT_EQ(records.size(), 1U);
  EXPECT_EQ(second.layout(0).size(), 1);
}

/// A random step of a whole 2-D field, with NaN and markers in it.
std::vector<double> random_field(Random& random, std::int64_t size, double marker) {
  std::vector<double> out(static_cast<std::size_t>(size));
  for (double& value : out) {
    const std::int64_t kind = random.pick(0, 9);
    value = kind == 0 ? nan : kind == 1 ? marker : static_cast<double>(random.pick(-999, 999)) / 7;
  }
  return out;
}

/// Cuts a client's model array, with its halo, out of the whole field.
std::vector<double> array_of(const Box& box, std::int64_t halo, const Extents& shape,
                             const std::vector<double>& field) {
  std::vector<double> out;
  for (std::int64_t j = box.begin[0] - halo; j < box.begin[0] + box.size[0] + halo; ++j) {
    for (std::int64_t i = box.begin[1] - halo; i < box.begin[1] + box.size[1] + halo; ++i) {
      const bool outside = j < 0 || j >= shape[0] || i < 0 || i >= shape[1];
      out.push_back(outside ? 1e300 : field[static_cast<std::size_t>(j * shape[1] + i)]);
    }
  }
  return out;
}

bool same_bits(const std::vector<double>& a, const std::vector<double>& b) {
  if (a.size() != b.size()) return false;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (std::isnan(a[i]) && std::isnan(b[i])) continue;
    if (std::bit_cast<std::uint64_t>(a[i]) != std::bit_cast<std::uint64_t>(b[i])) return false;
  }
  return true;
}

TEST(Workflow, ResultsDoNotDependOnTheLayout) {
  for (unsigned seed = 0; seed < 150; ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    const Extents shape = {random.pick(1, 5), random.pick(1, 5)};
    constexpr double marker = -55;
    config::Model model = hourly_model();
    test::add_grid(model, {test::domain(test::add_domain(model, shape[1], shape[0]))});
    add_source(model, 0);
    model.sources[0].detect_missing_value = random.flip();
    model.sources[0].default_value = marker;
    for (int o = 0; o < 5; ++o) {
      add_stream(model, 0, static_cast<Operation>(o), static_cast<double>(random.pick(1, 4)));
    }
    config::Model part = model;
    const Box box = random.box(shape);
    const std::int64_t halo = random.pick(0, 2);
    auto& a = part.domains[0].attributes;
    a.jbegin = box.begin[0], a.nj = box.size[0], a.ibegin = box.begin[1], a.ni = box.size[1];
    a.data_dim = 2;
    a.data_ibegin = -halo, a.data_ni = box.size[1] + 2 * halo;
    a.data_jbegin = -halo, a.data_nj = box.size[0] + 2 * halo;
    std::vector<Record> all;
    std::vector<Record> some;
    Workflow on_all = test::workflow_into(model, all);
    Workflow on_part = test::workflow_into(part, some);
    for (std::int64_t step = 1; step <= 8; ++step) {
      const auto field = random_field(random, volume(shape), marker);
      const auto array = array_of(box, halo, shape, field);
      on_all.send(0, at(model, step), std::span<const double>(field));
      on_part.send(0, at(model, step), std::span<const double>(array));
    }
    ASSERT_EQ(all.size(), some.size());
    ASSERT_FALSE(all.empty());
    for (std::size_t r = 0; r < all.size(); ++r) {
      std::vector<double> cut(static_cast<std::size_t>(box.volume()));
      copy_region(std::span<const double>(all[r].values), whole(shape), std::span<double>(cut), box,
                  box);
      EXPECT_EQ(all[r].stream, some[r].stream);
      EXPECT_EQ(all[r].number, some[r].number);
      EXPECT_TRUE(same_bits(cut, some[r].values)) << "record " << r;
    }
  }
}

TEST(Workflow, MaskedPointsAreMissingInEveryRecord) {
  config::Model model = line_model(4);
  model.axes[0].attributes.mask = test::mask({1, 0, 1, 0});
  add_source(model, 0);
  for (int o = 0; o < 5; ++o) add_stream(model, 0, static_cast<Operation>(o), 1);
  std::vector<Record> records;
  Workflow workflow = test::workflow_into(model, records);
  const std::vector<double> doubles = {1, 2, 3, 4};
  const std::vector<float> floats = {1, 2, 3, 4};
  workflow.send(0, at(model, 1), std::span<const double>(doubles));
  workflow.send(0, at(model, 2), std::span<const float>(floats));
  ASSERT_EQ(records.size(), 10U);
  for (const Record& record : records) expect_same({record.values}, {{1, nan, 3, nan}});
}

}  // namespace
}  // namespace epios::io::workflow_test
