#include "placement.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <cstddef>
#include <cstring>
#include <ep/bytes.hpp>
#include <span>

namespace epios::server {
namespace {

std::string node_name() {
  std::array<char, 256> name{};
  if (gethostname(name.data(), name.size() - 1) != 0) return "?";
  return name.data();
}

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

std::string company(const io::Roster& roster, const io::Roster::Process& process) {
  if (process.clients == 0) return "alone there";
  std::vector<io::Actor> clients;
  clients.reserve(static_cast<std::size_t>(process.clients));
  for (int c = 0; c < process.clients; ++c) {
    clients.push_back({io::Actor::Kind::client, process.component, process.first_client + c, -1});
  }
  return "beside " + roster.names(clients);
}

}  // namespace

std::vector<std::string> placement_lines(const io::Job& job) {
  const std::string own = node_name();
  const auto nodes = ep::gather_bytes(job.servers(), 0, std::as_bytes(std::span(own)));
  std::vector<std::string> out;
  if (job.servers().rank() != 0) return out;
  for (std::size_t s = 0; s < nodes.size(); ++s) {
    const std::string node(reinterpret_cast<const char*>(nodes[s].data()), nodes[s].size());
    std::size_t number = 0;
    const io::Roster::Process* const process = process_of(job, static_cast<int>(s), number);
    if (process == nullptr) continue;
    out.push_back(fmt::format("server {}: process {} on node '{}', {}: receives, writes, reads", s,
                              number, node, company(job.watch().roster(), *process)));
  }
  return out;
}

}  // namespace epios::server
