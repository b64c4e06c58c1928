// Parses expressions by recursive descent, one function per level of precedence from weak to
// strong, and prints them back. The tree is flat: each node follows its arguments.
#include "config/expression.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <span>
#include <utility>

#include "config/index.hpp"
#include "expression/expression_tokens.hpp"
#include "text/text.hpp"

namespace epios::config {

namespace {

using Op = ExpressionOp;

/// Parentheses and the like inside each other; the parser calls itself for them.
constexpr int largest_depth = 200;

struct Function {
  std::string_view name;
  Op op;
  bool is_of_many = false;
};
constexpr std::array<Function, 11> functions{{{"neg", Op::negate},
                                              {"cos", Op::cos},
                                              {"sin", Op::sin},
                                              {"tan", Op::tan},
                                              {"exp", Op::exp},
                                              {"log", Op::log},
                                              {"log10", Op::log10},
                                              {"sqrt", Op::sqrt},
                                              {"abs", Op::abs},
                                              {"min", Op::min, true},
                                              {"max", Op::max, true}}};

struct Operator {
  std::string_view symbol;
  Op op;
};
constexpr std::array<Operator, 1> or_operator{{{"or", Op::logical_or}}};
constexpr std::array<Operator, 1> and_operator{{{"and", Op::logical_and}}};
constexpr std::array<Operator, 6> comparisons{{{"==", Op::equal},
                                               {"/=", Op::not_equal},
                                               {"<=", Op::less_equal},
                                               {">=", Op::greater_equal},
                                               {"<", Op::less},
                                               {">", Op::greater}}};
constexpr std::array<Operator, 2> sums{{{"+", Op::add}, {"-", Op::subtract}}};
constexpr std::array<Operator, 2> products{{{"*", Op::multiply}, {"/", Op::divide}}};
constexpr std::array<Operator, 1> powers{{{"^", Op::power}}};

bool is_keyword(std::string_view name) { return name == "and" || name == "or" || name == "not"; }

/// Each function parses one level of priority and returns the node of its result. The first mistake
/// ends everything: it moves to the last token, so that nobody goes on.
class Parser {
 public:
  explicit Parser(Tokens tokens) : tokens_(std::move(tokens.all)) {
    result_.mistake = std::move(tokens.mistake);
  }

  ParsedExpression parse() {
    if (result_.mistake) return std::move(result_);
    conditional();
    if (!is_at_end()) fail(unexpected("an operator"));
    return std::move(result_);
  }

 private:
  using Id = ExpressionNodeId;

  const Token& token() const { return tokens_[at_]; }
  bool is_at_end() const { return token().kind == Token::Kind::end; }
  bool is(std::string_view text) const {
    const bool is_word = token().kind == Token::Kind::symbol || token().kind == Token::Kind::name;
    return is_word && token().text == text;
  }
  bool take(std::string_view text) {
    if (!is(text)) return false;
    ++at_;
    return true;
  }

  Id fail(std::string problem, std::string suggestion = {}) {
    if (!result_.mistake) {
      result_.mistake = {token().offset, std::move(problem), std::move(suggestion)};
    }
    at_ = tokens_.size() - 1;
    return Id(0);
  }
  std::string unexpected(std::string_view wanted) const {
    if (is_at_end()) return fmt::format("it ends where {} was expected", wanted);
    return fmt::format("'{}' where {} was expected", token().text, wanted);
  }

  Id add(ExpressionNode node) {
    if (result_.mistake) return Id(0);
    auto& nodes = result_.expression.nodes;
    for (const Id argument : node.arguments) {
      const ExpressionType type = nodes[argument].type;
      if (type == ExpressionType::field) node.type = ExpressionType::field;
    }
    return nodes.push_back(std::move(node));
  }
  Id add(Op op, std::vector<Id> arguments, std::size_t offset) {
    ExpressionNode node;
    node.op = op;
    node.arguments = std::move(arguments);
    node.offset = offset;
    return add(std::move(node));
  }

  const Operator* find(std::span<const Operator> operators) const {
    for (const Operator& candidate : operators) {
      if (is(candidate.symbol)) return &candidate;
    }
    return nullptr;
  }

  /// a op b op c, from the left.
  Id chain(std::span<const Operator> operators, Id (Parser::*operand)()) {
    Id left = (this->*operand)();
    while (const Operator* found = find(operators)) {
      const std::size_t offset = token().offset;
      ++at_;
      const Id right = (this->*operand)();
      left = add(found->op, {left, right}, offset);
    }
    return left;
  }

  /// Applies `rule` one level deeper.
  Id nested(Id (Parser::*rule)()) {
    if (++depth_ > largest_depth) {
      return fail(fmt::format("it is nested deeper than {} levels", largest_depth));
    }
    const Id result = (this->*rule)();
    --depth_;
    return result;
  }

  Id conditional() { return nested(&Parser::choice); }
  Id choice() {
    const Id condition = chain(or_operator, &Parser::conjunction);
    const std::size_t offset = token().offset;
    if (!take("?")) return condition;
    const Id yes = conditional();
    if (!take(":")) fail(unexpected("':'"));
    const Id no = conditional();
    return add(Op::select, {condition, yes, no}, offset);
  }
  Id conjunction() { return chain(and_operator, &Parser::negation); }
  Id negation() {
    const std::size_t offset = token().offset;
    if (!take("not")) return comparison();
    const Id argument = nested(&Parser::negation);
    return add(Op::logical_not, {argument}, offset);
  }
  Id comparison() {
    const Id left = sum();
    const Operator* found = find(comparisons);
    if (found == nullptr) return left;
    const std::size_t offset = token().offset;
    ++at_;
    const Id right = sum();
    if (find(comparisons) != nullptr) {
      return fail(fmt::format("'{}' after a comparison", token().text),
                  "Write a < b and b < c for a < b < c.");
    }
    return add(found->op, {left, right}, offset);
  }
  Id sum() { return chain(sums, &Parser::product); }
  Id product() { return chain(products, &Parser::signed_value); }
  Id signed_value() {
    const std::size_t offset = token().offset;
    if (!take("-")) return power();
    const Id argument = nested(&Parser::signed_value);
    return add(Op::negate, {argument}, offset);
  }
  /// The exponent may have a sign and be a power itself.
  Id power() {
    const Id base = value();
    const std::size_t offset = token().offset;
    if (!take("^")) return base;
    const Id exponent = nested(&Parser::signed_value);
    return add(Op::power, {base, exponent}, offset);
  }

  Id value() {
    ExpressionNode node;
    node.offset = token().offset;
    if (token().kind == Token::Kind::number) {
      node.number = token().number;
      ++at_;
      return add(std::move(node));
    }
    if (token().kind == Token::Kind::variable) {
      node.op = token().text == "missing_value" ? Op::missing : Op::variable;
      if (node.op == Op::variable) node.id = token().text;
      ++at_;
      return add(std::move(node));
    }
    if (take("(")) {
      const Id inside = conditional();
      if (!take(")")) return fail(unexpected("')'"));
      return inside;
    }
    node.is_temporal = take("@");
    if (node.is_temporal && is("(")) return temporal(node.offset);
    if (token().kind != Token::Kind::name || is_keyword(token().text)) {
      return fail(unexpected(node.is_temporal ? "the id of a field or '('" : "a value"));
    }
    const bool is_call = tokens_[at_ + 1].text == "(";
    return is_call && !node.is_temporal ? call() : field(std::move(node));
  }

  Id temporal(std::size_t offset) {
    ++at_;
    const Id inside = conditional();
    if (!take(")")) return fail(unexpected("')'"));
    return add(Op::temporal, {inside}, offset);
  }

  Id field(ExpressionNode node) {
    node.type = ExpressionType::field;
    node.op = is("this") ? Op::self : is("this_ref") ? Op::reference : Op::field;
    if (node.op == Op::field) node.id = token().text;
    ++at_;
    return add(std::move(node));
  }

  Id call() {
    const Token name = token();
    const auto function =
        std::find_if(functions.begin(), functions.end(),
                     [&](const Function& candidate) { return candidate.name == name.text; });
    if (function == functions.end()) {
      std::vector<std::string_view> names;
      names.reserve(functions.size());
      for (const Function& known : functions) names.push_back(known.name);
      return fail(fmt::format("there is no function '{}'", name.text),
                  did_you_mean(name.text, names));
    }
    at_ += 2;
    Id result = conditional();
    int count = 1;
    for (; is(","); ++count) {
      if (!function->is_of_many) {
        return fail(fmt::format("'{}' takes one argument", name.text));
      }
      ++at_;
      const Id next = conditional();
      result = add(function->op, {result, next}, name.offset);
    }
    if (!is(")")) return fail(unexpected("')'"));
    if (function->is_of_many && count == 1) {
      return fail(fmt::format("'{}' takes two arguments and more", name.text));
    }
    ++at_;
    return function->is_of_many ? result : add(function->op, {result}, name.offset);
  }

  std::vector<Token> tokens_;
  std::size_t at_ = 0;
  int depth_ = 0;
  ParsedExpression result_;
};

std::string text_of_operand(const ExpressionNode& node) {
  const std::string at = node.is_temporal ? "@" : "";
  if (node.op == Op::number) return fmt::format("{}", node.number);
  if (node.op == Op::missing) return "$missing_value";
  if (node.op == Op::variable) return "$" + node.id;
  if (node.op == Op::self) return at + "this";
  if (node.op == Op::reference) return at + "this_ref";
  return at + node.id;
}

std::string_view symbol_of(Op op) {
  for (const std::span<const Operator> level : std::initializer_list<std::span<const Operator>>{
           or_operator, and_operator, comparisons, sums, products, powers}) {
    for (const Operator& candidate : level) {
      if (candidate.op == op) return candidate.symbol;
    }
  }
  return {};
}

std::string_view function_of(Op op) {
  for (const Function& candidate : functions) {
    if (candidate.op == op) return candidate.name;
  }
  return {};
}

using Texts = IndexedVector<ExpressionNodeId, std::string>;

std::string text_of(const ExpressionNode& node, const Texts& texts) {
  std::vector<std::string_view> arguments;
  for (const ExpressionNodeId argument : node.arguments) arguments.push_back(texts[argument]);
  if (arguments.empty()) return text_of_operand(node);
  if (node.op == Op::select) {
    return fmt::format("({} ? {} : {})", arguments[0], arguments[1], arguments[2]);
  }
  if (node.op == Op::logical_not) return fmt::format("(not {})", arguments[0]);
  if (node.op == Op::negate) return fmt::format("(-{})", arguments[0]);
  if (node.op == Op::temporal) {
    return arguments[0].starts_with('(') ? fmt::format("@{}", arguments[0])
                                         : fmt::format("@({})", arguments[0]);
  }
  if (const std::string_view symbol = symbol_of(node.op); !symbol.empty()) {
    return fmt::format("({} {} {})", arguments[0], symbol, arguments[1]);
  }
  return fmt::format("{}({})", function_of(node.op), fmt::join(arguments, ", "));
}

}  // namespace

std::string_view name(ExpressionOp op) {
  constexpr std::array<std::string_view, expression_op_count> names{
      "number", "missing", "variable",  "field", "self",       "reference", "negate",
      "not",    "cos",     "sin",       "tan",   "exp",        "log",       "log10",
      "sqrt",   "abs",     "temporal",  "add",   "subtract",   "multiply",  "divide",
      "power",  "equal",   "not_equal", "less",  "less_equal", "greater",   "greater_equal",
      "and",    "or",      "min",       "max",   "select"};
  return names.at(static_cast<std::size_t>(op));
}

int argument_count(ExpressionOp op) {
  if (op < Op::negate) return 0;
  if (op < Op::add) return 1;
  return op < Op::select ? 2 : 3;
}

std::string Expression::text() const {
  Texts texts;
  for (const ExpressionNode& node : nodes) texts.push_back(text_of(node, texts));
  return texts.empty() ? std::string() : texts.back();
}

ParsedExpression parse_expression(std::string_view text) {
  // Longer ones are made by machines, and by mistake.
  constexpr std::size_t longest = 65'536;
  if (text.size() > longest) {
    return {{}, ExpressionMistake{0, fmt::format("it is longer than {} characters", longest), {}}};
  }
  return Parser(tokens_of(text)).parse();
}

}  // namespace epios::config
