/// @file
/// How the server processes of a job are shared out: the pools of context `xios` and the services
/// that run on them. What a run makes of it, client and grid know (choose_servers, place_files).
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "config/attributes.hpp"

namespace epios::config {

/// On which nodes they are (on_node, per_node).
struct NodeChoice {
  struct Range {
    int first = 0, last = 0;
    bool operator==(const Range&) const = default;
  };
  std::vector<std::string> names;  ///< these and those of `numbers`; neither: all
  std::vector<Range> numbers;      ///< by the first process of the job that each has
  int per_node = 0;                ///< so many of each at most; 0: all
  bool is_any() const { return names.empty() && numbers.empty() && per_node == 0; }
};
/// "n7, 0-3" taken apart; nothing for text that names no node, or a range backwards.
std::optional<NodeChoice> read_nodes(std::string_view text);

/// What a pool takes of all servers, or a service of its pool.
struct ServerShare {
  enum class Kind {
    processes,           ///< `amount` of them
    fraction_of_all,     ///< `amount` in (0, 1]
    fraction_of_remain,  ///< of what those before it left
    remain,              ///< all that is left
    of_parent,           ///< those of the service that it stands in
  };
  Kind kind = Kind::remain;
  double amount = 0;
  NodeChoice nodes{};
};

/// Attributes are resolved: inheritance solved.
struct Service {
  std::string id;
  std::string name;  ///< attribute `name`, else the id: what files and contexts refer to
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

/// In document order; without a pool there is one of all servers.
struct ServerPlan {
  std::vector<Pool> pools;
};

/// For golden tests and humans.
std::string to_json(const ServerPlan& plan);

}  // namespace epios::config
