/// @file
/// What a gatherer sends to writers when a definition closes. It acts as their client, with what
/// its own clients have sent to it. See docs/wire_format.md.
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

/// The points that a gatherer has of one grid piece of a writer.
struct GatheredPiece {
  bool has_points = false;
  /// For each element, in model order: positions in the window of the piece, and their positions in
  /// the window of the gatherer's own slab.
  std::vector<Part> points;
};

/// Returns the points of all pieces, parallel to Pieces::grids of `written`, which
/// separate_windows() has made. They are the product of the points of each element that any client
/// has, among the clients with points of the piece. `own` is the pieces of the gatherer
/// (gathered_pieces); `parts` have passed check_opening_part().
std::vector<GatheredPiece> gather_points(const config::Model& model, const Pieces& own,
                                         std::span<const OpeningPart> parts, const Pieces& written);
/// Returns the places of its slab that a writer asked for, in the order of a part.
Pattern pattern_to_pass(const GatheredPiece& piece, const RequestedPoints& asked);

/// Leaves the columns of rectilinear domains to the first gatherer. All gatherers have the same
/// columns; the others drop them, so that disagreements between clients count once.
void leave_columns_to_first(const config::Model& model, const Pieces& own,
                            std::span<OpeningPart> parts);

/// Returns OpeningPart::clients of a gatherer: the clients of `parts` that have points. If none
/// has, only the first client, which says when records are due.
std::vector<PlaceRun> clients_with_points(std::span<const OpeningPart> parts);

/// Returns the opening part of gatherer number `gatherer` for a writer, in the form of a client.
/// `points` are those of gather_points(); `coordinates` are assembled, parallel to
/// Pieces::coordinate_windows of `own`. Masked points of clients are missing values here, and there
/// is no mask. The caller sets the opening, the remote rank and the clients.
OpeningPart gathered_opening(const config::Model& model, std::span<const GatheredPiece> points,
                             const Pieces& own, std::span<const CoordinateSlab> coordinates,
                             const Pieces& written, int gatherer);

}  // namespace epios::io
