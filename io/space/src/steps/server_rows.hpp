/// @file
/// Rows of steps that servers compute, from the clients that know the cells.
#pragma once

#include "config/spatial.hpp"
#include "grid/step_rows.hpp"
#include "steps/stencils.hpp"

namespace epios::io {

/// Returns the rows of the points of the target that this client is the first one to have.
/// Collective. Throws like stencils_of().
StepRows rows_for_server(StepContext& context, const config::SpatialStep& step);

}  // namespace epios::io
