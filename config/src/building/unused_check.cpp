#include "building/unused_check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <string>
#include <unordered_set>
#include <vector>

#include "building/loader.hpp"
#include "building/resolve.hpp"
#include "config/model.hpp"
#include "config/unused.hpp"
#include "language/inheritance.hpp"
#include "text/xml_text.hpp"

namespace epios::config {

namespace {

/// Returns true if a file contains a field, possibly in a group, or a group that takes fields from
/// elsewhere.
bool has_field(const ContextStore& store, int file) {
  std::vector<int> below{file};
  std::unordered_set<int> seen;
  while (!below.empty()) {
    const int node = below.back();
    below.pop_back();
    if (!seen.insert(node).second) continue;
    const Node& element = store.at(node);
    if (element.kind == ElementKind::field && element.form == Form::element) return true;
    if (element.group_ref.value) return true;
    below.insert(below.end(), element.children.begin(), element.children.end());
  }
  return false;
}

/// Calls `visit(node, element, is_read)` for every file that is enabled and yet not in the Model.
template <class Visit>
void for_each_idle_file(const ContextStore& store, const Model& model, Visit visit) {
  Findings ignored;
  Inheritance inheritance(store, ignored);
  std::unordered_set<std::string> known;
  for (const File& file : model.files) known.insert(file.where);
  for (const ReadFile& file : model.read_files) known.insert(file.where);
  for (int node = 0; node < store.size(); ++node) {
    const Node& element = store.at(node);
    if (element.kind != ElementKind::file || element.form != Form::element) continue;
    const Setting* enabled = inheritance.of(node).find("enabled");
    if (enabled != nullptr && !std::get<bool>(*enabled->value)) continue;
    if (known.contains(element.origin.text())) continue;
    const Setting* mode = inheritance.of(node).find("mode");
    visit(node, element, mode != nullptr && mode->value == Value(std::string("read")));
  }
}

}  // namespace

void check_empty_files(const ContextStore& store, const Model& model, Findings& findings) {
  for_each_idle_file(store, model, [&](int node, const Node& element, bool is_read) {
    if (has_field(store, node)) return;
    findings.warning(Code::nothing_inside, element.origin,
                     fmt::format("{} has no field", element.title()),
                     is_read ? "nothing would be read from it" : "nothing would be written to it",
                     "Add <field field_ref=\"...\"/>?");
  });
}

void note_unused(const ContextStore& store, const Model& model, Findings& findings) {
  for (const std::string& id : model.unwritten.known) {
    const int node = store.find_form(ElementKind::field, Form::element, id);
    if (node < 0) continue;
    findings.add(Severity::note, Code::not_written, store.at(node).origin,
                 fmt::format("{} is written to no file", store.at(node).title()), {}, {});
  }
  for_each_idle_file(store, model, [&](int node, const Node& element, bool is_read) {
    if (!has_field(store, node)) return;
    findings.add(Severity::note, Code::not_written, element.origin,
                 fmt::format("{} is not {}", element.title(), is_read ? "read" : "written"),
                 "all its fields are disabled or above its output_level", {});
  });
}

std::vector<Diagnostic> unused(const SourceTexts& sources, const Additions& additions) {
  Findings findings(Findings::Mode::check);
  try {
    const Document document(sources, additions);
    // But for what no enabled file needs, they are what check() is for.
    Findings mistakes(mode_of_check(additions), policy_of(document.root()));
    Contexts contexts;
    load(document, additions.settings, contexts, mistakes);
    for (const ContextStore& store : contexts.all()) {
      if (store.id() == parameter_context) continue;
      note_unused(store, resolve_context(store, mistakes), findings);
    }
    std::vector<Diagnostic> notes = findings.all();
    std::copy_if(mistakes.all().begin(), mistakes.all().end(), std::back_inserter(notes),
                 [](const Diagnostic& mistake) { return mistake.topic == Topic::unneeded; });
    return notes;
  } catch (const ConfigError&) {
    return {};
  }
}

}  // namespace epios::config
