// The command `epios ls`: prints the variables of a file with their layout, compression and range,
// as a table.
#include "file_list.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <string_view>
#include <utility>
#include <vector>

#include "config/calendar.hpp"
#include "config/error.hpp"
#include "file/data_file.hpp"

namespace epios::io {

namespace {

using config::Calendar;
using config::CalendarType;

std::optional<Calendar> calendar_named(std::string_view name) {
  if (name == "standard" || name == "proleptic_gregorian") name = "gregorian";
  if (name == "365_day") name = "noleap";
  for (const CalendarType type :
       {CalendarType::gregorian, CalendarType::julian, CalendarType::no_leap,
        CalendarType::all_leap, CalendarType::d360}) {
    if (config::cf_name(type) == name) return Calendar(type, {});
  }
  return std::nullopt;
}

/// The date of a time coordinate's value; the number and its units where they cannot be read.
std::string date_text(const StoredVariable& time, double value) {
  const std::string& units = time.attribute("units");
  constexpr std::string_view since = " since ";
  const auto at = units.find(since);
  const std::optional<Calendar> calendar = calendar_named(time.attribute("calendar"));
  if (at == std::string::npos || !calendar || !std::isfinite(value)) {
    return fmt::format("{}{}{}", value, units.empty() ? "" : " ", units);
  }
  const std::string unit = units.substr(0, at);
  constexpr std::array<std::pair<std::string_view, double>, 4> known{
      {{"seconds", 1}, {"minutes", 60}, {"hours", 3600}, {"days", 86400}}};
  const auto found =
      std::find_if(known.begin(), known.end(), [&](const auto& k) { return k.first == unit; });
  try {
    if (found != known.end()) {
      const config::Instant origin = calendar->parse(units.substr(at + since.size()));
      constexpr double most_ms = 1e18;  // beyond all calendars
      const double length_ms = value * found->second * 1000;
      if (std::abs(length_ms) > most_ms) return fmt::format("{} {}", value, units);
      const auto ms = static_cast<std::int64_t>(std::llround(length_ms));
      return calendar->text({origin.ms + ms});
    }
  } catch (const Error&) {  // a date that is none of ours
  }
  return fmt::format("{} {}", value, units);
}

/// The variable that says when records are: of one dimension, that of records, with units of time.
int time_of(const DataFile& file) {
  const auto& variables = file.variables();
  int found = -1;
  for (std::size_t v = 0; v < variables.size(); ++v) {
    const StoredVariable& variable = variables[v];
    if (variable.content != StoredVariable::Content::numbers || variable.dimensions.size() != 1) {
      continue;
    }
    const auto& dimension = file.dimensions()[static_cast<std::size_t>(variable.dimensions[0])];
    if (!dimension.is_record || variable.attribute("standard_name") != "time") continue;
    if (found < 0 || variable.name == dimension.name) found = static_cast<int>(v);
  }
  return found;
}

bool is_of_records(const DataFile& file, const StoredVariable& variable) {
  return !variable.dimensions.empty() &&
         file.dimensions()[static_cast<std::size_t>(variable.dimensions[0])].is_record;
}

/// Returns true for variables that are neither coordinates nor bounds: those with records that do
/// not describe time, and those that say how they were made.
bool is_field(const DataFile& file, const StoredVariable& variable) {
  if (!variable.attribute("online_operation").empty()) return true;
  if (!is_of_records(file, variable) || variable.attribute("standard_name") == "time") return false;
  return std::none_of(file.variables().begin(), file.variables().end(), [&](const auto& other) {
    return other.attribute("bounds") == variable.name;
  });
}

struct Summary {
  std::int64_t count = 0;
  std::int64_t missing = 0;
  double least = std::numeric_limits<double>::infinity();
  double most = -std::numeric_limits<double>::infinity();
  double sum = 0;
};

Summary summary_of(const std::vector<double>& values, const StoredVariable& variable) {
  Summary out;
  for (const double value : values) {
    ++out.count;
    if (variable.is_missing(value)) {
      ++out.missing;
      continue;
    }
    out.least = std::min(out.least, value);
    out.most = std::max(out.most, value);
    out.sum += value;
  }
  return out;
}

using Row = std::vector<std::string>;

/// Columns as wide as what is in them; all but the first three are numbers.
std::string table(const std::vector<Row>& rows) {
  std::vector<std::size_t> widths(rows.front().size());
  for (const Row& row : rows) {
    for (std::size_t c = 0; c < row.size(); ++c) widths[c] = std::max(widths[c], row[c].size());
  }
  std::string out;
  constexpr std::size_t texts = 4;
  for (const Row& row : rows) {
    std::string line = " ";
    for (std::size_t c = 0; c < row.size(); ++c) {
      line += c < texts ? fmt::format(" {:<{}}", row[c], widths[c])
                        : fmt::format("  {:>{}}", row[c], widths[c]);
    }
    line.erase(line.find_last_not_of(' ') + 1);
    out += line + "\n";
  }
  return out;
}

std::string dimensions_text(const DataFile& file, const StoredVariable& variable) {
  std::vector<std::string> parts;
  for (const int d : variable.dimensions) {
    const StoredDimension& dimension = file.dimensions()[static_cast<std::size_t>(d)];
    parts.push_back(dimension.is_record ? dimension.name
                                        : fmt::format("{}={}", dimension.name, dimension.length));
  }
  return fmt::format("{}", fmt::join(parts, ","));
}

std::string ratio_text(const DataFile& file, int index) {
  const StoredVariable& variable = file.variables()[static_cast<std::size_t>(index)];
  if (variable.stored_bytes <= 0) return "-";
  const auto bytes = static_cast<double>(volume(file.shape(index)) * variable.value_bytes);
  return fmt::format("{:.2f}", bytes / static_cast<double>(variable.stored_bytes));
}

Row row_of(const DataFile& file, int index, std::int64_t record) {
  const StoredVariable& variable = file.variables()[static_cast<std::size_t>(index)];
  Row row{variable.name, variable.type, dimensions_text(file, variable),
          variable.chunk.empty() ? "-" : fmt::format("{}", fmt::join(variable.chunk, "x")),
          ratio_text(file, index)};
  Box box = whole(file.shape(index));
  if (is_of_records(file, variable)) {
    box.begin[0] = record;
    box.size[0] = record >= 0 ? 1 : 0;
  }
  if (variable.content != StoredVariable::Content::numbers || box.is_empty()) {
    row.insert(row.end(), 4, "-");
    return row;
  }
  const Summary sum = summary_of(file.values(index, box), variable);
  const std::int64_t present = sum.count - sum.missing;
  row.push_back(fmt::format(
      "{:.1f} %", 100 * static_cast<double>(sum.missing) / static_cast<double>(sum.count)));
  if (present == 0) {
    row.insert(row.end(), 3, "-");
    return row;
  }
  for (const double number : {sum.least, sum.sum / static_cast<double>(present), sum.most}) {
    row.push_back(fmt::format("{:.6g}", number));
  }
  return row;
}

std::string heading(const DataFile& file) {
  std::string out = fmt::format("{}: {}, {} record{}", file.path(), file.format(), file.records(),
                                file.records() == 1 ? "" : "s");
  const int time = time_of(file);
  if (time < 0 || file.records() == 0) return out;
  const StoredVariable& variable = file.variables()[static_cast<std::size_t>(time)];
  const double first = file.values(time, {{0}, {1}}).front();
  const double last = file.values(time, {{file.records() - 1}, {1}}).front();
  out += fmt::format(", {}", date_text(variable, first));
  if (file.records() > 1) out += fmt::format(" to {}", date_text(variable, last));
  const std::string& calendar = variable.attribute("calendar");
  return calendar.empty() ? out : fmt::format("{} ({})", out, calendar);
}

}  // namespace

std::string file_list(const std::string& path, std::optional<std::int64_t> record) {
  const DataFile file(path);
  const std::int64_t shown = record.value_or(file.records() - 1);
  if (record && (shown < 0 || shown >= file.records())) {
    throw Error(ErrorCode::argument,
                fmt::format("file '{}' has no record {} (it has {}, counted from 0).", path, shown,
                            file.records()));
  }
  std::vector<Row> rows = {
      {"field", "type", "dimensions", "chunk", "ratio", "missing", "min", "mean", "max"}};
  for (std::size_t v = 0; v < file.variables().size(); ++v) {
    if (is_field(file, file.variables()[v])) {
      rows.push_back(row_of(file, static_cast<int>(v), shown));
    }
  }
  const std::string of_record =
      shown >= 0 ? fmt::format("; values of record {}", shown) : std::string();
  return fmt::format("{}{}\n{}", heading(file), of_record,
                     rows.size() > 1 ? table(rows) : "  no fields\n");
}

}  // namespace epios::io
