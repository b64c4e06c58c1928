/// @file
/// Views, one function each. They shape `target`, whose sizes are known, on this client, and return
/// the local point of the source for each of its points.
#pragma once

#include "config/model_fwd.hpp"
#include "elements/local_cells.hpp"
#include "elements/selection.hpp"

namespace epios::io {

Kept extract_axis(const config::Axis& source, const config::Transformation& extract,
                  config::Axis& target);
Kept inverse_axis(const config::Axis& source, config::Axis& target);
Kept extract_point(const config::Axis& source, const config::Transformation& extract,
                   config::Scalar& target);
Kept extract_domain(const config::Domain& source, const config::Transformation& extract,
                    config::Domain& target);
Kept reorder_domain(const config::Domain& source, const config::Transformation& reorder,
                    config::Domain& target);
/// Returns coordinates, bounds (nvertex values each), areas and masks of a client's cells one by
/// one, also for domains that have them along their sides.
config::DomainAttributes values_of_cells(const config::DomainAttributes& domain,
                                         const LocalCells& cells);
/// Sets coordinates, bounds, labels and the mask of an axis along a side of a domain: its points
/// `own` are the cells `kept`. What the axis itself says applies to all its points.
void describe_line(const config::DomainAttributes& source, const LocalCells& cells, bool is_i,
                   const Kept& kept, const Kept& own, config::AxisAttributes& axis);
/// Extracts a row or a column.
Kept extract_line(const config::Domain& source, const config::Transformation& extract,
                  config::Axis& target);

}  // namespace epios::io
