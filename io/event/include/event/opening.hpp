/// @file
/// What a client tells each server that it concerns when definitions close, and what the server
/// makes of it. See docs/wire_format.md.
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

/// Coordinates of the cells that a client has of one Pieces::coordinate_windows entry. Lists are
/// empty where the client gave nothing of the kind.
struct CoordinateOffer {
  /// Ascending positions in the window. Of a rectilinear domain its columns, and beside them rows
  /// and the cells that have an area.
  std::vector<PlaceRun> cells, rows, area_cells;
  std::vector<double> values, bounds;  ///< of an axis or a scalar, two bounds per cell
  /// Of a domain, in the order of `cells`; of a rectilinear one latitudes in the order of `rows`,
  /// areas in that of `area_cells`.
  std::vector<double> lon, lat, bounds_lon, bounds_lat, area;
  std::vector<std::string> labels;
};

/// Client -> each server that it concerns: what it has of the server's pieces.
struct OpeningPart {
  std::uint64_t opening = 0;          ///< number of the opening, as in OpenContext
  int client = 0;                     ///< rank among the context's clients
  int remote_rank = 0;                ///< rank in the intercommunicator's client group
  std::vector<std::uint8_t> offered;  ///< per Pieces::grids: the client may have points of it
  std::vector<std::vector<PlaceRun>> windows;  ///< per Pieces::windows: positions, ascending
  /// Parallel: positions that the client describes, where these are more than those that it has
  /// values for (masked, outside of its data); empty: the same.
  std::vector<std::vector<PlaceRun>> held;
  std::vector<std::vector<std::uint64_t>> masks;  ///< per Pieces::grids, as of Offer
  std::vector<CoordinateOffer> coordinates;       ///< per Pieces::coordinate_windows
  /// Of the pieces that the server reads, per Pieces::windows: positions that the client receives.
  std::vector<std::vector<PlaceRun>> read_windows{};
  /// Per Pieces::grids of these: the client has no points of the grid, and gets empty answers from
  /// this server, so that it knows as the others whether a record could be read.
  std::vector<std::uint8_t> is_notified_of{};
  /// Per Pieces::steps: rows of the targets that are this client's to tell.
  std::vector<StepRows> rows{};
  /// Of a gatherer: ranks of the clients whose points it passes on.
  std::vector<PlaceRun> clients{};
  /// Of a gatherer that cannot open the context: why; all else but who it is is void.
  std::string error{};

  /// Whether the client has anything of the server's pieces.
  bool is_empty() const;
};

/// What a client tells of the sides of a rectilinear domain: columns and rows by global index.
struct SideShare {
  std::vector<PlaceRun> columns, rows;
};

/// What one client may have in whole, as every client does of replicated axes and scalars: then
/// those of higher rank need not offer it. Lists of client ranks, the lowest that has all; none:
/// nobody.
struct Holders {
  static constexpr std::int32_t none = std::numeric_limits<std::int32_t>::max();
  std::vector<std::int32_t> grids;  ///< values of all points, per Model::grids
  /// Coordinates of all cells, by kind and index of the element.
  std::vector<std::int32_t> scalars, axes, domains;
  /// Of this client alone, per Model::domains: what set_sides() has left to it; none, or empty: it
  /// tells all that it has.
  std::vector<std::optional<SideShare>> sides{};
};
/// What this client has in whole, with its rank; of coordinates all kinds that are in `forms`,
/// which are those of all clients. The holders of a context are the least over clients, list by
/// list.
Holders local_holders(const config::Model& model, const LocalParts& parts,
                      const CoordinateForms& forms, int client);
std::vector<std::int32_t> numbers_of(const Holders& holders);
/// Parallel to numbers_of(): of elements whose coordinates this client has in whole (`own` says so)
/// a number that is equal where all coordinates are; elsewhere `no_digest`.
inline constexpr std::uint64_t no_digest = std::numeric_limits<std::uint64_t>::max();
std::vector<std::uint64_t> coordinate_digests(const config::Model& model, const LocalParts& parts,
                                              const Holders& own);
void set_from_numbers(Holders& holders, std::span<const std::int32_t> numbers);

/// What this client has of the sides of rectilinear domains, as numbers; those of a context are the
/// least over clients, number by number. Of clients that say the same of a column or a row only the
/// lowest one needs to tell it: the server that writes them would else hear all clients. Linear in
/// the sides, as their coordinates are; longer ones than `longest_sides` in all are left out.
/// `holders` and `forms`: those of the context. Empty on all clients when there is nothing to say.
inline constexpr std::int64_t longest_sides = 500'000;
std::vector<std::uint64_t> side_votes(const config::Model& model, const CoordinateForms& forms,
                                      const Holders& holders, int client);
/// What is left to this client, from its own votes and those of all. Where clients differ, each
/// tells what it has, and the server warns.
void set_sides(Holders& holders, const config::Model& model, const CoordinateForms& forms,
               std::span<const std::uint64_t> own, std::span<const std::uint64_t> least);

/// Which coordinates this client gives. The forms of a context are unite() of all clients'.
CoordinateForms local_forms(const config::Model& model);
/// Forms as numbers whose maximum over clients is the united forms, and back.
std::vector<std::int32_t> numbers_of(const CoordinateForms& forms);
void set_from_numbers(CoordinateForms& forms, std::span<const std::int32_t> numbers);

/// The part of client number `client` for a server with `pieces`. `opening` and the remote rank are
/// the caller's to set.
OpeningPart opening_part(const config::Model& model, const LocalParts& parts, const Pieces& pieces,
                         const Holders& holders, int client);

/// Per Pieces::grids, the bits of the points that this client offers; empty where its grid has no
/// mask.
std::vector<std::vector<std::uint64_t>> opening_masks(const config::Model& model,
                                                      const LocalParts& parts,
                                                      const Pieces& pieces);

/// OpeningPart::read_windows of this client for a server that reads `pieces`.
std::vector<std::vector<PlaceRun>> read_windows(const config::Model& model, const LocalParts& parts,
                                                const Pieces& pieces);
/// OpeningPart::is_notified_of of this client, per server. `windows`: its read_windows, per server.
std::vector<std::vector<std::uint8_t>> notified_pieces(
    std::span<const Pieces> pieces, std::span<const std::vector<std::vector<PlaceRun>>> windows);
/// Whether a client with these windows receives anything of piece number `piece`.
bool receives(const Pieces& pieces, std::size_t piece,
              const std::vector<std::vector<PlaceRun>>& windows);
/// The places of the slab of a piece that a client with these windows receives, in the order of a
/// part.
Pattern pattern_in_slab(const Pieces& pieces, std::size_t piece,
                        const std::vector<std::vector<PlaceRun>>& windows);
/// The places of this client's model array that the values of a part belong to.
Pattern pattern_to_receive(const config::Model& model, const LocalParts& parts,
                           const Pieces& pieces, std::size_t piece);

/// Places of this client's model array of a grid that are further ones of a point, and the first of
/// its places, where it is received. Not of grids with masks.
std::vector<Part::Repeat> repeated_places(const config::Model& model, const LocalParts& parts,
                                          int grid);

std::vector<std::byte> encode(const OpeningPart& part);
/// Which opening an encoded part belongs to. Throws Error{protocol}.
std::uint64_t opening_of(std::span<const std::byte> bytes);
/// Throws Error{protocol} for bytes that encode() did not make.
OpeningPart decode_opening_part(std::span<const std::byte> bytes);
/// Throws Error{protocol} unless `part` belongs to `pieces` of `model`: as many entries, positions
/// inside the windows, lists of the right length.
void check_opening_part(const config::Model& model, const Pieces& pieces, const OpeningPart& part);
/// The same of its windows of what the server reads.
void check_read_windows(const Pieces& read_pieces, const OpeningPart& part);

/// What each client has of grid piece `piece`; views of `parts`, which are in ascending order of
/// clients.
std::vector<Offer> offers_of(const Pieces& pieces, std::size_t piece,
                             std::span<const OpeningPart> parts);
/// What each client describes of it, be it masked or not.
std::vector<Offer> holdings_of(const Pieces& pieces, std::size_t piece,
                               std::span<const OpeningPart> parts);

/// The places of this client's model array whose values a server asked for, in the order of a part.
Pattern pattern_to_send(const config::Model& model, const LocalParts& parts, const Pieces& pieces,
                        std::size_t piece, const RequestedPoints& asked);

/// Coordinates put together.
struct AssembledCoordinates {
  std::vector<CoordinateSlab> slabs;  ///< per Pieces::coordinate_windows
  /// Parallel: where clients gave different coordinates for one point.
  std::vector<std::vector<Remark>> disagreements;
};
/// Where clients overlap, the lowest rank wins that has a value. `parts` as by check_opening_part,
/// in ascending order of clients.
AssembledCoordinates assemble_coordinates(const config::Model& model, const Pieces& pieces,
                                          const CoordinateForms& forms,
                                          std::span<const OpeningPart> parts);

}  // namespace epios::io
