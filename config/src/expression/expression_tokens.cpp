#include "expression/expression_tokens.hpp"

#include <fmt/format.h>

#include <array>

#include "text/text.hpp"

namespace epios::config {

namespace {

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_space(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

std::size_t length_of(std::string_view text, bool (*belongs)(char)) {
  std::size_t length = 0;
  while (length < text.size() && belongs(text[length])) ++length;
  return length;
}

std::size_t length_of_name(std::string_view text) {
  return length_of(text, [](char c) { return is_letter(c) || is_digit(c) || c == '_'; });
}

bool begins_number(std::string_view text) {
  if (text.starts_with('.')) text.remove_prefix(1);
  return !text.empty() && is_digit(text.front());
}

/// Digits before or behind a point, then maybe an exponent, which begins with 'd' in Fortran.
std::size_t length_of_number(std::string_view text) {
  std::size_t length = length_of(text, is_digit);
  if (text.substr(length).starts_with('.')) {
    length += 1 + length_of(text.substr(length + 1), is_digit);
  }
  const std::string_view rest = text.substr(length);
  if (rest.empty() || std::string_view("eEdD").find(rest.front()) == std::string_view::npos) {
    return length;
  }
  const bool has_sign = rest.size() > 1 && (rest[1] == '-' || rest[1] == '+');
  const std::size_t begin = has_sign ? 2 : 1;
  const std::size_t digits = length_of(rest.substr(begin), is_digit);
  return digits == 0 ? length : length + begin + digits;
}

std::size_t length_of_symbol(std::string_view text) {
  constexpr std::array<std::string_view, 16> symbols{"==", "/=", "<=", ">=", "<", ">", "+", "-",
                                                     "*",  "/",  "^",  "(",  ")", "?", ":", ","};
  for (const std::string_view symbol : symbols) {
    if (text.starts_with(symbol)) return symbol.size();
  }
  return text.starts_with('@') ? 1 : 0;
}

ExpressionMistake unknown_character(std::string_view rest, std::size_t offset) {
  const char c = rest.front();
  std::string suggestion;
  if (c == '=') suggestion = "Did you mean '=='?";
  if (c == '!') suggestion = rest.starts_with("!=") ? "Did you mean '/='?" : "Did you mean 'not'?";
  if (c == '&') suggestion = "Did you mean 'and'?";
  if (c == '|') suggestion = "Did you mean 'or'?";
  const bool is_printed = c > ' ' && c < 127;
  const std::string shown = is_printed ? std::string(1, c) : fmt::format("\\x{:02x}", c & 0xff);
  return {offset, fmt::format("'{}' has no meaning here", shown), std::move(suggestion)};
}

}  // namespace

Tokens tokens_of(std::string_view text) {
  Tokens tokens;
  std::size_t at = 0;
  while (true) {
    at += length_of(text.substr(at), is_space);
    if (at >= text.size()) break;
    const std::string_view rest = text.substr(at);
    Token token;
    token.offset = at;
    std::size_t length = 0;
    if (begins_number(rest)) {
      token.kind = Token::Kind::number;
      length = length_of_number(rest);
      const std::optional<double> number = parse_fortran_real(rest.substr(0, length));
      token.number = number.value_or(0);
      if (!number) {
        tokens.mistake = {
            at, fmt::format("'{}' is too large or too small", rest.substr(0, length)), {}};
        return tokens;
      }
      const std::size_t name = length_of_name(rest.substr(length));
      if (name > 0) {
        tokens.mistake = {at, fmt::format("'{}' is no number", rest.substr(0, length + name)), {}};
        return tokens;
      }
    } else if (is_letter(rest.front())) {
      token.kind = Token::Kind::name;
      length = length_of_name(rest);
    } else if (rest.size() > 1 && rest.front() == '$' && is_letter(rest[1])) {
      token.kind = Token::Kind::variable;
      length = 1 + length_of_name(rest.substr(1));
    } else {
      token.kind = Token::Kind::symbol;
      length = length_of_symbol(rest);
    }
    if (length == 0) {
      tokens.mistake = unknown_character(rest, at);
      return tokens;
    }
    token.text = rest.substr(0, length);
    if (token.kind == Token::Kind::variable) token.text.remove_prefix(1);
    tokens.all.push_back(token);
    at += length;
  }
  tokens.all.push_back({Token::Kind::end, {}, 0, text.size()});
  return tokens;
}

}  // namespace epios::config
