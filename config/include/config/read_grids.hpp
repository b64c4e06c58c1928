/// @file
/// Grids whose sizes and coordinates come from files that are read: what is open, and what a file
/// provides for it.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "config/element_kind.hpp"
#include "config/error.hpp"
#include "config/file_facts.hpp"
#include "config/model_fwd.hpp"
#include "config/value.hpp"

namespace epios::config {

class Definitions;

/// The grids of fields that are read, as the definitions have them so far.
struct ReadGrids {
  struct Element {
    ElementKind kind = ElementKind::axis;  ///< axis or domain
    std::string id;
    bool lacks_size = false;       ///< global sizes are missing, or the type of a domain
    bool has_coordinates = false;  ///< this client has any coordinates
    bool operator==(const Element&) const = default;
  };
  std::vector<Element> elements;  ///< each element once, in the order of files and fields
  std::vector<FileQuestion> files;
  std::vector<std::string> time_names;  ///< name of the time dimension, per file
  bool lacks_stations = false;          ///< some of the files are lists of stations
  /// The definitions as they were, with all mistakes. Null if they read nothing.
  std::shared_ptr<const Model> draft;
  /// True if the draft is what resolving the definitions gives: there are no mistakes, and files
  /// need not provide anything.
  bool is_resolved = false;
  std::vector<Diagnostic> warnings;  ///< warnings of a resolved draft

  /// Returns a hash of what all clients must have in common, including `also`.
  std::uint64_t hash(std::span<const std::string> also = {}) const;
};

/// Coordinates of an element that a file has and nobody else provides.
struct CoordinateWish {
  /// Says which points of a client have a value each: the cells of its part, its columns or its
  /// rows.
  enum class Along { cells, columns, rows };
  int element = 0;  ///< index into ReadGrids::elements
  std::string attribute;
  std::string path, time_name, variable;
  Along along = Along::cells;
  std::int64_t vertices = 0;  ///< for bounds: number of values per point; 0 if there are no bounds
  double factor = 1;
  /// If not empty, names the variable that lists the nodes at the corners of each cell, counted
  /// from `start_index`. `variable` then has `node_count` nodes.
  std::string connectivity;
  std::int64_t start_index = 0, node_count = 0;
  /// If set, `variable` is read at these nodes, whatever the other members say.
  std::optional<std::vector<std::int64_t>> nodes;
};

/// The nodes of a client's cells, each once, and the position of each corner among them.
struct CellCorners {
  std::vector<std::int64_t> nodes;
  std::vector<std::size_t> places;
};
/// Finds the nodes. `named` is what was read of a connectivity; what is missing there is NaN.
/// Corners that a cell does not have repeat the one before them, around the cell. Throws Error{io}
/// for a cell without corners, and for a number that names no node.
CellCorners corners_of(const CoordinateWish& wish, std::span<const double> named);

/// Returns definitions of a context that reads the wishes on the local parts of `model`. Field "0"
/// is the first wish, and so on; each is received in the order of its attribute. If a wish has a
/// connectivity, the connectivity is read.
Definitions coordinate_reader(const Model& model, const ReadGrids& grids,
                              std::span<const CoordinateWish> wishes, const std::string& context);

/// Returns what was received for a wish as the value of its attribute.
Value coordinate_value(const Model& model, const ReadGrids& grids, const CoordinateWish& wish,
                       std::vector<double> values);

}  // namespace epios::config
