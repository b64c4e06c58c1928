/// @file
/// Which client of one of two contexts has which points of a grid for which client of the other
/// one.
#pragma once

#include <cstdint>
#include <ep/fwd.hpp>
#include <vector>

#include "config/model_fwd.hpp"
#include "grid/part.hpp"
#include "grid/pattern.hpp"

namespace epios::io {

/// One client's part of a grid whose values are exchanged with another context. Kept until that
/// context is there.
class CoupledGrid {
 public:
  CoupledGrid(const config::Model& model, const LocalParts& parts, int grid);

  std::int64_t array_size() const { return array_size_; }
  /// Returns further places of points, which get the value of the first place.
  const std::vector<Part::Repeat>& repeats() const { return repeats_; }

 private:
  friend class RoutePlanner;
  std::vector<Part> parts_;      ///< parts of its elements in model order
  std::vector<bool> is_scalar_;  ///< for each element
  std::vector<std::int64_t> sizes_;
  std::vector<std::uint64_t> has_value_;  ///< one bit per place, for a grid with a mask
  std::int64_t array_size_ = 1;
  std::vector<Part::Repeat> repeats_;
};

/// Values of a field to or from another client, as places of this client's array, in an order that
/// both know.
struct CoupledRoute {
  int rank = 0;
  Pattern pattern;
};
struct CoupledRoutes {
  std::vector<CoupledRoute> to, from;  ///< by rank
  std::int64_t left_out = 0;  ///< number of points of the receiver on this client that nobody sends
};

/// Finds the routes of one field over the clients of both contexts. Arguments are null on a client
/// that does not send or receive. The elements of both grids have the same shapes. A point that
/// several clients have comes from the lowest rank. Collective. Memory: the points of this client,
/// and a share of all.
CoupledRoutes find_routes(const ep::Comm& both, const CoupledGrid* sends,
                          const CoupledGrid* receives);

}  // namespace epios::io
