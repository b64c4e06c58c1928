#include "loader.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "config/run_variables.hpp"
#include "text.hpp"
#include "value_text.hpp"

namespace epios::config {

namespace {

using Element = Document::Element;

class Loader {
 public:
  Loader(Contexts& contexts, Findings& findings) : contexts_(contexts), findings_(findings) {}

  /// simulation and context_group: nothing but contexts inside.
  void load_contexts(const Element& element, const Tag& tag) {
    check_plain_attributes(element, tag);
    for_each_child(element, tag, [this](const Element& child, const Tag& child_tag) {
      if (child_tag.kind == ElementKind::context) {
        load_context(child, child_tag);
      } else {
        load_contexts(child, child_tag);
      }
    });
  }

 private:
  void load_context(const Element& element, const Tag& tag) {
    const std::string id = id_of(element);
    if (id.empty()) {
      findings_.error({element.position, {}}, "<context> has no id",
                      "a model opens its context by id", "Add id=\"...\".");
      return;
    }
    store_ = &contexts_.open(id, {element.position, {}});
    set_attributes(store_->context_node(), element, tag);
    for_each_child(element, tag, [this](const Element& child, const Tag& child_tag) {
      const int node = store_->root_of(child_tag.kind);
      if (child_tag.kind == ElementKind::calendar) {
        store_->at(node).origin = {child.position, {}};
        set_attributes(node, child, child_tag);
        for_each_child(child, child_tag, [](const Element&, const Tag&) {});
      } else {
        load_node(node, child, child_tag, store_->context_node());
      }
    });
  }

  /// Attributes, text and children of one element or group that is already open.
  void load_node(int node, const Element& element, const Tag& tag, int owner) {
    set_attributes(node, element, tag);
    take_text(node, element, tag, owner);
    const bool owns = tag.form == Form::element &&
                      (tag.kind == ElementKind::file || tag.kind == ElementKind::field);
    const int owner_below = owns ? node : owner;
    for_each_child(element, tag, [&](const Element& child, const Tag& child_tag) {
      const Origin origin{child.position, {}};
      const int below =
          store_->open(child_tag.kind, child_tag.form, id_of(child), owner_below, origin);
      if (!store_->adopt(node, below)) {
        findings_.error(origin, fmt::format("{} contains itself", store_->at(below).title()),
                        fmt::format("it is also around {}", store_->at(node).title()));
        return;
      }
      load_node(below, child, child_tag, owner_below);
    });
  }

  template <class Visit>
  void for_each_child(const Element& element, const Tag& tag, Visit visit) {
    for (const Element& child : element.children) {
      const Tag* child_tag = find_tag(child.tag);
      if (child_tag == nullptr || !tag.has_child(child.tag)) {
        refuse_child(child, tag, child_tag != nullptr);
      } else {
        visit(child, *child_tag);
      }
    }
  }

  void refuse_child(const Element& child, const Tag& tag, bool known) {
    const std::string problem =
        known ? fmt::format("<{}> cannot stand in <{}>", child.tag, tag.name)
              : fmt::format("unknown element <{}> in <{}>", child.tag, tag.name);
    const bool is_error = tag.unknown_child == Severity::error;
    findings_.add(tag.unknown_child, {child.position, {}}, problem,
                  is_error ? "children of this element change data; none is available yet"
                           : "it is ignored with everything inside",
                  did_you_mean(child.tag, tag.children));
  }

  std::string id_of(const Element& element) const {
    std::string id;
    for (const Document::Attribute& attribute : element.attributes) {
      if (attribute.name == "id") id = attribute.value;
    }
    return id;
  }

  /// id and src; true when the attribute needs no further look.
  bool take_special(const Document::Attribute& attribute, const Element& element, const Tag& tag) {
    const Origin origin{attribute.position, {}};
    if (attribute.name == "id" && tag.accepts_id) {
      const std::string definition = tag.form == Form::definition ? tag.name : "";
      if (attribute.value.empty()) {
        findings_.error(origin, fmt::format("attribute 'id' of <{}> is empty", element.tag));
      } else if (!definition.empty() && attribute.value != definition) {
        findings_.warning(origin,
                          fmt::format("id '{}' of <{}> is ignored", attribute.value, element.tag),
                          fmt::format("a definition element always has the id '{}'", definition));
      }
      return true;
    }
    return attribute.name == "src" && tag.accepts_src;
  }

  void refuse_attribute(const Document::Attribute& attribute, const Tag& tag) {
    std::vector<std::string_view> names;
    for (const AttributeInfo& row : attributes_of(tag.kind)) {
      if (tag.kind != ElementKind::any) names.push_back(row.name);
    }
    if (tag.accepts_id) names.emplace_back("id");
    if (tag.accepts_src) names.emplace_back("src");
    findings_.error({attribute.position, {}},
                    fmt::format("unknown attribute '{}' of <{}>", attribute.name, tag.name), {},
                    did_you_mean(attribute.name, names));
  }

  void check_plain_attributes(const Element& element, const Tag& tag) {
    for (const Document::Attribute& attribute : element.attributes) {
      if (!take_special(attribute, element, tag)) refuse_attribute(attribute, tag);
    }
  }

  void set_attributes(int node, const Element& element, const Tag& tag) {
    for (const Document::Attribute& attribute : element.attributes) {
      if (take_special(attribute, element, tag)) continue;
      const AttributeInfo* row = find_attribute(tag.kind, attribute.name);
      if (row == nullptr) {
        refuse_attribute(attribute, tag);
        continue;
      }
      const Origin origin{attribute.position, {}};
      if (trimmed(attribute.value) == "_reset_") {
        store_->set(node, *row, std::nullopt, origin);
        continue;
      }
      ParsedValue parsed = parse_value(*row, attribute.value);
      if (parsed.value) {
        store_->set(node, *row, std::move(parsed.value), origin);
      } else {
        store_->set(node, *row, std::nullopt, origin, true);
        findings_.error(origin,
                        fmt::format("attribute '{}' of <{}> has the value '{}'", attribute.name,
                                    tag.name, shortened(attribute.value)),
                        std::move(parsed.why), std::move(parsed.suggestion));
      }
    }
  }

  /// Text wins over the attribute, wherever it stands.
  void set_expression(int field, const Element& element) {
    if (element.text.empty()) return;
    store_->at(field).text = element.text;
    store_->set(field, *find_attribute(ElementKind::field, "expr"), Value(element.text),
                {element.text_position, {}});
  }

  static std::string shortened(const std::string& text) {
    return text.size() <= 60 ? text : text.substr(0, 57) + "...";
  }

  void take_text(int node, const Element& element, const Tag& tag, int owner) {
    const Origin origin{element.position, {}};
    if (tag.text == TextUse::value) {
      if (element.text.empty()) {
        findings_.error(origin, fmt::format("{} has no text", store_->at(node).title()),
                        "the value of a variable is its text");
      }
      store_->at(node).text = element.text;
    } else if (tag.text == TextUse::pairs) {
      take_pairs(node, element, owner);
    } else if (tag.text == TextUse::expression) {
      set_expression(node, element);
    } else if (!element.text.empty()) {
      findings_.warning(origin, fmt::format("text '{}' in <{}> is ignored", shortened(element.text),
                                            element.tag));
    }
  }

  /// "key = value; key = value;", keys in lower case.
  void take_pairs(int node, const Element& element, int owner) {
    const Origin origin{element.position, {}};
    std::string_view rest = element.text;
    while (!rest.empty()) {
      const std::size_t end = rest.find(';');
      const std::string_view pair = trimmed(rest.substr(0, end));
      rest = end == std::string_view::npos ? std::string_view{} : rest.substr(end + 1);
      if (pair.empty()) continue;
      const std::size_t equal = pair.find('=');
      const std::string id = lower_case(trimmed(pair.substr(0, equal)));
      const std::string_view value =
          equal == std::string_view::npos ? "" : trimmed(pair.substr(equal + 1));
      if (id.empty() || value.empty()) {
        findings_.error(origin, fmt::format("text '{}' is not a variable", pair),
                        "text of a group of variables reads 'key = value;'");
        continue;
      }
      const int variable = store_->open(ElementKind::variable, Form::element, id, owner, origin);
      store_->adopt(node, variable);
      store_->at(variable).text = value;
    }
  }

  Contexts& contexts_;
  Findings& findings_;
  ContextStore* store_ = nullptr;
};

/// Models may have variables of their own in context `xios`, so only what looks like one of ours is
/// worth a word.
void warn_of_misspelt(const ContextStore& store, Findings& findings) {
  std::vector<std::string_view> known;
  for (const RunVariable& variable : run_variables()) known.push_back(variable.id);
  for (int node = 0; node < store.size(); ++node) {
    const Node& variable = store.at(node);
    if (variable.kind != ElementKind::variable || variable.form != Form::element) continue;
    if (std::find(known.begin(), known.end(), variable.id) != known.end()) continue;
    std::string suggestion = did_you_mean(variable.id, known);
    if (suggestion.empty()) continue;
    findings.warning(variable.origin, fmt::format("variable '{}' has no effect", variable.id),
                     "it is no setting of the run", std::move(suggestion));
  }
}

}  // namespace

const ContextStore* Contexts::find(std::string_view id) const {
  const auto found = std::find_if(all_.begin(), all_.end(),
                                  [id](const ContextStore& store) { return store.id() == id; });
  return found == all_.end() ? nullptr : &*found;
}

ContextStore* Contexts::find(std::string_view id) {
  const auto found = std::find_if(all_.begin(), all_.end(),
                                  [id](const ContextStore& store) { return store.id() == id; });
  return found == all_.end() ? nullptr : &*found;
}

ContextStore& Contexts::open(const std::string& id, const Origin& origin) {
  if (ContextStore* found = find(id)) return *found;
  return all_.emplace_back(id, origin);
}

void load(const Document::Element& root, Contexts& contexts, Findings& findings) {
  const Tag* tag = find_tag("simulation");
  if (root.tag != tag->name) {
    findings.error({root.position, {}}, fmt::format("the root element is <{}>", root.tag),
                   "a configuration starts with <simulation>");
    return;
  }
  Loader(contexts, findings).load_contexts(root, *tag);
  if (const ContextStore* store = contexts.find(parameter_context)) {
    warn_of_misspelt(*store, findings);
  }
}

}  // namespace epios::config
