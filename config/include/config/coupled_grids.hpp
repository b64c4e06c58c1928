/// @file
/// Grids that come from other contexts: what is open, and what a context tells another one of the
/// grids that it sends.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "config/element_kind.hpp"
#include "config/model_fwd.hpp"
#include "config/read_grids.hpp"

namespace epios::config {

/// Grids of fields that are received, as definitions have them so far.
struct CoupledGrids {
  struct Field {
    std::string id, where;
    std::string partner_code, partner_context;
    /// Of its grid in model order, scalars left out: into ReadGrids::elements.
    std::vector<int> elements;
  };
  ReadGrids grids;  ///< without files; each element once. Without draft: nothing is received
  std::vector<Field> fields;

  /// Of what all clients must have alike: who is asked for what, too.
  std::uint64_t hash() const;
};

/// An element of a grid as its context tells others of it.
struct GivenElement {
  struct Coordinate {
    std::string attribute;
    CoordinateWish::Along along = CoordinateWish::Along::cells;
    std::int64_t width = 1;  ///< values per point: bounds have several
    bool operator==(const Coordinate&) const = default;
  };
  ElementKind kind = ElementKind::axis;  ///< or domain
  std::string type;                      ///< of a domain
  std::int64_t ni_glo = 0, nj_glo = 1;   ///< an axis has the former
  std::int64_t nvertex = 0;
  std::vector<Coordinate> coordinates;  ///< that clients have: global values, dealt out
  bool operator==(const GivenElement&) const = default;

  /// Points along it.
  std::int64_t size(CoordinateWish::Along along) const;
};

/// Definitions as they are so far, or a Model whose elements have their shapes: what
/// transformations make is in the latter only.
enum class GridsOf { draft, model };

/// With all coordinates that it may have. None: its sizes are not known, or not yet.
std::optional<GivenElement> given_element(const Model& model, const GridElement& element,
                                          GridsOf of);

/// What a draft says of one of its elements (its type, a size, how many corners) and whoever tells
/// of the same one says otherwise: "its type is 'gaussian' here, 'curvilinear' there"; empty:
/// nothing.
std::string contradiction(const Model& draft, ElementKind kind, const std::string& id,
                          const GivenElement& given);

/// Where the points of this client's part are, in the order of its arrays. Of a draft whose part
/// cannot be (lists of different lengths, a range outside the element): nowhere.
std::vector<std::int64_t> global_positions(const Model& model, const GridElement& element,
                                           CoordinateWish::Along along);
/// What this client has of a coordinate: `width` values for each of global_positions(); empty:
/// nothing.
std::span<const double> local_values(const Model& model, const GridElement& element,
                                     const GivenElement::Coordinate& coordinate);
/// The value of the attribute; none: a part that lists its points has no such form.
std::optional<Value> attribute_value(const Model& model, const GridElement& element,
                                     const GivenElement::Coordinate& coordinate,
                                     std::vector<double> values);

/// What one context asks another one for, and what it is told.
struct GridQuestion {
  std::vector<std::string> fields;  ///< that the other one sends
  std::vector<int> clients;         ///< ranks in the component of who asks
};
struct GridAnswer {
  std::vector<GivenElement> elements;
  struct Field {
    bool is_sent = false;
    std::vector<int> elements;  ///< in model order, scalars left out
  };
  std::vector<Field> fields;  ///< as asked for
  std::vector<int> clients;   ///< ranks in the component of who answers
};
std::vector<std::byte> encode(const GridQuestion& question);
std::vector<std::byte> encode(const GridAnswer& answer);
/// Throw Error{protocol} for bytes that encode() did not make.
GridQuestion decode_grid_question(std::span<const std::byte> bytes);
GridAnswer decode_grid_answer(std::span<const std::byte> bytes);

}  // namespace epios::config
