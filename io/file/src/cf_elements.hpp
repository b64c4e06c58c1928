/// @file
/// Dimensions and coordinate variables of the axes, domains and scalars in one file.
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "config/model.hpp"
#include "file/output_file.hpp"
#include "grid/coordinates.hpp"

namespace epios::io {

/// Adds elements to a FileSpec, each once.
class CfElements {
 public:
  CfElements(const config::Model& model, const ElementCoordinates& coordinates, FileSpec& spec);

  /// Defines the elements of all these streams' grids.
  void add(const std::vector<int>& streams);

  /// Dimensions of a grid in file order, without the record dimension.
  std::vector<int> dimensions(int grid) const;
  /// Names for the attribute `coordinates`: coordinate variables of a grid that are not named like
  /// a dimension.
  std::vector<std::string> auxiliary(int grid) const;
  /// The dimension of bounds, defined at first use.
  int bounds_dimension();

 private:
  struct Placed {
    std::vector<int> dimensions;  // file order
    std::vector<std::string> auxiliary;
  };
  struct Coordinate {
    std::string name, dimension_name, bounds_name, what;
    std::int64_t size = 0;
    ValueKind kind = ValueKind::float32;
    std::vector<FileAttribute> attributes;
  };

  void add_element(const config::GridElement& element);
  Placed add_domain(int index);
  Placed add_axis(int index);
  Placed add_scalar(int index);
  /// A dimension and, if there are values, its coordinate variable.
  void add_coordinate(const Coordinate& coordinate, const CoordinateValues& values, Placed& placed);
  int add_dimension(const std::string& what, const std::string& name, std::int64_t length);
  void add_variable(const std::string& what, VariableSpec variable);

  const config::Model& model_;
  const ElementCoordinates& coordinates_;
  FileSpec& spec_;
  std::map<std::pair<config::GridElement::Kind, int>, Placed> placed_;
  bool has_several_domains_ = false;
  int bounds_dimension_ = -1;
};

}  // namespace epios::io
