/// @file
/// How the server processes of a job are divided: the pools of context `xios` and the services that
/// run on them. client and io/grid apply it in a run (choose_servers, place_files).
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "config/attributes.hpp"

namespace epios::config {

/// The nodes of the processes (on_node, per_node).
struct NodeChoice {
  struct Range {
    int first = 0, last = 0;
    bool operator==(const Range&) const = default;
  };
  std::vector<std::string>
      names;  ///< nodes by name, in addition to `numbers`; if both are empty, all nodes
  std::vector<Range>
      numbers;       ///< nodes by number, in the order of the first process of the job on each
  int per_node = 0;  ///< most processes of each node; 0 means all
  bool is_any() const { return names.empty() && numbers.empty() && per_node == 0; }
};
/// Parses "n7, 0-3". Returns nothing for text that names no node or contains a reversed range.
std::optional<NodeChoice> read_nodes(std::string_view text);

/// The share that a pool takes of all servers, or a service of its pool.
struct ServerShare {
  enum class Kind {
    processes,           ///< `amount` processes
    fraction_of_all,     ///< `amount` in (0, 1] of all
    fraction_of_remain,  ///< `amount` of what those before it left
    remain,              ///< everything that is left
    of_parent,           ///< the processes of the enclosing service
  };
  Kind kind = Kind::remain;
  double amount = 0;
  NodeChoice nodes{};
};

/// A service. Its attributes are resolved.
struct Service {
  std::string id;
  std::string name;  ///< attribute `name`, or else the id; files and contexts refer to it
  ServerShare share;
  ServiceAttributes attributes;
  std::vector<Service> onto;  ///< services that share its processes
  std::string where;
};

struct Pool {
  std::string id;
  std::string name;
  ServerShare share;
  PoolAttributes attributes;
  std::vector<Service> services;
  std::string where;
};

/// Pools in document order. Without a pool in the XML there is one with all servers.
struct ServerPlan {
  std::vector<Pool> pools;
};

/// Returns the plan as JSON, for golden tests and for people.
std::string to_json(const ServerPlan& plan);

}  // namespace epios::config
