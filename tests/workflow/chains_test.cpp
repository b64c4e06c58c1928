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
