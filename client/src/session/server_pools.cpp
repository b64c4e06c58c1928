#include "session/server_pools.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "config/error.hpp"

namespace epios::client {

std::vector<std::string> notes_on_pools(const config::ServerPlan& plan, const io::Roster& roster) {
  if (plan.pools.empty()) return {};
  const auto servers =
      std::count_if(roster.processes.begin(), roster.processes.end(),
                    [](const io::Roster::Process& process) { return process.server >= 0; });
  if (roster.is_attached) {
    return {
        fmt::format("epios: note: {}: pools are for servers, of which this job has none: each "
                    "process writes and reads what it has",
                    plan.pools.front().where)};
  }
  double wanted = 0;
  std::vector<std::string> sizes;
  std::vector<std::string> places;
  for (const config::Pool& pool : plan.pools) {
    places.push_back(fmt::format("'{}' ({})", pool.name, pool.where));
    if (pool.share.kind != config::ServerShare::Kind::processes) continue;
    wanted += pool.share.amount;
    sizes.push_back(fmt::format("{} for '{}' ({})", pool.share.amount, pool.name, pool.where));
  }
  if (wanted > static_cast<double>(servers)) {
    throw Error(ErrorCode::configuration,
                fmt::format("pools take {} servers: {} (this job has {}). Start more servers, or "
                            "give the pools shares of them?",
                            wanted, fmt::join(sizes, ", "), servers));
  }
  return {
      fmt::format("epios: note: {} {} and their services place nothing so far: each of the {} "
                  "server{} does all jobs, for all contexts and files",
                  plan.pools.size() == 1 ? "pool" : "pools", fmt::join(places, ", "), servers,
                  servers == 1 ? "" : "s")};
}

}  // namespace epios::client
