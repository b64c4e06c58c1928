/// @file
/// Whether transformations that are to be worked out by servers can be.
#pragma once

#include "config/model_fwd.hpp"
#include "text/findings.hpp"

namespace epios::config {

/// Reports steps with place="server" (steps_on_servers) of which servers would not make the bits
/// that clients make, or that somebody else than a file takes. The Model is whole but for what is
/// local.
void check_places(const Model& model, Findings& findings);

}  // namespace epios::config
