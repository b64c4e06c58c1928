/// @file
/// What the operating system says about the servers of this job, seen from a model process.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace bench {

struct ServerUse {
  double cpu_s = 0;               ///< of all servers
  std::int64_t anonymous_kb = 0;  ///< RssAnon of the largest server: its private memory
  std::int64_t shared_kb = 0;     ///< RssShmem of the same: channels
};

/// The server processes started by the same launcher on this node.
class ServerWatch {
 public:
  ServerWatch();
  std::size_t count() const { return processes_.size(); }
  ServerUse look() const;
  /// Returns the proportional set sizes of all servers, in kB.
  double pss_kb() const;

 private:
  std::vector<std::string> processes_;  ///< folders in /proc
};

/// Returns the proportional set size of this process: pages that it shares count by their share.
double own_pss_kb();
/// Returns RssAnon of this process: its private memory.
std::int64_t own_anonymous_kb();

}  // namespace bench
