// Summarises what a configuration leaves to the model, in one line and as XML to fill in. Gaps are
// collected once each, then grouped by the element that they belong to.
#include "config/model_part.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <tuple>
#include <utility>

#include "text/text.hpp"
#include "text/xml_writer.hpp"

namespace epios::config {

namespace {

/// Placeholder for a value that nobody has given.
constexpr const char* blank = "?";

auto key_of(const Gap& gap) {
  return std::tie(gap.context, gap.element, gap.id, gap.attribute, gap.around, gap.around_id);
}

/// Elements that share an attribute, in the order in which they were found.
struct Share {
  std::string_view element;
  std::vector<std::string_view> attributes;
  std::set<std::pair<std::string_view, std::string_view>> owners;  ///< contexts and ids
};

std::string plural(std::string_view element) {
  return element == "axis" ? "axes" : fmt::format("{}s", element);
}

std::string owners_of(const Share& share) {
  if (share.owners.size() > 1)
    return fmt::format("{} {}", share.owners.size(), plural(share.element));
  const std::string_view id = share.owners.begin()->second;
  if (share.element == "calendar") return "the calendar";
  return id.empty() ? fmt::format("one {} without id", share.element)
                    : fmt::format("{} '{}'", share.element, id);
}

/// "a, b and c".
template <class Words>
std::string enumerated(const Words& words) {
  std::string text;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (i > 0) text += i + 1 == words.size() ? " and " : ", ";
    text += words[i];
  }
  return text;
}

/// Attributes that the same elements lack are said together.
std::vector<Share> shares_of(const std::vector<OpenPlace>& places, bool of_attributes) {
  std::vector<Share> shares;
  std::map<std::pair<std::string_view, std::string_view>, std::size_t> known;
  for (const OpenPlace& place : places) {
    const Gap& gap = place.gap;
    const bool is_attribute = !gap.attribute.empty() || gap.element == "calendar";
    if (place.is_doubtful || is_attribute != of_attributes) continue;
    const auto [at, is_new] = known.try_emplace({gap.element, gap.attribute}, shares.size());
    if (is_new) {
      shares.push_back({gap.element, {}, {}});
      if (!gap.attribute.empty()) shares.back().attributes.push_back(gap.attribute);
    }
    shares[at->second].owners.insert({gap.context, gap.id});
  }
  std::vector<Share> merged;
  for (Share& share : shares) {
    const auto same = std::find_if(merged.begin(), merged.end(), [&share](const Share& other) {
      return other.element == share.element && other.owners == share.owners;
    });
    if (same == merged.end()) {
      merged.push_back(std::move(share));
    } else {
      same->attributes.insert(same->attributes.end(), share.attributes.begin(),
                              share.attributes.end());
    }
  }
  return merged;
}

/// The attributes without which a new element says nothing.
std::vector<std::string_view> attributes_of_new(std::string_view element) {
  if (element == "calendar") return {"type", "timestep"};
  if (element == "domain") return {"type", "ni_glo", "nj_glo"};
  if (element == "axis") return {"n_glo"};
  if (element == "field") return {"grid_ref"};
  if (element == "variable") return {"type"};
  return {};
}

/// One element of the part that is written, with all that is open of it.
struct OpenElement {
  std::string_view element, id, around, around_id;
  std::vector<std::string_view> attributes;
  bool is_new = false;
  std::string where;
};

class PartWriter {
 public:
  explicit PartWriter(const std::vector<OpenPlace>& places) {
    for (const OpenPlace& place : places) add(place);
  }

  std::string text(std::string_view about) {
    std::string result = "<?xml version=\"1.0\"?>\n";
    writer_.comment(about);
    writer_.open("context_group");
    for (const auto& [context, elements] : contexts_) {
      writer_.open("context", {{"id", std::string(context)}});
      // In the order of a configuration that is written by hand.
      for (const std::string_view kind :
           {"calendar", "scalar", "axis", "domain", "grid", "field", "variable"}) {
        write_kind(elements, kind);
      }
      writer_.close();
    }
    writer_.close();
    return result + writer_.text();
  }

 private:
  using Elements = std::vector<OpenElement>;

  void add(const OpenPlace& place) {
    const Gap& gap = place.gap;
    const auto at = std::find_if(contexts_.begin(), contexts_.end(),
                                 [&gap](const auto& c) { return c.first == gap.context; });
    Elements& elements =
        at == contexts_.end() ? contexts_.emplace_back(gap.context, Elements{}).second : at->second;
    const auto [number, is_first] = numbers_.try_emplace(
        {gap.context, gap.element, gap.id, gap.around, gap.around_id}, elements.size());
    if (is_first) {
      elements.push_back({gap.element, gap.id, gap.around, gap.around_id, {}, false, place.where});
    }
    OpenElement& element = elements[number->second];
    if (gap.attribute.empty()) {
      element.is_new = true;
      element.attributes = attributes_of_new(gap.element);
    } else {
      element.attributes.push_back(gap.attribute);
    }
  }

  static std::string_view kind_around(const OpenElement& element) {
    return element.around.empty() ? element.element : element.around;
  }

  void write_kind(const Elements& elements, std::string_view kind) {
    bool is_open = false;
    for (const OpenElement& element : elements) {
      if (kind_around(element) != kind) continue;
      if (!is_open && kind != "calendar") writer_.open(fmt::format("{}_definition", kind));
      is_open = true;
      write(element);
    }
    if (is_open && kind != "calendar") writer_.close();
  }

  void write(const OpenElement& element) {
    const bool is_named = !element.id.empty() || element.element == "calendar";
    const bool is_around_named = element.around.empty() || !element.around_id.empty();
    if (!is_named || !is_around_named) {
      writer_.comment(fmt::format("{} of one {} without id, to be said where it stands ({})",
                                  enumerated(element.attributes), element.element, element.where));
      return;
    }
    writer_.comment(element.where);
    WrittenAttributes attributes;
    if (!element.id.empty()) attributes.push_back({"id", std::string(element.id)});
    for (const std::string_view name : element.attributes) attributes.push_back({name, blank});
    if (!element.around.empty()) {
      writer_.open(element.around, {{"id", std::string(element.around_id)}});
    }
    if (element.is_new && element.element == "grid") {
      // Without anything inside, it would be a good grid of one value.
      writer_.open("grid", attributes);
      writer_.element("domain", {{"domain_ref", blank}});
      writer_.close();
    } else {
      writer_.element(element.element, attributes, element.element == "variable" ? blank : "");
    }
    if (!element.around.empty()) writer_.close();
  }

  XmlWriter writer_;
  std::vector<std::pair<std::string_view, Elements>> contexts_;
  std::map<std::array<std::string_view, 5>, std::size_t> numbers_;  ///< places in Elements
};

}  // namespace

std::vector<OpenPlace> open_places(const std::vector<Diagnostic>& findings) {
  std::vector<OpenPlace> places;
  const auto is_before = [](const Gap& a, const Gap& b) { return key_of(a) < key_of(b); };
  std::set<Gap, decltype(is_before)> seen(is_before);
  for (const Diagnostic& finding : findings) {
    if (!finding.gap || !seen.insert(*finding.gap).second) continue;
    places.push_back({*finding.gap, finding.where, finding.topic != Topic::model});
  }
  return places;
}

std::string summary(const std::vector<OpenPlace>& places) {
  std::vector<std::string> values;
  for (const Share& share : shares_of(places, true)) {
    values.push_back(share.attributes.empty()
                         ? owners_of(share)
                         : fmt::format("{} of {}", enumerated(share.attributes), owners_of(share)));
  }
  std::vector<std::string> elements;
  for (const Share& share : shares_of(places, false)) elements.push_back(owners_of(share));
  std::string text = values.empty() ? "" : fmt::format("to say {}", enumerated(values));
  if (!values.empty() && !elements.empty()) text += "; ";
  if (!elements.empty()) text += fmt::format("to define {}", enumerated(elements));
  return text;
}

std::string model_part(const std::vector<OpenPlace>& places, std::string_view about) {
  return PartWriter(places).text(about);
}

}  // namespace epios::config
