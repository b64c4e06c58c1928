/// @file
/// The members of a job: components, clients and servers, and the communicators between them.
#pragma once

#include <cstdint>
#include <ep/ep.hpp>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "config/index.hpp"
#include "config/run_page.hpp"
#include "event/channel_memory.hpp"
#include "event/protocol_trace.hpp"
#include "event/watch.hpp"

namespace epios::io {

/// How one process takes part.
struct JobMember {
  std::string code_id;  ///< component of its clients; ignored without clients
  int clients = 0;      ///< number of client endpoints
  bool serves = false;  ///< true if it has a server endpoint
  /// The processes that its model regards as the component: the rank in the job of the first one,
  /// and their number. Not set if the model has not said so.
  struct Group {
    int first = -1, size = 0;
    bool operator==(const Group&) const = default;
  };
  Group group{};
  /// Returns true if each process of the component needs a server. Called on the component's first
  /// process once all processes have arrived. An exception counts as false.
  std::function<bool()> asks_for_servers{};
};

/// The rendezvous of all processes of a job. If no process serves, every process with clients gets
/// a server endpoint of its own that serves its component only (attached mode). Immutable after
/// construction; the threads of a process share it.
class Job {
 public:
  /// Collective over all processes of `comm`. Throws on all of them for a job that cannot work (no
  /// clients at all, thread level too low on some process, one name for two components).
  Job(MPI_Comm comm, const JobMember& self, int thread_level);

  bool is_attached() const { return attached_; }
  /// Returns true if this process has a server endpoint, requested or attached.
  bool serves() const { return static_cast<bool>(servers_); }
  /// Returns the entry of this process, which all processes know.
  const ProcessTable::Process& own_process() const {
    return nth(watch_->process_table().processes, process_);
  }

  /// Returns the components that the servers of this process serve or, on a process without server,
  /// its own component; sorted.
  const std::vector<std::string>& components() const { return components_; }

  /// Returns the processes of the component (one endpoint each); null without clients.
  const ep::Comm& processes() const { return processes_; }
  /// Returns the clients of the component, as endpoint `index` of this process.
  const ep::Comm& clients(int index) const { return nth(clients_, index); }
  /// Returns the ranks of the clients of these processes of the job, in order. Throws
  /// Error{argument} for a process without a client of this component. Local.
  std::vector<int> clients_of(std::span<const int> processes) const;
  int local_clients() const { return static_cast<int>(clients_.size()); }
  /// Returns all servers that work together, as this server's endpoint; null without server.
  const ep::Comm& servers() const { return servers_; }
  /// Returns the same processes, as endpoints of the file threads.
  const ep::Comm& file_threads() const { return file_threads_; }

  /// Returns the watch over all waits of the job.
  Watch& watch() const { return *watch_; }
  /// Returns the account of channel memory of this process.
  ChannelMemory& channel_memory() const { return *channel_memory_; }
  /// Client `index` of this process, a client of its component by its rank there, and a client of
  /// any component.
  Actor client(int index) const;
  Actor fellow_client(int rank) const;
  Actor client_of(int component, int rank) const;
  /// A server that clients of this process wait for, and the server of this process in a context of
  /// a component.
  Actor server(int rank, std::int64_t context) const;
  Actor own_server(int component, std::int64_t context) const;

  /// Returns all endpoints of the job, as client `index` of this process.
  const ep::Comm& everyone(int index) const { return nth(world_, index); }
  /// Returns the rank of any client in everyone(). Cost: looks at each process.
  int rank_among_everyone(const Actor& client) const;
  /// Returns the ranks in everyone() of all clients of other components. Cost: looks at each
  /// process.
  std::vector<int> clients_of_others() const;
  /// Returns the number of a component of the job, or -1 if there is none with that name.
  int find_component(std::string_view code) const;
  /// Returns the number of its clients.
  int clients_in(int component) const;

  /// Connects client `index` of this process to the servers of its component with an
  /// intercommunicator. Collective over the clients of the component and, through connect_server,
  /// the servers. Called from the thread of the client.
  ep::Comm connect_client(int index) const;
  /// Connects the servers to the clients of component number `component`. Collective over the
  /// servers, which connect to all components in order.
  ep::Comm connect_server(int component) const;

  /// Returns the trace of the protocol for steps of a client or server of this process in a context
  /// (of its servers as a whole: -1). It is false unless EPIOS_PROTOCOL_TRACE is set. `thread`
  /// distinguishes threads of an actor.
  friend ActorTrace trace_of(const Job& job, const Actor& actor, std::int64_t context,
                             std::string_view thread);

 private:
  struct Table;
  void ask_for_servers(const ep::Comm& base, Table& table, const JobMember& self) const;
  void check_thread_levels(const Table& table) const;
  void make_communicators(const ep::Comm& base, const Table& table, const JobMember& self);
  ProcessTable process_table(const Table& table) const;
  void make_page(const ProcessTable& processes);
  int in_process_table(int component) const;

  bool attached_ = false;
  int own_component_ = -1;  // index into components_, -1 without clients
  std::vector<std::string> components_;
  std::vector<int> component_leaders_;  // job rank of the first client of each component
  std::vector<int> server_leaders_;     // job rank of the first server of each component
  std::vector<int>
      first_clients_;  // for each process of the job; -1 if it has no client of this component
  std::vector<int> client_counts_;
  std::vector<ep::Comm> world_;  // endpoints of this process: clients, then the server
  ep::Comm processes_;
  std::vector<ep::Comm> clients_;
  ep::Comm servers_;
  ep::Comm file_threads_;
  int process_ = 0;                        // rank of this process in the job
  std::unique_ptr<config::RunPage> page_;  // before the watch, whose waits are in it
  std::unique_ptr<Watch> watch_;
  std::unique_ptr<ProtocolTrace> trace_;  // null: none is wanted
  std::unique_ptr<ChannelMemory> channel_memory_ = std::make_unique<ChannelMemory>();
};

ActorTrace trace_of(const Job& job, const Actor& actor, std::int64_t context,
                    std::string_view thread = {});

}  // namespace epios::io
