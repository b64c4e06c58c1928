/// @file
/// Names of the dimensions and coordinates of axes, domains and scalars in a file. Pure.
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

/// Names of one element in one file, in file order (slowest dimension first).
struct ElementNames {
  std::vector<std::string> dimensions;   ///< none for a scalar; one for cells in a row
  std::vector<std::string> coordinates;  ///< latitude and longitude for a domain
  std::vector<std::string> bounds;       ///< bounds of each coordinate
  std::string labels{};                  ///< labels of an axis or a scalar, in addition to values
  std::string vertices{};  ///< dimension of the vertices of cells; none for a rectilinear domain
  std::string area{};      ///< area of a domain's cells
  /// For type healpix: variable with the numbers of the pixels, named like their dimension. Empty
  /// if another variable has that name.
  std::string index{};
  std::string grid_mapping{};  ///< for type healpix: variable that says which pixels these are
  /// For <stations>: variable with the names of the stations, or with the distances along a
  /// section, named like its dimension if no other variable is.
  std::string stations{};
  std::string station_distances{};  ///< variable with their distances from the cells, if wanted
};

/// Elements of one file that are the same and share dimensions and coordinates.
struct SharedElement {
  std::vector<GridElement> members;  ///< in the order of the file's fields and of their grids
  ElementNames names;
};

/// Elements of one kind are the same if they have one name, one global size and shape, if their
/// coordinates do not differ, and if no grid has both. If several domains remain, all their names
/// end in `_<name of the domain>`. A dimension with the name, kind and size of an earlier one is
/// that one. If a name is already taken, the names of the element get the first suffix of `_2`,
/// `_3` ... that makes them free. Areas and grid mappings, whose names cannot be chosen, also avoid
/// the names of fields.
class FileNames {
 public:
  /// Returns true if the coordinates of two elements of one kind may be the same, as far as they
  /// are known.
  using SameValues = std::function<bool(const GridElement&, const GridElement&)>;

  FileNames(const Model& model, const File& file, const SameValues& same_values);
  /// Uses the coordinates that one client has.
  FileNames(const Model& model, const File& file);

  const std::vector<SharedElement>& elements() const { return elements_; }
  /// Return the dimension of bounds and of texts; a file has one of each.
  const std::string& bounds_dimension() const { return bounds_dimension_; }
  const std::string& text_dimension() const { return text_dimension_; }
  /// Returns the names of an element in the grid of a field of the file.
  const SharedElement& of(const GridElement& element) const;

 private:
  using Key = std::pair<GridElement::Kind, int>;

  void keep_apart(const Grid& grid);
  void add(const Model& model, const GridElement& element, const SameValues& same_values);
  void give_names(const Model& model, const File& file);

  std::string bounds_dimension_, text_dimension_;
  std::vector<SharedElement> elements_;
  std::map<Key, std::size_t> places_;   ///< indices into elements_
  std::map<Key, std::set<Key>> apart_;  ///< elements that stand in one grid
  std::map<std::pair<GridElement::Kind, std::string>, std::vector<std::size_t>> by_name_;
};

}  // namespace epios::config
