/// @file
/// What files say of the pixels of HEALPix, by CF-1.13 (appendix F) and by the convention that
/// tools knew before.
#pragma once

#include <string>
#include <vector>

#include "config/model_fwd.hpp"
#include "file/output_file.hpp"
#include "grid/coordinates.hpp"

namespace epios::io {

/// Returns the grid mapping of a domain of type healpix: a variable without dimensions.
VariableSpec grid_mapping_of(const config::Domain& domain, const std::string& name);
/// Returns the coordinate variable with the numbers of the pixels. `numbers` are those of the
/// window of `slab`, and stay where they are; null and none for a writer without any.
VariableSpec pixel_numbers(const std::string& name, int dimension, const CoordinateSlab* slab,
                           const std::vector<double>& numbers);

}  // namespace epios::io
