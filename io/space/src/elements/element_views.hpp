/// @file
/// One view each: what `target`, whose sizes are known, is on this client. Returned is which of the
/// source's local points each of its own is.
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
/// Coordinates, bounds (nvertex values each), areas and masks of a client's cells, one by one, also
/// of those that have them along their sides.
config::DomainAttributes values_of_cells(const config::DomainAttributes& domain,
                                         const LocalCells& cells);
/// Coordinates, bounds, labels and the mask of an axis along a side of a domain: of its points
/// `own` those of the cells `kept`. What the axis says of itself is that of all its points.
void describe_line(const config::DomainAttributes& source, const LocalCells& cells, bool is_i,
                   const Kept& kept, const Kept& own, config::AxisAttributes& axis);
/// A row or a column.
Kept extract_line(const config::Domain& source, const config::Transformation& extract,
                  config::Axis& target);

}  // namespace epios::io
