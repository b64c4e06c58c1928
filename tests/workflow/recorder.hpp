/// @file
/// Sinks that remember what arrived, and the comparison of records.
#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <memory>
#include <vector>

#include "workflow/workflow.hpp"

namespace epios::io::test {

struct Record {
  int stream = 0;
  std::int64_t number = 0;
  std::vector<double> values;
  const double* address = nullptr;
};

class Recorder : public Sink {
 public:
  Recorder(int stream, std::vector<Record>& records) : stream_(stream), records_(&records) {}
  void put(std::int64_t record, std::span<const double> values) override {
    records_->push_back({stream_, record, {values.begin(), values.end()}, values.data()});
  }

 private:
  int stream_;
  std::vector<Record>* records_;
};

inline Workflow::MakeSink record_into(std::vector<Record>& records) {
  return [&records](int stream) { return std::make_unique<Recorder>(stream, records); };
}

/// NaN is the same as NaN.
inline void expect_same(const std::vector<std::vector<double>>& got,
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

}  // namespace epios::io::test
