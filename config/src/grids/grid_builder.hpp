/// @file
/// Builds grids and their elements for the Model, as fields need them.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "check/layout_check.hpp"
#include "config/grid_element.hpp"
#include "config/model_elements.hpp"
#include "config/model_fwd.hpp"
#include "language/inheritance.hpp"

namespace epios::config {

class GridBuilder {
 public:
  GridBuilder(const ContextStore& store, Inheritance& inheritance, Findings& findings, Model& model)
      : store_(store), inheritance_(inheritance), findings_(findings), model_(model) {}

  /// Returns the index of the field's grid in the Model, or -1 if it has none. Reports mistakes
  /// once per field.
  GridId grid_of(int field);
  /// Returns a grid that is written.
  GridId explicit_grid(int grid);
  /// Returns true if the field, or what it refers to, names a grid.
  bool names_grid(int field) const;
  /// Returns true if the size of an element comes from what it refers to, not from the element
  /// itself.
  bool has_lent_shape(const GridElement& element) const {
    return lent_shapes_.contains({element.kind, element.index});
  }
  /// Warns of a mask that an element says itself, if a step masks it as its source is.
  void warn_of_mask(const GridElement& element, const Transformation& step);
  /// Notes that data comes on the elements of the field's grid unchanged, despite transformations.
  void has_own_data(int field);
  bool has_own_data(const GridElement& element) const {
    return with_own_data_.contains({element.kind, element.index});
  }
  /// Notes that data of another field, or of none (-1), comes to the elements of this field that
  /// lack data of their own.
  void has_other_data(int field, int other);
  bool has_other_data(const GridElement& element) const {
    return with_other_data_.contains({element.kind, element.index});
  }
  /// Returns the fields that transformations of the field's grid name, as far as they exist.
  std::vector<int> coordinates_of(int field);
  /// Notes that fields that refer to this one and have no grid are valid: it is known at run time.
  void may_lack_grid(int field) { lacking_.insert(field); }
  /// Checks the axes, domains and scalars that are in no grid.
  void check_rest();
  /// Returns true if an element or a transformation has a mistake that is reported already.
  bool is_broken(const GridElement& element) const {
    return broken_.contains({element.kind, element.index});
  }
  bool is_broken(const Transformation& transformation) const {
    return broken_steps_.contains(transformation.where);
  }
  /// Whether two elements have the same local attributes.
  struct Likeness {
    bool is_alike = true;
    /// True if the model gives values to one of them alone: other clients may give others, or none.
    bool is_by_client = false;
  };
  Likeness likeness(const GridElement& element, const GridElement& other);
  /// Returns the place of a transformation of an element of the Model.
  const Origin& place_of(const Transformation& transformation) const {
    return origins_.at(transformation.where);
  }

 private:
  std::unordered_set<int> elements_of(int field);
  bool is_lacking(int field);
  /// Reports a missing grid, once for all fields that refer to the field without grid.
  void report_missing_grid(int field);
  void warn_of_other_tiles(const Node& node, const Grid& grid);
  std::vector<GridShape> shapes_of(const Grid& grid) const;
  GridId implicit_grid(const std::vector<const Setting*>& references);
  GridElement element(int node);
  /// Returns the other element if a nameless one only refers to it.
  int essence(int node);
  int add_element(int node, GridElement::Kind kind);
  void compare_settings(int node, int other, Likeness& likeness);
  std::vector<Transformation> transformations_of(int node);
  /// Returns where the model could provide what is missing: at the end of the references, so that
  /// all that refer to it have it.
  Gap gap_of(int node);
  /// Returns true if the source of the element provides everything that is missing.
  bool is_shaped_by_source(int node);
  /// Gives a domain with <stations> its type and size. Returns false if they are not known.
  bool complete_points(int node, const LayoutContext& context, DomainAttributes& domain);
  /// Returns true if the size of an element is that of its reference, which its steps change.
  bool is_lent_to_step(const GridElement& element) const;
  /// Returns true if nobody gives the local part of a generated domain.
  bool is_dealt_out(int node);

  const ContextStore& store_;
  Inheritance& inheritance_;
  Findings& findings_;
  Model& model_;
  std::unordered_map<int, GridId> by_field_;
  std::unordered_set<int> lending_;  ///< fields whose grid is that of another one, being looked for
  std::unordered_set<int> lacking_;
  std::unordered_set<int> without_grid_;  ///< reported already
  std::unordered_map<int, GridId> by_grid_;
  std::unordered_map<int, GridElement> by_element_;
  std::map<std::vector<int>, GridId> by_elements_;
  std::unordered_map<std::string, Origin> origins_;  ///< places of transformations, by their text
  std::set<std::pair<GridElement::Kind, int>> broken_;
  std::set<std::pair<GridElement::Kind, int>> lent_shapes_;
  std::map<std::pair<GridElement::Kind, int>, Origin> own_masks_;
  std::unordered_set<int> nodes_with_own_data_;
  std::unordered_set<int> nodes_with_other_data_;
  std::set<std::pair<GridElement::Kind, int>> with_own_data_;
  std::set<std::pair<GridElement::Kind, int>> with_other_data_;
  std::unordered_set<std::string> broken_steps_;
};

}  // namespace epios::config
