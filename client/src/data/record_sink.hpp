#pragma once

#include <cstdint>

#include "data/before_records.hpp"
#include "data/record_gaps.hpp"
#include "data/run_clock.hpp"
#include "links/server_link.hpp"
#include "workflow/workflow.hpp"

namespace epios::client {

/// The seam between the workflow and the channels: hands the records of one stream to the link, and
/// before each of them what the servers have to know first. What it is given outlives it.
class RecordSink final : public io::Sink {
 public:
  RecordSink(ServerLink& link, BeforeRecords& before, const RunClock& clock,
             RecordGaps::OpenOf open_of, int stream);

  void put(std::int64_t record, std::int64_t samples, const io::ArrayValues& values) override;
  bool works_out() const override { return link_.works_out(stream_); }
  void put_worked_out(std::int64_t record, std::int64_t samples, io::Calculation& values) override;

 private:
  void send_before(std::int64_t record);

  ServerLink& link_;
  BeforeRecords& before_;
  const RunClock& clock_;
  RecordGaps::OpenOf open_of_;
  int stream_;
};

}  // namespace epios::client
