#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "config/calendar.hpp"
#include "config/model_fwd.hpp"
#include "event/file_report.hpp"

namespace epios::client {

/// Infinite values that one client received in a field.
struct InfiniteReceived {
  std::int64_t values = 0;
  std::int64_t first_step = -1;  ///< since the Model's start
};

/// What files hold as infinite values, a line per field and file, by their order in the model; of
/// very many the first, and how many more there are. `infinite`: of all servers, each stream once.
std::vector<std::string> infinity_warnings(const config::Model& model,
                                           std::vector<io::InfiniteValues> infinite);
/// The same of a field that the model received in single precision, first at a date.
std::string received_infinity_text(const config::Model& model, const std::string& field,
                                   std::int64_t values, config::Instant first);

}  // namespace epios::client
