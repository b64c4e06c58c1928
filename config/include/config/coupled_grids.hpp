/// @file
/// Grids that come from other contexts: which of them are open, and what a context tells another
/// one about the grids that it sends.
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

/// Grids of received fields, as the definitions have them so far.
struct CoupledGrids {
  struct Field {
    std::string id, where;
    std::string partner_code, partner_context;
    /// Elements of its grid in model order, without scalars: indices into ReadGrids::elements.
    std::vector<int> elements;
  };
  ReadGrids
      grids;  ///< grids without files, each element once; without draft if nothing is received
  std::vector<Field> fields;

  /// Returns a hash of what all clients must have in common, including which context is asked for
  /// what.
  std::uint64_t hash() const;
};

/// An element of a grid as its context describes it to others.
struct GivenElement {
  struct Coordinate {
    std::string attribute;
    CoordinateWish::Along along = CoordinateWish::Along::cells;
    std::int64_t width = 1;  ///< number of values per point; bounds have several
    bool operator==(const Coordinate&) const = default;
  };
  ElementKind kind = ElementKind::axis;  ///< axis or domain
  std::string type;                      ///< type of a domain
  std::int64_t ni_glo = 0, nj_glo = 1;   ///< sizes; an axis has `ni_glo` only
  std::int64_t nvertex = 0;
  std::vector<Coordinate> coordinates;  ///< coordinates that the clients have; the clients share
                                        ///< out their global values
  bool operator==(const GivenElement&) const = default;

  /// Returns the number of points along `along`.
  std::int64_t size(CoordinateWish::Along along) const;
};

/// Where elements are looked up: in the definitions as they are so far, or in a Model whose
/// elements have their shapes. Only the latter has what transformations make.
enum class GridsOf { draft, model };

/// Describes an element with all coordinates that it may have. Returns nothing if its sizes are not
/// known (yet).
std::optional<GivenElement> given_element(const Model& model, const GridElement& element,
                                          GridsOf of);

/// Returns how a draft contradicts another description of one of its elements (type, size, number
/// of corners): "its type is 'gaussian' here, 'curvilinear' there". Empty if they agree.
std::string contradiction(const Model& draft, ElementKind kind, const std::string& id,
                          const GivenElement& given);

/// Returns the global positions of the points of this client, in the order of its arrays. Empty for
/// a draft whose local part is invalid (lists of different lengths, a range outside the element).
std::vector<std::int64_t> global_positions(const Model& model, const GridElement& element,
                                           CoordinateWish::Along along);
/// Returns the values of a coordinate that this client has: `width` values for each of
/// global_positions(), or none.
std::vector<double> local_values(const Model& model, const GridElement& element,
                                 const GivenElement::Coordinate& coordinate);
/// Returns the value of the attribute: `values` are those of global_positions().
Value attribute_value(const Model& model, const GridElement& element,
                      const GivenElement::Coordinate& coordinate, std::vector<double> values);

/// A question of one context to another one, and the answer.
struct GridQuestion {
  std::vector<std::string> fields;  ///< fields that the other context sends
  std::vector<int> clients;         ///< ranks in the component of the clients that ask
};
struct GridAnswer {
  std::vector<GivenElement> elements;
  struct Field {
    bool is_sent = false;
    std::vector<int> elements;  ///< elements in model order, without scalars
  };
  std::vector<Field> fields;  ///< in the order of the question
  std::vector<int> clients;   ///< ranks in the component of the clients that answer
};
std::vector<std::byte> encode(const GridQuestion& question);
std::vector<std::byte> encode(const GridAnswer& answer);
/// Throw Error{protocol} for bytes that encode() did not make.
GridQuestion decode_grid_question(std::span<const std::byte> bytes);
GridAnswer decode_grid_answer(std::span<const std::byte> bytes);

}  // namespace epios::config
