/// @file
/// Finds the parts of a Model that are used.
#pragma once

#include "config/model_fwd.hpp"

namespace epios::config {

/// Removes grids and elements without data, and orders the others as files, couplers and received
/// fields use them, so that the order does not depend on how they were made. Linear in the size of
/// the Model.
void keep_used_grids(Model& model);

}  // namespace epios::config
