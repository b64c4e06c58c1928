#include "process/placement.hpp"

#include <fmt/format.h>

#include <cstddef>

namespace epios::server {
namespace {

/// The process of a server of this group; null: there is none, which no job has.
const io::Roster::Process* process_of(const io::Job& job, int server, std::size_t& number) {
  const io::Roster& roster = job.watch().roster();
  for (number = 0; number < roster.processes.size(); ++number) {
    const io::Roster::Process& process = roster.processes[number];
    if (process.server != server) continue;
    const bool is_of_group =
        !roster.is_attached ||
        roster.components[static_cast<std::size_t>(process.component)] == job.components().front();
    if (is_of_group) return &process;
  }
  return nullptr;
}

std::vector<io::Actor> clients_of(const io::Roster::Process& process) {
  std::vector<io::Actor> out;
  out.reserve(static_cast<std::size_t>(process.clients));
  for (int c = 0; c < process.clients; ++c) {
    out.push_back({io::Actor::Kind::client, process.component, process.first_client + c, -1});
  }
  return out;
}

std::string company(const io::Roster& roster, const io::Roster::Process& process) {
  if (process.clients == 0) return "alone there";
  return "beside " + roster.names(clients_of(process));
}

}  // namespace

std::vector<std::string> placement_lines(const io::Job& job) {
  const io::Roster& roster = job.watch().roster();
  std::vector<std::string> out;
  if (job.servers().rank() != 0) return out;
  for (int s = 0; s < job.servers().size(); ++s) {
    std::size_t number = 0;
    const io::Roster::Process* const process = process_of(job, s, number);
    if (process == nullptr) continue;
    out.push_back(
        fmt::format("server {}: process {} on node '{}' (PID {}), {}: receives, writes, reads", s,
                    number, roster.nodes[static_cast<std::size_t>(process->node)], process->pid,
                    company(roster, *process)));
  }
  for (std::size_t p = 0; p < roster.processes.size(); ++p) {
    const io::Roster::Process& process = roster.processes[p];
    if (process.clients == 0) continue;
    out.push_back(fmt::format("process {} ({}): {}", p, roster.place(process),
                              roster.names(clients_of(process))));
  }
  return out;
}

}  // namespace epios::server
