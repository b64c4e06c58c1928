#include "config/explain.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_set>
#include <utility>

#include "building/loader.hpp"
#include "config/value_print.hpp"
#include "language/inheritance.hpp"
#include "text/text.hpp"
#include "text/xml_text.hpp"

namespace epios::config {

namespace {

/// A question taken apart; "*" or "" stands for all.
struct Question {
  std::string_view context, kind, id, attribute;
};

bool is_any(std::string_view part) { return part.empty() || part == "*"; }

/// "context/kind:id.attribute".
Question question_of(std::string_view text) {
  Question question;
  text = trimmed(text);
  const std::size_t colon = text.find(':');
  if (const std::size_t slash = text.substr(0, colon).find('/'); slash != std::string_view::npos) {
    question.context = text.substr(0, slash);
    text.remove_prefix(slash + 1);
  }
  const std::size_t end = text.find(':');
  question.kind = text.substr(0, end);
  std::string_view rest = end == std::string_view::npos ? std::string_view{} : text.substr(end + 1);
  if (end == std::string_view::npos) {  // calendar.timestep
    const std::size_t dot = question.kind.find('.');
    if (dot != std::string_view::npos) {
      question.attribute = question.kind.substr(dot + 1);
      question.kind = question.kind.substr(0, dot);
    }
    return question;
  }
  // Ids may have dots, attributes have none.
  const std::size_t dot = rest.rfind('.');
  question.id = rest.substr(0, dot);
  if (dot != std::string_view::npos) question.attribute = rest.substr(dot + 1);
  return question;
}

class Explainer {
 public:
  Explainer(const ContextStore& store, Findings& findings)
      : store_(store), inheritance_(store, findings) {}

  ExplainedElement explain(int node, std::string_view attribute) {
    const Node& element = store_.at(node);
    ExplainedElement result{store_.id(), element.title(), element.origin.text(), {}};
    const std::vector<Candidate> candidates = candidates_of(node);
    for (const AttributeInfo& row : attributes_of(element.kind)) {
      if (!is_any(attribute) && row.name != attribute) continue;
      if (auto explained = explain(node, row, candidates)) {
        result.attributes.push_back(std::move(*explained));
      }
    }
    return result;
  }

  std::string output_name(int node) { return inheritance_.output_name(node); }

 private:
  /// A setting that could be in force, and whose it is.
  struct Candidate {
    const Setting* setting;
    std::string source;
  };

  /// In the order of their strength.
  std::vector<Candidate> candidates_of(int node) {
    std::vector<Candidate> candidates;
    // What a group refers to is meant for the elements in it.
    const bool follows = store_.at(node).form == Form::element;
    for (int at = node; at >= 0; at = follows ? inheritance_.reference(at) : -1) {
      const std::string owner = at == node ? "own" : store_.at(at).title();
      add(candidates, at, owner);
      const std::string suffix = at == node ? "" : " of " + owner;
      std::unordered_set<int> seen;
      add_groups(candidates, at, suffix, seen);
    }
    return candidates;
  }

  void add(std::vector<Candidate>& candidates, int node, const std::string& source) const {
    for (const Setting& setting : store_.at(node).settings) {
      candidates.push_back({&setting, source});
    }
  }

  void add_groups(std::vector<Candidate>& candidates, int node, const std::string& suffix,
                  std::unordered_set<int>& seen) const {
    for (const int parent : store_.at(node).parents) {
      const Node& around = store_.at(parent);
      const bool is_group = around.kind == store_.at(node).kind && around.form != Form::element;
      if (!is_group || !seen.insert(parent).second) continue;
      const std::string group =
          around.has_automatic_id ? "a group without id" : fmt::format("group '{}'", around.id);
      add(candidates, parent, group + suffix);
      add_groups(candidates, parent, suffix, seen);
    }
  }

  /// nullptr when there is no value, also after `_reset_`.
  const Setting* setting_in_force(int node, const AttributeInfo& row,
                                  const std::vector<Candidate>& candidates) {
    if (store_.at(node).form == Form::element) return inheritance_.of(node).find(row);
    for (const Candidate& candidate : candidates) {
      const Setting& setting = *candidate.setting;
      if (setting.row != &row || !(row.inheritable || candidate.source == "own")) continue;
      return setting.value ? &setting : nullptr;
    }
    return nullptr;
  }

  /// What is in force although no attribute of the element, its groups and references says so.
  std::optional<ExplainedValue> implied_value(int node, const AttributeInfo& row,
                                              const Setting* in_force) {
    const Node& element = store_.at(node);
    if (element.form != Form::element) return std::nullopt;
    const int file = element.kind == ElementKind::field ? inheritance_.disabling_file(node) : -1;
    if (file >= 0 && row.name == "enabled") {
      return ExplainedValue{"false", store_.at(file).title() + " is disabled",
                            in_force->origin.text()};
    }
    return row.name == "name" && in_force == nullptr ? name_by_id(node) : std::nullopt;
  }

  /// The name in files of an element without `name`.
  std::optional<ExplainedValue> name_by_id(int node) {
    for (int at = node; at >= 0; at = inheritance_.reference(at)) {
      const Node& element = store_.at(at);
      if (element.has_automatic_id || element.id.empty()) continue;
      const std::string source = at == node ? "own id" : "id of " + element.title();
      return ExplainedValue{element.id, source, element.origin.text()};
    }
    return std::nullopt;
  }

  std::optional<ExplainedAttribute> explain(int node, const AttributeInfo& row,
                                            const std::vector<Candidate>& candidates) {
    ExplainedAttribute result{std::string(row.name), {}, {}};
    const Setting* in_force = setting_in_force(node, row, candidates);
    const std::optional<ExplainedValue> implied = implied_value(node, row, in_force);
    const bool has_default = !row.default_text.empty();
    result.value = {std::string(row.default_text), has_default ? "default" : "no value", ""};
    if (implied) result.value = *implied;
    std::unordered_set<const Setting*> seen;
    for (const Candidate& candidate : candidates) {
      const Setting& setting = *candidate.setting;
      // A group around both an element and what it refers to counts where it is stronger.
      if (setting.row != &row || !seen.insert(&setting).second) continue;
      ExplainedValue value{setting.value ? printed(*setting.value) : "_reset_", candidate.source,
                           setting.origin.text()};
      if (&setting == in_force) {
        result.value = std::move(value);
      } else if (row.inheritable || candidate.source == "own") {
        result.overridden.push_back(std::move(value));
      }
    }
    const bool is_said =
        in_force != nullptr || implied || has_default || !result.overridden.empty();
    return is_said ? std::optional(std::move(result)) : std::nullopt;
  }

  const ContextStore& store_;
  Inheritance inheritance_;
};

/// Groups and definition elements answer to their own names only.
bool matches(const Node& node, const Question& question) {
  if (node.form == Form::definition) return question.kind == node.id && is_any(question.id);
  if (node.form == Form::group) {
    if (question.kind != fmt::format("{}_group", name(node.kind))) return false;
  } else if (!is_any(question.kind) && name(node.kind) != question.kind) {
    return false;
  }
  // Nobody asks for the one that the library made up.
  return is_any(question.id) || (node.id == question.id && !node.has_automatic_id);
}

/// For an id without its kind, or with a kind that there is not.
std::string with_its_kind(std::string_view text, const Question& question,
                          const Contexts& contexts) {
  const std::string_view id = question.id.empty() ? question.kind : question.id;
  for (const ContextStore& store : contexts.all()) {
    for (int node = 0; node < store.size(); ++node) {
      const Node& element = store.at(node);
      if (element.id != id || element.has_automatic_id || element.form == Form::definition)
        continue;
      const std::string_view group = element.form == Form::group ? "_group" : "";
      const std::string_view rest = text.substr(text.rfind(id) + id.size());
      return fmt::format("Did you mean '{}{}:{}{}'?", name(element.kind), group, id, rest);
    }
  }
  return {};
}

[[noreturn]] void refuse(std::string_view text, const Question& question,
                         const Contexts& contexts) {
  std::vector<std::string_view> ids;
  for (const ContextStore& store : contexts.all()) {
    for (int node = 0; node < store.size(); ++node) {
      const Node& element = store.at(node);
      if (matches(element, {{}, question.kind, {}, {}}) && !element.has_automatic_id) {
        ids.push_back(element.id);
      }
    }
  }
  std::string suggestion = did_you_mean(question.id, ids);
  if (suggestion.empty()) suggestion = with_its_kind(text, question, contexts);
  if (suggestion.empty()) {
    suggestion = "Ask for kind:id, as in field:tos, or for kind:id.attribute.";
  }
  throw Error(
      ErrorCode::argument,
      fmt::format("nothing answers to '{}' (there is no such element). {}", text, suggestion));
}

enum class By { id, output_name };

struct Answer {
  std::vector<ExplainedElement> elements;
  std::vector<ElementKind> kinds;  ///< each once
};

Answer answer_to(const Question& question, const Contexts& contexts, Findings& findings, By by) {
  Answer answer;
  Question any_id = question;
  any_id.id = "*";
  for (const ContextStore& store : contexts.all()) {
    if (!is_any(question.context) && store.id() != question.context) continue;
    Explainer explainer(store, findings);
    for (int node = 0; node < store.size(); ++node) {
      const bool is_meant = by == By::id ? matches(store.at(node), question)
                                         : matches(store.at(node), any_id) &&
                                               explainer.output_name(node) == question.id;
      if (!is_meant) continue;
      answer.elements.push_back(explainer.explain(node, question.attribute));
      const ElementKind kind = store.at(node).kind;
      auto& kinds = answer.kinds;
      if (std::find(kinds.begin(), kinds.end(), kind) == kinds.end()) kinds.push_back(kind);
    }
  }
  return answer;
}

/// None of the elements that were asked for has such an attribute.
void require_attribute(const Question& question, const std::vector<ElementKind>& kinds) {
  if (is_any(question.attribute)) return;
  std::vector<std::string_view> names;
  for (const ElementKind kind : kinds) {
    if (find_attribute(kind, question.attribute) != nullptr) return;
    for (const AttributeInfo& row : attributes_of(kind)) names.push_back(row.name);
  }
  const std::string suggestion = did_you_mean(question.attribute, names);
  throw Error(ErrorCode::argument,
              fmt::format("there is no attribute '{}' of {}.{}{}", question.attribute,
                          kinds.size() == 1 ? name(kinds.front()) : "these elements",
                          suggestion.empty() ? "" : " ", suggestion));
}

}  // namespace

std::vector<ExplainedElement> explain(const SourceTexts& sources, std::string_view text,
                                      const Additions& additions) {
  const Document document(sources, additions);
  // Mistakes are what `check` is for.
  Findings findings(Findings::Mode::check, policy_of(document.root()));
  Contexts contexts;
  load(document, additions.settings, contexts, findings);
  const Question question = question_of(text);
  Answer answer = answer_to(question, contexts, findings, By::id);
  if (answer.elements.empty()) answer = answer_to(question, contexts, findings, By::output_name);
  if (answer.elements.empty()) refuse(text, question, contexts);
  require_attribute(question, answer.kinds);
  return std::move(answer.elements);
}

}  // namespace epios::config
