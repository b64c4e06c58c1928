/// @file
/// How the server processes of a job are shared out: the pools of context `xios` and the services
/// that run on them. What a run makes of it, client and grid know (choose_servers, place_files).
#pragma once

#include <string>
#include <vector>

#include "config/attributes.hpp"

namespace epios::config {

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
