#pragma once

#include <epios/epios.hpp>

#include "random_case.hpp"

namespace grids {

/// Defines a case through the interface alone, as the client `mine` has it.
void define(epios::client::Context& context, const Case& of, const Client& mine);

}  // namespace grids
