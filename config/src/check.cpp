#include "config/check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <tuple>
#include <unordered_map>

#include "findings.hpp"
#include "loader.hpp"
#include "resolve.hpp"
#include "unused_check.hpp"
#include "xml_text.hpp"

namespace epios::config {

namespace {

/// By file and position, each once: what a group brings to many elements is one mistake.
std::vector<Diagnostic> in_reading_order(std::vector<Diagnostic> findings,
                                         const SourceTexts& sources) {
  std::unordered_map<std::string_view, std::size_t> order;
  for (const SourceText& source : sources) order.emplace(source.path, order.size());
  const auto place = [&order](const Diagnostic& finding) {
    const auto file = order.find(finding.position.file);
    return std::tuple(file == order.end() ? order.size() : file->second, finding.position.line,
                      finding.position.column);
  };
  std::stable_sort(findings.begin(), findings.end(),
                   [&](const Diagnostic& a, const Diagnostic& b) { return place(a) < place(b); });
  const auto same = [](const Diagnostic& a, const Diagnostic& b) {
    return a.where == b.where && a.problem == b.problem && a.why == b.why;
  };
  findings.erase(std::unique(findings.begin(), findings.end(), same), findings.end());
  return findings;
}

/// Files by their paths, over all contexts: they are written from one folder.
using Paths = std::unordered_map<std::string, std::string>;

/// Within a context it is an error, and found there. Contexts may be of runs that never meet.
void check_paths(const ContextStore& store, const Model& model, Paths& paths, Findings& findings) {
  Paths own;
  for (const File& file : model.files) {
    if (file.path.empty()) continue;
    own.emplace(file.path, fmt::format("that of context '{}' at {}", store.id(), file.where));
    const auto other = paths.find(file.path);
    if (other == paths.end()) continue;
    const int node = store.find_form(ElementKind::file, Form::element, file.id);
    findings.warning(store.at(node).origin,
                     fmt::format("{} of context '{}' writes '{}'", store.at(node).title(),
                                 store.id(), file.path),
                     other->second + " does so too",
                     "Give one of them another name, or its context an output_dir of its own.");
  }
  paths.merge(own);
}

}  // namespace

Checked check_and_resolve(const SourceTexts& sources) {
  Checked checked;
  try {
    const Document document(sources);
    Findings findings(Findings::Mode::check, policy_of(document.root()));
    Contexts contexts;
    load(document, contexts, findings);
    Paths paths;
    for (const ContextStore& store : contexts.all()) {
      if (store.id() == parameter_context) continue;
      checked.models.push_back(resolve_context(store, findings));
      check_paths(store, checked.models.back(), paths, findings);
      check_empty_files(store, checked.models.back(), findings);
    }
    checked.findings = in_reading_order(findings.all(), sources);
  } catch (const ConfigError& error) {
    checked.findings = error.diagnostics();
  }
  return checked;
}

std::vector<Diagnostic> check(const SourceTexts& sources) {
  return check_and_resolve(sources).findings;
}

}  // namespace epios::config
