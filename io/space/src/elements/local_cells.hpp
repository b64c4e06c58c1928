/// @file
/// Points that a client describes, in its own order, and their places in its arrays.
#pragma once

#include <cstdint>
#include <vector>

#include "config/model_fwd.hpp"

namespace epios::io {

/// A client's cells of a domain.
struct LocalCells {
  std::int64_t ni = 0;
  std::int64_t nj = 0;
  bool is_listed = false;
  std::vector<std::int64_t> i{}, j{};  ///< global indices per cell
  std::int64_t count() const { return ni * nj; }
};
LocalCells local_cells(const config::DomainAttributes& domain);
/// Returns the cell of each place of the model's array along the domain, or -1. Ignores masks.
std::vector<std::int64_t> cells_of_places(const config::DomainAttributes& domain,
                                          const LocalCells& cells);

/// Returns the global indices of a client's points of an axis.
std::vector<std::int64_t> local_points(const config::AxisAttributes& axis);
/// Returns the point of each place of the model's array along the axis, or -1.
std::vector<std::int64_t> points_of_places(const config::AxisAttributes& axis);

}  // namespace epios::io
