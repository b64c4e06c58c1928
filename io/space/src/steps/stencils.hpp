/// @file
/// The source points of transformations, and their weights.
#pragma once

#include <ep/fwd.hpp>
#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "config/spatial.hpp"
#include "config/transformation_traits.hpp"
#include "exchange/step_frame.hpp"
#include "grid/part.hpp"
#include "space/weights_files.hpp"
#include "steps/gather.hpp"

namespace epios::io {

/// The context in which steps are planned: the clients, and the data that all steps share.
struct StepContext {
  const config::Model& model;
  const LocalParts& parts;
  const ep::Comm& clients;
  WeightsFiles* files = nullptr;  ///< null if there are no files
  /// Remarks for the user, the same on all clients.
  std::vector<std::string>& remarks;
  /// Stencils between domains that fields on several grids share: by source, target, and whether
  /// the grid has a mask.
  std::map<std::tuple<int, int, bool>, Stencils> between_domains{};
  /// For domains of <stations>: the distances from the cells in km, the same on all clients.
  std::map<int, std::vector<double>> station_distances{};
};

/// Returns the stencils of the points of the target for which this client has values, along the
/// element that changes. Collective. Throws Error{configuration} on all clients alike for invalid
/// steps.
Stencils stencils_of(StepContext& context, const config::SpatialStep& step);

/// Returns how it treats sources that are not available.
RowGaps gaps_of(const config::Transformation& transformation);

/// Returns the stencils of one transformation each. Those of the table whose work is `weighted` are
/// defined, under the names of their kinds; the linker says which one is missing.
namespace rows {
#define TRANSFORMATION(kind, ...) \
  Stencils kind(StepContext& context, const config::SpatialStep& step);
#include "config/transformations.def"
}  // namespace rows

}  // namespace epios::io
