// Texts of a CF description: numbers and attributes, intervals of cell_methods, calendars, and
// names that NetCDF accepts.
#include "cf/cf_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <sstream>
#include <string_view>
#include <type_traits>
#include <utility>

#include "config/error.hpp"
#include "config/model_files.hpp"
#include "config/value_print.hpp"

namespace epios::io {

namespace {

std::string_view trimmed(std::string_view text) {
  const auto is_space = [](char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; };
  while (!text.empty() && is_space(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_space(text.back())) text.remove_suffix(1);
  return text;
}

[[noreturn]] void reject(const config::Variable& variable, const std::string& owner,
                         const std::string& problem, const std::string& suggestion) {
  throw Error(ErrorCode::configuration, fmt::format("{}: variable '{}' cannot be written ({}). {}",
                                                    owner, variable.name, problem, suggestion));
}

[[noreturn]] void reject_value(const config::Variable& variable, const std::string& owner,
                               const char* suggestion) {
  reject(variable, owner,
         fmt::format("'{}' is no value of type {}", trimmed(variable.text),
                     variable.attributes.type.value_or("string")),
         suggestion);
}

/// Read as `epios check` reads it, with Fortran's spellings.
template <class T>
std::vector<T> number(const config::Variable& variable, const std::string& owner) {
  const std::string_view text = trimmed(variable.text);
  if constexpr (std::is_integral_v<T>) {
    const std::optional<std::int64_t> value = config::read_integer(text);
    if (value && std::in_range<T>(*value)) return {static_cast<T>(*value)};
  } else {
    const std::optional<double> value = config::read_real(text);
    if (value) return {static_cast<T>(*value)};
  }
  reject_value(variable, owner, "Is its type string?");
}

/// NetCDF has no logical: 1 or 0 stand for it.
bool is_true(const config::Variable& variable, const std::string& owner) {
  const std::optional<bool> value = config::read_boolean(trimmed(variable.text));
  if (!value) reject_value(variable, owner, "Use true or false?");
  return *value;
}

/// A duration in one unit, as XIOS names it, which UDUNITS understands, too.
struct NamePart {
  double value;
  const char* unit;
  double seconds;  // 0: not always as many
};

std::vector<NamePart> parts_of(config::Duration d, const config::Duration& timestep) {
  if (d.timestep != 0) {
    const config::Duration steps = timestep * d.timestep;
    d.timestep = 0;
    d = d + steps;
  }
  std::vector<NamePart> parts = {{d.year, "yr", 0},   {d.month, "month", 0}, {d.day, "d", 86400},
                                 {d.hour, "h", 3600}, {d.minute, "min", 60}, {d.second, "s", 1}};
  std::erase_if(parts, [](const NamePart& part) { return part.value == 0; });
  return parts;
}

}  // namespace

std::string cf_interval(const config::Duration& duration, const config::Duration& timestep) {
  double seconds = 0;
  const std::vector<NamePart> parts = parts_of(duration, timestep);
  if (parts.size() == 1) return fmt::format("{} {}", parts[0].value, parts[0].unit);
  for (const NamePart& part : parts) {
    if (part.seconds == 0) return {};
    seconds += part.value * part.seconds;
  }
  return parts.empty() ? std::string() : fmt::format("{} s", seconds);
}

std::string interval_text(const config::Duration& duration, const config::Duration& timestep) {
  std::vector<std::string> words;
  for (const NamePart& part : parts_of(duration, timestep)) {
    words.push_back(fmt::format("{} {}", part.value, part.unit));
  }
  return words.empty() ? "0 s" : fmt::format("{}", fmt::join(words, " "));
}

void add_calendar(std::vector<FileAttribute>& attributes, const config::Calendar& calendar) {
  constexpr std::int64_t day_of_earth_s = 86400;
  const config::UserCalendar& user = calendar.user();
  if (user.day_length_s != day_of_earth_s) {
    attributes.push_back({"day_length", std::vector<std::int64_t>{user.day_length_s}});
  }
  if (user.month_lengths.empty()) {
    attributes.push_back({"year_length", std::vector<std::int64_t>{user.year_length_s}});
    return;
  }
  std::vector<std::int32_t> lengths;
  for (const std::int64_t length : user.month_lengths) {
    lengths.push_back(static_cast<std::int32_t>(length));
  }
  attributes.push_back({"month_lengths", std::move(lengths)});
  // Other leap years than every fourth cannot be said.
  constexpr int cycle = 4;
  if (user.leap_month == 0 || user.leap_drift * cycle != 1) return;
  int leap_year = 0;
  for (int year = 1; year < cycle; ++year) {
    if (calendar.days_in_year(year) > calendar.days_in_year(leap_year)) leap_year = year;
  }
  attributes.push_back(
      {"leap_month", std::vector<std::int32_t>{static_cast<std::int32_t>(user.leap_month)}});
  attributes.push_back({"leap_year", std::vector<std::int32_t>{leap_year}});
}

FileAttribute attribute_of(const config::Variable& variable, const std::string& owner) {
  const std::string type = variable.attributes.type.value_or("string");
  if (variable.name.empty() || variable.name == "_FillValue") {
    reject(variable, owner, "the name is reserved", "Use another name (default_value for fill)?");
  }
  FileAttribute out;
  out.name = variable.name;
  if (type == "string") {
    out.value = variable.text;
  } else if (type == "double") {
    out.value = number<double>(variable, owner);
  } else if (type == "float") {
    out.value = number<float>(variable, owner);
  } else if (type == "int" || type == "int32") {
    out.value = number<std::int32_t>(variable, owner);
  } else if (type == "int16") {
    out.value = number<std::int16_t>(variable, owner);
  } else if (type == "bool") {
    out.value = std::vector<std::int32_t>{is_true(variable, owner) ? 1 : 0};
  } else if (type == "int64") {
    out.value = number<std::int64_t>(variable, owner);
  } else {
    reject(variable, owner, fmt::format("NetCDF has no type {}", type), "Use int or string?");
  }
  return out;
}

void add_text(std::vector<FileAttribute>& attributes, const char* name,
              const std::optional<std::string>& text) {
  if (text && !text->empty()) attributes.push_back({name, *text});
}

std::vector<std::string> measure_variables(const std::string& cell_measures) {
  std::vector<std::string> names;
  std::istringstream words(cell_measures);
  for (std::string word; words >> word;) {
    if (!word.ends_with(':')) names.push_back(word);
  }
  return names;
}

void check_name(const std::string& path, const std::string& what, const std::string& name) {
  const auto is_letter_or_digit = [](unsigned char c) {
    return c >= 0x80 || c == '_' || (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') ||
           (c >= 'a' && c <= 'z');
  };
  const bool good = !name.empty() && name.size() <= 256 &&
                    is_letter_or_digit(static_cast<unsigned char>(name[0])) && name.back() != ' ' &&
                    std::all_of(name.begin(), name.end(), [](char c) {
                      const auto byte = static_cast<unsigned char>(c);
                      return byte >= 0x20 && byte != 0x7f && c != '/';
                    });
  if (good) return;
  throw Error(
      ErrorCode::configuration,
      fmt::format("file '{}': '{}' cannot be the name of a {} (NetCDF wants a letter, digit or "
                  "underscore first and no '/'). Choose another with the attribute name?",
                  path, name, what));
}

}  // namespace epios::io
