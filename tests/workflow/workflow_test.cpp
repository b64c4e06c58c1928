#include "workflow/workflow.hpp"

#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <map>
#include <vector>

#include "config/error.hpp"
#include "models.hpp"
#include "random.hpp"
#include "recorder.hpp"

namespace epios::io {
namespace {

using config::Operation;
using test::Random;
using test::Record;

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

config::Duration hours(double count) {
  config::Duration out;
  out.hour = count;
  return out;
}

/// A model with hourly steps that begins in 2000.
config::Model hourly_model() {
  config::Model model;
  model.context_id = "ocean";
  model.calendar_type = config::CalendarType::no_leap;
  model.timestep = hours(1);
  model.start_date = model.calendar().instant({2000, 1, 1});
  return model;
}

int add_source(config::Model& model, int grid) {
  config::Source source;
  source.id = "f" + std::to_string(model.sources.size());
  source.grid = grid;
  model.sources.push_back(source);
  return static_cast<int>(model.sources.size()) - 1;
}

/// A stream as XML with the defaults gives it; `freq_op` 0: the default.
int add_stream(config::Model& model, int source, Operation operation, double output_hours,
               double freq_op_hours = 0) {
  config::Stream stream;
  stream.id = "s" + std::to_string(model.streams.size());
  stream.source = source;
  stream.grid = model.sources[static_cast<std::size_t>(source)].grid;
  stream.sampling.operation = operation;
  const double standard = operation == Operation::instant ? output_hours : 1;
  const double freq_op = freq_op_hours > 0 ? freq_op_hours : standard;
  stream.sampling.freq_op = hours(freq_op);
  stream.sampling.freq_offset = hours(freq_op - 1);
  stream.sampling.output_freq = hours(output_hours);
  model.streams.push_back(stream);
  return static_cast<int>(model.streams.size()) - 1;
}

/// One axis of `n` points as grid 0.
config::Model line_model(std::int64_t n) {
  config::Model model = hourly_model();
  test::add_grid(model, {test::axis(test::add_axis(model, n))});
  return model;
}

config::Instant at(const config::Model& model, std::int64_t step) {
  return model.calendar().at_step(model.start_date, step);
}

/// Records of one stream over an axis of one point per series, sent hour by hour.
std::vector<std::vector<double>> reduce(Operation operation, double output_hours,
                                        const std::vector<std::vector<double>>& steps,
                                        std::optional<double> marker = {}) {
  config::Model model = line_model(static_cast<std::int64_t>(steps.front().size()));
  add_source(model, 0);
  if (marker) {
    model.sources[0].detect_missing_value = true;
    model.sources[0].default_value = *marker;
  }
  add_stream(model, 0, operation, output_hours);
  std::vector<Record> records;
  Workflow workflow(model, test::record_into(records));
  for (std::size_t step = 0; step < steps.size(); ++step) {
    workflow.send(0, at(model, static_cast<std::int64_t>(step) + 1),
                  std::span<const double>(steps[step]));
  }
  std::vector<std::vector<double>> out;
  for (std::size_t r = 0; r < records.size(); ++r) {
    EXPECT_EQ(records[r].number, static_cast<std::int64_t>(r));
    out.push_back(records[r].values);
  }
  return out;
}

void expect_same(const std::vector<std::vector<double>>& got,
                 const std::vector<std::vector<double>>& wanted) {
  ASSERT_EQ(got.size(), wanted.size());
  for (std::size_t r = 0; r < got.size(); ++r) {
    ASSERT_EQ(got[r].size(), wanted[r].size());
    for (std::size_t i = 0; i < got[r].size(); ++i) {
      if (std::isnan(wanted[r][i])) {
        EXPECT_TRUE(std::isnan(got[r][i])) << "record " << r << " point " << i << ": " << got[r][i];
      } else {
        EXPECT_EQ(got[r][i], wanted[r][i]) << "record " << r << " point " << i;
      }
    }
  }
}

const std::vector<std::vector<double>> four_steps = {{1, 8}, {3, 2}, {5, 4}, {7, -6}};

TEST(Operations, WithoutMissingValues) {
  expect_same(reduce(Operation::instant, 2, four_steps), {{3, 2}, {7, -6}});
  expect_same(reduce(Operation::average, 2, four_steps), {{2, 5}, {6, -1}});
  expect_same(reduce(Operation::accumulate, 2, four_steps), {{4, 10}, {12, -2}});
  expect_same(reduce(Operation::minimum, 2, four_steps), {{1, 2}, {5, -6}});
  expect_same(reduce(Operation::maximum, 4, four_steps), {{7, 8}});
}

TEST(Operations, AverageDividesOnceAndExactly) {
  expect_same(reduce(Operation::average, 3, {{1, 0.1}, {1, 0.2}, {0, 0.3}}),
              {{2.0 / 3.0, (0.1 + 0.2 + 0.3) / 3.0}});
}

TEST(Operations, NanPropagatesWithoutDetection) {
  const std::vector<std::vector<double>> steps = {{nan, 1, nan}, {2, nan, nan}, {3, 3, 1}};
  for (const auto operation :
       {Operation::average, Operation::accumulate, Operation::minimum, Operation::maximum}) {
    expect_same(reduce(operation, 3, steps), {{nan, nan, nan}});
  }
  expect_same(reduce(Operation::instant, 3, steps), {{3, 3, 1}});
}

TEST(Operations, MissingValuesAreIgnoredPointByPoint) {
  const std::vector<std::vector<double>> steps = {{-1, 4, -1, 5}, {2, -1, -1, nan}, {3, 1, -1, 1}};
  expect_same(reduce(Operation::average, 3, steps, -1), {{2.5, 2.5, nan, 3}});
  expect_same(reduce(Operation::accumulate, 3, steps, -1), {{5, 5, nan, 6}});
  expect_same(reduce(Operation::minimum, 3, steps, -1), {{2, 1, nan, 1}});
  expect_same(reduce(Operation::maximum, 3, steps, -1), {{3, 4, nan, 5}});
  expect_same(reduce(Operation::instant, 1, steps, -1),
              {{nan, 4, nan, 5}, {2, nan, nan, nan}, {3, 1, nan, 1}});
}

TEST(Operations, ANewPeriodForgetsTheLast) {
  expect_same(reduce(Operation::average, 2, {{-1}, {-1}, {4}, {-1}, {-1}, {-1}}, -1),
              {{nan}, {4}, {nan}});
  expect_same(reduce(Operation::minimum, 1, {{nan}, {4}}), {{nan}, {4}});
}

/// Hourly steps, but only some of them are sent: the hour is the value.
std::map<std::int64_t, double> reduce_some(Operation operation, double output_hours,
                                           const std::vector<std::int64_t>& sent) {
  config::Model model = line_model(1);
  add_source(model, 0);
  add_stream(model, 0, operation, output_hours);
  std::vector<Record> records;
  Workflow workflow(model, test::record_into(records));
  for (const std::int64_t step : sent) {
    const std::vector<double> hour = {static_cast<double>(step)};
    workflow.send(0, at(model, step), std::span<const double>(hour));
  }
  std::map<std::int64_t, double> out;
  for (const Record& record : records) {
    EXPECT_TRUE(out.emplace(record.number, record.values[0]).second) << record.number;
  }
  return out;
}

TEST(Operations, DataSentMoreRarelyThanTheOutputPeriodKeepsItsTime) {
  using Records = std::map<std::int64_t, double>;
  EXPECT_EQ(reduce_some(Operation::instant, 1, {5, 10, 15, 20}),
            (Records{{4, 5}, {9, 10}, {14, 15}, {19, 20}}));
  EXPECT_EQ(reduce_some(Operation::average, 4, {1, 3, 5, 8, 18, 20}),
            (Records{{0, 2}, {1, 6.5}, {4, 19}}));
  EXPECT_EQ(reduce_some(Operation::accumulate, 2, {1, 7, 8}), (Records{{0, 1}, {3, 15}}));
  EXPECT_EQ(reduce_some(Operation::instant, 4, {5, 8, 10}), (Records{{1, 8}}));
}

TEST(Operations, FloatMarkersCompareAsFloats) {
  config::Model model = line_model(2);
  add_source(model, 0);
  model.sources[0].detect_missing_value = true;
  model.sources[0].default_value = 1e20;  // not a float
  for (const auto operation : {Operation::instant, Operation::average, Operation::maximum}) {
    add_stream(model, 0, operation, 1);
  }
  std::vector<Record> records;
  Workflow workflow(model, test::record_into(records));
  const std::vector<float> array = {1e20F, 0.5F};
  workflow.send(0, at(model, 1), std::span<const float>(array));
  ASSERT_EQ(records.size(), 3U);
  for (const Record& record : records) {
    EXPECT_TRUE(std::isnan(record.values[0]));
    EXPECT_EQ(record.values[1], 0.5);
  }
}

TEST(Workflow, InstantOfAnIdentityIsTheModelsArray) {
  config::Model model = line_model(3);
  add_source(model, 0);
  add_stream(model, 0, Operation::instant, 1);
  std::vector<Record> records;
  Workflow workflow(model, test::record_into(records));
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
  Workflow workflow(model, test::record_into(records));
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
  Workflow workflow(model, test::record_into(records));
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
  Workflow workflow(model, test::record_into(records));
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
  Workflow workflow(model, test::record_into(records));
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

TEST(Workflow, ARecordWithoutSamplesIsMissing) {
  for (const auto operation : {Operation::instant, Operation::average, Operation::minimum}) {
    config::Model model = line_model(1);
    add_source(model, 0);
    add_stream(model, 0, operation, 2, 6);  // samples more seldom than records
    std::vector<Record> records;
    Workflow workflow(model, test::record_into(records));
    const std::vector<double> array = {5};
    for (std::int64_t step = 1; step <= 12; ++step) {
      workflow.send(0, at(model, step), std::span<const double>(array));
    }
    ASSERT_GE(records.size(), 4U);
    int seen = 0;
    for (const Record& record : records) seen += record.values[0] == 5 ? 1 : 0;
    EXPECT_EQ(seen, 2);
    EXPECT_TRUE(std::isnan(records[0].values[0]));
  }
}

TEST(Workflow, ASampleThatPassedThroughEndsItsPeriod) {
  // Samples are due at steps 2, 4, 6, ..., records at 3, 6, 9, ...
  config::Model model = line_model(1);
  add_source(model, 0);
  add_stream(model, 0, Operation::instant, 3, 2);
  std::vector<Record> records;
  Workflow workflow(model, test::record_into(records));
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

TEST(Workflow, WrongSizeSaysBothCounts) {
  config::Model model = line_model(12);
  add_source(model, 0);
  add_stream(model, 0, Operation::average, 1);
  std::vector<Record> records;
  Workflow workflow(model, test::record_into(records));
  EXPECT_EQ(workflow.array_size(0), 12);
  const std::vector<double> array(10);
  try {
    workflow.send(0, at(model, 1), std::span<const double>(array));
    FAIL() << "a wrong size was taken";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::argument);
    EXPECT_STREQ(
        error.what(),
        "array has 10 values (expected 12, for the part [0:12] of the grid). Do its extents "
        "agree with the local sizes, halos included?");
  }
  EXPECT_TRUE(records.empty());
}

TEST(Workflow, AStreamOnAnotherGridIsRefused) {
  config::Model model = line_model(2);
  test::add_grid(model, {});
  add_source(model, 0);
  add_stream(model, 0, Operation::average, 1);
  model.streams[0].grid = 1;
  std::vector<Record> records;
  EXPECT_THROW(Workflow(model, test::record_into(records)), Error);
  model.grids[1].elements = model.grids[0].elements;
  EXPECT_NO_THROW(Workflow(model, test::record_into(records)));
}

TEST(Workflow, AClientWithoutPointsStillSendsRecords) {
  config::Model model = line_model(2);
  model.axes[0].attributes.begin = 2;
  model.axes[0].attributes.n = 0;
  add_source(model, 0);
  add_stream(model, 0, Operation::average, 1);
  add_stream(model, 0, Operation::instant, 1);
  std::vector<Record> records;
  Workflow workflow(model, test::record_into(records));
  workflow.send(0, at(model, 1), std::span<const double>{});
  ASSERT_EQ(records.size(), 2U);
  EXPECT_TRUE(records[0].values.empty());
}

TEST(Workflow, CanBeMoved) {
  config::Model model = line_model(1);
  add_source(model, 0);
  add_stream(model, 0, Operation::average, 1);
  std::vector<Record> records;
  Workflow first(model, test::record_into(records));
  Workflow second(std::move(first));
  const std::vector<double> array = {5};
  second.send(0, at(model, 1), std::span<const double>(array));
  EXPECT_EQ(records.size(), 1U);
  EXPECT_EQ(second.layout(0).box(), whole({1}));
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
    Workflow on_all(model, test::record_into(all));
    Workflow on_part(part, test::record_into(some));
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
  Workflow workflow(model, test::record_into(records));
  const std::vector<double> doubles = {1, 2, 3, 4};
  const std::vector<float> floats = {1, 2, 3, 4};
  workflow.send(0, at(model, 1), std::span<const double>(doubles));
  workflow.send(0, at(model, 2), std::span<const float>(floats));
  ASSERT_EQ(records.size(), 10U);
  for (const Record& record : records) expect_same({record.values}, {{1, nan, 3, nan}});
}

}  // namespace
}  // namespace epios::io
