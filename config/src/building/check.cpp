// Checks a configuration without a model: loads it, completes grids from files where it may look,
// resolves each context, compares contexts that exchange fields, and sorts the findings in reading
// order.
#include "config/check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <unordered_set>

#include "building/file_grids.hpp"
#include "building/loader.hpp"
#include "building/resolve.hpp"
#include "building/unused_check.hpp"
#include "building/variable_builder.hpp"
#include "check/coupling_check.hpp"
#include "check/name_check.hpp"
#include "check/read_reach_check.hpp"
#include "language/inheritance.hpp"
#include "model/server_plan_reader.hpp"
#include "text/findings.hpp"
#include "text/xml_text.hpp"

namespace epios::config {

namespace {

/// By file and position, each once: what a group brings to many elements is one mistake, and so is
/// what several contexts include. What a model has to say, each context's has. The model's part
/// comes last.
std::vector<Diagnostic> in_reading_order(std::vector<Diagnostic> findings,
                                         const SourceTexts& sources, const SourceTexts& model) {
  std::unordered_map<std::string_view, std::size_t> order;
  for (const SourceText& source : sources) order.emplace(source.path, order.size());
  for (const SourceText& source : model) order.emplace(source.path, order.size());
  const auto place = [&order](const Diagnostic& finding) {
    const auto file = order.find(finding.position.file);
    return std::tuple(file == order.end() ? order.size() : file->second, finding.position.line,
                      finding.position.column, finding.topic == Topic::unneeded);
  };
  std::stable_sort(findings.begin(), findings.end(),
                   [&](const Diagnostic& a, const Diagnostic& b) { return place(a) < place(b); });
  const auto context_of = [](const Diagnostic& finding) {
    return finding.gap ? std::string_view(finding.gap->context) : std::string_view();
  };
  const auto same = [&](const Diagnostic& a, const Diagnostic& b) {
    const bool is_told = b.topic == Topic::unneeded || context_of(a) == context_of(b);
    return is_told && a.where == b.where && a.problem == b.problem && a.why == b.why;
  };
  findings.erase(std::unique(findings.begin(), findings.end(), same), findings.end());
  return findings;
}

/// One line for each kind of what no enabled file needs, where the first of them is.
void sum_up_unneeded(std::vector<Diagnostic>& findings) {
  std::unordered_map<std::string, std::size_t> counts;
  for (const Diagnostic& finding : findings) {
    if (finding.topic == Topic::unneeded) ++counts[finding.kind];
  }
  std::unordered_set<std::string> seen;
  std::erase_if(findings, [&seen](const Diagnostic& finding) {
    return finding.topic == Topic::unneeded && !seen.insert(finding.kind).second;
  });
  for (Diagnostic& finding : findings) {
    if (finding.topic != Topic::unneeded) continue;
    finding.why = fmt::format("the first: {}{}{}", finding.problem, finding.why.empty() ? "" : ": ",
                              finding.why);
    finding.problem =
        fmt::format("{}: {} in what no enabled file needs", finding.kind, counts[finding.kind]);
    finding.code = Code::unneeded;
    finding.suggestion = "--unused shows all of them.";
  }
}

/// Files by their paths, over all contexts: they are written from one folder.
using Paths = std::unordered_map<std::string, std::string>;

/// Files of time series are those of the element whose series they are.
int node_of(const ContextStore& store, const File& file) {
  int node = store.find_form(ElementKind::file, Form::element, file.id);
  for (int other = 0; node < 0 && other < store.size(); ++other) {
    const Node& element = store.at(other);
    const bool writes = element.kind == ElementKind::file || element.kind == ElementKind::hierarchy;
    if (writes && element.origin.text() == file.where) node = other;
  }
  return node;
}

/// Within a context it is an error, and found there. Contexts may be of runs that never meet.
void check_paths(const ContextStore& store, const Model& model, Paths& paths, Findings& findings) {
  Paths own;
  for (const File& file : model.files) {
    if (file.path.empty()) continue;
    const std::string path = path_with_period(file.path, file.attributes);
    own.emplace(path, fmt::format("that of context '{}' at {}", store.id(), file.where));
    const auto other = paths.find(path);
    if (other == paths.end()) continue;
    const int node = node_of(store, file);
    findings.warning(Code::same_file, store.at(node).origin,
                     fmt::format("{} of context '{}' writes '{}'", store.at(node).title(),
                                 store.id(), file.path),
                     other->second + " does so too",
                     "Give one of them another name, or its context an output_dir of its own.");
  }
  paths.merge(own);
}

/// Inspects files for the grids of a context, and reports contradictions.
void look_at_files(ContextStore& store, const FileLook& look, Findings& findings) {
  if (!look || !may_read(store)) return;
  const ReadGrids grids = read_grids_of(store, findings.policy());
  const std::vector<FileFacts> files = look(grids.files);
  complete_from(store, grids, files, {}, findings);
}

/// Checks that files have the records of the start, if the start is given.
void look_for_start(const ContextStore& store, const Model& model, const FileLook& look,
                    Findings& findings) {
  if (!look || model.read_fields.empty() || model.timestep.is_zero()) return;
  if (store.at(store.calendar_node()).find("start_date") == nullptr) return;
  try {
    const auto files = look(questions_of_run(model, model.start_date));
    for (MissingRecord& record : missing_records(model, model.start_date, files)) {
      const ReadField& field = model.read_fields[record.field];
      findings.warning(Code::bad_input_file, origin_of(store, field), std::move(record.problem),
                       std::move(record.why), std::move(record.suggestion));
    }
  } catch (const Error&) {  // a series without parts, which is said elsewhere
  }
}

/// Mistakes in it were found when it was loaded.
RunPart run_part_of(const ContextStore& store, const Policy& policy) {
  Findings findings(Findings::Mode::check, policy);
  Inheritance inheritance(store, findings);
  return {variables_of(store, inheritance, findings, store.root_of(ElementKind::variable)),
          read_server_plan(store, findings)};
}

}  // namespace

Checked check_and_resolve(const SourceTexts& sources, const Additions& additions,
                          const FileLook& look) {
  Checked checked;
  try {
    const Document document(sources, additions);
    Findings findings(mode_of_check(additions), policy_of(document.root()));
    Contexts contexts;
    // It is not known which component opens these contexts.
    for (const UntakenPlace& place : document.untaken()) {
      findings.warning(Code::bad_value, {place.position, {}}, place.problem,
                       fmt::format("{}: it cannot open context '{}'", place.why, place.context),
                       place.suggestion);
    }
    load(document, additions.settings, contexts, findings);
    Paths paths;
    std::vector<CheckedContext> checked_contexts;
    for (const ContextStore& known : contexts.all()) {
      if (known.id() == parameter_context) continue;
      ContextStore& store = *contexts.find(known.id());
      const std::size_t before = findings.error_count();
      look_at_files(store, look, findings);
      checked.models.push_back(resolve_context(store, findings));
      look_for_start(store, checked.models.back(), look, findings);
      check_paths(store, checked.models.back(), paths, findings);
      check_empty_files(store, checked.models.back(), findings);
      checked_contexts.push_back({&store, nullptr, findings.error_count() == before});
    }
    for (std::size_t c = 0; c < checked_contexts.size(); ++c) {
      checked_contexts[c].model = &checked.models[c];
    }
    check_couplings(checked_contexts, findings);
    if (const ContextStore* run = contexts.find(parameter_context)) {
      checked.run = run_part_of(*run, findings.policy());
    }
    checked.findings = in_reading_order(findings.all(), sources, additions.model);
    sum_up_unneeded(checked.findings);
  } catch (const ConfigError& error) {
    checked.findings = error.diagnostics();
  }
  return checked;
}

std::vector<Diagnostic> check(const SourceTexts& sources, const Additions& additions,
                              const FileLook& look) {
  return check_and_resolve(sources, additions, look).findings;
}

}  // namespace epios::config
