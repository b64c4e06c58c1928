/// @file
/// Operations of reductions that MPI does not have.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>

#include "abi.hpp"
#include "elements.hpp"
#include "image_status.hpp"

namespace ep::caf {

/// Computes `into[i] = into[i] operation with[i]`; the sizes are equal.
using Combine = std::function<void(std::span<std::byte> into, std::span<const std::byte> with)>;

/// Returns the operation of CO_SUM, CO_MAX or CO_MIN on elements of a type. Throws Failure if there
/// is none.
Combine combine_of(Statement statement, const ElementType& type);
/// Returns the operation of a function of the program (CO_REDUCE). Throws Failure for a function
/// that cannot be called from here.
Combine combine_of(void (*function)(), unsigned flags, const ElementType& type);

}  // namespace ep::caf
