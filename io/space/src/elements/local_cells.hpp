/// @file
/// Points that a client describes, in its own order, and where its arrays have them.
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
  std::vector<std::int64_t> i{}, j{};  ///< global ones, per cell
  std::int64_t count() const { return ni * nj; }
};
LocalCells local_cells(const config::DomainAttributes& domain);
/// Per place of the model's array along the domain its cell; -1: it has none. Masks are not asked.
std::vector<std::int64_t> cells_of_places(const config::DomainAttributes& domain,
                                          const LocalCells& cells);

/// Global indices of a client's points of an axis.
std::vector<std::int64_t> local_points(const config::AxisAttributes& axis);
/// Per place of the model's array along the axis its point; -1: it has none.
std::vector<std::int64_t> points_of_places(const config::AxisAttributes& axis);

}  // namespace epios::io
