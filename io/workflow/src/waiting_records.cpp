#include "waiting_records.hpp"

#include <algorithm>
#include <utility>

#include "config/index.hpp"
#include "config/model.hpp"
#include "config/statistics.hpp"

namespace epios::io {

WaitingRecords::WaitingRecords(const config::Model& model,
                               std::vector<config::Schedule> schedules) {
  if (model.kept_operations == 0) return;
  schedules_ = std::move(schedules);
  groups_ = config::streams_of_different_dates(model, schedules_);
  if (groups_.empty()) {
    schedules_.clear();
    return;
  }
  group_of_.assign(model.streams.size(), -1);
  held_.assign(model.streams.size(), -1);
  for (std::size_t g = 0; g < groups_.size(); ++g) {
    for (const int stream : groups_[g]) nth(group_of_, stream) = static_cast<int>(g);
  }
}

/// The last one that records of this number are due at.
config::Instant WaitingRecords::last_date(int stream, std::int64_t record) const {
  config::Instant last = nth(schedules_, stream).due_date(record);
  for (const int other : nth(groups_, group_of(stream))) {
    last = std::max(last, nth(schedules_, other).due_date(record));
  }
  return last;
}

bool WaitingRecords::hold(int stream, std::int64_t record, config::Instant date) {
  if (!may_wait(stream) || date >= last_date(stream, record)) return false;
  nth(held_, stream) = record;
  return true;
}

bool WaitingRecords::release(int stream, config::Instant date) {
  if (!waits(stream) || date < last_date(stream, nth(held_, stream))) return false;
  nth(held_, stream) = -1;
  return true;
}

int WaitingRecords::next_of_file(int stream, config::Instant date) {
  if (!may_wait(stream)) return -1;
  for (const int other : nth(groups_, group_of(stream))) {
    if (release(other, date)) return other;
  }
  return -1;
}

void WaitingRecords::take_up(int stream, std::int64_t record, config::Instant end) {
  if (may_wait(stream) && last_date(stream, record) > end) nth(held_, stream) = record;
}

}  // namespace epios::io
