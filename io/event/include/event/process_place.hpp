/// @file
/// Where a process is, for people and for other processes of its node.
#pragma once

#include <cstdint>
#include <string>

namespace epios::io {

struct ProcessPlace {
  std::int64_t pid = 0;
  std::string node;     ///< name of the node
  std::string numbers;  ///< identifies the PID namespace: equal if process numbers mean the same
                        ///< (kernel or container)
  std::string program;  ///< program that it was started from; empty if unknown
};
ProcessPlace own_place();

/// Returns true if this node has no process with that number, or if the process is dead and waits
/// for its parent.
bool is_process_gone(std::int64_t pid);

}  // namespace epios::io
