#include "check/run_variable_check.hpp"

#include <fmt/format.h>

#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "config/run_variables.hpp"
#include "text/text.hpp"

namespace epios::config {

namespace {

std::vector<std::string_view> known_names() {
  std::vector<std::string_view> names;
  for (const RunVariable& row : run_variables()) {
    names.push_back(row.id);
    if (!row.xios.empty() && row.xios != row.id) names.push_back(row.xios);
  }
  return names;
}

void check_known(const RunVariable& row, const Node& variable, Findings& findings) {
  if (variable.text.empty()) return;  // reported where it was read
  if (std::string why = complaint(row, variable.text); !why.empty()) {
    findings.warning(Code::bad_setting, variable.origin,
                     fmt::format("variable '{}' of context 'xios' is '{}' and has no effect",
                                 variable.id, variable.text),
                     std::move(why), did_you_mean(variable.text, split_words(row.words)));
  }
}

}  // namespace

void check_run_variables(const ContextStore& store, Findings& findings) {
  std::unordered_map<const RunVariable*, const Node*> given;
  for (int node = 0; node < store.size(); ++node) {
    const Node& variable = store.at(node);
    if (variable.kind != ElementKind::variable || variable.form != Form::element) continue;
    const RunVariable* row = find_run_variable(variable.id);
    if (row == nullptr) {
      findings.warning(Code::unknown_setting, variable.origin,
                       fmt::format("variable '{}' has no effect", variable.id),
                       "it is no setting of the run",
                       findings.suggestions().text("run_variable", variable.id, known_names));
      continue;
    }
    check_known(*row, variable, findings);
    const auto [other, is_first] = given.emplace(row, &variable);
    if (is_first) continue;
    findings.warning(
        Code::setting_given_twice, variable.origin,
        fmt::format("variable '{}' is given as '{}' too", variable.id, other->second->id),
        fmt::format("that one is at {}", other->second->origin.text()), "Keep one of them.");
  }
}

}  // namespace epios::config
