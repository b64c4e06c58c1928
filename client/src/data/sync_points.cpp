#include "data/sync_points.hpp"

#include <algorithm>

#include "config/index.hpp"
#include "config/model.hpp"

namespace epios::client {

SyncPoints::SyncPoints(const config::Model& model)
    : model_(model), calendar_(model.calendar()), files_(model.files.size()) {}

std::optional<SyncPoints::Sync> SyncPoints::before(int stream, std::int64_t record) {
  const config::Stream& sent = nth(model_.streams, stream);
  if (!has_time(sent.sampling.operation)) return std::nullopt;
  const int file = sent.file;
  FileState& state = nth(files_, file);
  if (record < state.records) return std::nullopt;
  const std::int64_t complete = state.records;
  const bool due = complete > 0 && is_due(sent);
  state.records = record + 1;
  if (!due) return std::nullopt;
  return Sync{file, complete};
}

bool SyncPoints::may_come_before(int stream, std::int64_t record) const {
  const auto file = static_cast<std::size_t>(nth(model_.streams, stream).file);
  return nth(model_.files, file).attributes.sync_freq && record >= files_[file].records;
}

/// Whether the end of the last complete record has reached another multiple of sync_freq.
bool SyncPoints::is_due(const config::Stream& sent) {
  const auto index = static_cast<std::size_t>(sent.file);
  const config::File& file = nth(model_.files, index);
  if (!file.attributes.sync_freq) return false;
  const config::RecordTimes times = model_.record_times(sent);
  FileState& state = files_[index];
  const auto end_of_period = [&](std::int64_t period) {
    return calendar_.add(model_.start_date,
                         *file.attributes.sync_freq * static_cast<double>(period + 1));
  };
  const auto reached = times.of(state.records - 1).end;
  const std::int64_t before = state.periods;
  while (end_of_period(state.periods) <= reached) ++state.periods;
  return state.periods > before;
}

}  // namespace epios::client
