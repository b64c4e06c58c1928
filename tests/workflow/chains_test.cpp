// Operations on results of others, and which records may still come.
#include <gtest/gtest.h>

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "expressions.hpp"
#include "recorder.hpp"
#include "workflow/workflow.hpp"

namespace epios::io::chains_test {
namespace {

using config::Operation;
using test::at;
using test::Record;

/// Samples every day of four hours.
config::Sampling daily(Operation operation, double offset, double output_days) {
  return {operation, test::hours(4), test::hours(offset), test::hours(4 * output_days)};
}

/// Records, as their only values, of an operation on the daily maximum of the number of the hour.
std::vector<double> of_daily_maxima(Operation operation, double days, double offset_of_link,
                                    double offset) {
  config::Model model = test::line_model(1);
  test::add_source(model, 0);
  const config::Sampling link{Operation::maximum, test::hours(1), test::hours(offset_of_link),
                              test::hours(4)};
  const int maxima = test::add_expression(model, "@f0 * 1", {{"f0", link}});
  test::add_stream_of(model, maxima, daily(operation, offset, days));
  std::vector<Record> records;
  Workflow workflow = test::workflow_into(model, records);
  constexpr int hours = 44;
  for (int hour = 0; hour <= hours; ++hour) {
    workflow.send(0, at(model, hour), std::vector<double>{static_cast<double>(hour)});
  }
  workflow.finish(at(model, hours));
  EXPECT_TRUE(workflow.account(0).is_complete()) << name(operation) << " " << offset;
  std::vector<double> out;
  for (const Record& record : records) {
    EXPECT_EQ(record.number, static_cast<std::int64_t>(out.size()));
    if (operation != Operation::instant) {
      EXPECT_EQ(record.samples, static_cast<std::int64_t>(days));
    }
    out.push_back(record.values.front());
  }
  return out;
}

/// The same, of days 1, 2 ... each the last hour of its day.
std::vector<double> expected(Operation operation, int days, double shift) {
  std::vector<double> out;
  for (int first = 1; first + days - 1 <= 10; first += days) {
    const double least = 4 * first + shift;
    const double most = 4 * (first + days - 1) + shift;
    switch (operation) {
      case Operation::average:
        out.push_back((least + most) / 2);
        break;
      case Operation::accumulate:
        out.push_back(days * (least + most) / 2);
        break;
      case Operation::minimum:
        out.push_back(least);
        break;
      default:
        out.push_back(most);
    }
  }
  return out;
}

TEST(Chains, HaveTheDaysOfTheirPeriodsWhateverTheOffsets) {
  for (const Operation operation : {Operation::instant, Operation::average, Operation::accumulate,
                                    Operation::minimum, Operation::maximum}) {
    for (const int days : {1, 2, 5}) {
      for (const double link : {-1.0, 0.0, 1.0, 2.0}) {
        for (const double offset : {link, 3.0}) {
          if (link < 0 && offset > link) continue;  // results come before the samples are due
          std::vector<double> found = of_daily_maxima(operation, days, link, offset);
          const std::vector<double> right = expected(operation, days, link);
          if (found.size() > right.size()) found.resize(right.size());  // day 11
          EXPECT_EQ(found, right) << name(operation) << ", " << days << " days, " << link << ", "
                                  << offset;
        }
      }
    }
  }
}

/// A run whose data are the number of the hour, of a field that is an operation on results of
/// another operation.
struct ChainRun {
  std::vector<Record> records;
  StreamAccount account;
};
ChainRun run_chain(const config::Sampling& link, const config::Sampling& of_field, int hours) {
  config::Model model = test::line_model(1);
  test::add_source(model, 0);
  test::add_stream_of(model, test::add_expression(model, "@f0 * 1", {{"f0", link}}), of_field);
  ChainRun out;
  Workflow workflow = test::workflow_into(model, out.records);
  for (int hour = 1; hour <= hours; ++hour) {
    workflow.send(0, at(model, hour), std::vector<double>{static_cast<double>(hour)});
  }
  workflow.finish(at(model, hours));
  out.account = workflow.account(0);
  return out;
}

config::Instant hour(int number) { return at(test::line_model(1), number); }

/// Of data every five hours, those of 10 h are not from the first six hours.
TEST(Chains, TakeNothingFromBehindTheirPeriods) {
  const ChainRun run = run_chain(test::sampling(Operation::instant, 5, 5),
                                 test::sampling(Operation::instant, 6, 6), 30);
  ASSERT_EQ(run.records.size(), 1U);
  EXPECT_EQ(run.records[0].number, 4);
  EXPECT_EQ(run.records[0].values.front(), 30);
  EXPECT_EQ(run.account.records, 5);
  EXPECT_EQ(run.account.records_missing, 4);
  EXPECT_EQ(run.account.dates, 5);
  EXPECT_EQ(run.account.dates_missed, 4);
  EXPECT_EQ(run.account.first_missed, hour(6));
  EXPECT_EQ(run.account.last_missed, hour(24));
}

TEST(Chains, AreMadeOfTheSamplesThatTheirPeriodsHave) {
  const ChainRun run = run_chain(test::sampling(Operation::instant, 5, 5),
                                 test::sampling(Operation::average, 24, 6), 30);
  ASSERT_EQ(run.records.size(), 1U);
  EXPECT_EQ(run.records[0].samples, 3) << "10, 15 and 20 h; 25 h are of the next day";
  EXPECT_EQ(run.records[0].values.front(), 15);
  EXPECT_EQ(run.account.records_missing, 0);
  EXPECT_EQ(run.account.records_short, 1);
  EXPECT_EQ(run.account.dates_missed, 1);
  EXPECT_EQ(run.account.first_missed, hour(24));
}

/// A period that ends between two samples has the last one before: nobody misses another.
TEST(Chains, MissNothingWhereInstantsComeBeforeTheEnd) {
  const ChainRun run = run_chain(test::sampling(Operation::instant, 5, 5),
                                 test::sampling(Operation::instant, 31, 5), 65);
  ASSERT_EQ(run.records.size(), 2U);
  EXPECT_EQ(run.records[0].values.front(), 30);
  EXPECT_EQ(run.records[1].values.front(), 60);
  EXPECT_TRUE(run.account.is_complete());
  EXPECT_EQ(run.account.dates, 2);
  EXPECT_EQ(run.account.dates_missed, 0);
}

TEST(Chains, MissNothingInPeriodsWithoutSamplingDates) {
  for (const Operation operation : {Operation::minimum, Operation::instant}) {
    const ChainRun run =
        run_chain(test::sampling(Operation::average, 7), test::sampling(operation, 4, 7), 36);
    std::vector<std::int64_t> numbers;
    for (const Record& record : run.records) numbers.push_back(record.number);
    EXPECT_EQ(numbers, (std::vector<std::int64_t>{1, 3, 5, 6, 8})) << name(operation);
    EXPECT_TRUE(run.account.is_complete()) << name(operation);
    EXPECT_EQ(run.account.records, 9) << name(operation);
    EXPECT_EQ(run.account.dates, 5) << name(operation);
    EXPECT_EQ(run.account.dates_missed, 0) << name(operation);
  }
}

/// What is asked while the record of a stream is put.
class Asking final : public Sink {
 public:
  Asking(const Workflow* const& workflow, std::vector<OpenRecords>& answers)
      : workflow_(workflow), answers_(answers) {}
  void put(std::int64_t /*record*/, std::int64_t /*samples*/,
           const ArrayValues& /*values*/) override {
    answers_.push_back(workflow_->open_records(1));
  }

 private:
  const Workflow* const& workflow_;
  std::vector<OpenRecords>& answers_;
};

class Silent final : public Sink {
  void put(std::int64_t /*record*/, std::int64_t /*samples*/,
           const ArrayValues& /*values*/) override {}
};

TEST(OpenRecords, AreThoseUnderWayAndThoseToCome) {
  config::Model model = test::line_model(1);
  test::add_source(model, 0);
  test::add_source(model, 0);
  test::add_stream(model, 0, Operation::instant, 3);
  test::add_stream(model, 1, Operation::average, 3);
  const LocalParts parts(model);
  const Workflow* asked = nullptr;
  std::vector<OpenRecords> answers;
  Workflow workflow(model, parts, [&](int stream) -> std::unique_ptr<Sink> {
    if (stream == 0) return std::make_unique<Asking>(asked, answers);
    return std::make_unique<Silent>();
  });
  asked = &workflow;
  const std::vector<double> value{1};
  workflow.send(1, at(model, 2), std::span<const double>(value));  // of the first record
  workflow.send(0, at(model, 9), std::span<const double>(value));
  ASSERT_EQ(answers.size(), 1U);
  EXPECT_EQ(answers[0].single, std::vector<std::int64_t>{0}) << "its period is over, it will leave";
  EXPECT_EQ(answers[0].from, 2) << "data of the date may come";
  workflow.send(1, at(model, 9), std::span<const double>(value));
  workflow.send(0, at(model, 12), std::span<const double>(value));
  ASSERT_EQ(answers.size(), 2U);
  EXPECT_TRUE(answers[1].single.empty()) << "nothing is under way";
  EXPECT_EQ(answers[1].from, 3);
}

/// A period of no sample at all is no record, and nobody misses one.
TEST(Filter, MakesNoRecordOfPeriodsWithoutSamplingDates) {
  config::Model model = test::line_model(1);
  test::add_source(model, 0);
  test::add_stream(model, 0, Operation::average, 2, 5);
  std::vector<Record> records;
  Workflow workflow = test::workflow_into(model, records);
  for (int hour = 1; hour <= 12; ++hour) {
    workflow.send(0, at(model, hour), std::vector<double>{static_cast<double>(hour)});
  }
  workflow.finish(at(model, 12));
  ASSERT_EQ(records.size(), 2U);
  EXPECT_EQ(records[0].number, 2);
  EXPECT_EQ(records[0].values.front(), 5);
  EXPECT_EQ(records[1].number, 4);
  EXPECT_EQ(records[1].values.front(), 10);
  EXPECT_TRUE(workflow.account(0).is_complete());
}

}  // namespace
}  // namespace epios::io::chains_test
