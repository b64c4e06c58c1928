#include "data/read_sources.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "config/error.hpp"
#include "config/index.hpp"
#include "config/model.hpp"

namespace epios::client {

ReadSources::ReadSources(const config::Model& model, const io::LocalParts& parts,
                         const std::vector<config::ReadSchedule>& dates, io::Workflow& workflow)
    : model_(model), dates_(dates), workflow_(workflow), calendar_(model.calendar()) {
  for (std::size_t i = 0; i < model.read_fields.size(); ++i) {
    const config::ReadField& field = nth(model.read_fields, i);
    if (field.source < 0) continue;
    sources_.push_back({field.source, config::ReadFieldId(static_cast<int>(i)),
                        ArrayPlaces(model, parts, field.grid),
                        PassedRecords(dates[i], model.first_record(field))});
  }
}

const ReadSources::Source* ReadSources::find(int read_field) const {
  const auto found =
      std::lower_bound(sources_.begin(), sources_.end(), read_field,
                       [](const Source& source, int field) { return source.read_field < field; });
  return found == sources_.end() || found->read_field != read_field ? nullptr : &*found;
}

std::int64_t ReadSources::next_record(int read_field, std::int64_t from) const {
  const auto index = static_cast<std::size_t>(read_field);
  const config::ReadSchedule& dates = dates_[index];
  if (dates.is_once()) return from == 0 ? 0 : -1;
  const Source* const source = find(read_field);
  const bool is_received = nth(model_.read_fields, index).attributes.read_access.value_or(false);
  if (source == nullptr || is_received) return from;
  return first_wanted(workflow_, source->source, dates, from,
                      std::numeric_limits<std::int64_t>::max());
}

void ReadSources::look_for_due(Source& source, config::Instant now) {
  const PassedRecords::Look look = source.passed.come_to(now, workflow_, source.source);
  source.due = look.due;
  if (!look.lost) return;
  const config::ReadField& field = nth(model_.read_fields, source.read_field);
  warnings_.push_back(
      passed_text(calendar_,
                  fmt::format("context '{}': field '{}' of file '{}'", model_.context_id, field.id,
                              model_.read_files[config::ReadFileId(field.file)].path),
                  *look.lost, before_.value_or(model_.start_date), now, "the file", "output_freq"));
}

bool ReadSources::begin(config::Instant now, ReadLink& link) {
  for (Source& source : sources_) {
    look_for_due(source, now);
    if (source.due >= 0) workflow_.expect(source.source, now);
  }
  before_ = now;
  bool did = false;
  for (Source& source : sources_) {
    if (source.due < 0) continue;
    const config::ReadField& field = nth(model_.read_fields, source.read_field);
    const bool is_active = workflow_.is_active(source.source, now);
    const bool is_received = field.attributes.read_access.value_or(false) && !field.reading.is_once;
    if (source.record != source.due && (is_active || is_received)) {
      try {
        fetch(source, source.due, link);
      } catch (const Error&) {
        if (!problem_) problem_ = std::current_exception();
        continue;
      }
    }
    if (!is_active) continue;
    workflow_.provide(source.source, now, source.array.values());
    did = true;
  }
  return did;
}

void ReadSources::fetch(Source& source, std::int64_t record, ReadLink& link) {
  source.record = -1;
  try {
    link.receive(source.read_field, record, next_record(source.read_field, record + 1), {},
                 source.array.values());
  } catch (const Error& error) {
    throw error.within(fmt::format("field '{}'", nth(model_.read_fields, source.read_field).id));
  }
  source.record = record;
}

bool ReadSources::has(int read_field, std::int64_t record) const {
  const Source* const source = find(read_field);
  return source != nullptr && source->record == record;
}

template <class T>
void ReadSources::copy(int read_field, std::span<T> array) const {
  find(read_field)
      ->array.copy(model_.read_fields[config::ReadFieldId(read_field)].attributes.default_value, {},
                   array);
}

template void ReadSources::copy(int, std::span<double>) const;
template void ReadSources::copy(int, std::span<float>) const;

}  // namespace epios::client
