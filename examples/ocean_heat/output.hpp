/// @file
/// All that the model says to EPIOS about its grid and fields; what is written is up to the XML.
#pragma once

#include <cstdint>
#include <epios/epios.hpp>

#include "ocean.hpp"
#include "options.hpp"

namespace ocean {

/// Fills in the context's attributes that only the model knows: the time step, this endpoint's part
/// of the grid with its halo, its mask. Local.
void define_output(epios::client::Context& context, const Options& options, const Grid& grid,
                   const Rows& rows);

/// A number among the XML's variables; `otherwise` when there is none.
double parameter(const epios::client::Context& context, const char* id, double otherwise);

}  // namespace ocean
