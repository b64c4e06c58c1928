// Continues a file of an earlier run (append="true"). It compares the earlier file with the new
// description, counts times from the same epoch, decides which records stay, and copies them into
// the new file.
#include "file/earlier_records.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <optional>
#include <sstream>
#include <string_view>
#include <system_error>
#include <utility>

#include "config/error.hpp"
#include "config/failure_text.hpp"
#include "config/file_format.hpp"
#include "config/index.hpp"
#include "config/model.hpp"
#include "disk/hdf5_handle.hpp"
#include "disk/value_kind.hpp"

namespace epios::io {

namespace {

const AttributeValue* find(const VariableSpec& variable, const std::string& name) {
  for (const FileAttribute& attribute : variable.attributes) {
    if (attribute.name == name) return &attribute.value;
  }
  return nullptr;
}

struct AttributeText {
  std::string operator()(const std::string& text) const { return text; }
  template <class T>
  std::string operator()(const std::vector<T>& numbers) const {
    return fmt::format("{}", fmt::join(std::vector<double>(numbers.begin(), numbers.end()), ", "));
  }
};

/// Returns the text in the form of StoredAttribute; "" without one.
std::string text_of(const AttributeValue* value) {
  if (value == nullptr) return {};
  return std::visit(AttributeText{}, *value);
}

const char* type_name(ValueKind kind) {
  switch (kind) {
    case ValueKind::float64:
      return "double";
    case ValueKind::int32:
      return "int";
    case ValueKind::int64:
      return "int64";
    case ValueKind::int16:
      return "short";
    case ValueKind::text:
      return "char";
    case ValueKind::float32:
      break;
  }
  return "float";
}

struct IntervalUnit {
  std::string_view name;
  double length;
  bool is_months;
};
constexpr std::array<IntervalUnit, 6> interval_units{{{"yr", 12, true},
                                                      {"month", 1, true},
                                                      {"d", 86400, false},
                                                      {"h", 3600, false},
                                                      {"min", 60, false},
                                                      {"s", 1, false}}};

constexpr std::string_view proleptic = "proleptic_gregorian";

/// Files of the Gregorian calendar name it so if they have dates before 1582, else "standard".
bool is_gregorian(const std::string& calendar) {
  return calendar == "standard" || calendar == proleptic;
}

/// A number as a variable of this kind holds it.
double held(ValueKind kind, double value) {
  if (kind == ValueKind::float64) return value;
  if (kind == ValueKind::float32) return static_cast<float>(value);
  return std::nearbyint(value);
}

/// Months and seconds of interval_text(), whatever units it is in; none if there is another text.
std::optional<std::pair<double, double>> interval_of(const std::string& text) {
  std::istringstream words(text);
  double months = 0;
  double seconds = 0;
  double value = 0;
  std::string unit;
  while (words >> value >> unit) {
    const auto known = std::find_if(interval_units.begin(), interval_units.end(),
                                    [&](const IntervalUnit& u) { return u.name == unit; });
    if (known == interval_units.end()) return std::nullopt;
    (known->is_months ? months : seconds) += value * known->length;
  }
  return std::pair(months, seconds);
}

/// Compares the definitions of a file that is there with those of this run.
class Comparison {
 public:
  Comparison(const DataFile& file, const FileSpec& spec) : file_(file), spec_(spec) {}

  /// Refuses what does not fit. Returns changed_interval().
  std::string compare() const {
    for (const StoredVariable& stored : file_.variables()) {
      const bool is_known = std::any_of(spec_.variables.begin(), spec_.variables.end(),
                                        [&](const auto& v) { return v.name == stored.name; });
      if (!is_known) refuse(fmt::format("it has '{}', which this run does not write", stored.name));
    }
    for (const VariableSpec& variable : spec_.variables) {
      const int index = file_.find(variable.name);
      if (index < 0) refuse(fmt::format("it has no '{}', which this run writes", variable.name));
      compare(variable, nth(file_.variables(), index));
      compare_coordinates(variable, index);
    }
    return changed_interval();
  }

  /// Returns a warning if values of this run are made of samples at other distances: an attribute
  /// says the distance of all records. A model may change its time step, so that it is no mistake.
  std::string changed_interval() const {
    for (const VariableSpec& variable : spec_.variables) {
      const StoredVariable& stored = nth(file_.variables(), file_.find(variable.name));
      const std::string& theirs = stored.attribute("interval_operation");
      const std::string ours = text_of(find(variable, "interval_operation"));
      if (interval_of(theirs) == interval_of(ours)) continue;
      return fmt::format(
          "file '{}': interval_operation of '{}' was '{}' and is '{}' in this run (freq_op, or the "
          "time step): the file says it of the earlier records, too.",
          spec_.path, variable.name, theirs, ours);
    }
    return {};
  }

  [[noreturn]] void refuse(const std::string& why) const {
    throw Error(ErrorCode::configuration,
                fmt::format("file '{}' cannot be continued ({}). Remove append=\"true\", or give "
                            "this run another name for the file?",
                            spec_.path, why));
  }

  void expect_same(const std::string& what, const std::string& theirs,
                   const std::string& ours) const {
    if (theirs == ours) return;
    refuse(fmt::format("{} is '{}' in it and '{}' in this run", what, theirs, ours));
  }

 private:
  void compare(const VariableSpec& variable, const StoredVariable& stored) const {
    const std::string name = fmt::format("'{}'", variable.name);
    expect_same("the shape of " + name, shape_text(stored), shape_text(variable));
    expect_same("the type of " + name, stored.type, type_name(variable.kind));
    for (const char* attribute : {"scale_factor", "add_offset", "calendar"}) {
      const std::string& theirs = stored.attribute(attribute);
      const std::string ours = text_of(find(variable, attribute));
      if (is_gregorian(theirs) && is_gregorian(ours)) continue;
      expect_same(fmt::format("{} of {}", attribute, name), theirs, ours);
    }
    const bool is_time = !stored.attribute("calendar").empty();
    if (is_time) return;  // counts from any date
    expect_same("units of " + name, stored.attribute("units"), text_of(find(variable, "units")));
    const bool is_field = !stored.attribute("online_operation").empty();
    if (!is_field) return;
    const std::string fill =
        variable.fill ? fmt::format("{}", held(variable.kind, *variable.fill)) : std::string();
    expect_same("_FillValue of " + name, stored.attribute("_FillValue"), fill);
    // A change of meaning would apply to the existing records, too.
    for (const char* attribute : {"standard_name", "online_operation", "significant_digits"}) {
      expect_same(fmt::format("{} of {}", attribute, name), stored.attribute(attribute),
                  text_of(find(variable, attribute)));
    }
    const std::string theirs = stored.attribute("interval_write");
    const std::string ours = text_of(find(variable, "interval_write"));
    if (interval_of(theirs) != interval_of(ours)) {
      expect_same("interval_write of " + name, theirs, ours);
    }
  }

  std::string shape_text(const StoredVariable& stored) const {
    std::vector<std::string> parts;
    for (const int d : stored.dimensions) {
      const StoredDimension& dimension = nth(file_.dimensions(), d);
      parts.push_back(dimension.is_record ? dimension.name
                                          : fmt::format("{}={}", dimension.name, dimension.length));
    }
    return fmt::format("({})", fmt::join(parts, ", "));
  }
  std::string shape_text(const VariableSpec& variable) const {
    std::vector<std::string> parts;
    for (const int d : variable.dimensions) {
      const DimensionSpec& dimension = nth(spec_.dimensions, d);
      parts.push_back(dimension.length == 0
                          ? dimension.name
                          : fmt::format("{}={}", dimension.name, dimension.length));
    }
    return fmt::format("({})", fmt::join(parts, ", "));
  }

  /// Compares this writer's part of a coordinate: another grid with as many points has other
  /// values.
  void compare_coordinates(const VariableSpec& variable, int index) const {
    const FixedPart& part = variable.fixed;
    if (part.box.is_empty() || part.numbers.empty()) return;
    const StoredVariable& stored = nth(file_.variables(), index);
    const std::vector<double> theirs = file_.values(index, part.box);
    for (std::size_t i = 0; i < theirs.size(); ++i) {
      const bool is_missing = std::isnan(theirs[i]) ||
                              std::find(stored.missing.begin(), stored.missing.end(), theirs[i]) !=
                                  stored.missing.end();
      // A value that no client gives now may have been given then.
      if (is_missing || std::isnan(part.numbers[i])) continue;
      const double ours = held(variable.kind, part.numbers[i]);
      if (theirs[i] == ours) continue;
      Extents place = part.box.begin;
      auto rest = static_cast<std::int64_t>(i);
      for (std::size_t d = place.size(); d-- > 0;) {
        place[d] += rest % part.box.size[d];
        rest /= part.box.size[d];
      }
      refuse(fmt::format("'{}' at ({}) is {} in it and {} in this run: another grid", variable.name,
                         fmt::join(place, ", "), theirs[i], ours));
    }
  }

  const DataFile& file_;
  const FileSpec& spec_;
};

/// Units of time in two parts: "days", and the date that they count from.
std::pair<std::string, std::string> units_of(const std::string& text) {
  constexpr std::string_view since = " since ";
  const auto place = text.find(since);
  if (place == std::string::npos) return {text, {}};
  return {text.substr(0, place), text.substr(place + since.size())};
}

/// Makes a time count from the date of the earlier file.
void adopt_epoch(const Comparison& comparison, const StoredVariable& stored,
                 const config::Calendar& calendar, VariableSpec& variable,
                 std::vector<CfFile::TimeVariable>& times, int index) {
  for (FileAttribute& attribute : variable.attributes) {
    if (attribute.name == "time_origin") attribute.value = stored.attribute("time_origin");
    const bool is_calendar = attribute.name == "calendar";
    if (is_calendar && stored.attribute("calendar") == proleptic) {
      attribute.value = std::string(proleptic);  // records of before 1582 stay
    }
    if (attribute.name != "units") continue;
    const auto [unit, date] = units_of(stored.attribute("units"));
    comparison.expect_same(fmt::format("the unit of '{}'", variable.name), unit,
                           units_of(std::get<std::string>(attribute.value)).first);
    config::Instant epoch;
    try {
      epoch = calendar.parse(date);
    } catch (const Error&) {
      comparison.refuse(
          fmt::format("'{}' counts from '{}', which is no date", variable.name, date));
    }
    attribute.value = stored.attribute("units");
    for (CfFile::TimeVariable& time : times) {
      if (time.variable == index || time.variable == index + 1) time.epoch = epoch;  // its bounds
    }
  }
}

constexpr const char* total_name = "DOMAIN_number_total";

/// Writers whose files apart this run makes; 1: they write one.
std::int64_t writers_of(const FileSpec& spec) {
  for (const FileAttribute& attribute : spec.attributes) {
    if (attribute.name == total_name) return std::stoll(text_of(&attribute.value));
  }
  return 1;
}

std::string files_text(std::int64_t writers) {
  return writers == 1 ? "as one file" : fmt::format("as {} files, one of each writer", writers);
}

[[noreturn]] void refuse_writers(const FileSpec& spec, const std::string& left,
                                 std::int64_t theirs) {
  throw Error(ErrorCode::configuration,
              fmt::format("file '{}' cannot be continued ('{}' is there, which an earlier run has "
                          "written {}; this one writes {}). Start as many servers as then, or "
                          "remove append=\"true\"?",
                          spec.path, left, files_text(theirs), files_text(writers_of(spec))));
}

/// The first file of a set of another number of writers, which has other names; "" without one.
bool is_there(const std::string& path, FileFormat format) {
  std::error_code ignored;
  return config::traits_of(format).is_folder ? std::filesystem::is_directory(path, ignored)
                                             : std::filesystem::is_regular_file(path, ignored);
}

/// Names are tried: folders may be large. What writers of this run have finished is none.
std::string set_of_others(const std::string& stem, const FileSpec& spec, std::int64_t& theirs) {
  constexpr int most_digits = 9;
  for (int digits = 1; digits <= most_digits; ++digits) {
    std::string path = fmt::format("{}_{:0{}d}{}", stem, 0, digits, config::suffix_of(spec.path));
    if (!is_there(path, spec.format)) continue;
    const DataFile first(path);
    theirs = first.number(total_name);
    if (theirs > 0 && theirs != writers_of(spec) && first.number("DOMAIN_number") == 0) return path;
  }
  return {};
}

/// There is no file to go on with: nor may there be one that this run would leave behind.
void expect_nothing_else(const FileSpec& spec, std::string_view rank_suffix) {
  const std::string_view suffix = config::suffix_of(spec.path);
  if (suffix.empty()) return;
  std::string stem(config::stem_of(spec.path));
  if (!rank_suffix.empty()) {
    stem.resize(stem.size() - rank_suffix.size());
    const std::string one = stem + std::string(suffix);
    if (is_there(one, spec.format)) refuse_writers(spec, one, 1);
  }
  std::int64_t theirs = 0;
  const std::string left = set_of_others(stem, spec, theirs);
  if (!left.empty()) refuse_writers(spec, left, theirs);
}

}  // namespace

EarlierRecords::EarlierRecords(CfFile& described, const Run& run) {
  FileSpec& spec = described.spec;
  const Hdf5Silence silence;
  if (!is_there(spec.path, spec.format)) {
    expect_nothing_else(spec, run.rank_suffix);
    return;
  }
  file_ = std::make_unique<DataFile>(spec.path);
  is_live_ = spec.is_live;
  for (const DimensionSpec& dimension : spec.dimensions) {
    if (file_->is_store() && dimension.length == 0) file_->set_records(dimension.name);
  }
  const std::int64_t theirs = std::max<std::int64_t>(file_->number(total_name), 1);
  if (theirs != writers_of(spec)) refuse_writers(spec, spec.path, theirs);
  const Comparison comparison(*file_, spec);
  changed_interval_ = comparison.compare();
  using Part = CfFile::TimeVariable::Part;
  for (const CfFile::TimeVariable& time : described.times) {
    const Box box = time.part == Part::bounds ? whole({2}) : Box{};
    copied_.push_back(
        {file_->find(nth(spec.variables, time.variable).name), time.variable, box, true});
  }
  for (std::size_t t = 0; t < described.times.size(); ++t) {
    const int index = described.times[t].variable;
    if (described.times[t].part == Part::bounds) continue;
    adopt_epoch(comparison, nth(file_->variables(), copied_[t].from), run.model.calendar(),
                nth(spec.variables, index), described.times, index);
  }
  for (std::size_t s = 0; s < run.slabs.size(); ++s) {
    const int variable = described.stream_variables[s];
    if (variable < 0 || run.slabs[s].is_empty()) continue;
    const bool is_once = nth(spec.variables, variable).is_once;
    if (is_once && !run.keeps_once) continue;
    copied_.push_back(
        {file_->find(nth(spec.variables, variable).name), variable, run.slabs[s], false, is_once});
  }
  kept_ = file_->records();
  const auto time =
      std::find_if(described.times.begin(), described.times.end(),
                   [](const CfFile::TimeVariable& t) { return t.part == Part::bounds; });
  spec.is_shown_late = kept_ > 0;
  if (time == described.times.end()) return;  // nothing says when its records are
  // One whose period ends after that of the first one here has begun was made of another past.
  const config::RecordTime begin{run.first.begin_of_last(), run.first.begin_of_last()};
  const double limit = time_values(run.model, run.file, *time, begin, 0).front();
  const int stored = nth(copied_, time - described.times.begin()).from;
  const std::vector<double> ends = file_->values(stored, Box{{0, 1}, {kept_, 1}});
  constexpr double almost = 1e-9;  // in days; far less than any time step
  const double latest = limit + almost * std::max(1.0, std::abs(limit));
  const auto next =
      std::find_if(ends.begin(), ends.end(), [&](double d) { return !(d <= latest); });
  kept_ = next - ends.begin();
  dropped_ = ends.end() - next;
  spec.is_shown_late = kept_ > 0;
  if (dropped_ == 0) return;
  warning_ = fmt::format(
      "file '{}': {} of its {} records are not before this run, which replaces them. Is its start "
      "date right?",
      spec.path, dropped_, ends.size());
}

void EarlierRecords::copy_to(OutputFile& file, bool is_owner) const {
  // What a file knows of its last records would be much for all of them.
  constexpr std::int64_t records_at_once = 256;
  const Hdf5Silence silence;
  for (std::int64_t begin = 0; begin < kept_; begin += records_at_once) {
    const std::int64_t end = std::min(kept_, begin + records_at_once);
    file.reserve(end);
    try {
      for (std::int64_t record = begin; record < end; ++record) copy_record(file, record, is_owner);
    } catch (const std::exception& error) {
      file.fail(failure_text(error));
      fail_with_others(file, std::min(kept_, end + records_at_once));
      throw;
    }
  }
  if (is_live_ && kept_ > 0) file.sync();  // readers of a live store have the earlier one until now
}

/// The others may wait where they make room for the next records: there they learn of the failure.
void EarlierRecords::fail_with_others(OutputFile& file, std::int64_t records) {
  try {
    file.reserve(records);
  } catch (const Error&) {  // that of which they learn
  }
}

void EarlierRecords::copy_record(OutputFile& file, std::int64_t record, bool is_owner) const {
  for (const Copied& copied : copied_) {
    if (copied.is_once ? record > 0 : copied.is_time && !is_owner) continue;
    Box there = copied.box;
    if (!copied.is_once) {
      there.begin.insert(there.begin.begin(), record);
      there.size.insert(there.size.begin(), 1);
    }
    const std::vector<std::byte> values = file_->bytes(copied.from, there);
    file.write({copied.to, record, copied.box, values});
  }
}

}  // namespace epios::io
