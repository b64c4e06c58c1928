#include "data/part_ends.hpp"

#include <utility>

#include "config/split_rule.hpp"

namespace epios::client {

PartEnds::PartEnds(const config::Model& model) {
  for (std::size_t f = 0; f < model.files.size(); ++f) {
    config::FileSeries series = config::series_of(model, model.files[f]);
    if (!series.is_split()) continue;
    // Parts may be counted from a date before the run.
    const config::Instant start = model.calendar().at_step(model.start_date, model.steps_before);
    const std::int64_t part = series.part_of({start.ms + 1});
    const config::Instant end = series.period(part).end;
    files_.push_back({static_cast<int>(f), std::move(series), part, end});
  }
}

std::optional<PartEnds::End> PartEnds::next(config::Instant now) {
  for (SplitFile& split : files_) {
    if (now <= split.end) continue;
    // Data of this date are part of the record that ends at or after it.
    split.part = split.series.part_of(now);
    split.end = split.series.period(split.part).end;
    return End{split.file, split.part};
  }
  return std::nullopt;
}

}  // namespace epios::client
