#pragma once

#include <epios/epios.hpp>
#include <vector>

#include "random_case.hpp"

namespace grids {

/// What has been defined, in the order of the case.
struct Defined {
  std::vector<epios::client::Element> elements, grids;
};

/// The calendar, the elements without coordinates and the grids without masks, as the client `mine`
/// has them.
Defined define_grids(epios::client::Context& context, const Case& of, const Client& mine);

/// Defines a case through the interface alone, as the client `mine` has it.
void define(epios::client::Context& context, const Case& of, const Client& mine);

}  // namespace grids
