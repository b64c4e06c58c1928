/// @file
/// Solves where each attribute of each element comes from: own value, then groups (nearest first),
/// then the reference.
#pragma once

#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "context_store.hpp"
#include "findings.hpp"

namespace epios::config {

/// The settings in force for one node, by row of its kind; nullptr where nothing was given.
class Resolved {
 public:
  Resolved() = default;
  explicit Resolved(ElementKind kind) : kind_(kind), by_row_(attributes_of(kind).size()) {}

  /// nullptr when there is no value, also after `_reset_`.
  const Setting* find(std::string_view attribute) const;
  const Setting* find(const AttributeInfo& row) const;
  /// Whether something was given that did not parse.
  bool is_broken(std::string_view attribute) const;
  const Setting*& slot(const AttributeInfo& row) { return by_row_[index(row)]; }
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

/// Where an attribute was given, else where the element is.
Origin origin_of(const Resolved& resolved, std::string_view attribute, const Node& node);

/// Remembers what it solved: each node is worked out once.
class Inheritance {
 public:
  Inheritance(const ContextStore& store, Findings& findings);

  const Resolved& of(int node);
  /// The node that the element's `<kind>_ref` points to, -1 for none, dangling or circular.
  int reference(int node);
  /// The element a reference attribute points to; reports it once when there is none.
  int target(const Setting& setting);
  /// The field in front of the "::" of a reference, -1 when there is none: its grid or an element
  /// of its grid is meant. Reports it once when there is no such field.
  int lender(const Setting& setting);
  /// Transformations of an element in the order they are applied: those of what it refers to,
  /// unless it has a geometry of its own, then its own.
  std::vector<int> transformations(int node);
  /// Output name: attribute `name`, else the own id, else the first user id along the references.
  std::string output_name(int node);
  /// The own id, else the first user id along the references, else the automatic id.
  std::string public_id(int node);
  /// For messages: "field 'tos'", also of a nameless field that refers to it.
  std::string title(int node);
  /// "Did you mean ...?" with an element of the context.
  std::string suggestion(ElementKind kind, std::string_view id);
  /// Reports every reference of the context that leads to nothing or in a circle.
  void check_references();

 private:
  const Resolved& of_group(int group, int depth);
  const Resolved& without_reference(int node);
  Resolved own_settings(int node) const;
  void switch_off_fields_of_disabled_files();
  /// An element of the grid of a field, from "field::element".
  int lent_element(const Setting& setting, ElementKind kind, int field);
  /// Elements of one kind in the grid of a field.
  std::vector<int> elements_of(int field, ElementKind kind, int depth);
  bool is_silent(const Setting& setting) const;
  /// Of attributes that are texts and name elements: grid_path, coordinate_src.
  void check_text_reference(const Setting& setting);
  bool is_list(ElementKind kind, std::string_view ids) const;
  bool is_called(int node, std::string_view id);
  /// Own reference ignoring circles.
  int raw_reference(int node);

  const ContextStore& store_;
  Findings& findings_;
  std::unordered_map<int, Resolved> groups_;
  std::unordered_map<int, Resolved> partial_;
  std::unordered_map<int, Resolved> solved_;
  std::unordered_map<int, bool> circular_;
  std::unordered_map<const Setting*, int> targets_;
  std::unordered_map<const Setting*, int> lenders_;
  /// `enabled` of fields that stand in disabled files only.
  std::unordered_map<int, Setting> switched_off_;
};

}  // namespace epios::config
