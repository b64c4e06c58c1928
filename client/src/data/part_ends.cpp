#include "data/part_ends.hpp"

#include <algorithm>
#include <utility>

#include "config/fed_schedules.hpp"
#include "config/index.hpp"
#include "config/model.hpp"
#include "config/split_rule.hpp"

namespace epios::client {

/// The last date that data of the part come at.
config::Instant PartEnds::SplitFile::end_of(std::int64_t its) const {
  config::Instant last = series.period(its).end;
  for (const config::Schedule& schedule : schedules) {
    const std::int64_t next = series.first_record(schedule.times(), its + 1);
    if (next > 0) last = std::max(last, schedule.due_date(next - 1));
  }
  return last;
}

PartEnds::PartEnds(const config::Model& model) {
  const std::vector<config::Schedule> schedules = config::fed_schedules_of_streams(model);
  for (std::size_t f = 0; f < model.files.size(); ++f) {
    config::FileSeries series = config::series_of(model, nth(model.files, f));
    if (!series.is_split()) continue;
    // Parts may be counted from a date before the run.
    const config::Instant start = model.calendar().at_step(model.start_date, model.steps_before);
    const std::int64_t part = series.part_of({start.ms + 1});
    SplitFile& split =
        files_.emplace_back(SplitFile{static_cast<int>(f), std::move(series), part, {}, {}});
    for (const config::StreamId s : nth(model.files, f).streams) {
      const config::Stream& stream = model.streams[s];
      if (!config::has_time(stream.sampling.operation)) continue;
      const config::Schedule& schedule = nth(schedules, s);
      // Records of results of others may be due after their ends one time and not another.
      if (schedule.fed_by() != nullptr || schedule.due_date(0) > schedule.times().of(0).end) {
        split.schedules.push_back(schedule);
      }
    }
    while (split.part > 0 && split.end_of(split.part - 1) > start) --split.part;
    split.end = split.end_of(split.part);
  }
}

std::optional<PartEnds::End> PartEnds::next(config::Instant now) {
  for (SplitFile& split : files_) {
    if (now <= split.end) continue;
    // Data of this date are part of the record that ends at or after it, or of one that is late.
    const std::int64_t before = split.part;
    split.part = split.series.part_of(now);
    while (split.part > before + 1 && split.end_of(split.part - 1) >= now) --split.part;
    split.end = split.end_of(split.part);
    return End{split.file, split.part};
  }
  return std::nullopt;
}

}  // namespace epios::client
