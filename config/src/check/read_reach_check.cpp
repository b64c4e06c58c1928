// Checks that files that are read have the records that a run asks for. It lists the files that may
// be read, and then finds the first missing record of each field, by number or by date.
#include "check/read_reach_check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string_view>
#include <tuple>
#include <utility>

#include "config/error.hpp"
#include "config/file_dates.hpp"
#include "config/index.hpp"
#include "config/model.hpp"
#include "config/spatial.hpp"
#include "config/split_rule.hpp"

namespace epios::config {

namespace {

/// Number of parts of one file that are looked at; each look starts a process.
constexpr std::size_t most_parts = 400;

/// Where one record after the other is. Names are made once per part.
class PartsOfRecords {
 public:
  PartsOfRecords(const Model& model, const ReadField& field)
      : model_(model),
        field_(field),
        dates_(model.schedule(field)),
        series_(series_of(model, model.read_files[field.file])) {
    const ReadFile& file = model.read_files[field.file];
    if (file.attributes.time_from_file.value_or(false)) other_ = calendar_series_of(model, file);
  }

  bool is_split() const { return series_.is_split(); }
  /// In the part that paths_of() begins with.
  std::int64_t number(std::int64_t record) const {
    return part_record(model_, series_, field_, record).number;
  }
  /// Likeliest first; records ascend.
  const std::vector<std::string>& paths_of(std::int64_t record) {
    go_to(record);
    return paths_;
  }
  const std::vector<std::string>& paths() const { return paths_; }
  /// The last record, up to `last`, of the paths that were gone to.
  std::int64_t last_with_them(std::int64_t last) const {
    return is_split() ? std::min(last, dates_.latest({end_.ms - 1})) : last;
  }
  /// Returns true if the paths of this record may differ from those before.
  bool go_to(std::int64_t record) {
    if (!paths_.empty() && !is_split()) return false;
    const Instant date = dates_.date_of(record);
    if (!paths_.empty() && date > begin_ && date < end_) return false;
    paths_ = paths_of_record(model_, field_, record);
    const SplitPeriod own = period_of(series_, date);
    const SplitPeriod its = other_ ? period_of(*other_, date) : own;
    begin_ = std::max(own.begin, its.begin);
    end_ = std::min(own.end, its.end);
    // A date between two parts stands in either: it is alone with its paths.
    if (date == begin_) end_ = {date.ms + 1};
    return true;
  }

 private:
  static SplitPeriod period_of(const FileSeries& series, Instant date) {
    return series.period(series.part_of({date.ms + 1}));
  }

  const Model& model_;
  const ReadField& field_;
  ReadSchedule dates_;
  FileSeries series_;
  std::optional<FileSeries> other_;
  Instant begin_, end_;  ///< range of dates with the same paths
  std::vector<std::string> paths_;
};

/// Returns the sizes of a grid as files have them, slowest dimension first.
std::vector<std::optional<std::int64_t>> sizes_in_file(const Model& model, GridId grid) {
  std::vector<std::optional<std::int64_t>> sizes;
  const auto& elements = model.grids[grid].elements;
  for (std::size_t e = elements.size(); e-- > 0;) {
    const GridElement& element = elements[e];
    if (element.kind == GridElement::Kind::axis) {
      sizes.push_back(model.axes[element.axis()].attributes.n_glo);
    } else if (element.kind == GridElement::Kind::domain) {
      const DomainAttributes& domain = model.domains[element.domain()].attributes;
      const bool is_row = is_row_of_cells(domain.type.value_or(""));
      if (!is_row) sizes.push_back(domain.nj_glo);
      sizes.push_back(domain.ni_glo);
    }
  }
  return sizes;
}

/// The records of one field in the files that are known.
class FieldReach {
 public:
  FieldReach(const Model& model, const ReadField& field,
             const std::map<std::string_view, const FileFacts*>& files)
      : file_(model.read_files[field.file]),
        field_(field),
        files_(files),
        calendar_(model.calendar()),
        dates_(model.schedule(field)),
        sizes_(sizes_in_file(model, field.grid)),
        time_name_(file_.attributes.time_counter_name.value_or("time_counter")),
        is_dated_(file_.attributes.time_from_file.value_or(false)),
        parts_(model, field) {}

  std::optional<MissingRecord> missing(Instant end) {
    const bool is_cyclic = file_.attributes.cyclic.value_or(false);
    if (field_.reading.is_once || (is_cyclic && !is_dated_)) return std::nullopt;
    const std::int64_t wanted = dates_.latest(end);
    if (wanted < 0) return std::nullopt;
    return is_dated_           ? missing_date(wanted)
           : parts_.is_split() ? missing_in_parts(wanted)
                               : missing_number(wanted, file_.path, wanted);
  }

  /// In the first file that has it; else the name of the variable, which is alone then.
  std::string record_dimension() {
    for (const std::string& path : parts_.paths_of(0)) {
      const FileFacts* const facts = look(path);
      if (facts == nullptr || !records_in(*facts)) continue;
      return facts
          ->dimensions[static_cast<std::size_t>(facts->find(field_.name)->dimensions.front())]
          .name;
    }
    return field_.name;
  }

 private:
  /// nullptr: nobody has looked, or it cannot be read.
  const FileFacts* look(const std::string& path) const {
    const auto found = files_.find(path);
    return found == files_.end() || !found->second->error.empty() ? nullptr : found->second;
  }

  std::string text(std::int64_t record) const { return calendar_.text(dates_.date_of(record)); }

  /// nullopt: it has no records, or does not fit, which is said elsewhere.
  std::optional<std::int64_t> records_in(const FileFacts& facts) const {
    const FileFacts::Variable* const variable = facts.find(field_.name);
    if (!facts.exists || variable == nullptr) return std::nullopt;
    const auto fitted = fit_variable(facts, *variable, time_name_, sizes_);
    if (!fitted || !fitted->has_records) return std::nullopt;
    return facts.length(variable->dimensions.front());
  }

  /// `number`: of the record in the file, counted from record_offset.
  std::optional<MissingRecord> missing_number(std::int64_t number, const std::string& path,
                                              std::int64_t record) const {
    const FileFacts* const facts = look(path);
    const std::optional<std::int64_t> records =
        facts == nullptr ? std::nullopt : records_in(*facts);
    const std::int64_t first = file_.attributes.record_offset.value_or(0);
    if (!records || first + number < *records) return std::nullopt;
    const std::int64_t last = record - (first + number - *records) - 1;
    return MissingRecord{
        ReadFieldId(), fmt::format("file '{}' ends before the run", path),
        fmt::format("variable '{}' has {} records, {}; the run can ask for that of {}", field_.name,
                    *records,
                    *records <= first ? std::string("none of them from record_offset on")
                                      : fmt::format("the last one for {}", text(last)),
                    text(record)),
        "With cyclic=\"true\" records begin again after the last one."};
  }

  /// Checks a split file. The last record of a part that the run can ask for is the last one of the
  /// part or of the run.
  std::optional<MissingRecord> missing_in_parts(std::int64_t wanted) {
    bool is_any_there = false;
    for (std::int64_t record = 0; record <= wanted; ++record) {
      const std::string path = parts_.paths_of(record).front();
      if (!files_.contains(path)) return std::nullopt;  // nobody has looked that far
      const FileFacts* const facts = look(path);
      if (facts != nullptr && !facts->exists && is_any_there) return no_part(path, record);
      is_any_there = is_any_there || (facts != nullptr && facts->exists);
      std::int64_t last = record;
      while (last < wanted && parts_.paths_of(last + 1).front() == path) {
        last = std::max(last + 1, parts_.last_with_them(wanted));
      }
      if (auto found = missing_number(parts_.number(last), path, last)) return found;
      record = last;
    }
    return std::nullopt;
  }

  MissingRecord no_part(const std::string& path, std::int64_t record) const {
    return {ReadFieldId(), fmt::format("file '{}' does not exist", path),
            fmt::format("the run can ask for the record of {} of variable '{}'", text(record),
                        field_.name),
            "Parts before it are there: is it to come before the run does?"};
  }

  struct Dated {
    std::unique_ptr<RecordDates> dates;  ///< none: there are no records
    std::optional<DateCycle> cycle;      ///< of a file that is cyclic
    std::string problem;                 ///< why there are no dates

    bool has(Instant date, bool is_between) const {
      if (is_between) return dates->size() > 0 && (cycle || has_both(date));
      return (cycle ? cycle->find(*dates, date) : dates->find(date)) >= 0;
    }
    bool has_both(Instant date) const {
      return dates->latest(date).has_value() && dates->earliest(date).has_value();
    }
  };

  /// Returns true if records are interpolated: dates between them have values, too.
  bool is_between() const {
    return time_interpolation(file_.attributes) != TimeInterpolation::none;
  }

  const Dated& dated(const FileFacts& facts) {
    const auto [known, is_new] = dated_.try_emplace(&facts);
    if (!is_new || !records_in(facts)) return known->second;
    const FileFacts::Variable* const variable = facts.find(field_.name);
    const std::string& name = nth(facts.dimensions, variable->dimensions.front()).name;
    const FileFacts::Variable* time = facts.find(name);
    if (time == nullptr) time = facts.find(time_name_);
    if (time != nullptr && time->dates.empty() && records_in(facts) != 0) time = nullptr;
    if (time == nullptr) {
      known->second.problem = fmt::format("time_from_file wants a variable '{}' with units", name);
      return known->second;
    }
    try {
      const FileDates dates(calendar_, time->attribute("units"), time->attribute("calendar"),
                            calendar_mapping(file_.attributes));
      known->second.dates = std::make_unique<RecordDates>(dates, time->dates);
      if (file_.attributes.cyclic.value_or(false) && known->second.dates->size() > 0) {
        known->second.cycle.emplace(
            calendar_, *known->second.dates,
            is_between() ? mean_spacing(*known->second.dates) : field_.reading.period);
      }
    } catch (const Error& error) {
      known->second.problem = error.what();
    }
    return known->second;
  }

  std::optional<MissingRecord> missing_date(std::int64_t wanted) {
    bool is_any_there = false;
    for (std::int64_t record = 0; record <= wanted; ++record) {
      const Instant date = dates_.date_of(record);
      const FileFacts* there = nullptr;
      bool is_found = false;
      const std::vector<std::string>& paths = parts_.paths_of(record);
      for (const std::string& path : paths) {
        if (!files_.contains(path)) return std::nullopt;
        const FileFacts* const facts = look(path);
        if (facts == nullptr) return std::nullopt;  // said elsewhere
        if (!facts->exists) continue;
        if (!records_in(*facts)) return std::nullopt;
        if (there == nullptr) there = facts;
        const Dated& its = dated(*facts);
        if (!its.problem.empty()) return without_dates(facts->path, its.problem);
        // Between two parts there are records on both sides, in each of them one.
        is_found = is_found || its.has(date, is_between()) ||
                   (is_between() && parts_.is_split() && its.dates->size() > 0);
      }
      if (is_found) {
        is_any_there = true;
        continue;
      }
      if (there != nullptr) return no_date(*there, record, paths.front());
      if (!is_any_there) continue;
      return no_part(paths.front(), record);
    }
    return std::nullopt;
  }

  static MissingRecord without_dates(const std::string& path, const std::string& why) {
    return {ReadFieldId(), fmt::format("the dates of file '{}' cannot be read", path), why,
            "Count records instead of time_from_file=\"true\"?"};
  }

  /// `next`: the likeliest path of the record.
  MissingRecord no_date(const FileFacts& facts, std::int64_t record, const std::string& next) {
    const Dated& its = dated(facts);
    const RecordDates& dates = *its.dates;
    const Instant date = dates_.date_of(record);
    const bool is_behind = !its.cycle && dates.size() > 0 && date > dates.last();
    return {ReadFieldId(),
            is_behind ? fmt::format("file '{}' ends before the run", facts.path)
                      : fmt::format("file '{}' has no record of {}", facts.path, text(record)),
            dates.size() == 0
                ? fmt::format("variable '{}' has no records", field_.name)
                : fmt::format("variable '{}' has {} records of {} to {}{}; the run can ask for "
                              "that of {}",
                              field_.name, dates.size(), calendar_.text(dates.first()),
                              calendar_.text(dates.last()),
                              its.cycle ? fmt::format(", again every {}", its.cycle->text())
                                        : std::string(),
                              text(record)),
            !is_behind && is_between() ? "Does the file begin after the run?"
            : !is_behind               ? "Is output_freq that of the file?"
            : parts_.is_split()        ? fmt::format("Is there a file that goes on, '{}'?", next)
                                       : std::string("Is there a file that goes on?")};
  }

  const ReadFile& file_;
  const ReadField& field_;
  const std::map<std::string_view, const FileFacts*>& files_;
  Calendar calendar_;
  ReadSchedule dates_;
  std::vector<std::optional<std::int64_t>> sizes_;
  std::string time_name_;
  bool is_dated_;
  PartsOfRecords parts_;
  std::map<const FileFacts*, Dated> dated_;
};

void add(std::vector<FileQuestion>& questions, const FileQuestion& question,
         const std::vector<std::string>& paths) {
  for (const std::string& path : paths) {
    const bool is_known = std::any_of(questions.begin(), questions.end(),
                                      [&path](const auto& known) { return known.path == path; });
    if (is_known) continue;
    questions.push_back(question);
    questions.back().path = path;
  }
}

/// Several files of a configuration may have one path.
void merge(std::vector<FileQuestion>& questions, FileQuestion question) {
  const auto known = std::find_if(questions.begin(), questions.end(),
                                  [&](const auto& other) { return other.path == question.path; });
  if (known == questions.end()) return questions.push_back(std::move(question));
  known->wants_dates = known->wants_dates || question.wants_dates;
  known->variables.insert(known->variables.end(), question.variables.begin(),
                          question.variables.end());
}

}  // namespace

std::vector<FileQuestion> questions_of_run(const Model& model, Instant end) {
  std::vector<FileQuestion> out;
  for (const ReadFile& file : model.read_files) {
    FileQuestion question;
    question.wants_dates = file.attributes.time_from_file.value_or(false);
    for (const ReadFieldId field : file.fields) {
      question.variables.push_back(model.read_fields[field].name);
    }
    std::vector<FileQuestion> own;
    for (const ReadFieldId field : file.fields) {
      const ReadSchedule dates = model.schedule(model.read_fields[field]);
      PartsOfRecords parts(model, model.read_fields[field]);
      const std::int64_t last = dates.is_once() || !parts.is_split() ? 0 : dates.latest(end);
      for (std::int64_t record = 0; record <= last && own.size() < most_parts;) {
        if (parts.go_to(record)) add(own, question, parts.paths());
        record = std::max(record, parts.last_with_them(last)) + 1;
      }
    }
    for (FileQuestion& asked : own) merge(out, std::move(asked));
  }
  return out;
}

std::vector<MissingRecord> missing_records(const Model& model, Instant end,
                                           std::span<const FileFacts> files) {
  std::map<std::string_view, const FileFacts*> by_path;
  for (const FileFacts& facts : files) by_path.emplace(facts.path, &facts);
  std::vector<MissingRecord> out;
  std::set<std::tuple<int, std::string, std::string, std::string>> seen;
  for (const ReadFieldId f : model.read_fields.ids()) {
    const ReadField& field = model.read_fields[f];
    FieldReach reach(model, field, by_path);
    // Fields with one dimension of records, read at the same dates, are complete or incomplete
    // together.
    const bool is_new = seen.emplace(field.file, field.reading.period.text(),
                                     field.reading.offset.text(), reach.record_dimension())
                            .second;
    if (!is_new) continue;
    std::optional<MissingRecord> found = reach.missing(end);
    if (!found) continue;
    found->field = f;
    out.push_back(*std::move(found));
  }
  return out;
}

}  // namespace epios::config
