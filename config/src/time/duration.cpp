#include <fmt/format.h>

#include <array>
#include <charconv>
#include <cmath>
#include <utility>

#include "config/calendar.hpp"
#include "config/error.hpp"
#include "text/text.hpp"
#include "time/duration_text.hpp"

namespace epios::config {

namespace {

struct Unit {
  std::string_view name;
  double Duration::*member;
};
constexpr std::array<Unit, 7> units{{{"y", &Duration::year},
                                     {"mo", &Duration::month},
                                     {"d", &Duration::day},
                                     {"h", &Duration::hour},
                                     {"mi", &Duration::minute},
                                     {"s", &Duration::second},
                                     {"ts", &Duration::timestep}}};

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

/// Takes one number from the front; false when there is none.
bool take_number(std::string_view& text, double& number) {
  if (text.starts_with('+') && !text.starts_with("+-")) text.remove_prefix(1);
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, number);
  if (error != std::errc{} || !std::isfinite(number)) return false;
  text = trimmed({stop, static_cast<std::size_t>(end - stop)});
  return true;
}

std::string_view take_letters(std::string_view& text) {
  std::size_t length = 0;
  while (length < text.size() && is_letter(text[length])) ++length;
  const std::string_view letters = text.substr(0, length);
  text = trimmed(text.substr(length));
  return letters;
}

}  // namespace

std::string_view duration_hint() {
  return "Use numbers with units y, mo, d, h, mi, s or ts, as in '1d 6h'.";
}

ParsedDuration parse_duration(std::string_view text) {
  ParsedDuration result;
  text = trimmed(text);
  if (text.empty()) return {{}, "empty text is not a duration"};
  std::array<bool, units.size()> seen{};
  while (!text.empty()) {
    double number = 0;
    const std::string rest(text);
    if (!take_number(text, number)) return {{}, fmt::format("no number at '{}'", rest)};
    const std::string_view letters = take_letters(text);
    if (letters.empty()) return {{}, fmt::format("no unit after {}", number)};
    std::size_t i = 0;
    while (i < units.size() && units[i].name != letters) ++i;
    if (i == units.size()) return {{}, fmt::format("unknown unit '{}'", letters)};
    if (std::exchange(seen[i], true)) return {{}, fmt::format("unit '{}' twice", letters)};
    result.duration.*units[i].member = number;
  }
  return result;
}

Duration Duration::parse(std::string_view text) {
  ParsedDuration parsed = parse_duration(text);
  if (!parsed.why.empty()) {
    throw Error(ErrorCode::configuration,
                fmt::format("'{}' is not a duration ({}). {}", text, parsed.why, duration_hint()));
  }
  return parsed.duration;
}

std::string Duration::text() const {
  std::string result;
  for (const Unit& unit : units) {
    if (this->*unit.member == 0) continue;
    if (!result.empty()) result += ' ';
    result += fmt::format("{}{}", this->*unit.member, unit.name);
  }
  return result.empty() ? "0s" : result;
}

Duration operator*(const Duration& d, double factor) {
  Duration result;
  for (const Unit& unit : units) result.*unit.member = d.*unit.member * factor;
  return result;
}

Duration operator+(const Duration& a, const Duration& b) {
  Duration result;
  for (const Unit& unit : units) result.*unit.member = a.*unit.member + b.*unit.member;
  return result;
}

}  // namespace epios::config
