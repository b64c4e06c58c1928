/// @file
/// What a gatherer tells those that write when definitions close: it speaks to them as a client of
/// theirs, of what its own clients have told it. See docs/wire_format.md.
#pragma once

#include <span>
#include <vector>

#include "config/model.hpp"
#include "event/opening.hpp"
#include "event/wire.hpp"
#include "grid/coordinates.hpp"
#include "grid/part.hpp"
#include "grid/pieces.hpp"

namespace epios::io {

/// The points that a gatherer has of each element: those that any of its clients has a value of, or
/// describes. Places are those of its slabs. `own`: its pieces (gathered_pieces); `parts` as by
/// check_opening_part.
LocalParts gathered_parts(const config::Model& model, const Pieces& own,
                          std::span<const OpeningPart> parts);

/// Gatherers hear alike of columns of rectilinear domains, which the first passes on: others forget
/// them, so that nobody counts twice where clients differ.
void leave_columns_to_first(const config::Model& model, const Pieces& own,
                            std::span<OpeningPart> parts);

/// What gatherer number `gatherer` has of what a server writes: the counterpart of opening_part().
/// `coordinates`: what it has put together, per Pieces::coordinate_windows of `own`. What is masked
/// on clients is a missing value here, and no mask. The opening and the remote rank are the
/// caller's to set.
OpeningPart gathered_opening(const config::Model& model, const LocalParts& gathered,
                             const Pieces& own, std::span<const CoordinateSlab> coordinates,
                             const Pieces& written, int gatherer);

}  // namespace epios::io
