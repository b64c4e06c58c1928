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

  void run() {
    for (int node = 0; node < store_.size(); ++node) {
      const Node& element = store_.at(node);
      if (element.kind != ElementKind::field || element.form != Form::element) continue;
      const Setting* setting = element.find("expr");
      if (setting != nullptr && setting->value) {
        check(node, *setting);
      } else if (const int reference = inheritance_.reference(node); reference >= 0) {
        needs_[node].push_back({reference, inheritance_.of(node).find("field_ref")->origin});
      }
    }
    for (int node = 0; node < store_.size(); ++node) {
      if (needs_.contains(node)) look_for_circle(node);
    }
  }

 private:
  void check(int field, const Setting& setting) {
    const std::string& text = std::get<std::string>(*setting.value);
    const ParsedExpression parsed = parse_expression(text);
    if (parsed.mistake) {
      refuse(field, setting, parsed.mistake->offset, parsed.mistake->problem,
             parsed.mistake->suggestion);
      return;
    }
    for (const ExpressionNode& node : parsed.expression.nodes) check(field, setting, node);
    if (parsed.expression.result().type == ExpressionType::scalar) {
      refuse(field, setting, 0, "there is no field in it, so that nothing says when it has a value",
             "Use 'this' for what the model sends?");
    }
  }

  void check(int field, const Setting& setting, const ExpressionNode& node) {
    if (node.op == ExpressionOp::variable) {
      check_variable(field, setting, node);
    } else if (node.op == ExpressionOp::reference) {
      if (inheritance_.of(field).find("field_ref") == nullptr) {
        refuse(field, setting, node.offset,
               "'this_ref' is the field of field_ref, which is not given",
               "Add field_ref=\"...\"?");
      }
      const int target = inheritance_.reference(field);
      if (target >= 0) needs_[field].push_back({target, origin(field, setting, node.offset)});
    } else if (node.op == ExpressionOp::field) {
      check_field(field, setting, node);
    }
  }

  void check_variable(int field, const Setting& setting, const ExpressionNode& node) {
    const int variable = store_.find_form(ElementKind::variable, Form::element, node.id);
    if (variable < 0) {
      // The model may still set it.
      findings_.missing(
          origin(field, setting, node.offset), problem(field),
          fmt::format("there is no variable '{}' in context '{}'", node.id, store_.id()),
          did_you_mean(node.id, store_.ids(ElementKind::variable)));
    } else if (!parse_real(store_.at(variable).text)) {
      refuse(field, setting, node.offset,
             fmt::format("variable '{}' is no number: '{}'", node.id, store_.at(variable).text));
    }
  }

  void check_field(int field, const Setting& setting, const ExpressionNode& node) {
    const int target = store_.find_form(ElementKind::field, Form::element, node.id);
    if (target < 0) {
      refuse(field, setting, node.offset,
             fmt::format("there is no field '{}' in context '{}'", node.id, store_.id()),
             did_you_mean(node.id, store_.ids(ElementKind::field)));
    } else if (target == field) {
      refuse(field, setting, node.offset, fmt::format("'{}' is the field itself", node.id),
             "Use 'this' for what the model sends.");
    } else {
      needs_[field].push_back({target, origin(field, setting, node.offset)});
    }
  }

  std::string problem(int field) const {
    return fmt::format("expression of {}", store_.at(field).title());
  }

  void refuse(int field, const Setting& setting, std::size_t offset, std::string why,
              std::string suggestion = {}) {
    findings_.error(origin(field, setting, offset), problem(field), std::move(why),
                    std::move(suggestion));
  }

  Origin origin(int field, const Setting& setting, std::size_t offset) const {
    Origin result = setting.origin;
    if (result.position.line == 0) return result;
    // The place of an attribute is that of its name: expr="...
    const bool is_attribute = store_.at(field).text.empty();
    if (is_attribute)
      result.position.column += static_cast<int>(std::string_view("expr=\"").size());
    const std::string& text = std::get<std::string>(*setting.value);
    result.position = position_inside(std::move(result.position), text, offset);
    return result;
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
    for (const auto& [node, next] : path) {
      if (node == need.field || !circle.empty()) circle += store_.at(node).id + " -> ";
    }
    findings_.error(need.origin, fmt::format("{} depends on itself", store_.at(need.field).title()),
                    circle + store_.at(need.field).id);
  }

  const ContextStore& store_;
  Inheritance& inheritance_;
  Findings& findings_;
  std::unordered_map<int, std::vector<Need>> needs_;
  std::unordered_map<int, bool> is_on_path_;
  std::unordered_map<int, bool> is_done_;
};

}  // namespace

Position position_inside(Position begin, std::string_view text, std::size_t offset) {
  for (const char c : text.substr(0, offset)) {
    if (c == '\n') {
      ++begin.line;
      begin.column = 1;
    } else {
      begin.column += c == '<' ? 4 : c == '&' ? 5 : 1;
    }
  }
  return begin;
}

void check_expressions(const ContextStore& store, Inheritance& inheritance, Findings& findings) {
  ExpressionCheck(store, inheritance, findings).run();
}

}  // namespace epios::config
