/// @file
/// What a gatherer tells those that write when definitions close: it speaks to them as a client of
/// theirs, of what its own clients have told it. See docs/wire_format.md.
#pragma once

#include <span>
#include <vector>

#include "config/model_fwd.hpp"
#include "event/opening.hpp"
#include "event/wire.hpp"
#include "grid/coordinates.hpp"
#include "grid/part.hpp"
#include "grid/pattern.hpp"
#include "grid/pieces.hpp"

namespace epios::io {

/// What a gatherer has of one grid piece of a server that writes.
struct GatheredPiece {
  bool has_points = false;
  /// Per element, in model order: positions in the window of the piece, and where they are in that
  /// of the gatherer's own slab.
  std::vector<Part> points;
};

/// The same of all pieces, per Pieces::grids of `written`, which separate_windows() has made: the
/// product of the points that any client has of each element, of those clients that have points
/// of the piece. `own`: the gatherer's pieces (gathered_pieces); `parts` as by check_opening_part.
std::vector<GatheredPiece> gather_points(const config::Model& model, const Pieces& own,
                                         std::span<const OpeningPart> parts, const Pieces& written);
/// The places of its slab that a server asked for, in the order of a part.
Pattern pattern_to_pass(const GatheredPiece& piece, const RequestedPoints& asked);

/// Gatherers hear alike of columns of rectilinear domains, which the first passes on: others forget
/// them, so that nobody counts twice where clients differ.
void leave_columns_to_first(const config::Model& model, const Pieces& own,
                            std::span<OpeningPart> parts);

/// OpeningPart::clients of a gatherer: those of `parts` that have points; the first one alone,
/// which says when records are due, when there are none.
std::vector<PlaceRun> clients_with_points(std::span<const OpeningPart> parts);

/// What gatherer number `gatherer` has of what a server writes, as a client would tell it.
/// `points`: of gather_points(); `coordinates`: what it has put together, per
/// Pieces::coordinate_windows of `own`. What is masked on clients is a missing value here, and no
/// mask. The opening, the remote rank and the clients are the caller's to set.
OpeningPart gathered_opening(const config::Model& model, std::span<const GatheredPiece> points,
                             const Pieces& own, std::span<const CoordinateSlab> coordinates,
                             const Pieces& written, int gatherer);

}  // namespace epios::io
