/// @file
/// Sinks that remember what arrived.
#pragma once

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

}  // namespace epios::io::test
