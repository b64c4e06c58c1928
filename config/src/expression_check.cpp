#include "expression_check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "config/expression.hpp"
#include "text.hpp"

namespace epios::config {

namespace {

/// That one field needs another one's data.
struct Need {
  int field = -1;
  Origin origin;
};

class ExpressionCheck {
 public:
  ExpressionCheck(const ContextStore& store, Inheritance& inheritance, Findings& findings)
      : store_(store), inheritance_(inheritance), findings_(findings) {}

  Expressions run() {
    for (int node = 0; node < store_.size(); ++node) {
      const Node& element = store_.at(node);
      if (element.kind != ElementKind::field || element.form != Form::element) continue;
      if (has_expression(element)) {
        check(node, *element.find("expr"));
      } else if (const int reference = inheritance_.reference(node); reference >= 0) {
        needs_[node].push_back({reference, inheritance_.of(node).find("field_ref")->origin});
      }
    }
    for (int node = 0; node < store_.size(); ++node) {
      if (needs_.contains(node)) look_for_circle(node);
    }
    return std::move(good_);
  }

 private:
  void check(int field, const Setting& setting) {
    const std::string& text = std::get<std::string>(*setting.value);
    ParsedExpression parsed = parse_expression(text);
    if (parsed.mistake) {
      refuse(field, parsed.mistake->offset, parsed.mistake->problem, parsed.mistake->suggestion);
      return;
    }
    const std::size_t errors_before = findings_.error_count();
    for (const ExpressionNode& node : parsed.expression.nodes) check(field, node);
    if (parsed.expression.result().type == ExpressionType::scalar) {
      refuse(field, 0, "there is no field in it, so that nothing says when it has a value",
             "Use 'this' for what the model sends?");
    }
    if (findings_.error_count() == errors_before) {
      good_.emplace(field, std::move(parsed.expression));
    }
  }

  void check(int field, const ExpressionNode& node) {
    if (node.op == ExpressionOp::variable) {
      check_variable(field, node);
    } else if (node.op == ExpressionOp::self && store_.at(field).has_automatic_id) {
      refuse(field, node.offset,
             "'this' is what the model sends under the id of the field, which has none",
             "Use this_ref for the field of field_ref?");
    } else if (node.op == ExpressionOp::reference) {
      check_reference(field, node);
    } else if (node.op == ExpressionOp::field) {
      check_field(field, node);
    }
  }

  void check_reference(int field, const ExpressionNode& node) {
    if (inheritance_.of(field).find("field_ref") == nullptr) {
      refuse(field, node.offset, "'this_ref' is the field of field_ref, which is not given",
             "Add field_ref=\"...\"?");
    }
    const int target = inheritance_.reference(field);
    if (target >= 0) {
      needs_[field].push_back({target, place_in_expression(store_.at(field), node.offset)});
    }
  }

  void check_variable(int field, const ExpressionNode& node) {
    const int variable = store_.find_form(ElementKind::variable, Form::element, node.id);
    if (variable < 0) {
      // The model may still set it.
      findings_.missing(
          place_in_expression(store_.at(field), node.offset), problem(field),
          fmt::format("there is no variable '{}' in context '{}'", node.id, store_.id()),
          inheritance_.suggestion(ElementKind::variable, node.id));
    } else if (!parse_real(store_.at(variable).text)) {
      refuse(field, node.offset,
             fmt::format("variable '{}' is no number: '{}'", node.id, store_.at(variable).text));
    }
  }

  void check_field(int field, const ExpressionNode& node) {
    const int target = store_.find_form(ElementKind::field, Form::element, node.id);
    if (target < 0) {
      refuse(field, node.offset,
             fmt::format("there is no field '{}' in context '{}'", node.id, store_.id()),
             inheritance_.suggestion(ElementKind::field, node.id));
    } else if (target == field) {
      refuse(field, node.offset, fmt::format("'{}' is the field itself", node.id),
             "Use 'this' for what the model sends.");
    } else {
      needs_[field].push_back({target, place_in_expression(store_.at(field), node.offset)});
    }
  }

  std::string problem(int field) const {
    return fmt::format("expression of {}", store_.at(field).title());
  }

  void refuse(int field, std::size_t offset, std::string why, std::string suggestion = {}) {
    findings_.error(place_in_expression(store_.at(field), offset), problem(field), std::move(why),
                    std::move(suggestion));
  }

  /// Depth first, without recursion: chains may be long.
  void look_for_circle(int start) {
    std::vector<std::pair<int, std::size_t>> path{{start, 0}};
    while (!path.empty()) {
      auto& [node, next] = path.back();
      const std::vector<Need>& needs = needs_[node];
      is_on_path_[node] = true;
      if (is_done_[node] || next == needs.size()) {
        is_done_[node] = true;
        is_on_path_[node] = false;
        path.pop_back();
        continue;
      }
      const Need& need = needs[next++];
      if (is_on_path_[need.field]) {
        report(path, need);
      } else if (!is_done_[need.field]) {
        path.emplace_back(need.field, 0);
      }
    }
  }

  void report(const std::vector<std::pair<int, std::size_t>>& path, const Need& need) {
    std::string circle;
    Origin first = need.origin;  // where the field asks for the next one in the circle
    for (const auto& [node, next] : path) {
      if (node == need.field) first = needs_[node][next - 1].origin;
      if (node == need.field || !circle.empty()) circle += store_.at(node).id + " -> ";
    }
    findings_.error(first, fmt::format("{} depends on itself", store_.at(need.field).title()),
                    circle + store_.at(need.field).id);
  }

  const ContextStore& store_;
  Inheritance& inheritance_;
  Findings& findings_;
  Expressions good_;
  std::unordered_map<int, std::vector<Need>> needs_;
  std::unordered_map<int, bool> is_on_path_;
  std::unordered_map<int, bool> is_done_;
};

}  // namespace

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

Expressions check_expressions(const ContextStore& store, Inheritance& inheritance,
                              Findings& findings) {
  return ExpressionCheck(store, inheritance, findings).run();
}

}  // namespace epios::config
