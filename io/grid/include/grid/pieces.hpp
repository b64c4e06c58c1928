/// @file
/// What of a context's grids and coordinates one server writes, what a client has of that, and who
/// sends which points: pure functions that clients and servers evaluate alike.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "config/grid_element.hpp"
#include "config/model_fwd.hpp"
#include "grid/box.hpp"
#include "grid/part.hpp"
#include "grid/pattern.hpp"
#include "grid/routing.hpp"

namespace epios::io {

/// A window of an element.
struct ElementPiece {
  config::GridElement element;
  Box window;
  bool operator==(const ElementPiece&) const = default;
};

/// A slab of a grid, as the product of windows of its elements.
struct GridPiece {
  int grid = 0;
  Box slab;
  std::vector<int> windows;  ///< into Pieces::windows, in model order of the elements
};

/// The coordinates of an element as far as one server writes them into one file.
struct CoordinatePiece {
  int file = 0;
  int window = 0;  ///< into Pieces::coordinate_windows
};

/// A step that a server works out between whole grids (config::steps_on_servers); all that do the
/// same are one.
struct StepPiece {
  int expression = 0;  ///< into Model::expressions: the first of those
  int from = 0;        ///< into Pieces::grids
  int to = 0;
};

/// What one server writes. Every window, slab and coordinate stands here once, however many streams
/// and files use it.
struct Pieces {
  std::vector<ElementPiece> windows;  ///< of data
  std::vector<GridPiece> grids;
  /// Per Model::streams, into `grids`: what crosses the wire; -1: nothing of it.
  std::vector<int> of_stream;
  std::vector<StepPiece> steps{};
  std::vector<std::vector<int>> steps_of_stream{};  ///< per stream, into `steps`, first one first
  std::vector<ElementPiece> coordinate_windows;
  std::vector<CoordinatePiece> coordinates;
};

/// Into `grids`: what is on file of a stream that is written here.
int piece_on_file(const Pieces& pieces, std::size_t stream);

/// The pieces of every server. `placements`: of the model's files. O(servers × streams).
std::vector<Pieces> pieces_of(const config::Model& model, std::span<const FilePlacement> placements,
                              int servers);

/// What one server reads: `grids` and `windows` of the fields of files that are read, `of_stream`
/// per Model::read_fields; no coordinates. `placements`: of the model's read files.
std::vector<Pieces> read_pieces_of(const config::Model& model,
                                   std::span<const FilePlacement> placements, int servers);

/// Positions of a part in a window, ascending: what clip() leaves of it.
std::vector<PlaceRun> positions(const Part& clipped);

/// What a client has of one grid piece.
struct Offer {
  int client = 0;  ///< rank among the context's clients
  /// Positions in the windows of the piece, in its order of elements; ascending. Views of what the
  /// caller keeps.
  std::vector<std::span<const PlaceRun>> positions;
  /// Of a grid with a mask: a bit for each point of the product, in packed order, lowest bit first;
  /// 0: masked. Empty: none is.
  std::span<const std::uint64_t> mask;
};

/// Who sends which points of a grid piece.
struct Settlement {
  struct Sender {
    int client = 0;
    bool sends_all = true;  ///< of what it offered; else `positions` are less
    std::vector<std::vector<PlaceRun>> positions;  ///< per element of the piece
  };
  std::vector<Sender> senders;              ///< ascending
  std::int64_t missing = 0;                 ///< points of the slab that no client has
  std::vector<std::int64_t> first_missing;  ///< some of them: positions in the slab
};

/// A point belongs to the client of lowest rank that has a value there. Where clients overlap along
/// one element, exactly the points that belong to a client are asked for; where they overlap along
/// several, or a mask decides, no fewer are: parts are then to be placed from the highest rank to
/// the lowest. Offers in ascending order of clients. O(points of the offers), memory: a bit per
/// point of the slab, or of those elements along which the offers differ.
Settlement settle(std::span<const Offer> offers, const std::vector<std::int64_t>& window_points);

}  // namespace epios::io
