// Random chains of operations into files that are split: no record has data from behind its period,
// the part of a record is open until it is written, and a plan counts what a run writes.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <memory>
#include <random>
#include <set>
#include <string>
#include <variant>
#include <vector>

#include "config/fed_schedules.hpp"
#include "config/model.hpp"
#include "config/plan.hpp"
#include "config/split_rule.hpp"
#include "data/part_ends.hpp"
#include "expressions.hpp"
#include "workflow/workflow.hpp"

namespace epios::io::fed_parts_test {
namespace {

using config::Operation;

/// A file of fields that are operations on results of others.
struct Case {
  config::Model model = test::line_model(1);
  std::vector<double> beyond;  // for each field: hours by which offsets reach behind periods
  std::string text;
};

class Dice {
 public:
  explicit Dice(unsigned seed) : random_(seed) {}
  int pick(int first, int last) {
    return first + static_cast<int>(random_() % static_cast<unsigned>(last - first + 1));
  }

 private:
  std::mt19937 random_;
};

config::Sampling drawn(Dice& dice, int output_hours, Case& into) {
  const Operation operation =
      std::vector{Operation::instant, Operation::maximum,
                  Operation::average}[static_cast<unsigned>(dice.pick(0, 2))];
  const int freq_op = dice.pick(1, 7);
  const int offset = dice.pick(0, 2) == 0 ? dice.pick(-1, freq_op + 1) : freq_op - 1;
  into.beyond.back() += std::max(0, offset - (freq_op - 1));
  into.text +=
      fmt::format("{} {}h {}h {}h <- ", config::name(operation), freq_op, offset, output_hours);
  config::Sampling out = test::sampling(operation, output_hours, freq_op);
  out.freq_offset = test::hours(offset);
  return out;
}

Case random_case(unsigned seed) {
  Dice dice(seed);
  Case out;
  config::Model& model = out.model;
  test::add_source(model, 0);
  model.files.resize(1);
  config::File& file = model.files.front();
  file.id = "f";
  file.path = "f.nc";
  const int output = dice.pick(1, 9);
  const int split = dice.pick(1, 20);
  file.attributes.output_freq = test::hours(output);
  file.attributes.split_freq = test::hours(split);
  out.text = fmt::format("case {}, parts of {}h", seed, split);
  for (int s = dice.pick(1, 3); s > 0; --s) {
    out.beyond.push_back(0);
    out.text += "; ";
    const config::Sampling sampling = drawn(dice, output, out);
    std::string operand = "f0";
    for (int link = dice.pick(1, 2); link > 0; --link) {
      const config::Sampling of_link = drawn(dice, dice.pick(1, 7), out);
      const int made = test::add_expression(model, "@" + operand + " * 1", {{operand, of_link}});
      operand = fmt::format("e{}", made);
    }
    const int stream =
        test::add_stream_of(model, static_cast<int>(model.expressions.size()) - 1, sampling);
    model.streams.back().file = config::FileId(0);
    model.streams.back().name = fmt::format("s{}", stream);
    file.streams.push_back(config::StreamId(stream));
  }
  return out;
}

struct Put {
  int stream;
  std::int64_t record;
  double value;
  std::int64_t first_open;  // part
};

class PuttingSink final : public Sink {
 public:
  PuttingSink(int stream, const std::int64_t& first_open, std::vector<Put>& puts)
      : stream_(stream), first_open_(first_open), puts_(puts) {}
  void put(std::int64_t record, std::int64_t /*samples*/, const ArrayValues& values) override {
    const double value = std::visit(
        [](const auto& array) { return static_cast<double>(array.front()); }, values.values);
    puts_.push_back({stream_, record, value, first_open_});
  }

 private:
  int stream_;
  const std::int64_t& first_open_;
  std::vector<Put>& puts_;
};

struct Result {
  std::vector<Put> puts;
  std::vector<StreamAccount> accounts;
};

/// The data are the number of the hour.
Result run(const config::Model& model, int hours) {
  Result out;
  std::int64_t first_open = 0;
  const LocalParts parts(model);
  Workflow workflow(model, parts, [&](int stream) -> std::unique_ptr<Sink> {
    return std::make_unique<PuttingSink>(stream, first_open, out.puts);
  });
  client::PartEnds ends(model);
  for (int hour = 0; hour <= hours; ++hour) {
    const config::Instant now = test::at(model, hour);
    for (auto end = ends.next(now); end; end = ends.next(now)) {
      for (const int stream : model.files.front().streams) workflow.pass(stream, now);
      first_open = end->part;
    }
    workflow.send(0, now, std::vector<double>{static_cast<double>(hour)});
  }
  workflow.finish(test::at(model, hours));
  for (std::size_t s = 0; s < model.streams.size(); ++s) {
    out.accounts.push_back(workflow.account(static_cast<int>(s)));
  }
  return out;
}

void check_records(const Case& of, const Result& result) {
  const config::Model& model = of.model;
  const config::FileSeries series = config::series_of(model, model.files.front());
  for (const Put& put : result.puts) {
    const auto stream = static_cast<std::size_t>(put.stream);
    const config::Instant end = model.record_times(nth(model.streams, stream)).of(put.record).end;
    const double hour = static_cast<double>(end.ms - model.start_date.ms) / 3.6e6;
    EXPECT_LE(put.value, hour + of.beyond[stream]) << "record " << put.record << ": " << of.text;
    EXPECT_GE(series.part_of(end), put.first_open) << "record " << put.record << ": " << of.text;
  }
}

void check_plan(const Case& of, const Result& result, int hours) {
  const config::Plan plan = config::plan(of.model, test::hours(hours));
  const config::FileSeries series = config::series_of(of.model, of.model.files.front());
  const config::RecordTimes times = of.model.record_times(of.model.streams.front());
  std::map<std::int64_t, std::set<std::int64_t>> parts;
  std::set<std::int64_t> records;
  std::vector<std::int64_t> of_streams(of.model.streams.size());
  for (const Put& put : result.puts) {
    records.insert(put.record);
    parts[series.part_of(times.of(put.record).end)].insert(put.record);
    ++of_streams[static_cast<std::size_t>(put.stream)];
  }
  const config::PlannedFile& file = plan.files.front();
  EXPECT_EQ(file.records, static_cast<std::int64_t>(records.size())) << of.text;
  for (std::size_t s = 0; s < of_streams.size(); ++s) {
    EXPECT_GE(file.fields[s].records, of_streams[s]) << "field " << s << ": " << of.text;
  }
  ASSERT_EQ(file.parts.size(), parts.size()) << of.text;
  auto found = parts.begin();
  for (const config::PlannedPart& part : file.parts) {
    EXPECT_LE(part.first_record, *found->second.begin()) << of.text;
    EXPECT_EQ(part.records, static_cast<std::int64_t>(found->second.size())) << of.text;
    std::vector<config::Instant> planned;
    for (const auto& record : config::records_of(of.model, of.model.files.front(), part)) {
      planned.push_back(record.interval.end);
    }
    std::vector<config::Instant> written;
    for (const std::int64_t record : found->second) written.push_back(times.of(record).end);
    EXPECT_EQ(planned, written) << of.text;
    ++found;
  }
}

/// Periods with a sampling date have a record, or are said to be without.
void check_accounts(const Case& of, const Result& result, int hours) {
  const std::vector<config::Schedule> schedules = config::fed_schedules_of_streams(of.model);
  for (std::size_t s = 0; s < schedules.size(); ++s) {
    const StreamAccount& account = result.accounts[s];
    const auto put = std::count_if(result.puts.begin(), result.puts.end(), [&](const Put& one) {
      return one.stream == static_cast<int>(s);
    });
    const std::int64_t due = schedules[s].records_within(hours);
    EXPECT_EQ(account.records_missing, schedules[s].records_with_samples(0, due) - put)
        << "field " << s << ": " << of.text;
    EXPECT_TRUE(account.is_complete() || account.dates_missed > 0)
        << "field " << s << ": " << of.text;
    EXPECT_LE(account.dates_missed, account.dates) << "field " << s << ": " << of.text;
  }
}

TEST(FedParts, AreOpenForTheirRecordsWhichHaveNoLaterData) {
  constexpr unsigned cases = 1000;
  constexpr int hours = 50;
  for (unsigned seed = 0; seed < cases; ++seed) {
    const Case of = random_case(seed);
    const Result result = run(of.model, hours);
    check_records(of, result);
    check_plan(of, result, hours);
    check_accounts(of, result, hours);
    if (::testing::Test::HasFailure()) return;
  }
}

/// The first record is in time and the last one of the part is late, by data that have an offset.
TEST(FedParts, WaitForALastRecordThatIsLateThoughTheFirstIsNot) {
  config::Model model = test::line_model(1);
  test::add_source(model, 0);
  config::Sampling link = test::sampling(Operation::average, 2);
  link.freq_offset = test::hours(1);
  const int made = test::add_expression(model, "@f0 * 1", {{"f0", link}});
  model.files.resize(1);
  model.files[0].attributes.split_freq = test::hours(10);
  const int stream = test::add_stream_of(model, made, test::sampling(Operation::average, 5, 2));
  model.files[0].streams.push_back(config::StreamId(stream));
  const Result result = run(model, 30);
  std::vector<std::int64_t> records;
  const config::FileSeries series = config::series_of(model, model.files[0]);
  for (const Put& put : result.puts) {
    records.push_back(put.record);
    const config::Instant end = model.record_times(model.streams[0]).of(put.record).end;
    EXPECT_GE(series.part_of(end), put.first_open) << "record " << put.record;
  }
  EXPECT_EQ(records, (std::vector<std::int64_t>{0, 1, 2, 3, 4}));
}

}  // namespace
}  // namespace epios::io::fed_parts_test
