/// @file
/// Operations of reductions that MPI has not.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>

#include "abi.hpp"
#include "elements.hpp"
#include "image_status.hpp"

namespace ep::caf {

/// `into[i] = into[i] operation with[i]`; the sizes are equal.
using Combine = std::function<void(std::span<std::byte> into, std::span<const std::byte> with)>;

/// What CO_SUM, CO_MAX or CO_MIN does with elements of a type. Throws Failure if there is no such
/// thing.
Combine combine_of(Statement statement, const ElementType& type);
/// The same for a function of the program (CO_REDUCE). Throws Failure for functions that cannot be
/// called from here.
Combine combine_of(void (*function)(), unsigned flags, const ElementType& type);

}  // namespace ep::caf
