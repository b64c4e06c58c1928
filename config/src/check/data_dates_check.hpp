/// @file
/// Checks that results of temporal operations come as often as their users take samples.
#pragma once

#include "config/model_fwd.hpp"
#include "text/findings.hpp"

namespace epios::config {

/// Reports streams, and operands of '@' in their expressions, that would miss samples because the
/// results of '@' behind them come less often. The Model is complete except for local attributes.
void check_data_dates(const Model& model, Findings& findings);

}  // namespace epios::config
