#include "session/server_pools.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <numeric>
#include <optional>
#include <set>
#include <string_view>
#include <tuple>
#include <utility>

#include "config/error.hpp"
#include "config/model.hpp"
#include "session/server_nodes.hpp"

namespace epios::client {
namespace {

using config::ServerShare;
using Ranks = std::vector<int>;

/// A service, and one that shares its servers, on those that they have.
struct PlacedService {
  const config::Service* service = nullptr;
  io::ServerGroups groups;  ///< nb_partitions of them
};
struct PlacedPool {
  const config::Pool* pool = nullptr;
  Ranks servers;
  std::vector<PlacedService> services;
};

/// Hands out servers in order to pools, or those of a pool to its services.
class Dealer {
 public:
  /// `around`: "this job", "pool 'ocean'".
  Dealer(Ranks servers, std::string around, const ServerNodes& nodes)
      : servers_(std::move(servers)),
        is_taken_(servers_.size()),
        around_(std::move(around)),
        nodes_(nodes) {}

  Ranks take(const ServerShare& share, const std::string& name, const std::string& where) {
    const std::vector<std::size_t> suitable = places_on(share.nodes, name, where);
    const std::vector<std::size_t> free = free_of(suitable, share.nodes.per_node);
    const auto all = static_cast<double>(suitable.size());
    const auto left = static_cast<double>(free.size());
    double wanted = left;
    if (share.kind == ServerShare::Kind::processes) wanted = share.amount;
    if (share.kind == ServerShare::Kind::fraction_of_all && !share.nodes.is_any()) {
      wanted = std::max(1.0, std::round(share.amount * all));
    } else if (share.kind == ServerShare::Kind::fraction_of_all) {
      // Rounded as sums, so that halves of an odd number are that number.
      fractions_ += share.amount;
      wanted = std::max(1.0, std::round(fractions_ * all) - by_fractions_);
      by_fractions_ += wanted;
    }
    if (share.kind == ServerShare::Kind::fraction_of_remain)
      wanted = std::max(1.0, std::round(share.amount * left));
    if (wanted > left || left == 0) {
      throw Error(
          ErrorCode::configuration,
          fmt::format("{}: {} takes {} of the servers of {}{} ({} of {} are left). Start more "
                      "servers{}, or give each a share of them?",
                      where, name,
                      left == 0 && wanted == 0 ? "the rest" : fmt::format("{}", wanted), around_,
                      words_of(share.nodes), left, all, share.nodes.is_any() ? "" : " there"));
    }
    Ranks out;
    for (std::size_t i = 0; i < static_cast<std::size_t>(wanted); ++i) {
      is_taken_[free[i]] = true;
      out.push_back(servers_[free[i]]);
    }
    return out;
  }

 private:
  /// Into servers_, of all on these nodes.
  std::vector<std::size_t> places_on(const config::NodeChoice& choice, const std::string& name,
                                     const std::string& where) const {
    const std::vector<bool> is_chosen = nodes_.chosen(choice, name, where);
    std::vector<std::size_t> out;
    for (std::size_t i = 0; i < servers_.size(); ++i) {
      if (is_chosen.empty() || is_chosen[nodes_.of(servers_[i])]) out.push_back(i);
    }
    return out;
  }

  /// Those that nobody has, so many of a node at most.
  std::vector<std::size_t> free_of(const std::vector<std::size_t>& places, int per_node) const {
    std::map<std::size_t, int> taken;
    std::vector<std::size_t> out;
    for (const std::size_t place : places) {
      if (is_taken_[place]) continue;
      if (per_node > 0 && taken[nodes_.of(servers_[place])]++ >= per_node) continue;
      out.push_back(place);
    }
    return out;
  }

  static std::string words_of(const config::NodeChoice& choice) {
    std::vector<std::string> words = choice.names;
    for (const auto& [first, last] : choice.numbers) {
      words.push_back(first == last ? fmt::format("{}", first) : fmt::format("{}-{}", first, last));
    }
    const std::string on = words.empty() ? "" : fmt::format(" on nodes {}", fmt::join(words, ", "));
    return on + (choice.per_node > 0 ? fmt::format(", {} per node", choice.per_node) : "");
  }

  Ranks servers_;
  std::vector<bool> is_taken_;
  std::string around_;
  const ServerNodes& nodes_;
  double fractions_ = 0, by_fractions_ = 0;  // of all, and what they have come to
};

/// The first ones have one more than the others where they do not divide evenly.
io::ServerGroups parted(const Ranks& servers, const config::Service& service) {
  const auto count = static_cast<std::size_t>(service.attributes.nb_partitions.value_or(1));
  if (count > servers.size()) {
    throw Error(ErrorCode::configuration,
                fmt::format("{}: service '{}' has nb_partitions=\"{}\", and {} servers. Give it "
                            "more servers, or fewer partitions?",
                            service.where, service.name, count, servers.size()));
  }
  io::ServerGroups out(count);
  for (std::size_t s = 0; s < servers.size(); ++s) {
    out[s * count / servers.size()].push_back(servers[s]);
  }
  return out;
}

void add_sharing(const config::Service& service, const Ranks& servers,
                 std::vector<PlacedService>& out) {
  for (const config::Service& inner : service.onto) {
    out.push_back({&inner, {servers}});
    add_sharing(inner, servers, out);
  }
}

std::vector<PlacedPool> placed(const config::ServerPlan& plan,
                               const io::ProcessTable& process_table) {
  const ServerNodes nodes(process_table);
  Ranks all(nodes.servers());
  std::iota(all.begin(), all.end(), 0);
  Dealer job(std::move(all), "this job", nodes);
  std::vector<PlacedPool> out;
  for (const config::Pool& pool : plan.pools) {
    PlacedPool& made = out.emplace_back();
    made.pool = &pool;
    made.servers = job.take(pool.share, fmt::format("pool '{}'", pool.name), pool.where);
    Dealer inside(made.servers, fmt::format("pool '{}'", pool.name), nodes);
    for (const config::Service& service : pool.services) {
      const Ranks its =
          inside.take(service.share, fmt::format("service '{}'", service.name), service.where);
      made.services.push_back({&service, parted(its, service)});
      add_sharing(service, its, made.services);
    }
  }
  return out;
}

bool is_named(const std::string& id, const std::string& name, std::string_view wanted) {
  const auto begin = wanted.find_first_not_of(" \t\n");
  const auto end = wanted.find_last_not_of(" \t\n");
  if (begin == std::string_view::npos) return false;
  const std::string_view trimmed = wanted.substr(begin, end - begin + 1);
  return trimmed == name || trimmed == id;
}

/// The servers of a file; none: all.
io::ServerGroups chosen(const std::vector<PlacedPool>& pools, std::string_view kind,
                        const std::optional<std::string>& pool,
                        const std::optional<std::string>& service) {
  if (service == "attached" || (!pool && !service)) return {};
  io::ServerGroups of_kind;
  Ranks whole;
  for (const PlacedPool& one : pools) {
    if (pool && !is_named(one.pool->id, one.pool->name, *pool)) continue;
    whole.insert(whole.end(), one.servers.begin(), one.servers.end());
    for (const PlacedService& its : one.services) {
      if (its.service->attributes.type.value_or("") != kind) continue;
      if (service && !is_named(its.service->id, its.service->name, *service)) continue;
      of_kind.insert(of_kind.end(), its.groups.begin(), its.groups.end());
    }
  }
  if (of_kind.empty() && (service || whole.empty())) {
    throw Error(ErrorCode::configuration,
                fmt::format("there is no {} '{}'{} in context 'xios' that {}s. Does epios check "
                            "know it?",
                            service ? "service" : "pool", service ? *service : *pool,
                            service && pool ? fmt::format(" in pool '{}'", *pool) : "",
                            kind == "writer"     ? "write"
                            : kind == "gatherer" ? "gather"
                                                 : "read"));
  }
  if (of_kind.empty()) of_kind.push_back(std::move(whole));
  return of_kind;
}

/// "0-2, 5"
std::string text_of(const Ranks& ranks) {
  std::string out;
  for (std::size_t i = 0; i < ranks.size();) {
    std::size_t end = i + 1;
    while (end < ranks.size() && ranks[end] == ranks[end - 1] + 1) ++end;
    out += fmt::format("{}{}", out.empty() ? "" : ", ", ranks[i]);
    if (end > i + 1) out += fmt::format("-{}", ranks[end - 1]);
    i = end;
  }
  return out;
}

/// Their processes in the job.
std::string processes_of(const io::ServerGroups& groups, const io::ProcessTable& process_table) {
  Ranks out;
  for (std::size_t p = 0; p < process_table.processes.size(); ++p) {
    for (const Ranks& group : groups) {
      if (std::find(group.begin(), group.end(), process_table.processes[p].server) == group.end())
        continue;
      out.push_back(static_cast<int>(p));
    }
  }
  return text_of(out);
}

/// The names of their nodes.
std::string nodes_of(const io::ServerGroups& groups, const io::ProcessTable& process_table) {
  constexpr std::size_t most = 4;
  const ServerNodes nodes(process_table);
  std::set<std::size_t> found;
  for (const Ranks& group : groups) {
    for (const int server : group) found.insert(nodes.of(server));
  }
  std::vector<std::string_view> names;
  for (const std::size_t node : found) {
    if (names.size() < most) names.push_back(process_table.nodes[node]);
  }
  const std::string rest =
      found.size() > most ? fmt::format(" and {} more", found.size() - most) : "";
  return fmt::format("{}{}", fmt::join(names, ", "), rest);
}

using Row = std::array<std::string, 6>;

Row row_of(const PlacedPool& pool, const std::string& service, const std::string& type,
           const io::ServerGroups& servers, const io::ProcessTable& process_table) {
  std::vector<std::string> groups;
  for (const Ranks& group : servers) groups.push_back(text_of(group));
  return {pool.pool->name,
          service,
          type,
          fmt::format("{}", fmt::join(groups, " | ")),
          processes_of(servers, process_table),
          process_table.nodes.size() > 1 ? nodes_of(servers, process_table) : ""};
}

std::vector<std::string> table(const std::vector<PlacedPool>& pools,
                               const io::ProcessTable& process_table) {
  const bool has_nodes = process_table.nodes.size() > 1;
  std::vector<Row> rows{
      {"pool", "service", "does", "servers", "processes", has_nodes ? "nodes" : ""}};
  for (const PlacedPool& pool : pools) {
    for (const PlacedService& its : pool.services) {
      rows.push_back(row_of(pool, its.service->name, its.service->attributes.type.value_or("?"),
                            its.groups, process_table));
    }
    if (pool.services.empty())
      rows.push_back(row_of(pool, "", "all", {pool.servers}, process_table));
  }
  std::array<std::size_t, std::tuple_size_v<Row>> widths{};
  for (const Row& row : rows) {
    for (std::size_t c = 0; c < row.size(); ++c) widths[c] = std::max(widths[c], row[c].size());
  }
  std::vector<std::string> out;
  out.reserve(rows.size());
  for (const Row& row : rows) {
    std::string line = "epios:";
    for (std::size_t c = 0; c < row.size(); ++c) {
      line += fmt::format("{}{:{}}", c == 0 ? " " : "  ", row[c], widths[c]);
    }
    line.resize(line.find_last_not_of(' ') + 1);
    out.push_back(std::move(line));
  }
  return out;
}

}  // namespace

int servers_of(const io::ProcessTable& process_table) {
  return static_cast<int>(
      std::count_if(process_table.processes.begin(), process_table.processes.end(),
                    [](const io::ProcessTable::Process& process) { return process.server >= 0; }));
}

std::vector<int> gatherers_in_pools(const config::ServerPlan& plan, const config::Model& model,
                                    const io::ProcessTable& process_table) {
  const std::vector<PlacedPool> pools = placed(plan, process_table);
  Ranks out;
  const auto add = [&out](const io::ServerGroups& groups) {
    for (const Ranks& group : groups) out.insert(out.end(), group.begin(), group.end());
  };
  for (const config::File& file : model.files) {
    add(chosen(pools, "gatherer", file.attributes.pool_gatherer, file.attributes.gatherer));
  }
  const bool is_named = !out.empty();
  for (const PlacedPool& pool : pools) {
    for (const PlacedService& its : pool.services) {
      const bool gathers = its.service->attributes.type.value_or("") == "gatherer";
      if (gathers && !is_named) add(its.groups);
    }
  }
  std::sort(out.begin(), out.end());
  out.erase(std::unique(out.begin(), out.end()), out.end());
  return out;
}

std::vector<std::string> notes_on_pools(const config::ServerPlan& plan,
                                        const io::ProcessTable& process_table) {
  if (plan.pools.empty()) return {};
  if (process_table.is_attached) {
    return {
        fmt::format("epios: note: {}: pools are for servers, of which this job has none: each "
                    "process writes and reads what it has",
                    plan.pools.front().where)};
  }
  return table(placed(plan, process_table), process_table);
}

std::vector<std::string> notes_on_servers(const config::Model& model) {
  std::vector<std::string> out;
  for (const config::File& file : model.files) {
    const config::FileAttributes& a = file.attributes;
    if (a.gatherer || a.pool_gatherer) {
      out.push_back(
          fmt::format("epios: note: {}: the gatherer of file '{}' has no effect: clients "
                      "send to those that write (using_server2 is not true)",
                      file.where, file.id));
    }
  }
  return out;
}

io::ServerChoice choose_servers(const config::ServerPlan& plan, const config::Model& model,
                                const io::ProcessTable& process_table) {
  if (plan.pools.empty() || process_table.is_attached) return {};
  const std::vector<PlacedPool> pools = placed(plan, process_table);
  io::ServerChoice out;
  for (const config::File& file : model.files) {
    out.writers.add(chosen(pools, "writer", file.attributes.pool_writer, file.attributes.writer));
  }
  for (const config::ReadFile& file : model.read_files) {
    const io::ServerGroups groups =
        chosen(pools, "reader", file.attributes.pool_reader, file.attributes.reader);
    Ranks all;
    for (const Ranks& group : groups) all.insert(all.end(), group.begin(), group.end());
    out.readers.add(all.empty() ? io::ServerGroups{} : io::ServerGroups{std::move(all)});
  }
  return out;
}

}  // namespace epios::client
