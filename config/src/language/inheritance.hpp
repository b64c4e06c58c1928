/// @file
/// Solves where each attribute of each element comes from: own value, then groups (nearest first),
/// then the reference.
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

/// The settings in force for one node, by row of its kind; nullptr where nothing was given.
class Resolved {
 public:
  Resolved() = default;
  explicit Resolved(ElementKind kind) : kind_(kind), by_row_(attributes_of(kind).size()) {}

  /// nullptr when there is no value, also after `_reset_`.
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

/// Between a field and an element of its grid, in a reference.
constexpr std::string_view element_separator = "::";

/// Where an attribute was given, else where the element is.
Origin origin_of(const Resolved& resolved, std::string_view attribute, const Node& node);

/// Remembers what it solved: each node is worked out once. Looking at a node says nothing of what
/// is wrong with it, since most of a configuration may be in use by nobody; who needs a node or
/// follows a reference for its data says so.
class Inheritance {
 public:
  Inheritance(const ContextStore& store, Findings& findings);

  const Resolved& of(int node);
  /// The expression of a field: its own, else that of its groups; nullptr when there is none. The
  /// one of a field that it refers to has made the data that come from there.
  const Setting* expression(int field);
  bool has_expression(int field) { return expression(field) != nullptr; }
  /// The node that the element's `<kind>_ref` points to, -1 for none, dangling or circular.
  int reference(int node);
  /// Returns true if the references from an element lead to nothing, which need() reports. What
  /// they would have provided is then not reported as missing. Always false in the compatible
  /// modes, which ignore such references.
  bool is_lost(int node);
  /// Returns true if a setting in force for a node comes from its reference.
  bool is_lent(int node, const Setting& setting) {
    return without_reference(node).find(*setting.row) != &setting;
  }
  /// Reports, once, references of an element and of what it refers to that lead to nothing or in a
  /// circle.
  void need(int node);
  /// Reports, once each, arrays among these settings that did not parse.
  void need_arrays(const Resolved& resolved);
  /// Warns of those that nobody needed.
  void warn_of_broken_arrays();
  /// Returns the nodes needed so far.
  const std::unordered_set<int>& needed() const { return needed_; }
  /// The element a reference attribute points to; reports it once when there is none.
  int target(const Setting& setting);
  /// The field in front of the "::" of a reference, -1 when there is none: its grid or an element
  /// of its grid is meant. Reports it once when there is no such field.
  int lender(const Setting& setting);
  /// Transformations of an element in the order they are applied: those of what it refers to,
  /// unless it has a geometry of its own, then its own.
  std::vector<int> transformations(int node);
  /// The disabled file that keeps a field from being enabled, -1 when there is none.
  int disabling_file(int field) const;
  /// Elements of one kind in the grid of a field, in its order; none when the grid is not known.
  /// One without id that only refers to another stands for that one.
  std::vector<int> grid_elements(int field, ElementKind kind);
  /// Output name: attribute `name`, else the own id, else the first user id along the references.
  std::string output_name(int node);
  /// The own id, else the first user id along the references, else the automatic id.
  std::string public_id(int node);
  /// For messages: "field 'tos'", also of a nameless field that refers to it.
  std::string title(int node);
  /// "Did you mean ...?" with an element of the context other than `asking`, a node or -1.
  std::string suggestion(ElementKind kind, std::string_view id, int asking);
  /// Reports every reference of the context that leads to nothing or in a circle and was not
  /// reported yet.
  void check_references();

 private:
  /// Where a reference leads, and what there is to say when it leads nowhere.
  struct Lookup {
    int node = -1;
    int lender = -1;  ///< the field in front of "::"
    std::string problem{};
    std::string why{};  ///< empty for a plain id of nothing
    std::string suggestion{};
    Code code = Code::refers_to_nothing;
    bool is_lenders_fault = false;  ///< the element that it comes from has no known grid
    bool is_reported = true;        ///< or there is nothing to report
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
  /// An element of the grid of a field, from "field::element".
  Lookup lent_element(const Setting& setting, ElementKind kind);
  /// Elements of one kind in the grid of a field; none when a reference on the way leads to
  /// nothing or in a circle.
  std::optional<std::vector<int>> elements_of(int field, ElementKind kind, int depth);
  /// Reports what keeps the elements of the grid of a field from being known.
  void need_grid_of(int field);
  bool is_silent(const Setting& setting) const;
  /// Returns true if a field cannot be anything but what it refers to, which the model may still
  /// define.
  bool is_nothing_else(int node) const;
  /// The word of such a suggestion.
  std::string nearest(ElementKind kind, std::string_view id, int asking);
  /// Returns true if any field has an id.
  bool has_fields();
  /// Checks an attribute that is a text and names elements: grid_path, coordinate_src.
  void check_text_reference(const Setting& setting);
  bool is_list(ElementKind kind, std::string_view ids) const;
  bool is_called(int node, std::string_view id);
  /// Own reference ignoring circles.
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
  /// `enabled` of fields that stand in disabled files only, and the first of those files.
  struct SwitchedOff {
    Setting enabled;
    int file = -1;
  };
  std::unordered_map<int, SwitchedOff> switched_off_;
};

}  // namespace epios::config
