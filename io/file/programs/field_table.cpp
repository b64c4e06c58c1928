// What the tables of fields of `epios ls` and `epios info` share.
#include "field_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>
#include <utility>

#include "config/calendar.hpp"
#include "config/error.hpp"
#include "config/index.hpp"

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
    const auto& dimension = nth(file.dimensions(), variable.dimensions[0]);
    if (!dimension.is_record || variable.attribute("standard_name") != "time") continue;
    if (found < 0 || variable.name == dimension.name) found = static_cast<int>(v);
  }
  return found;
}

/// Bytes of UTF-8 that begin a letter.
std::size_t letters_of(const std::string& text) {
  return static_cast<std::size_t>(
      std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xC0) != 0x80; }));
}

}  // namespace

bool is_of_records(const DataFile& file, const StoredVariable& variable) {
  return !variable.dimensions.empty() && nth(file.dimensions(), variable.dimensions[0]).is_record;
}

bool is_field(const DataFile& file, const StoredVariable& variable) {
  if (!variable.attribute("online_operation").empty()) return true;
  if (!is_of_records(file, variable) || variable.attribute("standard_name") == "time") return false;
  return std::none_of(file.variables().begin(), file.variables().end(), [&](const auto& other) {
    return other.attribute("bounds") == variable.name ||
           other.attribute("climatology") == variable.name;
  });
}

std::string table(const std::vector<Row>& rows) {
  std::vector<std::size_t> widths(rows.front().size());
  for (const Row& row : rows) {
    for (std::size_t c = 0; c < row.size(); ++c)
      widths[c] = std::max(widths[c], letters_of(row[c]));
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

std::string heading(const DataFile& file) {
  std::string out = fmt::format("{}: {}, {} record{}", file.path(), file.format(), file.records(),
                                file.records() == 1 ? "" : "s");
  const int time = time_of(file);
  if (time < 0 || file.records() == 0) return out;
  const StoredVariable& variable = nth(file.variables(), time);
  const double first = file.values(time, {{0}, {1}}).front();
  const double last = file.values(time, {{file.records() - 1}, {1}}).front();
  out += fmt::format(", {}", date_text(variable, first));
  if (file.records() > 1) out += fmt::format(" to {}", date_text(variable, last));
  const std::string& calendar = variable.attribute("calendar");
  return calendar.empty() ? out : fmt::format("{} ({})", out, calendar);
}

std::int64_t shown_record(const DataFile& file, std::optional<std::int64_t> record) {
  const std::int64_t shown = record.value_or(file.records() - 1);
  if (record && (shown < 0 || shown >= file.records())) {
    throw Error(ErrorCode::argument,
                fmt::format("file '{}' has no record {} (it has {}, counted from 0).", file.path(),
                            shown, file.records()));
  }
  return shown;
}

}  // namespace epios::io
