/// @file
/// Grids and their elements of the Model, made as fields ask for them.
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

  /// Index of the field's grid in the Model, -1 when it has none; what is wrong is reported once
  /// per field.
  int grid_of(int field);
  /// The same of a grid that is written.
  int explicit_grid(int grid);
  /// Whether the field, or what it refers to, names one.
  bool names_grid(int field) const;
  /// Whether what it refers to says how large an element is, and not the element itself.
  bool has_lent_shape(const GridElement& element) const {
    return lent_shapes_.contains({element.kind, element.index});
  }
  /// Data come on the elements of the grid of a field as they are, transformations or not.
  void has_own_data(int field);
  bool has_own_data(const GridElement& element) const {
    return with_own_data_.contains({element.kind, element.index});
  }
  /// Data of another field, -1: which is not there, come to those that this one has not.
  void has_other_data(int field, int other);
  bool has_other_data(const GridElement& element) const {
    return with_other_data_.contains({element.kind, element.index});
  }
  /// Fields that transformations of the grid of a field name, as far as they are there.
  std::vector<int> coordinates_of(int field);
  /// Fields that refer to this one and have no grid are no mistake: it is known at run time.
  void may_lack_grid(int field) { lacking_.insert(field); }
  /// Looks at the axes, domains and scalars that no grid was made of.
  void check_rest();
  /// Whether something is wrong with an element or a transformation that is reported already.
  bool is_broken(const GridElement& element) const {
    return broken_.contains({element.kind, element.index});
  }
  bool is_broken(const Transformation& transformation) const {
    return broken_steps_.contains(transformation.where);
  }
  /// Whether two elements have the same local attributes.
  struct Likeness {
    bool is_alike = true;
    /// By values that the model gives one of them alone: other clients may give others, or none.
    bool is_by_client = false;
  };
  Likeness likeness(const GridElement& element, const GridElement& other);
  /// Where a transformation of an element of the Model is written.
  const Origin& place_of(const Transformation& transformation) const {
    return origins_.at(transformation.where);
  }

 private:
  std::unordered_set<int> elements_of(int field);
  bool is_lacking(int field);
  /// Once for all fields that refer to one without grid.
  void report_missing_grid(int field);
  void warn_of_other_tiles(const Node& node, const Grid& grid);
  std::vector<GridShape> shapes_of(const Grid& grid) const;
  int implicit_grid(const std::vector<const Setting*>& references);
  GridElement element(int node);
  /// A nameless element that only refers to another one is that other one.
  int essence(int node);
  int add_element(int node, GridElement::Kind kind);
  void compare_settings(int node, int other, Likeness& likeness);
  std::vector<Transformation> transformations_of(int node);
  /// Where the model could give what is missing: at the end of the references, so that all who
  /// refer to it have it.
  Gap gap_of(int node);
  /// Nothing is missing that what it is made of brings along.
  bool is_shaped_by_source(int node);
  /// Nobody says which part of a generated domain a client has.
  bool is_dealt_out(int node);

  const ContextStore& store_;
  Inheritance& inheritance_;
  Findings& findings_;
  Model& model_;
  std::unordered_map<int, int> by_field_;
  std::unordered_set<int> lending_;  ///< fields whose grid is that of another one, being looked for
  std::unordered_set<int> lacking_;
  std::unordered_set<int> without_grid_;  ///< reported
  std::unordered_map<int, int> by_grid_;
  std::unordered_map<int, GridElement> by_element_;
  std::map<std::vector<int>, int> by_elements_;
  std::unordered_map<std::string, Origin> origins_;  ///< of transformations, by their text
  std::set<std::pair<GridElement::Kind, int>> broken_;
  std::set<std::pair<GridElement::Kind, int>> lent_shapes_;
  std::unordered_set<int> nodes_with_own_data_;
  std::unordered_set<int> nodes_with_other_data_;
  std::set<std::pair<GridElement::Kind, int>> with_own_data_;
  std::set<std::pair<GridElement::Kind, int>> with_other_data_;
  std::unordered_set<std::string> broken_steps_;
};

}  // namespace epios::config
