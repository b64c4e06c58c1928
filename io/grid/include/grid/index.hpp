/// @file
/// Signed numbers of the model as indices of the standard containers.
#pragma once

#include <cstddef>
#include <cstdint>

namespace epios::io {

/// Returns a number that is known to be at least 0 as an index.
constexpr std::size_t as_index(std::int64_t number) { return static_cast<std::size_t>(number); }

}  // namespace epios::io
