/// @file
/// Searches in a sequence of dates in logarithmic time.
#pragma once

#include <cstdint>

namespace epios::config {

/// Returns the smallest n >= `from` for which `is_over` is false; it is true up to some number and
/// false beyond. The search doubles, then halves: late data costs a few calendar operations, not
/// one per missed period.
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

/// Searches from 0 on, starting near a known estimate; an exact one costs two questions.
template <class IsOver>
std::int64_t first_not_over_near(std::int64_t estimate, const IsOver& is_over) {
  std::int64_t from = estimate > 0 ? estimate : 0;
  for (std::int64_t reach = 1; from > 0 && !is_over(from - 1); reach *= 2) {
    from = from > reach ? from - reach : 0;
  }
  return first_not_over(from, is_over);
}

}  // namespace epios::config
