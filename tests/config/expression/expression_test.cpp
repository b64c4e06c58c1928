#include "config/expression.hpp"

#include <gtest/gtest.h>

#include <random>
#include <utility>
#include <vector>

namespace epios::config::expression_test {
namespace {

/// The text with all parentheses, or what is wrong and where (from 0).
std::string parsed(std::string_view text) {
  const ParsedExpression result = parse_expression(text);
  if (!result.mistake) return result.expression.text();
  const ExpressionMistake& mistake = *result.mistake;
  return std::to_string(mistake.offset) + ": " + mistake.problem +
         (mistake.suggestion.empty() ? "" : ". " + mistake.suggestion);
}

TEST(Expression, binds_by_priority) {
  for (const auto& [text, expected] : std::vector<std::pair<const char*, const char*>>{
           {"a", "a"},
           {" 12 ", "12"},
           {"1.5e-3*a", "(0.0015 * a)"},
           {"1e3", "1000"},
           {".5*a", "(0.5 * a)"},
           {"1.*a", "(1 * a)"},
           {"1.e-3*a", "(0.001 * a)"},
           {"1d0 - 2.5D+1*a", "(1 - (25 * a))"},
           {".5d0/1.", "(0.5 / 1)"},
           {"a+b*c", "(a + (b * c))"},
           {"a-b-c", "((a - b) - c)"},
           {"a/b*c", "((a / b) * c)"},
           {"-a^2", "(-(a ^ 2))"},
           {"a^b^c", "(a ^ (b ^ c))"},
           {"a^-b^2", "(a ^ (-(b ^ 2)))"},
           {"-a*b", "((-a) * b)"},
           {"2^a", "(2 ^ a)"},
           {"--a", "(-(-a))"},
           {"a<b+1", "(a < (b + 1))"},
           {"a==b ? c : d", "((a == b) ? c : d)"},
           {"a ? b : c ? d : e", "(a ? b : (c ? d : e))"},
           {"a or b and not c<d", "(a or (b and (not (c < d))))"},
           {"not not a", "(not (not a))"},
           {"(a or b) and c", "((a or b) and c)"},
           {"min(a,b,1)", "min(min(a, b), 1)"},
           {"max(abs(a), neg(b))", "max(abs(a), (-b))"},
           {"min + max", "(min + max)"},
           {"cos(sin(tan(exp(log(log10(sqrt(x)))))))", "cos(sin(tan(exp(log(log10(sqrt(x)))))))"},
           {"@a / @this + @this_ref", "((@a / @this) + @this_ref)"},
           {"@(a*b)/@b", "(@(a * b) / @b)"},
           {"@(a) - @(@( sqrt(a) ))", "(@(a) - @(@(sqrt(a))))"},
           {"this_ref*$rho /= $missing_value", "((this_ref * $rho) /= $missing_value)"},
           {"a\n +\tb >= 2", "((a + b) >= 2)"},
       }) {
    EXPECT_EQ(parsed(text), expected) << text;
    EXPECT_EQ(parsed(expected), expected);
  }
}

TEST(Expression, says_what_is_wrong_and_where) {
  for (const auto& [text, expected] : std::vector<std::pair<const char*, const char*>>{
           {"", "0: it ends where a value was expected"},
           {"a +", "3: it ends where a value was expected"},
           {"a * * b", "4: '*' where a value was expected"},
           {"a b", "2: 'b' where an operator was expected"},
           {"(a + b", "6: it ends where ')' was expected"},
           {"a)", "1: ')' where an operator was expected"},
           {".*a", "0: '.' has no meaning here"},
           {"1.5.*a", "3: '.' has no meaning here"},
           {"2a", "0: '2a' is no number"},
           {"1.e", "0: '1.e' is no number"},
           {"1d-", "0: '1d' is no number"},
           {"1.5_wp", "0: '1.5_wp' is no number"},
           {"1d999", "0: '1d999' is too large or too small"},
           {"1e999", "0: '1e999' is too large or too small"},
           {"a = b", "2: '=' has no meaning here. Did you mean '=='?"},
           {"a != b", "2: '!' has no meaning here. Did you mean '/='?"},
           {"a && b", "2: '&' has no meaning here. Did you mean 'and'?"},
           {"a < b < c", "6: '<' after a comparison. Write a < b and b < c for a < b < c."},
           {"sqr(a)", "0: there is no function 'sqr'. Did you mean 'sqrt'?"},
           {"sqrt(a, b)", "6: 'sqrt' takes one argument"},
           {"min(a)", "5: 'min' takes two arguments and more"},
           {"a ? b", "5: it ends where ':' was expected"},
           {"@1", "1: '1' where the id of a field or '(' was expected"},
           {"@(a", "3: it ends where ')' was expected"},
           {"@()", "2: ')' where a value was expected"},
           {"a and", "5: it ends where a value was expected"},
           {"$", "0: '$' has no meaning here"},
           {"a;b", "1: ';' has no meaning here"},
           {"\xc3\xa4", "0: '\\xc3' has no meaning here"},
       }) {
    EXPECT_EQ(parsed(text), expected) << text;
  }
}

TEST(Expression, is_a_field_when_a_field_is_in_it) {
  const auto type = [](const char* text) {
    return parse_expression(text).expression.result().type;
  };
  EXPECT_EQ(type("1 + $a*2"), ExpressionType::scalar);
  EXPECT_EQ(type("$missing_value"), ExpressionType::scalar);
  EXPECT_EQ(type("1 + a"), ExpressionType::field);
  EXPECT_EQ(type("2 ^ a"), ExpressionType::field);
  EXPECT_EQ(type("1 ? 2 : max(3, this)"), ExpressionType::field);
  EXPECT_EQ(type("@(2 * a)"), ExpressionType::field);
  EXPECT_EQ(type("@(2 * $a)"), ExpressionType::scalar);
  const Expression tree = parse_expression("2 * @tos").expression;
  EXPECT_EQ(tree.nodes[0].type, ExpressionType::scalar);
  EXPECT_TRUE(tree.nodes[1].is_temporal);
  EXPECT_EQ(tree.nodes[1].id, "tos");
  EXPECT_EQ(tree.nodes[1].offset, 4U);
  EXPECT_EQ(tree.result().arguments, (std::vector{ExpressionNodeId(0), ExpressionNodeId(1)}));
  EXPECT_EQ(tree.result().offset, 2U);
}

TEST(Expression, is_limited_in_depth_and_length) {
  const auto problem = [](const std::string& text) {
    const ParsedExpression result = parse_expression(text);
    return result.mistake ? result.mistake->problem : std::string();
  };
  EXPECT_EQ(problem(std::string(100, '(') + "a" + std::string(100, ')')), "");
  EXPECT_EQ(problem(std::string(1000, '(') + "a" + std::string(1000, ')')),
            "it is nested deeper than 200 levels");
  EXPECT_EQ(problem(std::string(1000, '-') + "a"), "it is nested deeper than 200 levels");
  std::string towers = "a";
  for (int i = 0; i < 1000; ++i) towers += "^a";
  EXPECT_EQ(problem(towers), "it is nested deeper than 200 levels");
  EXPECT_EQ(problem(std::string(70'000, 'a')), "it is longer than 65536 characters");
  std::string sum = "a";
  for (int i = 0; i < 10'000; ++i) sum += "+a";
  EXPECT_EQ(problem(sum), "");
}

TEST(Expression, survives_random_text) {
  const std::vector<std::string> words{"a",   "this", "$v",   "1.5", "(", ")",  "?",  ":",
                                       ",",   "@",    "-",    "^",   "<", "==", "or", "not",
                                       "and", "min(", "cos(", "+",   "*", " ",  ".",  "\xff"};
  std::mt19937 random(11);
  std::uniform_int_distribution<std::size_t> word(0, words.size() - 1);
  int good = 0;
  for (int i = 0; i < 20'000; ++i) {
    std::string text;
    for (int n = 0; n < 1 + i % 12; ++n) text += words[word(random)];
    const ParsedExpression result = parse_expression(text);
    if (result.mistake) {
      ASSERT_LE(result.mistake->offset, text.size()) << text;
      ASSERT_FALSE(result.mistake->problem.empty()) << text;
      continue;
    }
    ++good;
    const std::string again = result.expression.text();
    ASSERT_EQ(parsed(again), again) << text;
  }
  EXPECT_GT(good, 100);
}

}  // namespace
}  // namespace epios::config::expression_test
