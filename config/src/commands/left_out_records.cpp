#include "commands/left_out_records.hpp"

#include <algorithm>

#include "config/fed_schedules.hpp"
#include "config/model.hpp"

namespace epios::config {

LeftOutRecords::LeftOutRecords(const Model& model, std::int64_t steps)
    : model_(model), steps_(steps), schedules_(fed_schedules_of_streams(model)) {}

std::vector<std::int64_t> LeftOutRecords::of(const File& file, std::int64_t records) const {
  constexpr std::int64_t most_records = 1'000'000;
  // Records of fields without gaps are there up to this one.
  std::int64_t without_gaps = 0;
  for (const StreamId stream : file.streams) {
    if (!has_time(schedule(stream).operation()) || !schedule(stream).always_has_data()) continue;
    without_gaps = std::max(without_gaps, schedule(stream).records_within(steps_));
  }
  std::vector<std::int64_t> out;
  if (records - without_gaps > most_records) return out;
  for (std::int64_t record = without_gaps; record < records; ++record) {
    const bool is_there =
        std::any_of(file.streams.begin(), file.streams.end(), [&](StreamId stream) {
          const Schedule& own = schedule(stream);
          return has_time(own.operation()) && record < own.records_within(steps_) &&
                 own.has_data(record);
        });
    if (!is_there) out.push_back(record);
  }
  return out;
}

}  // namespace epios::config
