#include "data/record_gaps.hpp"

#include <algorithm>

#include "config/index.hpp"

namespace epios::client {

RecordGaps::RecordGaps(const config::Model& model) : file_of_(model.streams.size(), -1) {
  for (const config::File& file : model.files) {
    FileState& state = files_.emplace_back();
    state.next = file.first_record;
    for (const config::StreamId s : file.streams) {
      const auto stream = static_cast<std::size_t>(s);
      if (!config::has_time(nth(model.streams, stream).sampling.operation)) continue;
      state.streams.push_back(s);
      if (nth(model.streams, stream).sampling.dates.leaves_out()) {
        state.times.push_back(model.record_times(nth(model.streams, stream)));
      }
      file_of_[stream] = static_cast<int>(files_.size()) - 1;
    }
  }
}

bool RecordGaps::may_come_before(int stream, std::int64_t record) const {
  const int file = nth(file_of_, stream);
  return file >= 0 && record > nth(files_, file).next;
}

/// Returns true if the dates of output leave the record out for all streams.
bool RecordGaps::is_left_out(const FileState& state, std::int64_t record) {
  return !state.times.empty() &&
         std::all_of(state.times.begin(), state.times.end(),
                     [&](const config::RecordTimes& times) { return times.leaves_out(record); });
}

/// Of the records before `end` of which nothing is known those that may come, ascending.
std::vector<std::int64_t> RecordGaps::open_within(const FileState& state, std::int64_t end,
                                                  const OpenOf& open_of) {
  std::vector<std::int64_t> out;
  std::int64_t from = end;
  for (const int stream : state.streams) {
    const io::OpenRecords open = open_of(stream);
    from = std::min(from, open.from);
    out.insert(out.end(), open.single.begin(), open.single.end());
  }
  std::erase_if(out, [&](std::int64_t record) { return record < state.next || record >= from; });
  for (std::int64_t record = std::max(from, state.next); record < end; ++record) {
    if (!is_left_out(state, record)) out.push_back(record);
  }
  std::sort(out.begin(), out.end());
  out.erase(std::unique(out.begin(), out.end()), out.end());
  return out;
}

std::vector<RecordGaps::Gap> RecordGaps::before(int stream, std::int64_t record,
                                                const OpenOf& open_of) {
  std::vector<Gap> out;
  const int file = nth(file_of_, stream);
  if (file < 0) return out;
  FileState& state = nth(files_, file);
  if (record < state.next) return out;
  ++state.records;
  if (record > state.next) {
    std::int64_t begin = state.next;
    for (const std::int64_t open : open_within(state, record, open_of)) {
      if (open > begin) out.push_back({file, begin, open});
      begin = open + 1;
      ++state.records;
    }
    if (record > begin) out.push_back({file, begin, record});
  }
  state.next = record + 1;
  return out;
}

}  // namespace epios::client
