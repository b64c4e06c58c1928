// Parses the text of attributes into values of their types and checks values that come through the
// API. First come words, numbers and arrays, then the entry points for text, values and variables.
#include "language/value_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <utility>

#include "text/text.hpp"
#include "time/duration_text.hpp"

namespace epios::config {

namespace {

/// More values than this in one XML attribute are refused before anything is allocated.
constexpr std::int64_t largest_array = std::int64_t{1} << 24;

ParsedValue refusal(std::string why, std::string suggestion = {}) {
  return {std::nullopt, std::move(why), std::move(suggestion)};
}

/// The word in the table's spelling, or why there is none.
ParsedValue accept_word(std::string_view words, std::string_view text) {
  for (std::string_view rest = words; !rest.empty();) {
    const std::string_view word = take_word(rest);
    if (is_same_word(word, trimmed(text))) return {Value(std::string(word)), {}, {}};
  }
  const std::vector<std::string_view> allowed = split_words(words);
  const std::string wanted = lower_case(trimmed(text));
  // Words of manuals, and of other tools.
  constexpr std::array<std::pair<std::string_view, std::string_view>, 4> other_words{
      {{"min", "minimum"}, {"max", "maximum"}, {"sum", "accumulate"}, {"mean", "average"}}};
  for (const auto& [other, word] : other_words) {
    const bool is_allowed = std::find(allowed.begin(), allowed.end(), word) != allowed.end();
    if (other == wanted && is_allowed) {
      return refusal(fmt::format("allowed: {}", joined(allowed)),
                     fmt::format("Did you mean '{}'?", word));
    }
  }
  return refusal(fmt::format("allowed: {}", joined(allowed)), did_you_mean(wanted, allowed));
}

ParsedValue accept_integer(std::string_view words, std::int64_t value) {
  bool fits = words.empty();
  for (std::string_view rest = words; !fits && !rest.empty();) {
    fits = parse_integer(take_word(rest)) == value;
  }
  if (fits) return {Value(value), {}, {}};
  return refusal(fmt::format("allowed: {}", joined(split_words(words))));
}

/// Head of an array text: "(0,2) x (0,3) [" read, sizes in `shape`.
std::string take_shape(std::string_view& text, std::vector<std::int64_t>& shape) {
  std::int64_t total = 1;
  text = trimmed(text);
  while (text.starts_with('(')) {
    const std::size_t comma = text.find(',');
    const std::size_t close = text.find(')');
    if (close == std::string_view::npos || comma > close) return "bounds must read (first,last)";
    const auto first = parse_integer(text.substr(1, comma - 1));
    const auto last = parse_integer(text.substr(comma + 1, close - comma - 1));
    if (!first || !last) return "bounds must be two integers";
    if (*first < 0) return fmt::format("the first bound {} is negative, bounds begin at 0", *first);
    if (*last > largest_array) return "bounds out of range";
    if (*last < *first - 1) return fmt::format("bounds ({},{}) are empty", *first, *last);
    shape.push_back(*last - *first + 1);
    total *= shape.back();
    if (total > largest_array) return "too many values for one attribute";
    text = trimmed(text.substr(close + 1));
    if (text.starts_with('x')) text = trimmed(text.substr(1));
  }
  if (shape.empty() || !text.starts_with('[') || !text.ends_with(']') || text.size() < 2) {
    return "not of the form (first,last)[values]";
  }
  text = text.substr(1, text.size() - 2);
  return {};
}

std::string wrong_rank(std::size_t expected, std::size_t received) {
  return fmt::format("expected {} dimension{}, received {}", expected, expected == 1 ? "" : "s",
                     received);
}

/// Dimensions of an array attribute.
std::size_t rank_of(const AttributeInfo& row) {
  return row.words.empty() ? 1 : static_cast<std::size_t>(row.words.front() - '0');
}

std::string_view array_hint(std::size_t rank) {
  return rank == 1 ? "Write it like (0,2)[a b c]." : "Write it like (0,1) x (0,2)[a b c d e f].";
}

std::string_view take_item(std::string_view& text) {
  text = trimmed(text);
  const std::size_t end = text.find_first_of(" \t\r\n");
  const std::string_view item = text.substr(0, end);
  text = end == std::string_view::npos ? std::string_view{} : trimmed(text.substr(end));
  return item;
}

template <class T, class Parse>
ParsedValue parse_array(std::size_t rank, std::string_view text, std::string_view what,
                        Parse parse) {
  Array<T> array;
  if (std::string why = take_shape(text, array.shape); !why.empty()) {
    return refusal(std::move(why), std::string(array_hint(rank)));
  }
  if (array.shape.size() != rank) {
    return refusal(wrong_rank(rank, array.shape.size()), std::string(array_hint(rank)));
  }
  std::int64_t expected = 1;
  for (const std::int64_t size : array.shape) expected *= size;
  text = trimmed(text);
  while (!text.empty()) {
    const std::string_view item = take_item(text);
    const auto value = parse(item);
    if (!value) return refusal(fmt::format("'{}' is not {}", item, what));
    array.values.push_back(static_cast<T>(*value));
  }
  if (const auto count = static_cast<std::int64_t>(array.values.size()); count != expected) {
    return refusal(fmt::format("expected {} values, received {}", expected, count));
  }
  return {Value(std::move(array)), {}, {}};
}

template <class T>
ParsedValue value_or(const std::optional<T>& value, const char* why, const char* suggestion = "") {
  if (!value) return refusal(why, suggestion);
  return {Value(*value), {}, {}};
}

/// Fill values and limits may be any number. Of a coordinate, a factor or a size, nan and inf say
/// nothing.
bool may_be_infinite(const AttributeInfo& row) {
  return row.name == "default_value" || row.name == "valid_min" || row.name == "valid_max";
}

ParsedValue parse_real_value(const AttributeInfo& row, std::string_view text) {
  const std::optional<double> value = parse_real(text);
  if (!value) return refusal(is_out_of_range(text) ? "out of range" : "not a number");
  if (std::isfinite(*value) || may_be_infinite(row)) return {Value(*value), {}, {}};
  return refusal("a finite number is wanted");
}

std::optional<double> parse_finite(std::string_view text) {
  const std::optional<double> value = parse_real(text);
  return value && std::isfinite(*value) ? value : std::nullopt;
}

bool is_integer_text(std::string_view text) {
  text = trimmed(text);
  if (text.starts_with('+') || text.starts_with('-')) text.remove_prefix(1);
  return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
}

template <class T>
bool shape_fits(const Array<T>& array) {
  const auto has = [&](auto&& is_such) {
    return std::any_of(array.shape.begin(), array.shape.end(), is_such);
  };
  if (has([](std::int64_t size) { return size < 0; })) return false;
  // Before any product: one extent of 0 makes the others count for nothing.
  if (has([](std::int64_t size) { return size == 0; })) return array.values.empty();
  std::int64_t total = 1;
  const auto count = static_cast<std::int64_t>(array.values.size());
  for (const std::int64_t size : array.shape) {
    if (total > count / size) return false;
    total *= size;
  }
  return total == count;
}

bool is_finite(const Duration& d) {
  return std::isfinite(d.year) && std::isfinite(d.month) && std::isfinite(d.day) &&
         std::isfinite(d.hour) && std::isfinite(d.minute) && std::isfinite(d.second) &&
         std::isfinite(d.timestep);
}

/// Alternative of Value that an attribute type is stored in.
std::size_t alternative(ValueType type) {
  switch (type) {
    case ValueType::boolean:
      return 0;
    case ValueType::integer:
      return 1;
    case ValueType::real:
      return 2;
    case ValueType::string:
    case ValueType::word:
    case ValueType::date:
    case ValueType::reference:
      return 3;
    case ValueType::duration:
      return 4;
    case ValueType::booleans:
      return 5;
    case ValueType::integers:
      return 6;
    case ValueType::reals:
      return 7;
    case ValueType::strings:
      break;
  }
  return 8;
}

}  // namespace

ParsedValue parse_value(const AttributeInfo& row, std::string_view text) {
  const std::size_t rank = rank_of(row);
  switch (row.type) {
    case ValueType::boolean:
      return value_or(parse_boolean(text), "not a boolean", "Use true or false.");
    case ValueType::integer: {
      const auto value = parse_integer(text);
      if (value) return accept_integer(row.words, *value);
      return refusal(is_integer_text(text) ? "out of range" : "not an integer");
    }
    case ValueType::real:
      return parse_real_value(row, text);
    case ValueType::string:
      return {Value(std::string(text)), {}, {}};
    case ValueType::word:
      return accept_word(row.words, text);
    case ValueType::date:
    case ValueType::reference:
      return {Value(std::string(trimmed(text))), {}, {}};
    case ValueType::duration: {
      ParsedDuration parsed = parse_duration(text);
      if (parsed.why.empty()) return {Value(parsed.duration), {}, {}};
      return refusal(std::move(parsed.why), std::string(duration_hint()));
    }
    case ValueType::booleans:
      return parse_array<std::uint8_t>(rank, text, "a boolean", parse_boolean);
    case ValueType::integers:
      return parse_array<std::int64_t>(rank, text, "an integer", parse_integer);
    case ValueType::reals:
      return parse_array<double>(rank, text, "a finite number", parse_finite);
    case ValueType::strings:
      break;
  }
  return parse_array<std::string>(
      rank, text, "a text", [](std::string_view item) { return std::optional<std::string>(item); });
}

std::optional<Value> first_of_list(const AttributeInfo& row, std::string_view text) {
  const bool is_one = row.type == ValueType::boolean || row.type == ValueType::integer ||
                      row.type == ValueType::real;
  text = trimmed(text);
  std::vector<std::int64_t> shape;
  if (!is_one || (text.starts_with('(') && !take_shape(text, shape).empty())) return std::nullopt;
  std::optional<Value> first;
  int count = 0;
  constexpr std::string_view between = ", \t\r\n";
  for (std::size_t at = text.find_first_not_of(between); at != std::string_view::npos; ++count) {
    const std::size_t end = std::min(text.find_first_of(between, at), text.size());
    ParsedValue item = parse_value(row, text.substr(at, end - at));
    if (!item.value) return std::nullopt;
    if (count == 0) first = std::move(item.value);
    at = text.find_first_not_of(between, end);
  }
  return count > 1 || !shape.empty() ? first : std::nullopt;
}

std::optional<Value> numbers_before_letters(const AttributeInfo& row, std::string_view text) {
  const bool is_one = row.type == ValueType::integer || row.type == ValueType::real;
  if (!is_one && row.type != ValueType::integers && row.type != ValueType::reals) return {};
  // "1e20 K" has a unit and "90S" another sign: such letters mean something.
  const auto number_of = [](std::string_view item) {
    std::string number = number_before_letters(item);
    if (number.empty()) return number;
    const std::string_view letters = trimmed(item).substr(number.size());
    const bool is_compass =
        letters.size() == 1 && std::string_view("NSEWnsew").find(letters) != std::string_view::npos;
    const bool is_apart = trimmed(number).size() != number.size();
    return is_compass || is_apart ? std::string() : number;
  };
  if (is_one) {
    const std::string number = number_of(text);
    return number.empty() ? std::nullopt : parse_value(row, number).value;
  }
  const std::size_t open = text.find('[');
  const std::size_t close = text.rfind(']');
  if (open == std::string_view::npos || close == std::string_view::npos || close < open) return {};
  std::string numbers(text.substr(0, open + 1));
  for (std::string_view rest = trimmed(text.substr(open + 1, close - open - 1)); !rest.empty();) {
    const std::string_view item = take_item(rest);
    const std::string number = number_of(item);
    numbers.append(number.empty() ? std::string(item) : number).push_back(' ');
  }
  return parse_value(row, numbers.append(text.substr(close))).value;
}

ParsedValue accept_value(const AttributeInfo& row, Value value) {
  if (row.type == ValueType::real && std::holds_alternative<std::int64_t>(value)) {
    value = static_cast<double>(std::get<std::int64_t>(value));
  }
  if (const auto* whole = std::get_if<value::integers>(&value);
      whole != nullptr && row.type == ValueType::reals) {
    value = value::reals{{whole->values.begin(), whole->values.end()}, whole->shape};
  }
  if (value.index() != alternative(row.type)) {
    return refusal(fmt::format("a value of type {} is wanted", name(row.type)));
  }
  if (row.type == ValueType::word) return accept_word(row.words, std::get<std::string>(value));
  if (row.type == ValueType::integer) {
    return accept_integer(row.words, std::get<std::int64_t>(value));
  }
  if (const auto* duration = std::get_if<Duration>(&value); duration && !is_finite(*duration)) {
    return refusal("finite numbers are wanted");
  }
  const std::size_t rank = rank_of(row);
  const std::string why = std::visit(
      [rank](const auto& v) -> std::string {
        if constexpr (requires { v.shape; }) {
          if (v.shape.size() != rank) return wrong_rank(rank, v.shape.size());
          if (!shape_fits(v)) return "the shape does not match the number of values";
        }
        return {};
      },
      value);
  if (!why.empty()) return refusal(why);
  return {std::move(value), {}, {}};
}

std::string number_before_letters(std::string_view text) {
  text = trimmed(text);
  constexpr std::string_view letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
  const std::size_t last = text.find_last_not_of(letters);
  if (last == std::string_view::npos || last + 1 == text.size()) return {};
  const std::string_view number = text.substr(0, last + 1);
  return parse_fortran_real(number) ? std::string(number) : std::string();
}

std::string variable_complaint(std::string_view type, std::string_view text) {
  const auto integer_of = [&](std::int64_t low, std::int64_t high) {
    const auto value = parse_integer(text);
    return value && *value >= low && *value <= high;
  };
  bool fits = true;
  if (type == "bool") fits = parse_boolean(text).has_value();
  if (type == "int16") fits = integer_of(INT16_MIN, INT16_MAX);
  if (type == "int" || type == "int32") fits = integer_of(INT32_MIN, INT32_MAX);
  if (type == "int64") fits = integer_of(INT64_MIN, INT64_MAX);
  if (type == "float" || type == "double") fits = parse_fortran_real(text).has_value();
  return fits ? "" : fmt::format("'{}' is not of type {}", text, type);
}

}  // namespace epios::config
