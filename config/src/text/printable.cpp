#include "text/printable.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <utility>

#include "text/text.hpp"

namespace epios::config {

namespace {

constexpr std::size_t longest_quote = 80;
constexpr std::size_t longest_path = 400;  // whoever looks for the file needs all of it
constexpr std::size_t longest_text = 1000;

bool continues_character(char c) { return (static_cast<unsigned char>(c) & 0xC0U) == 0x80U; }

/// Returns the number of bytes of a control character at the start of UTF-8 text, else 0.
std::size_t length_of_control(std::string_view text) {
  const auto byte = [text](std::size_t at) { return static_cast<unsigned char>(text[at]); };
  if (byte(0) < 0x20 || byte(0) == 0x7f) return 1;
  if (byte(0) == 0xC2 && text.size() > 1 && byte(1) < 0xA0) return 2;  // U+0080 to U+009F
  if (byte(0) != 0xE2 || text.size() < 3) return 0;
  // Marks, embeddings and overrides of direction, separators of lines, isolates.
  const bool turns = (byte(1) == 0x80 && (byte(2) == 0x8E || byte(2) == 0x8F)) ||
                     (byte(1) == 0x80 && byte(2) >= 0xA8 && byte(2) <= 0xAE) ||
                     (byte(1) == 0x81 && byte(2) >= 0xA6 && byte(2) <= 0xA9);
  return turns ? 3 : 0;
}

void append_escaped(std::string& result, std::string_view bytes) {
  for (const char c : bytes) result += fmt::format("\\x{:02x}", static_cast<unsigned char>(c));
}

/// Two thirds of `length` from its beginning and the rest from its end.
std::string without_middle(std::string_view text, std::size_t length) {
  std::size_t head = length / 3 * 2;
  std::size_t tail = text.size() - (length - head);
  while (head > 0 && continues_character(text[head])) --head;
  while (tail < text.size() && continues_character(text[tail])) ++tail;
  return fmt::format("{}...{}", text.substr(0, head), text.substr(tail));
}

}  // namespace

std::string printable(std::string_view text) {
  std::string result;
  std::size_t invalid = first_not_utf8(text);
  for (std::size_t at = 0; at < text.size();) {
    if (at == invalid) {
      append_escaped(result, text.substr(at, 1));
      ++at;
      invalid = first_not_utf8(text.substr(at));
      if (invalid != std::string_view::npos) invalid += at;
      continue;
    }
    const std::size_t length =
        length_of_control(text.substr(at, std::min(invalid, text.size()) - at));
    if (length > 0) {
      append_escaped(result, text.substr(at, length));
    } else {
      result += text[at];
    }
    at += std::max<std::size_t>(length, 1);
  }
  return result;
}

std::string wrapped(std::string_view text, std::size_t width) {
  std::string result;
  while (text.size() > width) {
    std::size_t space = text.rfind(' ', width);
    if (space == std::string_view::npos || space == 0) space = text.find(' ');
    if (space == std::string_view::npos) break;
    result += text.substr(0, space);
    result += '\n';
    text.remove_prefix(space + 1);
  }
  return result.append(text);
}

std::string shortened(std::string text) {
  const bool is_plain =
      std::all_of(text.begin(), text.end(), [](char c) { return c >= ' ' && c < 0x7f; });
  if (is_plain && text.size() <= longest_quote) return text;
  const std::string shown = is_plain ? std::move(text) : printable(text);
  std::string result;
  std::string_view rest = shown;
  while (!rest.empty()) {
    const std::size_t open = rest.find('\'');
    const std::size_t close = open == std::string_view::npos ? open : rest.find('\'', open + 1);
    if (close == std::string_view::npos) break;
    const std::string_view quote = rest.substr(open + 1, close - open - 1);
    const bool is_path = quote.find('/') != std::string_view::npos;
    const std::size_t longest = is_path ? longest_path : longest_quote;
    result += rest.substr(0, open + 1);
    result += quote.size() > longest ? without_middle(quote, longest) : quote;
    result += '\'';
    rest.remove_prefix(close + 1);
  }
  result += rest;
  return result.size() > longest_text ? without_middle(result, longest_text) : result;
}

}  // namespace epios::config
