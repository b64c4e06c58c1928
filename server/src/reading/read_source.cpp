// Finds the file and the record of a date, and reads a slab of it. Files of a series come one after
// the other and may be replaced while a run waits, so a file is looked at again before its content
// is believed. In order: the place of a date, opening, reading, errors.
#include "reading/read_source.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <exception>
#include <limits>
#include <map>
#include <utility>

#include "config/error.hpp"
#include "config/model.hpp"
#include "config/split_rule.hpp"
#include "grid/layout.hpp"

namespace epios::server {

ReadSource::ReadSource(const config::Model& model, config::ReadFileId file,
                       io::OpenFiles& open_files)
    : model_(model),
      file_(model.read_files[file]),
      open_files_(open_files),
      calendar_(model.calendar()),
      series_(config::series_of(model, file_)),
      calendar_series_(config::calendar_series_of(model, file_)),
      mapping_(config::calendar_mapping(file_.attributes)),
      interpolation_(config::time_interpolation(file_.attributes)) {
  for (const config::ReadFieldId number : file_.fields) {
    fields_.push_back({number, model.schedule(model.read_fields[number]), {}, {}, {}, {}, {}});
  }
  std::exception_ptr problem;
  for (const std::string& path : config::first_paths(model, file_)) {
    try {
      open(path);
      return;
    } catch (const Error&) {  // the run begins with another one
      if (!problem) problem = std::current_exception();
    }
  }
  if (problem) std::rethrow_exception(problem);
}

ReadSource::Field& ReadSource::field_of(config::ReadFieldId number) {
  return *std::lower_bound(
      fields_.begin(), fields_.end(), number,
      [](const Field& field, config::ReadFieldId wanted) { return field.number < wanted; });
}

void ReadSource::open(const std::string& path) {
  source_.reset();
  source_ = std::make_unique<io::SourceFile>(
      path, file_.attributes.time_counter_name.value_or("time_counter"), &open_files_);
  try {
    std::map<std::string, std::shared_ptr<const config::RecordDates>> known;  // by dimension
    for (Field& field : fields_) {
      const config::ReadField& its = model_.read_fields[field.number];
      field.variable = source_->find(its.name, io::global_shape(model_, its.grid),
                                     its.attributes.scale_factor, its.attributes.add_offset);
      check_order(field);
      check_sides(field);
      field.stamps = nullptr;
      field.cycle.reset();
      if (!has_dates(field) && !checks_dates(field)) continue;
      std::shared_ptr<const config::RecordDates>& stamps = known[field.variable.record_dimension];
      if (!stamps) stamps = stamps_of(field);
      field.stamps = stamps;
      if (file_.attributes.cyclic.value_or(false) && stamps && stamps->size() > 0) {
        field.cycle.emplace(calendar_, *stamps,
                            interpolates(field) ? mean_spacing(*stamps) : its.reading.period);
      }
    }
  } catch (...) {
    source_.reset();
    throw;
  }
}

/// Cells of HEALPix are read by their numbers.
void ReadSource::check_order(const Field& field) const {
  const std::string& theirs = field.variable.cell_order;
  if (theirs.empty()) return;
  for (const config::GridElement& element : model_.grids[read_field(field).grid].elements) {
    if (element.kind != config::GridElement::Kind::domain) continue;
    const config::Domain& domain = model_.domains[element.domain()];
    const std::string ours = domain.attributes.order.value_or("nested");
    if (domain.attributes.type != "healpix" || ours == theirs) continue;
    throw Error(ErrorCode::io,
                fmt::format("file '{}' has the cells of '{}' in order {}, domain '{}' has order {} "
                            "(they would be read as those of other places). Give the domain "
                            "order=\"{}\", and interpolate from there?",
                            source_->path(), field.variable.name, theirs, domain.id, ours, theirs));
  }
}

/// Names are made once per part.
/// Sides of one length would be taken for each other.
void ReadSource::check_sides(const Field& field) const {
  const auto goes = [&](std::size_t dimension, config::Direction direction) {
    for (std::size_t d = 0; d < field.variable.grid_dimension.size(); ++d) {
      if (std::cmp_equal(field.variable.grid_dimension[d], dimension)) {
        return field.variable.directions[d] == direction;
      }
    }
    return false;
  };
  std::size_t slowest = 0;  // dimension of the grid
  const auto& elements = model_.grids[read_field(field).grid].elements;
  for (std::size_t e = elements.size(); e-- > 0;) {
    const std::size_t sides = io::element_shape(model_, elements[e]).size();
    const bool has_sides = elements[e].kind == config::GridElement::Kind::domain && sides == 2;
    const bool are_turned = goes(slowest, config::Direction::longitude) ||
                            goes(slowest + 1, config::Direction::latitude);
    slowest += sides;
    if (!has_sides || !are_turned) continue;
    throw Error(
        ErrorCode::io,
        fmt::format(
            "file '{}' has variable '{}' whose longitudes come before its latitudes (domain '{}' "
            "has rows of longitudes, one per latitude). Reorder its dimensions (ncpdq -a), or "
            "read it on a grid of axes?",
            source_->path(), field.variable.name, model_.domains[elements[e].domain()].id));
  }
}

const std::vector<std::string>& ReadSource::paths_of(const Field& field, std::int64_t record) {
  const config::Instant date = field.dates.date_of(record);
  const config::Instant after{date.ms + 1};
  const config::FileSeries& other = calendar_series_ ? *calendar_series_ : series_;
  const std::array<std::int64_t, 5> parts{
      config::part_record(model_, series_, read_field(field), record).part, series_.part_of(after),
      series_.part_of(date), other.part_of(after), other.part_of(date)};
  if (paths_.empty() || parts != parts_) {
    paths_ = config::paths_of_record(model_, read_field(field), record);
    parts_ = parts;
  }
  return paths_;
}

/// A date between two parts stands in the one that it ends or in the one that it begins.
void ReadSource::open_part_of(const Field& field, std::int64_t record) {
  const std::vector<std::string>& paths = paths_of(field, record);
  const config::Instant date = field.dates.date_of(record);
  const bool is_open =
      source_ && std::find(paths.begin(), paths.end(), source_->path()) != paths.end();
  if (is_open && (!has_dates(field) || field.stamps->find(date) >= 0)) return;
  std::string last;
  std::exception_ptr problem;
  for (const std::string& path : paths) {
    try {
      open(path);
      if (!has_dates(field) || field.stamps->find(date) >= 0) return;
      if (last.empty() && (path == paths.front() || calendar_series_)) last = path;
    } catch (const Error&) {
      if (!problem) problem = std::current_exception();
    }
  }
  if (last.empty()) std::rethrow_exception(problem);
  if (!source_ || source_->path() != last) open(last);  // which says what it has
}

bool ReadSource::has_dates(const Field& field) const {
  return file_.attributes.time_from_file.value_or(false) && !field.dates.is_once();
}

/// Returns true if counting from the start of the run may be wrong: parts may follow the calendar.
bool ReadSource::checks_dates(const Field& field) const {
  return calendar_series_ && field.variable.has_records && !field.dates.is_once() &&
         !file_.attributes.cyclic.value_or(false) &&
         file_.attributes.record_offset.value_or(0) == 0;
}

std::shared_ptr<const config::RecordDates> ReadSource::stamps_of(const Field& field) const {
  try {
    const io::SourceFile::Stamps stamps = source_->stamps(field.variable);
    try {
      const config::FileDates dates(calendar_, stamps.units, stamps.calendar, mapping_);
      return std::make_shared<const config::RecordDates>(dates, stamps.values);
    } catch (const Error& error) {
      throw Error(error.code(),
                  fmt::format("the dates of file '{}' cannot be read ({}). Count records instead "
                              "of time_from_file=\"true\"?",
                              source_->path(), error.what()));
    }
  } catch (const Error&) {
    if (has_dates(field)) throw;
    return nullptr;  // nothing to compare with
  }
}

std::int64_t ReadSource::record_of_date(const Field& field, config::Instant date) const {
  const std::int64_t found =
      field.cycle ? field.cycle->find(*field.stamps, date) : field.stamps->find(date);
  if (found >= 0) return found;
  refuse_date(field, date);
}

void ReadSource::refuse_date(const Field& field, config::Instant date) const {
  const std::string& name = field.variable.name;
  const config::RecordDates& stamps = *field.stamps;
  if (stamps.size() == 0) {
    throw Error(ErrorCode::io,
                fmt::format("file '{}' has no record of variable '{}' dated {} (it has none). Is "
                            "it the right file?",
                            source_->path(), name, calendar_.text(date)));
  }
  const config::Instant first = stamps.first();
  const config::Instant last = stamps.last();
  throw Error(
      ErrorCode::io,
      fmt::format(
          "file '{}' has no record of variable '{}' dated {} (its {} records are of {} to "
          "{}{}). {}",
          source_->path(), name, calendar_.text(date), stamps.size(), calendar_.text(first),
          calendar_.text(last),
          field.cycle ? fmt::format(", again every {}", field.cycle->text()) : std::string(),
          date > last && !field.cycle ? "Does the file end before the run?"
          : interpolates(field)       ? "Does the file begin after the run?"
                                      : "Is output_freq that of the file?"));
}

/// A record that was counted is that of its date, give or take a period: stamps stand at its
/// beginning, in its middle or at its end.
void ReadSource::check_date(const Field& field, config::Instant date, std::int64_t record) const {
  if (!field.stamps) return;
  const config::Duration& period = read_field(field).reading.period;
  const config::Instant stamp = field.stamps->of(record);
  if (stamp >= calendar_.add(date, period * -1) && stamp <= calendar_.add(date, period)) return;
  throw Error(
      ErrorCode::io,
      fmt::format("file '{}' has record {} of variable '{}' dated {}, where {} is read (parts of "
                  "a series are counted from the start of the run, {}). With "
                  "time_from_file=\"true\" parts that follow the calendar are found.",
                  source_->path(), record, field.variable.name, calendar_.text(stamp),
                  calendar_.text(date), calendar_.text(model_.start_date)));
}

const config::ReadField& ReadSource::read_field(const Field& field) const {
  return model_.read_fields[field.number];
}

std::int64_t ReadSource::record_in_file(const Field& field, std::int64_t record) const {
  if (!field.variable.has_records) return 0;
  const config::Instant date = field.dates.date_of(record);
  const std::int64_t offset = file_.attributes.record_offset.value_or(0);
  const std::int64_t records = field.variable.records;
  if (has_dates(field)) {
    return record_of_date(field, date);
  }
  record = config::part_record(model_, series_, read_field(field), record).number;
  record += offset;
  if (file_.attributes.cyclic.value_or(false) && records > 0) {
    record = (record % records + records) % records;
  }
  if (record >= 0 && record < records) {
    check_date(field, date, record);
    return record;
  }
  throw Error(ErrorCode::io,
              fmt::format("file '{}' has no record {} of variable '{}' (it has {}, counted from "
                          "0). Is the run longer than the file? With cyclic=\"true\" records begin "
                          "again after the last one.",
                          source_->path(), record, field.variable.name, records));
}

void ReadSource::read(config::ReadFieldId field, std::int64_t record, const io::Box& box,
                      std::span<double> values) {
  Field& its = field_of(field);
  if (interpolates(its)) return read_between(its, its.dates.date_of(record), box, values);
  if (series_.is_split()) open_part_of(its, record);
  source_->read(its.variable, record_in_file(its, record), box, missing_of(its), values);
}

std::optional<double> ReadSource::missing_of(const Field& field) const {
  const config::FieldAttributes& attributes = read_field(field).attributes;
  if (!attributes.detect_missing_value.value_or(false)) return std::nullopt;
  return attributes.default_value.value_or(std::numeric_limits<double>::quiet_NaN());
}

bool ReadSource::interpolates(const Field& field) const {
  return interpolation_ != config::TimeInterpolation::none && has_dates(field) &&
         field.variable.has_records;
}

/// At the date of a record both are that one.
ReadSource::Between ReadSource::made_of(const Place& before, const Place& after,
                                        config::Instant date) {
  const config::RecordsAround around = config::records_around(before.at, after.at, date);
  if (!(around.before == around.after)) return {before, after, around.share};
  const Place& there = around.before == before.at ? before : after;
  return {there, there, 0};
}

ReadSource::Between ReadSource::between(Field& field, config::Instant date) {
  if (series_.is_split()) return between_parts(field, date);
  const config::RecordDates& stamps = *field.stamps;
  const std::string& path = source_->path();
  if (field.cycle && stamps.size() > 0) {
    const config::RecordsAround around = field.cycle->around(stamps, date);
    return {{path, around.before}, {path, around.after}, around.share};
  }
  const auto before = stamps.latest(date);
  const auto after = stamps.earliest(date);
  if (!before || !after) refuse_date(field, date);
  return made_of({path, *before}, {path, *after}, date);
}

/// Looks into the part of the date first, then into its neighbours. Parts that are not there may
/// come; the first problem is that of the likeliest one.
ReadSource::Between ReadSource::between_parts(Field& field, config::Instant date) {
  const std::optional<Between>& last = field.between;
  if (last && last->before.at.date <= date && date <= last->after.at.date) {
    return made_of(last->before, last->after, date);
  }
  std::optional<Place> before;
  std::optional<Place> after;
  std::exception_ptr problem;
  const auto look = [&](const config::FileSeries& series, std::int64_t neighbour) {
    const std::int64_t part = series.part_of({date.ms + 1}) + neighbour;
    const std::string path = config::path_of_part(series, file_.path, part);
    try {
      if (!source_ || source_->path() != path) open(path);
    } catch (const Error&) {
      if (!problem) problem = std::current_exception();
      return;
    }
    const auto earlier = field.stamps->latest(date);
    const auto later = field.stamps->earliest(date);
    if (earlier && (!before || before->at.date < earlier->date)) before = {path, *earlier};
    if (later && (!after || later->date < after->at.date)) after = {path, *later};
  };
  for (const std::int64_t neighbour : {0, -1, 1}) {
    if ((neighbour <= 0 && before && after) || (neighbour < 0 && before) ||
        (neighbour > 0 && after))
      continue;
    look(series_, neighbour);
    if (calendar_series_) look(*calendar_series_, neighbour);
  }
  if (before && after) return made_of(*before, *after, date);
  if (problem) std::rethrow_exception(problem);
  refuse_date(field, date);
}

/// A record is read once for all dates between it and its neighbours. What is missing is NaN in it:
/// the value that the model gets for it may be one of the others, such as 0.
std::span<const double> ReadSource::slab(Field& field, const Place& place, const Place& other,
                                         const io::Box& box, std::size_t size) {
  for (const Kept& kept : field.kept) {
    if (!kept.values.empty() && kept.place == place) return kept.values;
  }
  Kept& kept =
      !field.kept[0].values.empty() && field.kept[0].place == other ? field.kept[1] : field.kept[0];
  if (!source_ || source_->path() != place.path) open(place.path);
  std::optional<double> missing = missing_of(field);
  if (missing) missing = std::numeric_limits<double>::quiet_NaN();
  std::vector<double> values(size);
  source_->read(field.variable, place.at.record, box, missing, values);
  kept = {place, std::move(values)};
  return kept.values;
}

void ReadSource::read_between(Field& field, config::Instant date, const io::Box& box,
                              std::span<double> values) {
  Between at = between(field, date);
  field.between = at;
  if (interpolation_ == config::TimeInterpolation::nearest) {
    (at.share < 0.5 ? at.after : at.before) = at.share < 0.5 ? at.before : at.after;
    at.share = 0;
  }
  const std::span<const double> first = slab(field, at.before, at.after, box, values.size());
  if (at.share == 0) {
    std::copy(first.begin(), first.end(), values.begin());
  } else {
    const std::span<const double> second = slab(field, at.after, at.before, box, values.size());
    for (std::size_t i = 0; i < values.size(); ++i) {
      // What is missing on one side is missing between.
      values[i] = (1 - at.share) * first[i] + at.share * second[i];
    }
  }
  const std::optional<double> missing = missing_of(field);
  if (!missing) return;
  for (double& value : values) {
    if (std::isnan(value)) value = *missing;
  }
}

}  // namespace epios::server
