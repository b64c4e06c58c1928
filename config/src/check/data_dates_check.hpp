/// @file
/// Whether data that are worked out in time come as often as those who take samples expect.
#pragma once

#include "config/model_fwd.hpp"
#include "text/findings.hpp"

namespace epios::config {

/// Reports streams, and what '@' stands for in their expressions, that would miss samples because
/// results of '@' behind them come less often. The Model is whole but for what is local.
void check_data_dates(const Model& model, Findings& findings);

}  // namespace epios::config
