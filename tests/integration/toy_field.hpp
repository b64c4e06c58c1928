/// @file
/// The numbers that the toy model sends, as functions of global indices and step: any decomposition
/// gives the same, and the checker can compute them again.
#pragma once

#include <cmath>
#include <cstdint>

namespace toy {

/// Temperature of point (i, j, k) at a step; full mantissas, so that a changed bit shows.
inline double temperature(std::int64_t i, std::int64_t j, std::int64_t k, std::int64_t step) {
  const auto x = static_cast<double>(i * 7919 + j * 104729 + k * 1299709);
  return 15.0 + 10.0 * std::sin(x * 0.001 + 0.37 * static_cast<double>(step));
}

/// Whether column (i, j) is land: masked for the surface field.
inline bool is_land(std::int64_t i, std::int64_t j) { return (i * 5 + j * 3) % 7 == 0; }

inline double surface(std::int64_t i, std::int64_t j, std::int64_t step) {
  return temperature(i, j, 0, step) + 0.25;
}

inline double index(std::int64_t step) { return 1.0 / (1.0 + static_cast<double>(step)); }

inline double profile(std::int64_t k, std::int64_t step) { return temperature(0, 0, k, step); }

constexpr double missing = -999.0;

}  // namespace toy
