#pragma once

#include <cstdint>
#include <vector>

#include "config/model_fwd.hpp"

namespace epios::client {

/// Returns the extents of the model's array of a grid on this client, fastest first: those of the
/// data_* attributes, two of a domain whose array is neither compressed nor in one row with a halo.
/// A scalar has an extent only where it is one of several points; a grid of scalars alone has one
/// extent of 1.
std::vector<std::int64_t> array_extents(const config::Model& model, int grid);

/// Returns the same of the cells that this client describes, without halos.
std::vector<std::int64_t> cell_extents(const config::Model& model, int grid);

}  // namespace epios::client
