#include "process/placement.hpp"

#include <fmt/format.h>

#include <cstddef>

#include "config/index.hpp"

namespace epios::server {
namespace {

/// The process of a server of this group; null: there is none, which no job has.
const io::ProcessTable::Process* process_of(const io::Job& job, int server, std::size_t& number) {
  const io::ProcessTable& process_table = job.watch().process_table();
  for (number = 0; number < process_table.processes.size(); ++number) {
    const io::ProcessTable::Process& process = process_table.processes[number];
    if (process.server != server) continue;
    const bool is_of_group =
        !process_table.is_attached ||
        nth(process_table.components, process.component) == job.components().front();
    if (is_of_group) return &process;
  }
  return nullptr;
}

std::vector<io::Actor> clients_of(const io::ProcessTable::Process& process) {
  std::vector<io::Actor> out;
  out.reserve(static_cast<std::size_t>(process.clients));
  for (int c = 0; c < process.clients; ++c) {
    out.push_back({io::Actor::Kind::client, process.component, process.first_client + c, -1});
  }
  return out;
}

std::string company(const io::ProcessTable& process_table,
                    const io::ProcessTable::Process& process) {
  if (process.clients == 0) return "alone there";
  return "beside " + process_table.names(clients_of(process));
}

}  // namespace

std::vector<std::string> placement_lines(const io::Job& job) {
  const io::ProcessTable& process_table = job.watch().process_table();
  std::vector<std::string> out;
  if (job.servers().rank() != 0) return out;
  for (int s = 0; s < job.servers().size(); ++s) {
    std::size_t number = 0;
    const io::ProcessTable::Process* const process = process_of(job, s, number);
    if (process == nullptr) continue;
    out.push_back(fmt::format(
        "server {}: process {} on node '{}' (PID {}), {}: receives, writes, reads", s, number,
        nth(process_table.nodes, process->node), process->pid, company(process_table, *process)));
  }
  for (std::size_t p = 0; p < process_table.processes.size(); ++p) {
    const io::ProcessTable::Process& process = process_table.processes[p];
    if (process.clients == 0) continue;
    out.push_back(fmt::format("process {} ({}): {}", p, process_table.place(process),
                              process_table.names(clients_of(process))));
  }
  return out;
}

}  // namespace epios::server
