/// @file
/// Resolves where each attribute of each element comes from: its own value, then groups (nearest
/// first), then the reference.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "language/context_store.hpp"
#include "text/findings.hpp"

namespace epios::config {

/// The settings in force for one node, by row of its kind; nullptr if nothing was given.
class Resolved {
 public:
  Resolved() = default;
  explicit Resolved(ElementKind kind) : kind_(kind), by_row_(attributes_of(kind).size()) {}

  /// Returns nullptr if there is no value, also after `_reset_`.
  const Setting* find(std::string_view attribute) const;
  const Setting* find(const AttributeInfo& row) const;
  /// Returns true if a text was given that did not parse.
  bool is_broken(std::string_view attribute) const;
  const Setting*& slot(const AttributeInfo& row) { return by_row_[index(row)]; }
  /// Treats the attribute as not given.
  void leave_out(std::string_view attribute);
  std::size_t size() const { return by_row_.size(); }
  const Setting*& at(std::size_t i) { return by_row_[i]; }
  const Setting* at(std::size_t i) const { return by_row_[i]; }

 private:
  std::size_t index(const AttributeInfo& row) const {
    return static_cast<std::size_t>(&row - attributes_of(kind_).data());
  }
  ElementKind kind_ = ElementKind::any;
  std::vector<const Setting*> by_row_;
};

/// Separates a field from an element of its grid in a reference.
constexpr std::string_view element_separator = "::";

/// Returns where an attribute was given, or else where the element is.
Origin origin_of(const Resolved& resolved, std::string_view attribute, const Node& node);

/// Resolves each node once and keeps the result. Looking at a node reports nothing, because most of
/// a configuration may be unused; code that needs a node, or follows a reference for its data,
/// reports its mistakes.
class Inheritance {
 public:
  Inheritance(const ContextStore& store, Findings& findings);

  const Resolved& of(int node);
  /// Returns the expression of a field: its own, or that of its groups, or nullptr. The expression
  /// of a field that it refers to has already made the data that comes from there.
  const Setting* expression(int field);
  bool has_expression(int field) { return expression(field) != nullptr; }
  /// Returns the node that the element's `<kind>_ref` points to; -1 for none, dangling or circular
  /// ones.
  int reference(int node);
  /// Returns true if the references from an element lead to nothing, which need() reports. What
  /// they would have provided is then not reported as missing. Always false in the compatible
  /// modes, which ignore such references.
  bool is_lost(int node);
  /// Returns true if a setting in force for a node comes from its reference.
  bool is_lent(int node, const Setting& setting) {
    return without_reference(node).find(*setting.row) != &setting;
  }
  /// Reports, once, references of an element and of its targets that lead to nothing or in a
  /// circle.
  void need(int node);
  /// Reports, once each, arrays among these settings that did not parse.
  void need_arrays(const Resolved& resolved);
  /// Warns about arrays that did not parse and that nobody needed.
  void warn_of_broken_arrays();
  /// Returns the nodes needed so far.
  const std::unordered_set<int>& needed() const { return needed_; }
  /// Returns the element that a reference attribute points to. Reports it once if there is none.
  int target(const Setting& setting);
  /// Returns the field in front of the "::" of a reference to its grid or to an element of its
  /// grid, or -1. Reports it once if there is no such field.
  int lender(const Setting& setting);
  /// Returns the transformations of an element in the order of application: those of its target,
  /// unless it has a geometry of its own, then its own.
  std::vector<int> transformations(int node);
  /// Returns the disabled file that keeps a field from being enabled, or -1.
  int disabling_file(int field) const;
  /// Returns the elements of one kind in the grid of a field, in its order; none if the grid is not
  /// known. An element without id that only refers to another one stands for that one.
  std::vector<int> grid_elements(int field, ElementKind kind);
  /// Returns the output name: attribute `name`, else the own id, else the first user id along the
  /// references.
  std::string output_name(int node);
  /// Returns the own id, else the first user id along the references, else the automatic id.
  std::string public_id(int node);
  /// Returns a title for messages: "field 'tos'", also for a nameless field that refers to it.
  std::string title(int node);
  /// Returns "Did you mean ...?" with an element of the context other than `asking`, which is a
  /// node or -1.
  std::string suggestion(ElementKind kind, std::string_view id, int asking);
  /// Reports every reference of the context that leads to nothing or in a circle and was not
  /// reported yet.
  void check_references();

 private:
  /// The target of a reference, and the message if there is none.
  struct Lookup {
    int node = -1;
    int lender = -1;  ///< the field in front of "::"
    std::string problem{};
    std::string why{};  ///< empty for a plain unknown id
    std::string suggestion{};
    Code code = Code::refers_to_nothing;
    bool is_lenders_fault = false;  ///< the element that it comes from has no known grid
    bool is_reported = true;        ///< true also if there is nothing to report
  };

  const Resolved& of_group(int group, int depth);
  const Resolved& without_reference(int node);
  Resolved own_settings(int node) const;
  void switch_off_fields_of_disabled_files();
  Lookup& look_up(const Setting& setting);
  Lookup looked_up(const Setting& setting);
  void report(const Setting& setting, Lookup& lookup);
  /// Reports a plain id that leads to nothing; a model may define elements that the XML does not.
  void report_dangling(const Setting& setting, const Lookup& lookup);
  /// Returns an element of the grid of a field, from "field::element".
  Lookup lent_element(const Setting& setting, ElementKind kind);
  /// Returns the elements of one kind in the grid of a field, or nothing if a reference on the way
  /// leads to nothing or in a circle.
  std::optional<std::vector<int>> elements_of(int field, ElementKind kind, int depth);
  /// Reports why the elements of the grid of a field cannot be known.
  void need_grid_of(int field);
  bool is_silent(const Setting& setting) const;
  /// Returns true if a field cannot be anything but what it refers to, which the model may still
  /// define.
  bool is_nothing_else(int node) const;
  /// Returns the word of such a suggestion.
  std::string nearest(ElementKind kind, std::string_view id, int asking);
  /// Returns true if any field has an id.
  bool has_fields();
  /// Checks an attribute that is a text and names elements: grid_path, coordinate_src.
  void check_text_reference(const Setting& setting);
  bool is_list(ElementKind kind, std::string_view ids) const;
  bool is_called(int node, std::string_view id);
  /// Returns the own reference, ignoring circles.
  int raw_reference(int node);
  void report_circle(int node);

  const ContextStore& store_;
  Findings& findings_;
  std::unordered_map<int, Resolved> groups_;
  std::unordered_map<int, Resolved> partial_;
  std::unordered_map<int, Resolved> solved_;
  /// Nodes whose reference closes a circle, and the circle until it is reported.
  std::unordered_map<int, std::string> circular_;
  std::unordered_map<const Setting*, Lookup> lookups_;
  std::unordered_set<const BrokenText*> reported_arrays_;
  std::unordered_set<const Setting*> checked_texts_;
  std::unordered_set<int> needed_;
  std::optional<bool> has_fields_;
  /// `enabled` of fields that are in disabled files only, and the first of those files.
  struct SwitchedOff {
    Setting enabled;
    int file = -1;
  };
  std::unordered_map<int, SwitchedOff> switched_off_;
};

}  // namespace epios::config
