#include "check/expression_check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "config/expression.hpp"
#include "text/text.hpp"

namespace epios::config {

namespace {

std::string problem_of(const Node& field) { return fmt::format("expression of {}", field.title()); }

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
  const Node& element = store_.at(field);
  if (has_expression(element)) {
    check(field, *element.find("expr"));
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
  return refuse(Code::bad_operand, field, node.offset,
                "'this' is what the model sends under the id of the field, which has none",
                "Use this_ref for the field of field_ref?");
}

bool Expressions::check_reference(int field, const ExpressionNode& node) {
  if (inheritance_.of(field).find("field_ref") == nullptr) {
    return refuse(Code::bad_operand, field, node.offset,
                  "'this_ref' is the field of field_ref, which is not given",
                  "Add field_ref=\"...\"?");
  }
  const int target = inheritance_.reference(field);
  if (target >= 0) {
    needs_[field].push_back({target, place_in_expression(store_.at(field), node.offset)});
  }
  return true;
}

bool Expressions::check_variable(int field, const ExpressionNode& node) {
  const int variable = store_.find_form(ElementKind::variable, Form::element, node.id);
  if (variable < 0) {
    // The model may still set it.
    findings_.missing(
        Code::bad_operand, place_in_expression(store_.at(field), node.offset),
        {store_.id(), "variable", node.id, {}}, problem_of(store_.at(field)),
        fmt::format("there is no variable '{}' in context '{}'", node.id, store_.id()),
        inheritance_.suggestion(ElementKind::variable, node.id, field));
    return true;
  }
  const std::string& text = store_.at(variable).text;
  if (parse_fortran_real(text)) return true;
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
  needs_[field].push_back({target, place_in_expression(store_.at(field), node.offset)});
  return true;
}

bool Expressions::refuse(Code code, int field, std::size_t offset, std::string why,
                         std::string suggestion) {
  const Node& node = store_.at(field);
  findings_.error(code, place_in_expression(node, offset), problem_of(node), std::move(why),
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

bool has_expression(const Node& field) {
  const Setting* setting = field.find("expr");
  return setting != nullptr && setting->value;
}

Origin place_in_expression(const Node& field, std::size_t offset) {
  const Setting& setting = *field.find("expr");
  Origin result = setting.origin;
  if (result.position.line == 0) return result;
  const std::string& text = std::get<std::string>(*setting.value);
  const std::string& raw = field.raw_expression.empty() ? text : field.raw_expression;
  result.position = position_inside(field.expression_position, raw, offset);
  return result;
}

}  // namespace epios::config
