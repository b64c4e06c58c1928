/// @file
/// What a client sends to each server concerned when a definition closes, and what the server makes
/// of it. See docs/wire_format.md.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "config/model_fwd.hpp"
#include "event/wire.hpp"
#include "grid/coordinates.hpp"
#include "grid/part.hpp"
#include "grid/pieces.hpp"
#include "grid/remark.hpp"
#include "grid/step_rows.hpp"

namespace epios::io {

/// Coordinates of the cells that a client has of one entry of Pieces::coordinate_windows. A list is
/// empty if the client gave nothing of its kind.
struct CoordinateOffer {
  /// Positions in the window, ascending. For a rectilinear domain `cells` are its columns; beside
  /// them are its rows and the cells that have an area.
  std::vector<PlaceRun> cells, rows, area_cells;
  std::vector<double> values, bounds;  ///< for an axis or a scalar; two bounds per cell
  /// For a domain, in the order of `cells`. For a rectilinear one, latitudes are in the order of
  /// `rows` and areas in that of `area_cells`.
  std::vector<double> lon, lat, bounds_lon, bounds_lat, area;
  std::vector<std::string> labels;
};

/// Client -> each server concerned: what it has of the pieces of the server.
struct OpeningPart {
  std::uint64_t opening = 0;  ///< number of the opening, as in OpenContext
  int client = 0;             ///< rank among the clients of the context
  int remote_rank = 0;        ///< rank in the client group of the intercommunicator
  std::vector<std::uint8_t>
      offered;  ///< for each of Pieces::grids: the client may have points of it
  std::vector<std::vector<PlaceRun>> windows;  ///< for each of Pieces::windows: ascending positions
  /// Parallel: positions that the client describes, if these are more than those for which it has
  /// values (masked, outside of its data); empty if they are the same.
  std::vector<std::vector<PlaceRun>> held;
  std::vector<std::vector<std::uint64_t>> masks;  ///< for each of Pieces::grids, as in Offer
  std::vector<CoordinateOffer> coordinates;       ///< for each of Pieces::coordinate_windows
  /// For the pieces that the server reads, parallel to Pieces::windows: positions that the client
  /// receives.
  std::vector<std::vector<PlaceRun>> read_windows{};
  /// Parallel to Pieces::grids of these: true if the client has no points of the grid and receives
  /// empty answers from this server, so that it knows, like the others, whether a record could be
  /// read.
  std::vector<std::uint8_t> is_notified_of{};
  /// For each of Pieces::steps: rows of the targets that this client has to provide.
  std::vector<StepRows> rows{};
  /// Only from a gatherer: ranks of the clients whose points it passes on.
  std::vector<PlaceRun> clients{};
  /// Only from a gatherer: why it cannot open the context. All else but its identity is then void.
  std::string error{};

  /// Returns true if the client has nothing of the pieces of the server.
  bool is_empty() const;
};

/// Columns and rows of a rectilinear domain that a client has to send, by global index.
struct SideShare {
  std::vector<PlaceRun> columns, rows;
};

/// Clients that have something in whole, as all clients have replicated axes and scalars. Clients
/// of higher rank then need not offer it. The lists contain the lowest rank that has all, or none
/// for nobody.
struct Holders {
  static constexpr std::int32_t none = std::numeric_limits<std::int32_t>::max();
  std::vector<std::int32_t> grids;  ///< values of all points, for each of Model::grids
  /// Coordinates of all cells, by kind and index of the element.
  std::vector<std::int32_t> scalars, axes, domains;
  /// For this client alone, for each of Model::domains: what set_sides() has left to it. Not set,
  /// or an empty list, if it sends all that it has.
  std::vector<std::optional<SideShare>> sides{};
};
/// Returns what this client has in whole, with its rank. Coordinates must include all kinds of
/// `forms`, which are those of all clients. The holders of a context are the minimum over clients,
/// entry by entry.
Holders local_holders(const config::Model& model, const LocalParts& parts,
                      const CoordinateForms& forms, int client);
std::vector<std::int32_t> numbers_of(const Holders& holders);
/// Returns numbers, parallel to numbers_of(), for the elements of which this client has all
/// coordinates (`own` says so). They are equal if all coordinates are. Elsewhere they are
/// `no_digest`.
inline constexpr std::uint64_t no_digest = std::numeric_limits<std::uint64_t>::max();
std::vector<std::uint64_t> coordinate_digests(const config::Model& model, const LocalParts& parts,
                                              const Holders& own);
void set_from_numbers(Holders& holders, std::span<const std::int32_t> numbers);

/// Returns what this client has of the sides of rectilinear domains, as votes; those of a context
/// are the minimum over clients, number by number. Among clients with the same column or row only
/// the lowest one needs to send it; otherwise the server that writes them would receive them from
/// all clients. Linear in the sides, like their coordinates. Leaves sides out if they are longer
/// than `longest_sides` in all. `holders` and `forms` are those of the context. Empty on all
/// clients if there is nothing to send.
inline constexpr std::int64_t longest_sides = 500'000;
std::vector<std::uint64_t> side_votes(const config::Model& model, const CoordinateForms& forms,
                                      const Holders& holders, int client);
/// Sets what is left to this client, from its own votes and those of all. If clients differ, each
/// sends what it has, and the server warns.
void set_sides(Holders& holders, const config::Model& model, const CoordinateForms& forms,
               std::span<const std::uint64_t> own, std::span<const std::uint64_t> least);

/// Returns which coordinates this client gives. The forms of a context are unite() of all clients'
/// forms.
CoordinateForms local_forms(const config::Model& model);
/// Convert forms to numbers whose maximum over clients is the united forms, and back.
std::vector<std::int32_t> numbers_of(const CoordinateForms& forms);
void set_from_numbers(CoordinateForms& forms, std::span<const std::int32_t> numbers);

/// Returns the part of client number `client` for a server with `pieces`. The caller sets `opening`
/// and the remote rank.
OpeningPart opening_part(const config::Model& model, const LocalParts& parts, const Pieces& pieces,
                         const Holders& holders, int client);

/// Returns, for each of Pieces::grids, the bits of the points that this client offers; empty if its
/// grid has no mask.
std::vector<std::vector<std::uint64_t>> opening_masks(const config::Model& model,
                                                      const LocalParts& parts,
                                                      const Pieces& pieces);

/// Returns OpeningPart::read_windows of this client for a server that reads `pieces`.
std::vector<std::vector<PlaceRun>> read_windows(const config::Model& model, const LocalParts& parts,
                                                const Pieces& pieces);
/// Returns OpeningPart::is_notified_of of this client for each server. `windows` are its
/// read_windows for each server.
std::vector<std::vector<std::uint8_t>> notified_pieces(
    std::span<const Pieces> pieces, std::span<const std::vector<std::vector<PlaceRun>>> windows);
/// Returns true if a client with these windows receives anything of piece number `piece`.
bool receives(const Pieces& pieces, std::size_t piece,
              const std::vector<std::vector<PlaceRun>>& windows);
/// Returns the places of the slab of a piece that a client with these windows receives, in the
/// order of a part.
Pattern pattern_in_slab(const Pieces& pieces, std::size_t piece,
                        const std::vector<std::vector<PlaceRun>>& windows);
/// Returns the places of this client's model array for the values of a part.
Pattern pattern_to_receive(const config::Model& model, const LocalParts& parts,
                           const Pieces& pieces, std::size_t piece);

/// Returns the places of this client's model array of a grid that repeat a point, with the first
/// place of that point, which receives its value. Not for grids with masks.
std::vector<Part::Repeat> repeated_places(const config::Model& model, const LocalParts& parts,
                                          int grid);

std::vector<std::byte> encode(const OpeningPart& part);
/// Returns the number of the opening of an encoded part. Throws Error{protocol}.
std::uint64_t opening_of(std::span<const std::byte> bytes);
/// Throws Error{protocol} for bytes that encode() did not make.
OpeningPart decode_opening_part(std::span<const std::byte> bytes);
/// Throws Error{protocol} unless `part` matches `pieces` of `model`: number of entries, positions
/// inside the windows, lengths of lists.
void check_opening_part(const config::Model& model, const Pieces& pieces, const OpeningPart& part);
/// Checks its windows of what the server reads in the same way.
void check_read_windows(const Pieces& read_pieces, const OpeningPart& part);

/// Returns what each client has of grid piece `piece`, as views of `parts`, which are in ascending
/// order of clients.
std::vector<Offer> offers_of(const Pieces& pieces, std::size_t piece,
                             std::span<const OpeningPart> parts);
/// Returns what each client describes of the piece, masked or not.
std::vector<Offer> holdings_of(const Pieces& pieces, std::size_t piece,
                               std::span<const OpeningPart> parts);

/// Returns the places of this client's model array whose values a server asked for, in the order of
/// a part.
Pattern pattern_to_send(const config::Model& model, const LocalParts& parts, const Pieces& pieces,
                        std::size_t piece, const RequestedPoints& asked);

/// Assembled coordinates.
struct AssembledCoordinates {
  std::vector<CoordinateSlab> slabs;  ///< for each of Pieces::coordinate_windows
  /// Parallel: the points for which clients gave different coordinates.
  std::vector<std::vector<Remark>> disagreements;
};
/// Assembles coordinates. If clients overlap, the lowest rank with a value wins. `parts` have
/// passed check_opening_part() and are in ascending order of clients.
AssembledCoordinates assemble_coordinates(const config::Model& model, const Pieces& pieces,
                                          const CoordinateForms& forms,
                                          std::span<const OpeningPart> parts);

}  // namespace epios::io
