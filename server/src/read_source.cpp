#include "read_source.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <string_view>
#include <utility>

#include "config/error.hpp"
#include "config/split_rule.hpp"
#include "grid/layout.hpp"

namespace epios::server {
namespace {

struct Unit {
  std::string_view name;
  double ms;
};
/// Those of CF; months and years are no lengths of time.
constexpr std::array<Unit, 15> units{{{"seconds", 1e3},
                                      {"second", 1e3},
                                      {"secs", 1e3},
                                      {"sec", 1e3},
                                      {"s", 1e3},
                                      {"minutes", 6e4},
                                      {"minute", 6e4},
                                      {"min", 6e4},
                                      {"hours", 36e5},
                                      {"hour", 36e5},
                                      {"hr", 36e5},
                                      {"h", 36e5},
                                      {"days", 864e5},
                                      {"day", 864e5},
                                      {"d", 864e5}}};

/// Calendars of CF that are one, beside the name that we use.
std::string_view known_name(std::string_view calendar) {
  if (calendar.empty() || calendar == "standard" || calendar == "proleptic_gregorian") {
    return "gregorian";
  }
  if (calendar == "365_day") return "noleap";
  if (calendar == "366_day") return "all_leap";
  return calendar;
}

}  // namespace

ReadSource::ReadSource(const config::Model& model, int file, io::OpenFiles& open_files)
    : model_(model),
      file_(model.read_files[static_cast<std::size_t>(file)]),
      open_files_(open_files),
      calendar_(model.calendar()),
      series_(config::series_of(model, file_)) {
  config::Instant first{std::numeric_limits<std::int64_t>::max()};
  for (const int number : file_.fields) {
    const config::ReadField& field = model.read_fields[static_cast<std::size_t>(number)];
    fields_.push_back({number, model.schedule(field), {}, {}});
    first = std::min(first, fields_.back().dates.date_of(0));
  }
  const std::int64_t ended = series_.part_of(first);
  try {
    open(part_of(first));
  } catch (const Error&) {
    if (!file_.attributes.time_from_file.value_or(false) || ended == part_of(first)) throw;
    open(ended);
  }
}

ReadSource::Field& ReadSource::find(int field) {
  return *std::find_if(fields_.begin(), fields_.end(),
                       [field](const Field& known) { return known.number == field; });
}

/// Parts begin with their first date, and end before that of the next one.
std::int64_t ReadSource::part_of(config::Instant date) const {
  return series_.part_of({date.ms + 1});
}

void ReadSource::open(std::int64_t part) {
  source_.reset();
  part_ = -1;
  source_ = std::make_unique<io::SourceFile>(
      config::path_of_part(series_, file_.path, part),
      file_.attributes.time_counter_name.value_or("time_counter"), &open_files_);
  for (Field& field : fields_) {
    const config::ReadField& its = model_.read_fields[static_cast<std::size_t>(field.number)];
    field.variable = source_->find(its.name, io::global_shape(model_, its.grid),
                                   its.attributes.scale_factor, its.attributes.add_offset);
    if (has_dates(field)) field.stamps = stamps_of(field.variable);
  }
  part_ = part;
}

/// A date between two parts stands in the one that it ends or in the one that it begins.
void ReadSource::open_part_of(const Field& field, config::Instant date) {
  const std::int64_t begun = part_of(date);
  const std::int64_t ended = series_.part_of(date);
  if (!has_dates(field) || ended == begun) {
    if (part_ != begun) open(begun);
    return;
  }
  if (part_ == begun && has_record(field, date)) return;
  try {
    if (part_ != ended) open(ended);
    if (has_record(field, date)) return;
  } catch (const Error&) {
    part_ = -1;  // the run begins with the other one
  }
  open(begun);
}

bool ReadSource::has_dates(const Field& field) const {
  return file_.attributes.time_from_file.value_or(false) && !field.dates.is_once();
}

bool ReadSource::has_record(const Field& field, config::Instant date) {
  return std::any_of(field.stamps.begin(), field.stamps.end(),
                     [date](auto stamp) { return std::llabs(stamp.ms - date.ms) < 500; });
}

std::vector<config::Instant> ReadSource::stamps_of(const io::SourceFile::Variable& variable) const {
  const io::SourceFile::Stamps stamps = source_->stamps(variable);
  const auto refuse = [&](const std::string& why) {
    throw Error(ErrorCode::io,
                fmt::format("the dates of file '{}' cannot be read ({}). Count records instead of "
                            "time_from_file=\"true\"?",
                            source_->path(), why));
  };
  constexpr std::string_view since = " since ";
  const std::size_t at = stamps.units.find(since);
  const std::string_view word = std::string_view(stamps.units).substr(0, at);
  const auto unit = std::find_if(units.begin(), units.end(),
                                 [&](const Unit& known) { return known.name == word; });
  if (at == std::string::npos || unit == units.end()) {
    refuse(fmt::format("their units are '{}'", stamps.units));
  }
  const std::string own(calendar_.cf_name());
  if (known_name(stamps.calendar) != known_name(own)) {
    refuse(fmt::format("their calendar is '{}', the run has '{}'",
                       stamps.calendar.empty() ? "standard" : stamps.calendar, own));
  }
  std::string epoch = stamps.units.substr(at + since.size());
  std::replace(epoch.begin(), epoch.end(), 'T', ' ');
  for (const std::string_view zone : {" UTC", "UTC", "Z", " +00:00", "+00:00", " 0:00", ".0"}) {
    if (epoch.ends_with(zone) && epoch.size() > zone.size() + 8) {
      epoch.resize(epoch.size() - zone.size());
    }
  }
  config::Instant start;
  try {
    start = calendar_.parse(epoch);
  } catch (const std::exception& error) {
    refuse(fmt::format("their units are '{}': {}", stamps.units, error.what()));
  }
  std::vector<config::Instant> out;
  for (const double value : stamps.values) {
    const double ms = static_cast<double>(start.ms) + value * unit->ms;
    if (!(std::abs(ms) < 1e17)) refuse(fmt::format("one of them is {} {}", value, stamps.units));
    out.push_back({std::llround(ms)});
  }
  return out;
}

/// By its time stamp, to the second.
std::int64_t ReadSource::record_of_date(const Field& field, config::Instant date) const {
  const auto found = std::find_if(field.stamps.begin(), field.stamps.end(), [date](auto stamp) {
    return std::llabs(stamp.ms - date.ms) < 500;
  });
  if (found != field.stamps.end()) return found - field.stamps.begin();
  const std::string& name = field.variable.name;
  if (field.stamps.empty()) {
    throw Error(ErrorCode::io,
                fmt::format("file '{}' has no record of variable '{}' dated {} (it has none). Is "
                            "it the right file?",
                            source_->path(), name, calendar_.text(date)));
  }
  const auto [first, last] = std::minmax_element(field.stamps.begin(), field.stamps.end());
  throw Error(
      ErrorCode::io,
      fmt::format(
          "file '{}' has no record of variable '{}' dated {} (its {} records are of {} to "
          "{}). {}",
          source_->path(), name, calendar_.text(date), field.stamps.size(), calendar_.text(*first),
          calendar_.text(*last),
          date > *last ? "Does the file end before the run?" : "Is output_freq that of the file?"));
}

/// How many dates of the field are in the part before this one.
std::int64_t ReadSource::count_in_part(const Field& field, config::Instant date) const {
  const config::Reading& reading =
      model_.read_fields[static_cast<std::size_t>(field.number)].reading;
  const config::Instant begin = series_.period(part_).begin;
  std::int64_t count = 0;
  while (calendar_.add(begin, reading.offset + reading.period * static_cast<double>(count)) <
         date) {
    ++count;
  }
  return count;
}

std::int64_t ReadSource::record_in_file(const Field& field, std::int64_t record) const {
  if (!field.variable.has_records) return 0;
  const config::Instant date = field.dates.date_of(record);
  const std::int64_t offset = file_.attributes.record_offset.value_or(0);
  const std::int64_t records = field.variable.records;
  if (has_dates(field)) {
    return record_of_date(field, date);
  }
  if (series_.is_split() && !field.dates.is_once()) record = count_in_part(field, date);
  record += offset;
  if (file_.attributes.cyclic.value_or(false) && records > 0) {
    record = (record % records + records) % records;
  }
  if (record >= 0 && record < records) return record;
  throw Error(ErrorCode::io,
              fmt::format("file '{}' has no record {} of variable '{}' (it has {}, counted from "
                          "0). Is the run longer than the file? With cyclic=\"true\" records begin "
                          "again after the last one.",
                          source_->path(), record, field.variable.name, records));
}

void ReadSource::read(int field, std::int64_t record, const io::Box& box,
                      std::span<double> values) {
  Field& its = find(field);
  if (series_.is_split()) open_part_of(its, its.dates.date_of(record));
  const config::FieldAttributes& attributes =
      model_.read_fields[static_cast<std::size_t>(field)].attributes;
  const std::optional<double> missing = attributes.detect_missing_value.value_or(false)
                                            ? std::optional(attributes.default_value.value_or(
                                                  std::numeric_limits<double>::quiet_NaN()))
                                            : std::nullopt;
  source_->read(its.variable, record_in_file(its, record), box, missing, values);
}

}  // namespace epios::server
