#include "commands/left_out_records.hpp"

#include <algorithm>

#include "config/fed_schedules.hpp"
#include "config/model.hpp"

namespace epios::config {

namespace {

/// Marks the records, of the first so many, for which samples come until the end of the run.
/// Returns false where these are too many to look at.
bool mark_written(const Schedule& schedule, Instant end, std::vector<bool>& is_written) {
  constexpr std::int64_t most = 1'000'000;
  Schedule::Counters counters = schedule.before_start();
  bool has_sample = false;
  const auto leave = [&](std::int64_t record) {
    if (record < 0) return;
    const auto at = static_cast<std::size_t>(record);
    if (has_sample && at < is_written.size()) is_written[at] = true;
    has_sample = false;
  };
  const auto total = static_cast<std::int64_t>(is_written.size());
  for (std::int64_t looks = 0; counters.records < total; ++looks) {
    if (looks == most) return false;
    const Instant date = schedule.sampling_date(counters.samples);
    if (date > end) break;
    const Schedule::Decision decision = schedule.decide(date, counters);
    leave(decision.late_record);
    has_sample = has_sample || decision.sample;
    leave(decision.record);
    counters = decision.counters;
  }
  leave(schedule.decide_end(end, counters).late_record);
  return true;
}

}  // namespace

LeftOutRecords::LeftOutRecords(const Model& model, Instant end)
    : model_(model),
      end_(end),
      graph_(data_graph(model)),
      schedules_(fed_schedules_of_streams(model)) {}

bool LeftOutRecords::may_lack_samples(std::size_t stream) const {
  const Calendar calendar = model_.calendar();
  const Sampling& sampling = model_.streams[stream].sampling;
  if (calendar.add(model_.start_date, sampling.freq_op) >
      calendar.add(model_.start_date, sampling.output_freq)) {
    return true;
  }
  const std::vector<SourceId> sources = graph_.sources_of(graph_.of_stream[stream]);
  return std::any_of(sources.begin(), sources.end(), [&](SourceId source) {
    if (is_sent_by_model(model_, source)) return false;
    const ReadFieldId read = model_.sources[source].read_field;
    return read < 0 || !model_.read_fields[read].reading.is_once;
  });
}

std::vector<std::int64_t> LeftOutRecords::of(const File& file, std::int64_t records) const {
  constexpr std::int64_t most_records = 10'000'000;
  std::vector<std::int64_t> out;
  if (records > most_records) return out;
  std::vector<bool> is_written(static_cast<std::size_t>(records));
  for (const StreamId index : file.streams) {
    const auto stream = static_cast<std::size_t>(index);
    if (!has_time(model_.streams[stream].sampling.operation)) continue;
    if (!may_lack_samples(stream)) return out;
    if (!mark_written(schedules_[stream], end_, is_written)) return out;
  }
  for (std::size_t record = 0; record < is_written.size(); ++record) {
    if (!is_written[record]) out.push_back(static_cast<std::int64_t>(record));
  }
  return out;
}

}  // namespace epios::config
