// Checks expressions of fields that are needed: syntax, operands that exist, and circles. It
// follows the operands depth first, so that a circle is reported once with its whole path.
#include "check/expression_check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "config/expression.hpp"
#include "config/index.hpp"
#include "language/value_text.hpp"
#include "text/text.hpp"

namespace epios::config {

namespace {

std::string problem_of(const Node& field) { return fmt::format("expression of {}", field.title()); }

/// `this` of a field that refers to another one is the data of that one; '@' before it is the
/// field's own operation on them.
void take_reference_for_this(Expression& expression) {
  IndexedVector<ExpressionNodeId, ExpressionNode> nodes;
  IndexedVector<ExpressionNodeId, ExpressionNodeId> places;  // by place in `expression`
  for (ExpressionNode& node : expression.nodes) {
    for (ExpressionNodeId& argument : node.arguments) argument = places[argument];
    const bool is_self = node.op == ExpressionOp::self;
    if (is_self) node.op = ExpressionOp::reference;
    const bool has_operation =
        is_self && std::exchange(node.is_temporal, node.is_temporal && !is_self);
    const std::size_t offset = node.offset;
    nodes.push_back(std::move(node));
    if (has_operation) {
      ExpressionNode operation;
      operation.op = ExpressionOp::temporal;
      operation.type = ExpressionType::field;
      operation.offset = offset;
      operation.arguments = {nodes.last_id()};
      nodes.push_back(std::move(operation));
    }
    places.push_back(nodes.last_id());
  }
  expression.nodes = std::move(nodes);
}

}  // namespace

const Expression* Expressions::of(int field) const {
  const auto found = good_.find(field);
  return found == good_.end() ? nullptr : &found->second;
}

void Expressions::check_all() {
  for (int node = 0; node < store_.size(); ++node) {
    const Node& element = store_.at(node);
    if (element.kind == ElementKind::field && element.form == Form::element) need(node);
  }
}

// Depth first, without recursion: chains may be long.
void Expressions::need(int field) {
  if (states_[field] == State::done) return;
  Path path{{field, 0}};
  while (!path.empty()) {
    auto& [node, next] = path.back();
    const std::vector<Need>& needs = needs_of(node);
    if (next == needs.size()) {
      states_[node] = State::done;
      path.pop_back();
      continue;
    }
    states_[node] = State::open;
    const Need& need = needs[next++];
    const State other = states_[need.field];
    if (other == State::open) {
      report_circle(path, need);
    } else if (other == State::untouched) {
      path.emplace_back(need.field, 0);
    }
  }
}

const std::vector<Expressions::Need>& Expressions::needs_of(int field) {
  const auto [place, is_new] = needs_.try_emplace(field);
  if (!is_new) return place->second;
  if (const Setting* expression = inheritance_.expression(field)) {
    check(field, *expression);
  } else if (const int reference = inheritance_.reference(field); reference >= 0) {
    needs_[field].push_back({reference, inheritance_.of(field).find("field_ref")->origin});
  }
  return needs_[field];
}

void Expressions::check(int field, const Setting& setting) {
  ParsedExpression parsed = parse_expression(std::get<std::string>(*setting.value));
  if (parsed.mistake) {
    refuse(Code::bad_expression, field, parsed.mistake->offset, parsed.mistake->problem,
           parsed.mistake->suggestion);
    return;
  }
  if (inheritance_.reference(field) >= 0 && !is_read(field)) {
    take_reference_for_this(parsed.expression);
  }
  bool is_good = true;
  for (const ExpressionNode& node : parsed.expression.nodes) {
    is_good = check(field, node) && is_good;
  }
  if (parsed.expression.result().type == ExpressionType::scalar) {
    is_good = refuse(Code::bad_operand, field, 0,
                     "there is no field in it, so that nothing says when it has a value",
                     "Use 'this' for what the model sends?");
  }
  if (is_good) good_.emplace(field, std::move(parsed.expression));
}

bool Expressions::check(int field, const ExpressionNode& node) {
  if (node.op == ExpressionOp::variable) return check_variable(field, node);
  if (node.op == ExpressionOp::reference) return check_reference(field, node);
  if (node.op == ExpressionOp::field) return check_field(field, node);
  if (node.op == ExpressionOp::temporal && node.type == ExpressionType::scalar) {
    return refuse(Code::bad_operand, field, node.offset,
                  "there is no field in the parentheses of '@', so that nothing says when they "
                  "have a value");
  }
  if (node.op != ExpressionOp::self || !store_.at(field).has_automatic_id) return true;
  if (is_read(field) || inheritance_.is_lost(field)) return true;  // which is said of field_ref
  return refuse(Code::bad_operand, field, node.offset,
                "'this' is what the model sends under the id of the field, which has none",
                "Add id=\"...\", or field_ref=\"...\" to the field whose data are meant?");
}

bool Expressions::check_reference(int field, const ExpressionNode& node) {
  if (inheritance_.of(field).find("field_ref") == nullptr) {
    return refuse(Code::bad_operand, field, node.offset,
                  "'this_ref' is the field of field_ref, which is not given",
                  "Add field_ref=\"...\"?");
  }
  const int target = inheritance_.reference(field);
  if (target >= 0) {
    needs_[field].push_back({target, place(field, node.offset)});
  }
  return true;
}

bool Expressions::check_variable(int field, const ExpressionNode& node) {
  const int variable = store_.find_form(ElementKind::variable, Form::element, node.id);
  if (variable < 0) {
    // The model may still set it.
    findings_.missing(
        Code::bad_operand, place(field, node.offset), {store_.id(), "variable", node.id, {}},
        problem_of(store_.at(field)),
        fmt::format("there is no variable '{}' in context '{}'", node.id, store_.id()),
        inheritance_.suggestion(ElementKind::variable, node.id, field));
    return true;
  }
  const std::string& text = store_.at(variable).text;
  if (parse_fortran_real(text)) return true;
  if (const std::string number = number_before_letters(text); !number.empty()) {
    findings_.tolerate(
        Code::bad_operand, place(field, node.offset), problem_of(store_.at(field)),
        fmt::format("variable '{}' is '{}'; the number, {}, counts", node.id, text, number),
        "Remove the letters.");
    return true;
  }
  return refuse(Code::bad_operand, field, node.offset,
                fmt::format("variable '{}' is no number: '{}'", node.id, text));
}

bool Expressions::check_field(int field, const ExpressionNode& node) {
  const int target = store_.find_form(ElementKind::field, Form::element, node.id);
  if (target < 0) {
    return refuse(Code::bad_operand, field, node.offset,
                  fmt::format("there is no field '{}' in context '{}'", node.id, store_.id()),
                  inheritance_.suggestion(ElementKind::field, node.id, field));
  }
  if (target == field) {
    return refuse(Code::bad_operand, field, node.offset,
                  fmt::format("'{}' is the field itself", node.id),
                  "Use 'this' for what the model sends.");
  }
  needs_[field].push_back({target, place(field, node.offset)});
  return true;
}

bool Expressions::is_read(int field) {
  if (!read_) {
    read_.emplace();
    for (const int file :
         store_.elements_below(store_.root_of(ElementKind::file), ElementKind::file)) {
      const Resolved& resolved = inheritance_.of(file);
      const Setting* mode = resolved.find("mode");
      const Setting* enabled = resolved.find("enabled");
      const bool is_off = enabled != nullptr && !std::get<bool>(*enabled->value);
      if (mode == nullptr || is_off || std::get<std::string>(*mode->value) != "read") continue;
      for (const int inside : store_.elements_below(file, ElementKind::field))
        read_->insert(inside);
    }
  }
  return read_->contains(field);
}

Origin Expressions::place(int field, std::size_t offset) {
  return place_in_expression(store_, *inheritance_.expression(field), offset);
}

bool Expressions::refuse(Code code, int field, std::size_t offset, std::string why,
                         std::string suggestion) {
  findings_.error(code, place(field, offset), problem_of(store_.at(field)), std::move(why),
                  std::move(suggestion));
  return false;
}

void Expressions::report_circle(const Path& path, const Need& need) {
  std::string circle;
  Origin first = need.origin;  // where the field asks for the next one in the circle
  for (const auto& [node, next] : path) {
    if (node == need.field) first = needs_[node][next - 1].origin;
    if (node == need.field || !circle.empty()) circle += store_.at(node).id + " -> ";
  }
  findings_.error(Code::circle, first,
                  fmt::format("{} depends on itself", store_.at(need.field).title()),
                  circle + store_.at(need.field).id);
}

Position position_inside(Position begin, std::string_view raw, std::size_t offset) {
  constexpr std::string_view comment = "<!--";
  constexpr std::string_view comment_end = "-->";
  for (std::size_t at = 0; at < raw.size();) {
    std::size_t size = 1;
    if (raw.substr(at).starts_with(comment)) {
      const std::size_t end = raw.find(comment_end, at);
      size = end == std::string_view::npos ? raw.size() - at : end + comment_end.size() - at;
    } else {
      if (offset == 0) break;
      --offset;
      // A line that ends in two characters ends in one for whoever reads it.
      if (raw.substr(at).starts_with("\r\n")) size = 2;
      if (raw[at] == '&') size = std::min(raw.find(';', at), raw.size() - 1) + 1 - at;
    }
    for (std::size_t i = at; i < at + size; ++i) {
      const bool is_end =
          raw[i] == '\n' || (raw[i] == '\r' && !raw.substr(i + 1).starts_with('\n'));
      begin.line += is_end ? 1 : 0;
      begin.column = is_end ? 1 : begin.column + 1;
    }
    at += size;
  }
  return begin;
}

Origin place_in_expression(const ContextStore& store, const Setting& expression,
                           std::size_t offset) {
  Origin result = expression.origin;
  if (result.position.line == 0) return result;
  const Node& owner = store.at(expression.owner);
  const std::string& text = std::get<std::string>(*expression.value);
  const std::string& raw = owner.raw_expression.empty() ? text : owner.raw_expression;
  result.position = position_inside(owner.expression_position, raw, offset);
  return result;
}

}  // namespace epios::config
