/// @file
/// Of which points, with which weights, transformations make theirs.
#pragma once

#include "config/spatial.hpp"
#include "gather.hpp"
#include "grid/part.hpp"
#include "step_frame.hpp"

namespace epios::io {

/// The points of the target of which this client has values, along the element that changes.
Stencils stencils_of(const config::Model& model, const LocalParts& parts,
                     const config::SpatialStep& step);

GatherPlan::Missing missing_of(const config::Transformation& transformation);

}  // namespace epios::io
