/// @file
/// The words of an expression.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "config/expression.hpp"

namespace epios::config {

struct Token {
  enum class Kind { number, name, variable, symbol, end } kind = Kind::end;
  std::string_view text;  ///< text of the token; a variable without '$'
  double number = 0;
  std::size_t offset = 0;
};

struct Tokens {
  std::vector<Token> all;  ///< the last one marks the end
  std::optional<ExpressionMistake> mistake;
};

Tokens tokens_of(std::string_view text);

}  // namespace epios::config
