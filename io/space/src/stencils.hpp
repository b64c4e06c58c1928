/// @file
/// Of which points, with which weights, transformations make theirs.
#pragma once

#include <ep/ep.hpp>
#include <string>
#include <vector>

#include "config/spatial.hpp"
#include "gather.hpp"
#include "grid/part.hpp"
#include "step_frame.hpp"

namespace epios::io {

/// The points of the target of which this client has values, along the element that changes.
/// Collective. What is odd about them, the same on all clients, is added to `remarks`. Throws
/// Error{configuration} on all clients alike for what cannot be.
Stencils stencils_of(const config::Model& model, const LocalParts& parts,
                     const config::SpatialStep& step, const ep::Comm& clients,
                     std::vector<std::string>& remarks);

/// What it does with sources that are not there.
Gaps gaps_of(const config::Transformation& transformation);

// One transformation each:

Stencils interpolated_axis(const config::Model& model, const LocalParts& parts,
                           const config::SpatialStep& step, const ep::Comm& clients);
Stencils interpolated_domain(const config::Model& model, const LocalParts& parts,
                             const config::SpatialStep& step, const ep::Comm& clients,
                             std::vector<std::string>& remarks);

}  // namespace epios::io
