/// @file
/// Size of one record of a field in a file.
#pragma once

#include <cstdint>

#include "config/model_fwd.hpp"

namespace epios::config {

/// Multiplies; an overflow gives the largest number.
std::int64_t saturated_product(std::int64_t a, std::int64_t b);
std::int64_t saturated_sum(std::int64_t a, std::int64_t b);

/// Returns the points of one record of a stream: those of its grid, after the transformations on
/// the way to it. Includes masked points, unless only the others are written. Counts 0 for sizes
/// that are not given yet.
std::int64_t written_points(const Model& model, const Stream& stream);

/// Returns all points of a record of a field that is read.
std::int64_t read_points(const Model& model, const ReadField& field);

}  // namespace epios::config
