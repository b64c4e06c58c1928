/// @file
/// Coordinate values of a model's elements.
#pragma once

#include <vector>

namespace epios::io {

/// Global values of one coordinate, empty where the model gave none; NaN where no client owns a
/// point. `bounds` is empty or has two values per point.
struct CoordinateValues {
  std::vector<double> values;
  std::vector<double> bounds;
};

/// All coordinates of a context.
struct ElementCoordinates {
  std::vector<CoordinateValues> axes;      ///< per Model::axes
  std::vector<CoordinateValues> lon, lat;  ///< per Model::domains
};

}  // namespace epios::io
