#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "config/index.hpp"
#include "config/server_plan.hpp"
#include "event/waits.hpp"

namespace epios::client {

/// Which server is on which node. The same on all processes of a job, which outlives it.
class ServerNodes {
 public:
  explicit ServerNodes(const io::ProcessTable& process_table);

  std::size_t servers() const { return nodes_.size(); }
  std::size_t of(int server) const { return nth(nodes_, server); }
  /// By node; empty: all. Throws Error{configuration} for nodes that the job does not have, with
  /// `where` and the `name` of who chooses them.
  std::vector<bool> chosen(const config::NodeChoice& choice, const std::string& name,
                           const std::string& where) const;

 private:
  [[noreturn]] void refuse(const std::string& node, const std::string& name,
                           const std::string& where) const;

  const std::vector<std::string>& names_;
  std::vector<std::size_t> nodes_;  // by server
};

}  // namespace epios::client
