#include "data/record_sink.hpp"

#include <utility>

namespace epios::client {

RecordSink::RecordSink(ServerLink& link, BeforeRecords& before, const RunClock& clock,
                       RecordGaps::OpenOf open_of, int stream)
    : link_(link), before_(before), clock_(clock), open_of_(std::move(open_of)), stream_(stream) {}

void RecordSink::put(std::int64_t record, std::int64_t samples, const io::ArrayValues& values) {
  send_before(record);
  link_.send_record(stream_, record, samples, clock_.step(), values);
}

void RecordSink::put_worked_out(std::int64_t record, std::int64_t samples,
                                io::Calculation& values) {
  send_before(record);
  link_.send_record(stream_, record, samples, clock_.step(), values);
}

void RecordSink::send_before(std::int64_t record) {
  if (const auto sync = before_.syncs.before(stream_, record)) {
    link_.send_sync(sync->file, sync->records, clock_.step());
  }
  for (const RecordGaps::Gap& gap : before_.gaps.before(stream_, record, open_of_)) {
    link_.send_left_out(gap.file, gap.begin, gap.end, clock_.step());
  }
}

}  // namespace epios::client
