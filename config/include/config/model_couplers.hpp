/// @file
/// Couplers of a Model.
#pragma once

#include <string>
#include <vector>

#include "config/attributes.hpp"
#include "config/element_kind.hpp"
#include "config/model_ids.hpp"
#include "config/temporal.hpp"

namespace epios::config {

/// A field that a Coupler exchanges.
struct CoupledField {
  std::string id;  ///< id of the field in both contexts
  // Data of a field that is sent: one of the two. A received field is a source as soon as its grid
  // is known.
  SourceId source{};
  ExpressionId expression{};
  std::vector<std::string> via;      ///< as in a Stream; not canonical
  GridId grid{};                     ///< -1 if a received field takes the grid of the partner
  std::vector<double> conversion{};  ///< of a field that is sent: as in a Stream
  std::string data_unit{};
  /// Results of this sampling are sent; a received field comes at its dates.
  Sampling sampling;
  FieldAttributes attributes;
  std::string where;  ///< not canonical
};

/// The fields that go to one other context, of the same or another component, or come from it.
struct Coupler {
  ElementKind kind = ElementKind::coupler_out;  ///< coupler_out or coupler_in
  std::string id;
  std::string partner_code;
  std::string partner_context;
  std::vector<CoupledField> fields;
  std::string where;  ///< not canonical
};

}  // namespace epios::config
