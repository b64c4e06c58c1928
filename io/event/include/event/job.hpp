/// @file
/// Who is who in a job: components, clients and servers, and the communicators between them.
#pragma once

#include <cstdint>
#include <ep/ep.hpp>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "event/channel_memory.hpp"
#include "event/watch.hpp"

namespace epios::io {

/// How one process takes part.
struct JobMember {
  std::string code_id;  ///< component of its clients; ignored without clients
  int clients = 0;      ///< client endpoints
  bool serves = false;  ///< has a server endpoint
  /// The processes that its model takes for the component: the first one's rank in the job, and how
  /// many; none: it has not said.
  struct Group {
    int first = -1, size = 0;
    bool operator==(const Group&) const = default;
  };
  Group group{};
  /// Whether each process of the component shall have a server. Asked of the component's first
  /// process, when all have come: it may throw, which is no.
  std::function<bool()> asks_for_servers{};
};

/// The rendezvous of all processes of a job. When nobody serves, every process with clients gets a
/// server endpoint of its own (attached mode) that serves its component only. Immutable after
/// construction, shared by the threads of a process.
class Job {
 public:
  /// Collective over all processes of `comm`. All throw alike for a job that cannot work (no
  /// clients at all, thread level too low on some process, one name for two components).
  Job(MPI_Comm comm, const JobMember& self, int thread_level);

  bool is_attached() const { return attached_; }
  /// Whether this process has a server endpoint, asked for or attached.
  bool serves() const { return static_cast<bool>(servers_); }
  /// This process, as all know it.
  const ProcessTable::Process& own_process() const {
    return watch_->process_table().processes[static_cast<std::size_t>(process_)];
  }

  /// Components that the servers of this process serve (or, on a process without server, its own
  /// component), sorted.
  const std::vector<std::string>& components() const { return components_; }

  /// The component's processes (one endpoint each); null without clients.
  const ep::Comm& processes() const { return processes_; }
  /// The component's clients, as endpoint `index` of this process.
  const ep::Comm& clients(int index) const { return clients_[static_cast<std::size_t>(index)]; }
  /// Ranks of the clients of these processes of the job, in order. Throws Error{argument} for a
  /// process that has no client of this component. Local.
  std::vector<int> clients_of(std::span<const int> processes) const;
  int local_clients() const { return static_cast<int>(clients_.size()); }
  /// All servers that work together, this one's endpoint; null without server.
  const ep::Comm& servers() const { return servers_; }
  /// The same processes, as endpoints of the file threads.
  const ep::Comm& file_threads() const { return file_threads_; }

  /// Who waits for whom in the whole job.
  Watch& watch() const { return *watch_; }
  /// What the channels of this process take.
  ChannelMemory& channel_memory() const { return *channel_memory_; }
  /// Client `index` of this process, one of its component by its rank there, and one of any
  /// component.
  Actor client(int index) const;
  Actor fellow_client(int rank) const;
  Actor client_of(int component, int rank) const;
  /// A server for which clients of this process wait, and this process's own in a context of a
  /// component.
  Actor server(int rank, std::int64_t context) const;
  Actor own_server(int component, std::int64_t context) const;

  /// All endpoints of the job, as client `index` of this process.
  const ep::Comm& everyone(int index) const { return world_[static_cast<std::size_t>(index)]; }
  /// The rank there of any client. Cost: a look at each process.
  int rank_among_everyone(const Actor& client) const;
  /// Ranks there of all clients of other components. Cost: a look at each process.
  std::vector<int> clients_of_others() const;
  /// Of any component of the job; -1: there is none of that name.
  int find_component(std::string_view code) const;
  /// Clients of it.
  int clients_in(int component) const;
  /// One of any component of the job, by its number there.
  static Actor client_in(int component, int rank) {
    return {Actor::Kind::client, component, rank, -1};
  }

  /// Intercommunicator from client `index` of this process to its component's servers. Collective
  /// over the component's clients and, by connect_server, the servers; from the client's own
  /// thread.
  ep::Comm connect_client(int index) const;
  /// The other side, for component number `component`; collective over the servers. The servers
  /// connect to all components in order.
  ep::Comm connect_server(int component) const;

 private:
  struct Table;
  void ask_for_servers(const ep::Comm& base, Table& table, const JobMember& self) const;
  void check_thread_levels(const Table& table) const;
  void make_communicators(const ep::Comm& base, const Table& table, const JobMember& self);
  ProcessTable process_table(const Table& table) const;
  int in_process_table(int component) const;

  bool attached_ = false;
  int own_component_ = -1;  // index into components_, -1 without clients
  std::vector<std::string> components_;
  std::vector<int> component_leaders_;  // world rank of each component's first client
  std::vector<int> server_leaders_;     // world rank of the first server of each component
  std::vector<int> first_clients_;  // per process of the job: -1 where none is of this component
  std::vector<int> client_counts_;
  std::vector<ep::Comm> world_;  // this process's endpoints: clients, then the server
  ep::Comm processes_;
  std::vector<ep::Comm> clients_;
  ep::Comm servers_;
  ep::Comm file_threads_;
  int process_ = 0;  // of this one in the job
  std::unique_ptr<Watch> watch_;
  std::unique_ptr<ChannelMemory> channel_memory_ = std::make_unique<ChannelMemory>();
};

}  // namespace epios::io
