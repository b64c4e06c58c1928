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

namespace {

/// A value that its type does not take: of a number with letters behind it the number counts. What
/// no file has, a model may still set, or read as a text.
void check_value(const Node& element, bool is_written, Findings& findings, Variable& variable) {
  if (variable.text.empty()) return;
  std::string why = variable_complaint(*variable.attributes.type, variable.text);
  if (why.empty()) return;
  std::string problem = fmt::format("value of {}", element.title());
  const std::string number = number_before_letters(variable.text);
  if (!number.empty() && variable_complaint(*variable.attributes.type, number).empty()) {
    findings.tolerate(Code::bad_variable, element.origin, std::move(problem),
                      fmt::format("{}; the number, {}, counts", why, number),
                      "Remove the letters.");
    variable.text = number;
  } else if (!is_written) {
    findings.tolerate(Code::bad_variable, element.origin, std::move(problem),
                      why + ", unless the model sets it");
  } else {
    findings.in_run(Code::bad_variable, element.origin, std::move(problem), std::move(why));
  }
}

}  // namespace

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
    // Variables of a context are parameters, which no file contains.
    const bool is_written = node != store.root_of(ElementKind::variable);
    check_value(element, is_written, findings, v);
    if (const std::string bad = name_complaint(v.name); is_written && !bad.empty()) {
      findings.error(Code::bad_name, origin_of(inheritance.of(variable), "name", element),
                     fmt::format("{} has the name '{}'", element.title(), v.name),
                     fmt::format("no attribute on file can have it: {}", bad),
                     "Add name=\"...\" that NetCDF takes.");
    }
    const auto [other, is_free] = names.emplace(v.name, element.origin.text());
    if (!is_free) {
      findings.tolerate(Code::same_name, element.origin,
                        fmt::format("two variables have the name '{}'", v.name),
                        fmt::format("the other one is at {}; this one, the last, counts",
                                    std::exchange(other->second, element.origin.text())),
                        "Remove one, or give it another name.");
      std::erase_if(result, [&v](const Variable& known) { return known.name == v.name; });
    }
    result.push_back(std::move(v));
  }
  return result;
}

}  // namespace epios::config
