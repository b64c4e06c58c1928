#pragma once

#include <string>
#include <vector>

#include "config/model_fwd.hpp"
#include "event/file_report.hpp"

namespace epios::client {

/// What files hold as infinite values, a line per field and file, by their order in the model; of
/// very many the first, and how many more there are. `infinite`: of all servers, each stream once.
std::vector<std::string> infinity_warnings(const config::Model& model,
                                           std::vector<io::InfiniteValues> infinite);

}  // namespace epios::client
