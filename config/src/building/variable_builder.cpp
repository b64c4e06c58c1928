#include "building/variable_builder.hpp"

#include <fmt/format.h>

#include <string>
#include <unordered_map>
#include <utility>

#include "check/name_check.hpp"
#include "config/model.hpp"
#include "language/attribute_fill.hpp"
#include "language/value_text.hpp"

namespace epios::config {

std::vector<Variable> variables_of(const ContextStore& store, Inheritance& inheritance,
                                   Findings& findings, int node) {
  std::vector<Variable> result;
  std::unordered_map<std::string, std::string> names;
  for (const int variable : store.elements_below(node, ElementKind::variable)) {
    const Node& element = store.at(variable);
    Variable v;
    v.id = element.id;
    v.attributes = filled<VariableAttributes>(inheritance.of(variable));
    v.name = v.attributes.name.value_or(element.id);
    v.text = element.text;
    if (element.has_automatic_id && !v.attributes.name) {
      findings.error(Code::no_id, element.origin, "<variable> has neither id nor name",
                     "nothing says what it is called", "Add name=\"...\".");
    }
    std::string why = variable_complaint(*v.attributes.type, v.text);
    if (!why.empty() && !v.text.empty()) {
      findings.error(Code::bad_variable, element.origin,
                     fmt::format("value of {}", element.title()), std::move(why));
    }
    // Those of a context are parameters, which no file has.
    const bool is_written = node != store.root_of(ElementKind::variable);
    if (const std::string bad = name_complaint(v.name); is_written && !bad.empty()) {
      findings.error(Code::bad_name, origin_of(inheritance.of(variable), "name", element),
                     fmt::format("{} has the name '{}'", element.title(), v.name),
                     fmt::format("no attribute on file can have it: {}", bad),
                     "Add name=\"...\" that NetCDF takes.");
    }
    const auto [other, is_free] = names.emplace(v.name, element.origin.text());
    if (!is_free) {
      findings.error(
          Code::same_name, element.origin, fmt::format("two variables have the name '{}'", v.name),
          fmt::format("the other one is at {}", other->second), "Give one of them another name.");
    }
    result.push_back(std::move(v));
  }
  return result;
}

}  // namespace epios::config
