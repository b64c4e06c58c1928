/// @file
/// Values along one dimension, of which each client gives some.
#pragma once

#include <cstdint>
#include <ep/fwd.hpp>
#include <limits>
#include <span>
#include <vector>

namespace epios::io {

/// Marks values that nobody gives.
inline constexpr double nobodys = -std::numeric_limits<double>::infinity();

/// Returns all `size` values, on all clients; `points` are the positions of the values that this
/// one gives. If several give one, the greatest counts. Collective. Memory: the size, which is that
/// of one dimension.
std::vector<double> whole_line(const ep::Comm& clients, std::int64_t size,
                               std::span<const std::int64_t> points,
                               std::span<const double> values);

/// Returns true if `is_so` holds on any client. Collective.
bool on_any(const ep::Comm& clients, bool is_so);

}  // namespace epios::io
