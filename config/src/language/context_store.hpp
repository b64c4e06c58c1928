/// @file
/// The mutable definitions of one context: elements and groups with their own settings, before
/// inheritance.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "config/attribute_table.hpp"
#include "config/index.hpp"
#include "config/value.hpp"
#include "language/grammar.hpp"
#include "text/findings.hpp"

namespace epios::config {

/// A mistake in a text.
struct BrokenText {
  std::string problem, why, suggestion;
};

/// One attribute given to one element. It has no value after `_reset_`, and for text that did not
/// parse; that is reported, and the attribute is then not reported as missing as well.
struct Setting {
  const AttributeInfo* row = nullptr;
  std::optional<Value> value;
  Origin origin;
  bool is_broken = false;
  int owner = -1;  ///< the node that it was given to
  /// Set for an array that did not parse; it is reported when somebody needs the array.
  std::shared_ptr<const BrokenText> broken{};
  /// The setting that other places of the XML gave the same element, with another value.
  std::shared_ptr<const Setting> before{};
};

struct Node {
  ElementKind kind = ElementKind::any;
  Form form = Form::element;  ///< a definition element counts as a group
  std::string id;
  bool has_automatic_id = false;
  std::vector<int> parents;
  std::vector<int> children;
  std::vector<Setting> settings;
  Setting group_ref;  ///< set for a group; without row if it was not given
  std::string text;
  bool has_file_coordinates = false;  ///< for a domain: a given value must not be generated
  std::shared_ptr<const std::string>
      shared_title;  ///< title shared by calls that set its attributes, if any
  /// For a field with an expression: the text as it stands in the file, and its place. Empty if it
  /// is the value.
  std::string raw_expression;
  Position expression_position;
  Origin origin;

  const Setting* find(std::string_view attribute) const;
  /// Returns "field 'tos'", or "<field>" if it has no id of its own.
  std::string title() const;
};

/// Nodes are indices; they are never removed.
class ContextStore {
 public:
  ContextStore(std::string id, const Origin& origin);

  const std::string& id() const { return id_; }
  const Node& at(int node) const { return nth(nodes_, node); }
  Node& at(int node) { return nth(nodes_, node); }
  int size() const { return static_cast<int>(nodes_.size()); }

  int context_node() const { return 0; }
  int calendar_node() const { return 1; }
  /// Returns the definition element of a kind, or the context or calendar itself.
  int root_of(ElementKind kind) const;

  /// Returns the element with an id, or else the group, or -1. Variables are named per owner (file,
  /// field or context); for them `owner` says which.
  int find(ElementKind kind, std::string_view id, int owner = 0) const;
  int find_form(ElementKind kind, Form form, std::string_view id, int owner = 0) const;
  /// Returns the elements of one kind below a node, through groups of that kind, each once, in
  /// document order.
  std::vector<int> elements_below(int from, ElementKind kind) const;
  /// Returns ids given by users, for suggestions.
  std::vector<std::string_view> ids(ElementKind kind) const;

  /// Returns the node with an id, and makes it if it does not exist. An empty id gets an automatic
  /// one.
  int open(ElementKind kind, Form form, const std::string& id, int owner, const Origin& origin);
  /// Gives a node with an automatic id one of its own, which no other has; the old one is
  /// forgotten.
  void give_id(int node, const std::string& id);
  /// Appends `child` to `parent`. Returns false if a group would then contain itself.
  bool adopt(int parent, int child);
  /// Describes a call of the model that sets an attribute: "function(field 'sst', 'unit')".
  /// `function` must stay valid, `attribute` as long as the call is not kept.
  Call call(const char* function, int node, std::string_view attribute);
  /// Sets a value. The last assignment wins.
  Setting& set(int node, const AttributeInfo& row, std::optional<Value> value, Origin origin,
               bool is_broken = false);

 private:
  int append(Node node);

  std::string id_;
  std::vector<Node> nodes_;
  std::unordered_map<std::string, int> by_key_;
  std::unordered_map<int, int> automatic_ids_;
};

}  // namespace epios::config
