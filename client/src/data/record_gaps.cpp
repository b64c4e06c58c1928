#include "data/record_gaps.hpp"

#include <algorithm>

namespace epios::client {

RecordGaps::RecordGaps(const config::Model& model) : file_of_(model.streams.size(), -1) {
  for (const config::File& file : model.files) {
    FileState& state = files_.emplace_back();
    state.next = file.first_record;
    for (const int s : file.streams) {
      const auto stream = static_cast<std::size_t>(s);
      if (!config::has_time(model.streams[stream].sampling.operation)) continue;
      state.streams.push_back(s);
      file_of_[stream] = static_cast<int>(files_.size()) - 1;
    }
  }
}

bool RecordGaps::may_come_before(int stream, std::int64_t record) const {
  const int file = file_of_[static_cast<std::size_t>(stream)];
  return file >= 0 && record > files_[static_cast<std::size_t>(file)].next;
}

std::optional<RecordGaps::Gap> RecordGaps::before(int stream, std::int64_t record,
                                                  const FirstOpen& first_open) {
  const int file = file_of_[static_cast<std::size_t>(stream)];
  if (file < 0) return std::nullopt;
  FileState& state = files_[static_cast<std::size_t>(file)];
  if (record < state.next) return std::nullopt;
  const std::int64_t begin = state.next;
  std::int64_t end = record;
  if (record > begin) {
    for (const int other : state.streams) end = std::min(end, first_open(other));
    end = std::max(end, begin);
  }
  state.next = record + 1;
  state.records += record + 1 - end;
  if (end == begin) return std::nullopt;
  return Gap{file, begin, end};
}

}  // namespace epios::client
