/// @file
/// Search in a sequence of dates without walking through it.
#pragma once

#include <cstdint>

namespace epios::config {

/// The smallest n >= `from` that is not over; `is_over` holds up to some number and not beyond.
/// Doubling, then halving: late data costs a few calendar sums, not one per missed period.
template <class IsOver>
std::int64_t first_not_over(std::int64_t from, const IsOver& is_over) {
  if (!is_over(from)) return from;
  std::int64_t over = from;
  std::int64_t reach = 1;
  while (is_over(over + reach)) {
    over += reach;
    reach *= 2;
  }
  for (; reach > 0; reach /= 2) {
    if (is_over(over + reach)) over += reach;
  }
  return over + 1;
}

}  // namespace epios::config
