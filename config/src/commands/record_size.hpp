/// @file
/// How much of a field one record on file holds.
#pragma once

#include <cstdint>

#include "config/model_fwd.hpp"

namespace epios::config {

/// Sizes that nobody has are shown as the largest number, not as a wrong one.
std::int64_t saturated_product(std::int64_t a, std::int64_t b);
std::int64_t saturated_sum(std::int64_t a, std::int64_t b);

/// Points of one record of a stream: of its grid, after the transformations on the way to it.
/// Masked ones too, unless only the others are written. What nobody has given yet counts as
/// nothing.
std::int64_t written_points(const Model& model, const Stream& stream);

/// Points of a record of a field that is read, all of them.
std::int64_t read_points(const Model& model, const ReadField& field);

}  // namespace epios::config
