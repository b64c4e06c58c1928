/// @file
/// Which part of the grids and coordinates of a context one server writes, what a client has of
/// that part, and which client sends which points. All functions are pure; clients and servers
/// evaluate them alike.
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
  std::vector<int> windows;  ///< indices into Pieces::windows, in model order of the elements
};

/// The coordinates of an element that one server writes into one file.
struct CoordinatePiece {
  int file = 0;
  int window = 0;  ///< index into Pieces::coordinate_windows
};

/// A step between whole grids that a server computes (config::steps_on_servers). Equal steps are
/// one.
struct StepPiece {
  int expression = 0;  ///< index into Model::expressions: the first of the equal steps
  int from = 0;        ///< index into Pieces::grids
  int to = 0;
};

/// Everything that one server writes. Every window, slab and coordinate occurs once, however many
/// streams and files use it.
struct Pieces {
  std::vector<ElementPiece> windows;  ///< windows of data
  std::vector<GridPiece> grids;
  /// Index into `grids` of what crosses the wire for each of Model::streams; -1 if nothing does.
  std::vector<int> of_stream;
  std::vector<StepPiece> steps{};
  std::vector<std::vector<int>> steps_of_stream{};  ///< for each stream its steps: indices into
                                                    ///< `steps`; empty: there are none
  /// For each stream the one of whose records its records are made here
  /// (config::continued_streams); -1: of what crosses the wire. Of others nothing crosses it but
  /// the word that a record is due. Empty if there are none.
  std::vector<int> continued{};
  std::vector<ElementPiece> coordinate_windows;
  std::vector<CoordinatePiece> coordinates;
};

/// Returns the index into `grids` of what the file contains of a stream that is written here.
int piece_on_file(const Pieces& pieces, std::size_t stream);

/// Returns the pieces of every server. `placements` are those of the model's files. O(servers ×
/// streams).
std::vector<Pieces> pieces_of(const config::Model& model, std::span<const FilePlacement> placements,
                              int servers);

/// Returns what each server reads: `grids` and `windows` of the fields of files that are read, and
/// `of_stream` for each of Model::read_fields; no coordinates. `placements` are those of the
/// model's read files.
std::vector<Pieces> read_pieces_of(const config::Model& model,
                                   std::span<const FilePlacement> placements, int servers);

/// Returns the positions of a part in a window, ascending. `clipped` is the result of clip().
std::vector<PlaceRun> positions(const Part& clipped);

/// The points that a client has of one grid piece.
struct Offer {
  int client = 0;  ///< rank among the clients of the context
  /// Positions in the windows of the piece, in its order of elements, ascending. These are views;
  /// the caller keeps the data.
  std::vector<std::span<const PlaceRun>> positions;
  /// One bit per point of the product, in packed order, lowest bit first; 0 means masked. Empty if
  /// the grid has no mask.
  std::span<const std::uint64_t> mask;
};

/// Which client sends which points of a grid piece.
struct Settlement {
  struct Sender {
    int client = 0;
    bool sends_all =
        true;  ///< true if it sends all that it offered; otherwise `positions` has what it sends
    std::vector<std::vector<PlaceRun>> positions;  ///< positions for each element of the piece
  };
  std::vector<Sender> senders;              ///< in ascending order
  std::int64_t missing = 0;                 ///< number of points of the slab that no client has
  std::vector<std::int64_t> first_missing;  ///< some of these: positions in the slab
};

/// Assigns each point to the client of lowest rank that has a value there. If clients overlap along
/// one element, each client is asked for exactly its own points. If they overlap along several, or
/// if a mask decides, they may be asked for more: the parts must then be placed from the highest
/// rank to the lowest. `offers` are in ascending order of clients. O(points of the offers). Memory:
/// a bit per point of the slab, or of the elements along which the offers differ.
Settlement settle(std::span<const Offer> offers, const std::vector<std::int64_t>& window_points);

}  // namespace epios::io
