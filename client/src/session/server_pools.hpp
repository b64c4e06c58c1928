#pragma once

#include <string>
#include <vector>

#include "config/server_plan.hpp"
#include "event/waits.hpp"

namespace epios::client {

/// What is said of pools that context xios has: all servers do all jobs so far. Throws
/// Error{configuration} when they take more servers than there are, by places in the XML.
std::vector<std::string> notes_on_pools(const config::ServerPlan& plan, const io::Roster& roster);

}  // namespace epios::client
