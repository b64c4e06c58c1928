/// @file
/// Grids whose sizes and coordinates come from files that are read: what is open, and what a file
/// has for it.
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

/// The grids of fields that are read, as definitions have them so far.
struct ReadGrids {
  struct Element {
    ElementKind kind = ElementKind::axis;  ///< or domain
    std::string id;
    bool lacks_size = false;       ///< global sizes, or the type of a domain
    bool has_coordinates = false;  ///< any, on this client
    bool operator==(const Element&) const = default;
  };
  std::vector<Element> elements;  ///< each once, in the order of files and fields
  std::vector<FileQuestion> files;
  std::vector<std::string> time_names;  ///< per file
  /// Of the definitions as they were, mistakes and all; none: they read nothing.
  std::shared_ptr<const Model> draft;
  /// The draft is what resolving them gives: there are no mistakes, and nothing that a file must
  /// say.
  bool is_resolved = false;
  std::vector<Diagnostic> warnings;  ///< of a draft that is resolved

  /// Of what all clients must have alike, `also` with it.
  std::uint64_t hash(std::span<const std::string> also = {}) const;
};

/// Coordinates of an element that a file has and nobody else gives.
struct CoordinateWish {
  /// Which of a client's points have a value each: those of its part, or its columns, its rows.
  enum class Along { cells, columns, rows };
  int element = 0;  ///< into ReadGrids::elements
  std::string attribute;
  std::string path, time_name, variable;
  Along along = Along::cells;
  std::int64_t vertices = 0;  ///< bounds: values per point; 0: no bounds
  double factor = 1;
  /// Not empty: a variable that names the nodes at the corners of each cell, counted from
  /// `start_index`; `variable` is of `node_count` nodes.
  std::string connectivity;
  std::int64_t start_index = 0, node_count = 0;
  /// Read `variable` at these nodes, whatever else is said.
  std::optional<std::vector<std::int64_t>> nodes;
};

/// The nodes that a client's cells have, each once, and where each corner is among them.
struct CellCorners {
  std::vector<std::int64_t> nodes;
  std::vector<std::size_t> places;
};
/// `named`: what was read of a connectivity. Corners that a cell has not are its last one again.
/// Throws Error{io} for a cell without any.
CellCorners corners_of(const CoordinateWish& wish, std::span<const double> named);

/// Definitions of a context that reads what is wished for, of the parts that `model` has: field
/// "0" is the first wish, and so on, each received in the order that its attribute has. Of a wish
/// with a connectivity, that is read.
Definitions coordinate_reader(const Model& model, const ReadGrids& grids,
                              std::span<const CoordinateWish> wishes, const std::string& context);

/// What was received for a wish as the value of its attribute; none: this client's part has no such
/// form.
std::optional<Value> coordinate_value(const Model& model, const ReadGrids& grids,
                                      const CoordinateWish& wish, std::vector<double> values);

}  // namespace epios::config
