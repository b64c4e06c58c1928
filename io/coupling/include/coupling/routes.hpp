/// @file
/// Who of two contexts has which points of a grid for whom.
#pragma once

#include <cstdint>
#include <ep/fwd.hpp>
#include <vector>

#include "config/model_fwd.hpp"
#include "grid/part.hpp"
#include "grid/pattern.hpp"

namespace epios::io {

/// What one client has of a grid whose values are exchanged with another context: kept until that
/// one is there.
class CoupledGrid {
 public:
  CoupledGrid(const config::Model& model, const LocalParts& parts, int grid);

  std::int64_t array_size() const { return array_size_; }
  /// Further places of points, which have the value of the first one.
  const std::vector<Part::Repeat>& repeats() const { return repeats_; }

 private:
  friend class RoutePlanner;
  std::vector<Part> parts_;      ///< of its elements in model order
  std::vector<bool> is_scalar_;  ///< the same
  std::vector<std::int64_t> sizes_;
  std::vector<std::uint64_t> has_value_;  ///< of a grid with a mask: a bit per place
  std::int64_t array_size_ = 1;
  std::vector<Part::Repeat> repeats_;
};

/// Values of a field to another client or from it, as places of this client's array, in an order
/// that both know.
struct CoupledRoute {
  int rank = 0;
  Pattern pattern;
};
struct CoupledRoutes {
  std::vector<CoupledRoute> to, from;  ///< by rank
  std::int64_t left_out = 0;           ///< points of the receiver that nobody sends, on this client
};

/// The routes of one field over the clients of both contexts. Null where this client does not send,
/// or receive; elements of both grids have the same shapes. A point that several have comes from
/// the lowest rank. Collective. Memory: the points of this client, and a share of all.
CoupledRoutes find_routes(const ep::Comm& both, const CoupledGrid* sends,
                          const CoupledGrid* receives);

}  // namespace epios::io
