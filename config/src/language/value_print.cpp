#include "config/value_print.hpp"

#include <fmt/format.h>

#include <cstddef>
#include <type_traits>

#include "language/value_text.hpp"
#include "text/text.hpp"

namespace epios::config {

namespace {

std::string printed_item(std::uint8_t flag) { return flag != 0 ? "true" : "false"; }
std::string printed_item(std::int64_t number) { return fmt::format("{}", number); }
std::string printed_item(double number) { return fmt::format("{}", number); }
std::string printed_item(const std::string& text) { return text; }

/// "(0,1) x (0,2)[a b c d e f]".
template <class T>
std::string printed_array(const Array<T>& array) {
  std::string result;
  for (const std::int64_t size : array.shape) {
    result += fmt::format("{}(0,{})", result.empty() ? "" : " x ", size - 1);
  }
  result += '[';
  for (std::size_t i = 0; i < array.values.size(); ++i) {
    result += (i == 0 ? "" : " ") + printed_item(array.values[i]);
  }
  return result + ']';
}

}  // namespace

std::string printed(const Value& value) {
  return std::visit(
      [](const auto& v) -> std::string {
        using Type = std::remove_cvref_t<decltype(v)>;
        if constexpr (std::is_same_v<Type, bool>) {
          return v ? "true" : "false";
        } else if constexpr (std::is_same_v<Type, Duration>) {
          return v.text();
        } else if constexpr (std::is_same_v<Type, std::string> ||
                             std::is_same_v<Type, std::int64_t> || std::is_same_v<Type, double>) {
          return printed_item(v);
        } else {
          return printed_array(v);
        }
      },
      value);
}

std::optional<bool> read_boolean(std::string_view text) { return parse_boolean(text); }
std::optional<std::int64_t> read_integer(std::string_view text) { return parse_integer(text); }
std::optional<double> read_real(std::string_view text) {
  const std::optional<double> number = parse_fortran_real(text);
  return number ? number : parse_fortran_real(number_before_letters(text));
}

}  // namespace epios::config
