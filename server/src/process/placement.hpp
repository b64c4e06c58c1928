/// @file
/// Lines of the log that say which server runs where.
#pragma once

#include <string>
#include <vector>

#include "event/job.hpp"

namespace epios::server {

/// A line for each server of a group: its process, its node, who else lives there, what it does.
/// Collective over the servers; on the first of them, empty elsewhere.
std::vector<std::string> placement_lines(const io::Job& job);

}  // namespace epios::server
