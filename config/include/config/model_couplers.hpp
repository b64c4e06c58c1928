/// @file
/// Couplers of a Model.
#pragma once

#include <string>
#include <vector>

#include "config/attributes.hpp"
#include "config/element_kind.hpp"
#include "config/temporal.hpp"

namespace epios::config {

/// A field that a Coupler exchanges.
struct CoupledField {
  std::string id;  ///< both contexts call it so
  // What is sent, one of the two; what is received is a source, as soon as its grid is known.
  int source = -1;
  int expression = -1;
  std::vector<std::string> via;  ///< as of a Stream; not canonical
  int grid = -1;                 ///< -1: what is received takes the grid of the partner
  /// Sent are its results; what is received comes at their dates.
  Sampling sampling;
  FieldAttributes attributes;
  std::string where;  ///< not canonical
};

/// Fields that go to a context of another code, or of the same one, or come from it.
struct Coupler {
  ElementKind kind = ElementKind::coupler_out;  ///< or coupler_in
  std::string id;
  std::string partner_code;
  std::string partner_context;
  std::vector<CoupledField> fields;
  std::string where;  ///< not canonical
};

}  // namespace epios::config
