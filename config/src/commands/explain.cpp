// Answers `epios explain`: where values come from. It parses the question, finds the elements it
// means, and lists for each attribute the value in force, overridden ones, and places that could
// give one.
#include "config/explain.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <optional>
#include <unordered_set>
#include <utility>

#include "building/loader.hpp"
#include "config/value_print.hpp"
#include "grids/hierarchies.hpp"
#include "language/group_ref.hpp"
#include "language/inheritance.hpp"
#include "text/text.hpp"
#include "text/xml_text.hpp"

namespace epios::config {

namespace {

/// A question taken apart; "*" or "" stands for all.
struct Question {
  std::string_view context, kind, id, attribute;
  std::string_view whole;  ///< everything behind "kind:", or the kind and everything behind it

  /// Returns true if the text may be an id with dots, or an id and an attribute.
  bool has_two_readings() const { return !id.empty() && id.size() < whole.size(); }
  Question with_dots() const { return {context, kind, whole, {}, whole}; }
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
  question.whole = end == std::string_view::npos ? text : text.substr(end + 1);
  question.kind = text.substr(0, end);
  if (end == std::string_view::npos) {  // calendar.timestep
    const std::size_t dot = question.kind.find('.');
    if (dot != std::string_view::npos) {
      question.attribute = question.kind.substr(dot + 1);
      question.kind = question.kind.substr(0, dot);
    }
    return question;
  }
  // Ids may have dots, attributes have none.
  const std::size_t dot = question.whole.rfind('.');
  question.id = question.whole.substr(0, dot);
  if (dot != std::string_view::npos) question.attribute = question.whole.substr(dot + 1);
  return question;
}

constexpr std::string_view own = "own";
constexpr std::string_view no_value = "no value";
constexpr std::string_view default_value = "default";

class Explainer {
 public:
  Explainer(const ContextStore& store, Findings& findings)
      : store_(store), inheritance_(store, findings) {}

  ExplainedElement explain(int node, std::string_view attribute) {
    const Node& element = store_.at(node);
    ExplainedElement result{store_.id(), element.title(), element.origin.text(), {}};
    const std::vector<Place> places = places_of(node);
    const std::vector<Candidate> candidates = candidates_of(places);
    for (const AttributeInfo& row : attributes_of(element.kind)) {
      if (!is_any(attribute) && row.name != attribute) continue;
      ExplainedAttribute explained = explain(node, row, candidates);
      const bool is_given =
          explained.value.source != no_value && explained.value.source != default_value;
      if (!is_any(attribute) && !is_given && explained.overridden.empty()) {
        explained.places = shown(places, row);
      }
      const bool is_said = explained.value.source != no_value || !explained.overridden.empty();
      if (is_said || !is_any(attribute)) result.attributes.push_back(std::move(explained));
    }
    return result;
  }

  std::string output_name(int node) { return inheritance_.output_name(node); }

 private:
  /// A place that may give a value to an element: "own", "group 'g'", "field 'sst'".
  struct Place {
    int node;
    std::string source;
    HandedDown least;  ///< minimum inheritance of attributes that come from there
  };
  /// A setting that could be in force, and whose it is.
  struct Candidate {
    const Setting* setting;
    std::string source;
    HandedDown least;
    bool counts() const { return setting->row->handed_down >= least; }
  };

  std::vector<Candidate> candidates_of(const std::vector<Place>& places) const {
    std::vector<Candidate> candidates;
    for (const Place& place : places) {
      for (const Setting& setting : store_.at(place.node).settings) {
        for (const Setting* given = &setting; given != nullptr; given = given->before.get()) {
          candidates.push_back({given, place.source, place.least});
        }
      }
    }
    return candidates;
  }

  std::vector<ExplainedPlace> shown(const std::vector<Place>& places,
                                    const AttributeInfo& row) const {
    std::vector<ExplainedPlace> result;
    std::unordered_set<int> seen;
    for (const Place& place : places) {
      const bool is_own = place.source == own;
      if (row.handed_down < place.least || !seen.insert(place.node).second) continue;
      const Node& node = store_.at(place.node);
      result.push_back({is_own ? node.title() : place.source, node.origin.text()});
    }
    return result;
  }

  /// In the order of their strength.
  std::vector<Place> places_of(int node) {
    std::vector<Place> places;
    // References of a group apply to the elements in it.
    const bool follows = store_.at(node).form == Form::element;
    for (int at = node; at >= 0; at = follows ? inheritance_.reference(at) : -1) {
      const std::string owner = at == node ? std::string(own) : store_.at(at).title();
      const bool is_own = at == node;
      places.push_back({at, owner, is_own ? HandedDown::no : HandedDown::yes});
      const std::string suffix = is_own ? "" : " of " + owner;
      std::unordered_set<int> seen;
      add_groups(places, at, suffix, is_own ? HandedDown::groups : HandedDown::yes, seen);
    }
    return places;
  }

  void add_groups(std::vector<Place>& places, int node, const std::string& suffix, HandedDown least,
                  std::unordered_set<int>& seen) const {
    for (const int parent : store_.at(node).parents) {
      const Node& around = store_.at(parent);
      const bool is_group = around.kind == store_.at(node).kind && around.form != Form::element;
      if (!is_group || !seen.insert(parent).second) continue;
      const std::string group =
          around.has_automatic_id ? "a group without id" : fmt::format("group '{}'", around.id);
      places.push_back({parent, group + suffix, least});
      add_groups(places, parent, suffix, least, seen);
    }
  }

  /// nullptr when there is no value, also after `_reset_`.
  const Setting* setting_in_force(int node, const AttributeInfo& row,
                                  const std::vector<Candidate>& candidates) {
    if (store_.at(node).form == Form::element) return inheritance_.of(node).find(row);
    for (const Candidate& candidate : candidates) {
      const Setting& setting = *candidate.setting;
      if (setting.row != &row || !candidate.counts()) continue;
      return setting.value ? &setting : nullptr;
    }
    return nullptr;
  }

  /// Returns the value in force if no attribute of the element, its groups and references gives
  /// one.
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

  ExplainedAttribute explain(int node, const AttributeInfo& row,
                             const std::vector<Candidate>& candidates) {
    ExplainedAttribute result{std::string(row.name), {}, {}, {}};
    const Setting* in_force = setting_in_force(node, row, candidates);
    const std::optional<ExplainedValue> implied = implied_value(node, row, in_force);
    const std::string_view source = row.default_text.empty() ? no_value : default_value;
    result.value = {std::string(row.default_text), std::string(source), ""};
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
      } else if (candidate.counts()) {
        result.overridden.push_back(std::move(value));
      }
    }
    return result;
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
std::string with_its_kind(const Question& question, const Contexts& contexts) {
  const std::string_view id = question.id.empty() ? question.kind : question.id;
  for (const ContextStore& store : contexts.all()) {
    for (int node = 0; node < store.size(); ++node) {
      const Node& element = store.at(node);
      if (element.has_automatic_id || element.form == Form::definition) continue;
      if (element.id != id && element.id != question.whole) continue;
      const std::string_view group = element.form == Form::group ? "_group" : "";
      return fmt::format("Did you mean '{}{}:{}'?", name(element.kind), group, question.whole);
    }
  }
  return {};
}

/// The ids of what a question may be about.
std::vector<std::string_view> ids_of(std::string_view kind, const Contexts& contexts) {
  std::vector<std::string_view> ids;
  for (const ContextStore& store : contexts.all()) {
    for (int node = 0; node < store.size(); ++node) {
      const Node& element = store.at(node);
      if (matches(element, {{}, kind, {}, {}, {}}) && !element.has_automatic_id) {
        ids.push_back(element.id);
      }
    }
  }
  return ids;
}

[[noreturn]] void refuse(std::string_view text, const Question& question,
                         const Contexts& contexts) {
  const std::vector<std::string_view> ids = ids_of(question.kind, contexts);
  std::string suggestion = did_you_mean(question.id, ids);
  if (suggestion.empty() && question.has_two_readings()) {
    suggestion = did_you_mean(question.whole, ids);
  }
  if (suggestion.empty()) suggestion = with_its_kind(question, contexts);
  if (suggestion.empty()) {
    suggestion = "Ask for kind:id, as in field:tos, or for kind:id.attribute.";
  }
  throw Error(
      ErrorCode::argument,
      fmt::format("nothing answers to '{}' (there is no such element). {}", text, suggestion));
}

struct Answer {
  std::vector<ExplainedElement> elements;
  std::vector<ElementKind> kinds;  ///< kinds of everything that was asked for, each once

  void add(Answer other) {
    std::move(other.elements.begin(), other.elements.end(), std::back_inserter(elements));
    kinds.insert(kinds.end(), other.kinds.begin(), other.kinds.end());
  }
};

bool have_attribute(const std::vector<ElementKind>& kinds, std::string_view attribute) {
  return is_any(attribute) || std::any_of(kinds.begin(), kinds.end(), [&](ElementKind kind) {
           return find_attribute(kind, attribute) != nullptr;
         });
}

enum class By { id, output_name };

Answer answer_to(const Question& question, const Contexts& contexts, Findings& findings, By by) {
  Answer answer;
  Question any_id = question;
  any_id.id = "*";
  for (const ContextStore& written : contexts.all()) {
    if (!is_any(question.context) && written.id() != question.context) continue;
    const GroupRefs group_refs = follow_group_refs(written, findings);
    const ContextStore& grouped = group_refs.store ? *group_refs.store : written;
    const std::optional<ContextStore> with_levels = expand_hierarchies(grouped, findings);
    const ContextStore& store = with_levels ? *with_levels : grouped;
    Explainer explainer(store, findings);
    for (int node = 0; node < store.size(); ++node) {
      const bool is_meant = by == By::id ? matches(store.at(node), question)
                                         : matches(store.at(node), any_id) &&
                                               explainer.output_name(node) == question.id;
      if (!is_meant) continue;
      const ElementKind kind = store.at(node).kind;
      if (have_attribute({kind}, question.attribute)) {
        answer.elements.push_back(explainer.explain(node, question.attribute));
      }
      auto& kinds = answer.kinds;
      if (std::find(kinds.begin(), kinds.end(), kind) == kinds.end()) kinds.push_back(kind);
    }
  }
  return answer;
}

/// To both readings of an id with dots; one that names no attribute only counts alone.
Answer answer_to_all(const Question& question, const Contexts& contexts, Findings& findings,
                     By by) {
  Answer answer = answer_to(question, contexts, findings, by);
  if (!question.has_two_readings()) return answer;
  Answer with_dots = answer_to(question.with_dots(), contexts, findings, by);
  if (with_dots.kinds.empty()) return answer;
  if (have_attribute(answer.kinds, question.attribute)) with_dots.add(std::move(answer));
  return with_dots;
}

[[noreturn]] void refuse_attribute(const Question& question, const std::vector<ElementKind>& kinds,
                                   const Contexts& contexts) {
  std::vector<std::string_view> names;
  for (const ElementKind kind : kinds) {
    for (const AttributeInfo& row : attributes_of(kind)) names.push_back(row.name);
  }
  std::string suggestion = did_you_mean(question.attribute, names);
  if (suggestion.empty() && question.has_two_readings()) {
    suggestion = did_you_mean(question.whole, ids_of(question.kind, contexts));
  }
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
  std::vector<ElementKind> kinds;
  for (const By by : {By::id, By::output_name}) {
    Answer answer = answer_to_all(question, contexts, findings, by);
    if (!answer.elements.empty()) return std::move(answer.elements);
    if (kinds.empty()) kinds = std::move(answer.kinds);
  }
  if (kinds.empty()) refuse(text, question, contexts);
  refuse_attribute(question, kinds, contexts);
}

}  // namespace epios::config
