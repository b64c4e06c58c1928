/// @file
/// Where a process is, for people and for others of its node.
#pragma once

#include <cstdint>
#include <string>

namespace epios::io {

struct ProcessPlace {
  std::int64_t pid = 0;
  std::string node;  ///< its name
  std::string
      numbers;  ///< where numbers of processes mean the same: the kernel's, or a container's
  std::string program;  ///< what it was started from; empty: nobody knows
};
ProcessPlace own_place();

/// Whether there is no process of that number on this node, or it is dead and waits for its parent.
bool is_process_gone(std::int64_t pid);

}  // namespace epios::io
