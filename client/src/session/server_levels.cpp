#include "session/server_levels.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <utility>

#include "config/model.hpp"
#include "config/spatial.hpp"
#include "event/event.hpp"
#include "grid/levels.hpp"
#include "session/server_pools.hpp"

namespace epios::client {
namespace {

using Ranks = std::vector<int>;

bool is_in(const Ranks& ranks, int rank) {
  return std::find(ranks.begin(), ranks.end(), rank) != ranks.end();
}

std::string servers_text(const Ranks& ranks) { return io::ranks_text(ranks, "server", "servers"); }

bool wants_gatherers(const config::File& file, const RunSettings& settings) {
  return file.attributes.using_server2.value_or(settings.uses_second_level);
}

ServerLevels one_level(const config::Model& model, io::ServerChoice choice,
                       const std::string& why) {
  return {std::move(choice), {}, {fmt::format("context '{}': {}", model.context_id, why)}};
}

Ranks from_to(int begin, int end) {
  Ranks out(static_cast<std::size_t>(end - begin));
  std::iota(out.begin(), out.end(), begin);
  return out;
}

/// Servers that no file has been given.
Ranks without_files(const io::ServerChoice& choice, int servers) {
  Ranks out;
  for (const int rank : from_to(0, servers)) {
    if (!choice.writers.has(rank)) out.push_back(rank);
  }
  return out;
}

/// Equal groups of the servers that write, the first ones one larger where they do not divide.
io::ServerGroups grouped(const Ranks& writers, std::size_t count) {
  io::ServerGroups out(std::clamp<std::size_t>(count, 1, writers.size()));
  for (std::size_t w = 0; w < writers.size(); ++w) {
    out[w * out.size() / writers.size()].push_back(writers[w]);
  }
  return out;
}

/// What is left of the groups of a file without gatherers; without groups all others.
io::ServerGroups groups_behind(const config::File& file, const io::ServerGroups& groups,
                               const Ranks& others, std::int64_t wanted) {
  io::ServerGroups out;
  for (const Ranks& group : groups) {
    Ranks left;
    std::copy_if(group.begin(), group.end(), std::back_inserter(left),
                 [&](int rank) { return is_in(others, rank); });
    if (!left.empty()) out.push_back(std::move(left));
  }
  if (!groups.empty()) return out;
  // Each writer has a part of its own of it.
  const bool is_apart = file.attributes.type.value_or("one_file") == "multiple_file";
  if (wanted == 0) return grouped(others, is_apart ? 1 : others.size());
  return grouped(others, static_cast<std::size_t>(wanted));
}

Ranks gatherers_of(const config::ServerPlan& plan, const config::Model& model,
                   const io::ProcessTable& process_table, const RunSettings& settings,
                   const io::ServerChoice& choice) {
  const int servers = servers_of(process_table);
  if (!plan.pools.empty()) {
    Ranks named = gatherers_in_pools(plan, model, process_table);
    return named.empty() ? without_files(choice, servers) : named;
  }
  const std::int64_t writers =
      std::clamp<std::int64_t>(servers * settings.second_level_percent / 100, 1, servers - 1);
  return from_to(0, servers - static_cast<int>(writers));
}

/// Why a context has one level; "": nothing is in the way.
std::string obstacle(const config::Model& model, const io::ProcessTable& process_table) {
  if (process_table.is_attached) {
    return "two levels of servers (using_server2) are not to be had: this job has no servers. Each "
           "process writes what it has";
  }
  if (servers_of(process_table) < 2) {
    return "two levels of servers (using_server2) are not to be had with one server: clients send "
           "to it. Start more servers?";
  }
  if (!io::can_be_dealt_out(model)) {
    return "two levels of servers (using_server2) are not to be had: a grid has several domains, "
           "which cannot be dealt out to gatherers. Clients send to those that write";
  }
  const bool makes_fields =
      std::any_of(model.streams.begin(), model.streams.end(), [&](const config::Stream& stream) {
        return !config::steps_on_servers(model, stream).empty();
      });
  if (makes_fields) {
    return "two levels of servers (using_server2) are not to be had: servers transform fields "
           "(place=\"server\") of whole grids, of which gatherers have rows. Clients send to those "
           "that write";
  }
  return {};
}

/// The choice with gatherers; empty text, or why there cannot be any.
std::string put_before(const Ranks& gatherers, const config::Model& model, int servers,
                       const RunSettings& settings, io::ServerChoice& choice) {
  Ranks others;
  for (const int rank : from_to(0, servers)) {
    if (!is_in(gatherers, rank)) others.push_back(rank);
  }
  if (gatherers.empty() || others.empty()) {
    return fmt::format("no server would be left to {}", others.empty() ? "write" : "gather");
  }
  io::ServerChoice out;
  out.gatherers = gatherers;
  for (std::size_t f = 0; f < model.files.size(); ++f) {
    const config::File& file = nth(model.files, f);
    const io::ServerGroups behind =
        groups_behind(file, choice.writers.of(f), others, settings.second_level_groups);
    if (behind.empty()) return fmt::format("all that may write file '{}' would gather", file.id);
    out.writers.add(behind);
  }
  for (std::size_t f = 0; f < model.read_files.size(); ++f) {
    const io::ServerGroups& chosen = choice.readers.of(f);
    Ranks readers = chosen.empty() ? Ranks{} : chosen.front();
    std::erase_if(readers, [&](int rank) { return io::is_downstream(out, rank); });
    if (readers.empty()) readers = gatherers;
    out.readers.add({std::move(readers)});
  }
  choice = std::move(out);
  return {};
}

void add_idle_gatherers(const std::vector<config::Service>& services,
                        std::vector<std::string>& notes) {
  for (const config::Service& service : services) {
    if (service.attributes.type.value_or("") == "gatherer") {
      notes.push_back(
          fmt::format("epios: note: {}: service '{}' gathers nothing: clients send to those that "
                      "write (using_server2 is not true)",
                      service.where, service.name));
    }
    add_idle_gatherers(service.onto, notes);
  }
}

/// Of a context with one level: what was meant for two.
std::vector<std::string> notes_on_one_level(const config::ServerPlan& plan,
                                            const config::Model& model,
                                            const io::ProcessTable& process_table) {
  if (process_table.is_attached || model.files.empty()) return {};
  std::vector<std::string> out = notes_on_servers(model);
  for (const config::Pool& pool : plan.pools) add_idle_gatherers(pool.services, out);
  return out;
}

/// The servers that write for gatherers.
Ranks writers_behind(const io::ServerChoice& choice, int servers) {
  Ranks out;
  for (const int rank : from_to(0, servers)) {
    if (io::is_downstream(choice, rank)) out.push_back(rank);
  }
  return out;
}

}  // namespace

ServerLevels with_gatherers(const config::ServerPlan& plan, const config::Model& model,
                            const io::ProcessTable& process_table, const RunSettings& settings,
                            io::ServerChoice choice) {
  const auto wants = [&](const config::File& file) { return wants_gatherers(file, settings); };
  const auto wanted = std::count_if(model.files.begin(), model.files.end(), wants);
  if (wanted == 0) return {std::move(choice), notes_on_one_level(plan, model, process_table), {}};
  if (const std::string why = obstacle(model, process_table); !why.empty()) {
    return one_level(model, std::move(choice), why);
  }
  const int servers = servers_of(process_table);
  const Ranks gatherers = gatherers_of(plan, model, process_table, settings, choice);
  if (const std::string why = put_before(gatherers, model, servers, settings, choice);
      !why.empty()) {
    return one_level(model, std::move(choice),
                     fmt::format("two levels of servers (using_server2) are not to be had: {}. "
                                 "Clients send to those that write",
                                 why));
  }
  std::string text = fmt::format("epios: note: context '{}': gathering: {}; writing for these: {}",
                                 model.context_id, servers_text(gatherers),
                                 servers_text(writers_behind(choice, servers)));
  if (static_cast<std::size_t>(wanted) < model.files.size()) {
    const auto other = std::find_if_not(model.files.begin(), model.files.end(), wants);
    text += fmt::format(" (also for file '{}', which does not ask for it)", other->id);
  }
  return {std::move(choice), {std::move(text)}, {}};
}

}  // namespace epios::client
