/// @file
/// Checks that servers can compute the transformations that they are to compute.
#pragma once

#include "config/model_fwd.hpp"
#include "text/findings.hpp"

namespace epios::config {

/// Reports steps with place="server" (steps_on_servers) for which servers would not compute the
/// same bits as clients, or whose result is used by something other than a file. The Model is
/// complete except for local attributes.
void check_places(const Model& model, Findings& findings);

}  // namespace epios::config
