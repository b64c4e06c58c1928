/// @file
/// What the dimensions and coordinates of axes, domains and scalars are called in a file. Pure.
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "config/grid_element.hpp"
#include "config/model_fwd.hpp"

namespace epios::config {

/// Names of one element in one file; in file order, the slowest dimension first.
struct ElementNames {
  std::vector<std::string> dimensions;   ///< of a scalar none; cells in a row have one
  std::vector<std::string> coordinates;  ///< of a domain: latitude and longitude
  std::vector<std::string> bounds;       ///< of each of them
  std::string labels{};                  ///< of an axis or a scalar, beside values
  std::string vertices{};  ///< dimension of the vertices of cells; of a rectilinear domain none
  std::string area{};      ///< of a domain's cells
};

/// Elements of one file that are the same: they have one set of dimensions and coordinates.
struct SharedElement {
  std::vector<GridElement> members;  ///< in the order of the file's fields, and of their grids
  ElementNames names;
};

/// Elements of one kind are the same when they have one name, one global size and shape, when
/// their coordinates do not differ, and when no grid has both. When several domains are left then,
/// all their names end in
/// `_<name of the domain>`. A dimension of the name, the kind and the size of an earlier one is
/// that one. What would take a name that is taken already gets the first of `_2`, `_3` ... behind
/// its names that makes them free. Areas, which have no name of their own to be chosen, make way
/// for fields, too.
class FileNames {
 public:
  /// Whether the coordinates of two elements of one kind may be the same, as far as they are known.
  using SameValues = std::function<bool(const GridElement&, const GridElement&)>;

  FileNames(const Model& model, const File& file, const SameValues& same_values);
  /// With what one client has of the coordinates.
  FileNames(const Model& model, const File& file);

  const std::vector<SharedElement>& elements() const { return elements_; }
  /// Dimensions of bounds and of texts, of which a file has one each.
  const std::string& bounds_dimension() const { return bounds_dimension_; }
  const std::string& text_dimension() const { return text_dimension_; }
  /// Of an element in the grid of a field of the file.
  const SharedElement& of(const GridElement& element) const;

 private:
  using Key = std::pair<GridElement::Kind, int>;

  void keep_apart(const Grid& grid);
  void add(const Model& model, const GridElement& element, const SameValues& same_values);
  void give_names(const Model& model, const File& file);

  std::string bounds_dimension_, text_dimension_;
  std::vector<SharedElement> elements_;
  std::map<Key, std::size_t> places_;   ///< into elements_
  std::map<Key, std::set<Key>> apart_;  ///< what stands in one grid
  std::map<std::pair<GridElement::Kind, std::string>, std::vector<std::size_t>> by_name_;
};

}  // namespace epios::config
