#include <fmt/format.h>

#include <cmath>
#include <optional>
#include <vector>

#include "config/run_variables.hpp"
#include "text/text.hpp"

namespace epios::config {

namespace {

std::string number_complaint(const RunVariable& row, std::optional<double> value,
                             std::string_view what) {
  if (row.least.empty()) return value ? "" : fmt::format("expected {}", what);
  const bool is_good = value && std::isfinite(*value) && *value >= *parse_real(row.least);
  return is_good ? "" : fmt::format("expected {} of {} or more", what, row.least);
}

}  // namespace

std::string complaint(const RunVariable& row, std::string_view text) {
  if (row.type == "boolean" && !parse_boolean(text)) return "expected true or false";
  if (row.type == "integer") {
    const auto integer = parse_integer(text);
    const auto value = integer ? std::optional(static_cast<double>(*integer)) : std::nullopt;
    return number_complaint(row, value, "an integer");
  }
  if (row.type == "real") return number_complaint(row, parse_fortran_real(text), "a number");
  if (row.type != "word") return {};
  const std::vector<std::string_view> words = split_words(row.words);
  for (const std::string_view word : words) {
    if (word == text) return {};
  }
  const std::vector<std::string_view> most(words.begin(), words.end() - 1);
  return fmt::format("expected {} or {}", joined(most), words.back());
}

std::string_view value_or_default(const RunVariable& row, std::string_view text) {
  return complaint(row, text).empty() ? text : row.default_text;
}

}  // namespace epios::config
