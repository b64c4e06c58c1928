/// @file
/// What of a Model is used.
#pragma once

#include "config/model_fwd.hpp"

namespace epios::config {

/// Leaves out grids and elements that no data are on, and puts the others in the order in which
/// files, couplers and what the model receives come to them: it does not depend on how they were
/// made. Linear in the size of the Model.
void keep_used_grids(Model& model);

}  // namespace epios::config
