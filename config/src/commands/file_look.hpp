/// @file
/// Files that a configuration reads, as far as they exist.
#pragma once

#include <vector>

#include "config/file_facts.hpp"

namespace epios::config {

/// Looks at them where the command runs, by `epios-files`, a process for each: whatever a damaged
/// file does to it is told. Files that cannot be looked at since the program cannot be started are
/// left out, with a word on standard error.
std::vector<FileFacts> look_at_files(const std::vector<FileQuestion>& questions);

}  // namespace epios::config
