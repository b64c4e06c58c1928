/// @file
/// The grids and elements that a printed Model needs, in the form in which they were written.
/// Elements between them are made again.
#pragma once

#include <cstddef>
#include <map>
#include <utility>
#include <vector>

#include "config/grid_element.hpp"
#include "config/index.hpp"
#include "config/model_fwd.hpp"

namespace epios::config {

class PrintedElements {
 public:
  /// The model must outlive this object.
  explicit PrintedElements(const Model& model);

  bool has_grid(GridId grid) const { return grids_[grid]; }
  bool has(const GridElement& element) const { return elements_.contains(key(element)); }
  bool has_any(GridElement::Kind kind) const;
  /// Returns all transformations that make an element from the element on which its data comes.
  const std::vector<Transformation>& transformations(const GridElement& element) const {
    return elements_.at(key(element)).transformations;
  }
  /// Returns the index of the element that has its attributes as written. If sizes follow from a
  /// source, those that an earlier step used are lost in others.
  int written(const GridElement& element) const { return elements_.at(key(element)).written; }

 private:
  using Key = std::pair<GridElement::Kind, int>;
  static Key key(const GridElement& element) { return {element.kind, element.index}; }

  struct Written {
    std::vector<Transformation> transformations{};
    int written = -1;
    bool has_own_size = false;
  };

  void find_grids();
  /// Adds attributes of intermediate elements to the elements made of them.
  void gather();

  const Model& model_;
  IndexedVector<GridId, bool> grids_;
  std::map<Key, Written> elements_;
};

}  // namespace epios::config
