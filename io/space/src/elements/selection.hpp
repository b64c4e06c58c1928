/// @file
/// Selections of a list's values.
#pragma once

#include <cstddef>
#include <cstdint>
#include <numeric>
#include <optional>
#include <vector>

#include "config/index.hpp"
#include "config/value.hpp"

namespace epios::io {

/// The point of the source for each point that remains.
using SelectedCells = std::vector<std::int64_t>;

inline SelectedCells all_of(std::int64_t points) {
  SelectedCells out(static_cast<std::size_t>(points));
  std::iota(out.begin(), out.end(), std::int64_t{0});
  return out;
}

/// Returns the values of the remaining points from a list with `each` values per point.
template <class T>
std::optional<config::Array<T>> picked(const std::optional<config::Array<T>>& list,
                                       const SelectedCells& kept, std::int64_t each = 1) {
  if (!list) return std::nullopt;
  config::Array<T> out;
  out.values.reserve(kept.size() * static_cast<std::size_t>(each));
  for (const std::int64_t point : kept) {
    const auto first = list->values.begin() + point * each;
    out.values.insert(out.values.end(), first, first + each);
  }
  const auto count = static_cast<std::int64_t>(kept.size());
  out.shape = each == 1 ? std::vector{count} : std::vector{each, count};
  return out;
}

/// Returns the inverse for `points` of the source: the remaining point of each, or -1.
inline std::vector<std::int64_t> positions(const SelectedCells& kept, std::int64_t points) {
  std::vector<std::int64_t> out(static_cast<std::size_t>(points), -1);
  for (std::size_t k = 0; k < kept.size(); ++k) {
    nth(out, kept[k]) = static_cast<std::int64_t>(k);
  }
  return out;
}

inline config::value::integers listed(std::vector<std::int64_t> values) {
  const auto count = static_cast<std::int64_t>(values.size());
  return {std::move(values), {count}};
}

}  // namespace epios::io
