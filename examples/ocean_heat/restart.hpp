/// @file
/// The state of the model between two runs: a file that one context writes and another one reads.
#pragma once

#include <epios/epios.hpp>

#include "ocean.hpp"
#include "options.hpp"

namespace ocean {

/// What makes a run one of several: it takes up the means and extremes that the run before left
/// under way, leaves its own, and adds to the files of that run.
void define_continuation(epios::client::Context& context, const Options& options);

/// Collective over the clients, whose rows may be others in another run.
void write_restart(epios::client::Client& client, const Options& options, const Grid& grid,
                   const Ocean& model);
void read_restart(epios::client::Client& client, const Options& options, const Grid& grid,
                  Ocean& model);

}  // namespace ocean
