/// @file
/// Runs in several jobs, each of which goes on with the state of the one before.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <span>
#include <utility>
#include <vector>

#include "config/statistics.hpp"
#include "hourly_model.hpp"
#include "recorder.hpp"

namespace epios::io::test {

inline constexpr std::int64_t points_sent = 2;

/// What the model sends at a step.
inline std::vector<double> values_at(std::int64_t step) {
  return {static_cast<double>(step), static_cast<double>(step * step)};
}

struct Outcome {
  std::map<std::pair<int, std::int64_t>, Record> records;
  std::vector<StreamAccount> accounts;
};

/// Sends at these steps, in runs that end at the steps of `ends`, each of which goes on with the
/// state of the one before.
inline Outcome run_at(config::Model model, const std::vector<std::int64_t>& steps,
                      const std::vector<std::int64_t>& ends) {
  const std::vector<config::KeptOperation> kept = config::kept_operations(model);
  model.kept_operations = static_cast<int>(std::count_if(
      kept.begin(), kept.end(), [](const auto& operation) { return operation.slot == 0; }));
  Outcome out;
  std::vector<Record> records;
  std::vector<config::OperationState> states;
  std::vector<std::vector<double>> values;
  std::vector<std::vector<std::uint32_t>> counts;
  std::int64_t begin = -1;
  for (const std::int64_t end : ends) {
    Workflow workflow = workflow_into(model, records);
    for (std::size_t k = 0; k < states.size(); ++k) {
      const Workflow::KeptArrays arrays = workflow.kept_arrays(static_cast<int>(k));
      std::copy(values[k].begin(), values[k].end(), arrays.values.begin());
      std::copy(counts[k].begin(), counts[k].end(), arrays.counts.begin());
      workflow.take_up(static_cast<int>(k), states[k]);
    }
    workflow.resume();
    for (const std::int64_t step : steps) {
      if (step <= begin || step > end) continue;
      std::vector<double> array = values_at(step);
      if (step % 5 == 0) array[1] = -1;  // missing
      workflow.send(0, at(model, step), std::span<const double>(array));
    }
    workflow.finish(at(model, end));
    states.clear();
    values.clear();
    counts.clear();
    for (std::size_t k = 0; k < kept.size(); ++k) {
      const Workflow::KeptArrays arrays = workflow.kept_arrays(static_cast<int>(k));
      states.push_back(workflow.state(static_cast<int>(k)));
      values.emplace_back(arrays.values.begin(), arrays.values.end());
      counts.emplace_back(arrays.counts.begin(), arrays.counts.end());
    }
    begin = end;
    out.accounts.clear();
    for (std::size_t s = 0; s < model.streams.size(); ++s) {
      out.accounts.push_back(workflow.account(static_cast<int>(s)));
    }
  }
  for (Record& record : records) {
    out.records.emplace(std::pair(record.stream, record.number), record);
  }
  return out;
}

inline void expect_equal(const Outcome& got, const Outcome& wanted) {
  ASSERT_EQ(got.records.size(), wanted.records.size());
  for (const auto& [key, record] : wanted.records) {
    ASSERT_TRUE(got.records.contains(key)) << key.first << " " << key.second;
    EXPECT_EQ(got.records.at(key).samples, record.samples) << key.first << " " << key.second;
    expect_same({got.records.at(key).values}, {record.values});
  }
}

}  // namespace epios::io::test
