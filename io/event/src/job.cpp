// Who is who in a job: all processes exchange what they are, and everybody derives the same
// components, clients and servers from it. Mistakes are found by all alike, before the first
// communicator between two groups is made, so that nobody waits for ever. In order: the table is
// exchanged and checked, communicators are made, questions about the job are answered.
#include "event/job.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <ep/bytes.hpp>
#include <ep/process_group.hpp>
#include <ep/raw_comm.hpp>
#include <map>
#include <span>
#include <string_view>
#include <utility>

#include "config/byte_fields.hpp"
#include "config/error.hpp"
#include "config/index.hpp"
#include "event/agreement.hpp"
#include "event/process_place.hpp"
#include "event/wire.hpp"
#include "late_start.hpp"

namespace epios::io {

/// What a process says of itself.
struct Introduction {
  JobMember member;
  int thread_level = MPI_THREAD_SINGLE;
  ProcessPlace place;
};

template <class Archive>
void fields(Archive& archive, config::Described<Introduction> auto& self) {
  auto& member = self.member;
  archive(member.code_id, member.clients, member.serves, member.group.first, member.group.size,
          self.thread_level, self.place.pid, self.place.node, self.place.numbers,
          self.place.program);
}

/// The knowledge of every process about every process.
struct Job::Table {
  struct Row : Introduction {
    int first_endpoint = 0;  ///< world rank of its first endpoint
    int component = -1;
    bool is_asked_to_serve = false;  ///< by the component, not by the process
  };
  std::vector<Row> rows;
  int self = 0;

  void check_groups() const;
};

/// A component is all that gave its name. Where its models were given communicators, it is one of
/// these: two of one name would write each other's files, and wait for each other's calls.
void Job::Table::check_groups() const {
  struct Found {
    std::size_t process = 0;  ///< the first one that has said which group
    JobMember::Group group;
    int members = 0;
  };
  std::map<std::string_view, Found> found;
  const auto refuse = [](std::string_view code, const std::string& problem) {
    throw Error(
        ErrorCode::call_order,
        fmt::format("component '{}' {} (all that give one name are one component). Give each "
                    "a name of its own, or number them by EPIOS_MEMBER as members of an "
                    "ensemble?",
                    code, problem));
  };
  for (std::size_t p = 0; p < rows.size(); ++p) {
    const JobMember& member = rows[p].member;
    if (member.clients == 0) continue;
    Found& its = found[member.code_id];
    ++its.members;
    if (member.group.size == 0) continue;
    if (its.group.size == 0) {
      its.process = p;
      its.group = member.group;
    } else if (its.group != member.group) {
      refuse(
          member.code_id,
          fmt::format("is several: local_comm of process {} has {} process{} of the job, from {} "
                      "on, and that of process {} has {}, from {} on",
                      its.process, its.group.size, its.group.size == 1 ? "" : "es", its.group.first,
                      p, member.group.size, member.group.first));
    }
  }
  for (const auto& [code, its] : found) {
    if (its.group.size == 0 || its.group.size == its.members) continue;
    refuse(code, fmt::format("has {} process{}, and local_comm of process {} has {}", its.members,
                             its.members == 1 ? "" : "es", its.process, its.group.size));
  }
}

namespace {

/// Bytes of all processes, in rank order, on each. Collective.
std::vector<std::vector<std::byte>> allgather_bytes(const ep::Comm& comm,
                                                    std::span<const std::byte> own) {
  config::ByteWriter writer;
  for (const auto& bytes : ep::gather_bytes(comm, 0, own)) writer.put(bytes);
  const auto all = ep::broadcast_bytes(comm, 0, writer.take());
  config::ByteReader reader(all);
  std::vector<std::vector<std::byte>> out(static_cast<std::size_t>(comm.size()));
  for (auto& bytes : out) bytes = reader.get_vector<std::byte>();
  return out;
}

std::vector<std::byte> encode_member(const JobMember& member, int thread_level) {
  return config::encode_fields(wire_version, Introduction{member, thread_level, own_place()});
}

/// Returns what all processes of `comm` say of themselves, which `base` holds afterwards. A server,
/// which may have threads, tells when some of them do not come.
std::vector<std::vector<std::byte>> rendezvous(MPI_Comm comm, const JobMember& self,
                                               int thread_level, ep::Comm& base) {
  const ep::ProcessGroup all(comm);
  const std::size_t size = all.ranks_of(comm).size();
  const int rank = all.ranks_of(MPI_COMM_SELF).front();
  // Servers are the last ones of most commands: one of them is enough.
  const bool tells = self.serves && self.clients == 0 && static_cast<std::size_t>(rank) + 1 == size;
  const LateStart teller =
      tells
          ? LateStart(fmt::format("all {} processes of the job to start EPIOS. Do programs run in "
                                  "it that do not use it (EPIOS_RANKS lists those that do)?",
                                  size))
          : LateStart();
  base = ep::Comm::from_mpi(comm);
  return allgather_bytes(base, encode_member(self, thread_level));
}

}  // namespace

Job::Job(MPI_Comm comm, const JobMember& self, int thread_level) {
  ep::Comm base;
  Table table;
  for (const auto& bytes : rendezvous(comm, self, thread_level, base)) {
    config::ByteReader reader(bytes);
    if (reader.get<std::uint32_t>() != wire_version) {
      throw Error(ErrorCode::protocol,
                  "processes of this job use different versions of EPIOS. Are models and "
                  "epios_server from the same installation?");
    }
    Table::Row row;
    config::FieldReader archive(reader, "what a process says of itself");
    fields(archive, static_cast<Introduction&>(row));
    table.rows.push_back(std::move(row));
  }

  table.self = base.rank();
  for (const auto& row : table.rows) {
    if (row.member.clients > 0) components_.push_back(row.member.code_id);
  }
  if (components_.empty()) {
    throw Error(ErrorCode::call_order,
                "this job has servers but no model (no process opened a session with clients). "
                "Start models and servers in one command: mpiexec -n 4 model : -n 1 epios_server");
  }
  std::sort(components_.begin(), components_.end());
  components_.erase(std::unique(components_.begin(), components_.end()), components_.end());
  report_once(base, [&] { table.check_groups(); });
  ask_for_servers(base, table, self);

  attached_ = std::none_of(table.rows.begin(), table.rows.end(),
                           [](const auto& row) { return row.member.serves; });
  for (auto& row : table.rows) {
    if (attached_ && row.member.clients > 0) row.member.serves = true;
  }
  report_once(base, [&] { check_thread_levels(table); });
  process_ = table.self;
  ProcessTable processes = process_table(table);
  make_page(processes);
  watch_ = std::make_unique<Watch>(base, std::move(processes), *page_);
  trace_ = ProtocolTrace::of_environment(process_);
  make_communicators(base, table, self);
}

/// With slots for what the process will have: contexts that come and go take those of earlier ones.
void Job::make_page(const ProcessTable& processes) {
  constexpr int most_clients = 256;
  constexpr std::uint32_t files = 64;
  constexpr std::uint32_t waits = 8;
  constexpr std::uint32_t lines = 32;
  const ProcessTable::Process& first = processes.processes.front();
  const ProcessTable::Process& own = nth(processes.processes, process_);
  config::RunPage::Contents contents;
  contents.job = fmt::format("{}-{}", first.node < 0 ? "unknown" : nth(processes.nodes, first.node),
                             first.pid);
  contents.process = process_;
  contents.processes = static_cast<int>(processes.processes.size());
  contents.components = processes.components;
  const std::uint32_t servers = own.server >= 0 ? 1 : 0;
  const auto clients = static_cast<std::uint32_t>(std::clamp(own.clients, 0, most_clients));
  // A sample of a domain is spread over the servers. One that owns a file has it all.
  constexpr std::uint32_t least_maps = 32;
  constexpr std::uint32_t most_maps = 128;
  const auto all_servers = static_cast<std::uint32_t>(
      std::count_if(processes.processes.begin(), processes.processes.end(),
                    [](const ProcessTable::Process& process) { return process.server >= 0; }));
  const std::uint32_t maps =
      std::clamp(2 * most_maps / std::max(1U, all_servers), least_maps, most_maps);
  contents.slots = {clients == 0 ? 0 : waits + 2 * clients, servers,        servers * files,
                    2 * clients + (1 + servers) * waits,    servers * maps, servers * lines};
  page_ = std::make_unique<config::RunPage>(contents, first.pid);
}

/// While components are those of the whole job. One process of each component knows what it wants,
/// for which all have to come once.
void Job::ask_for_servers(const ep::Comm& base, Table& table, const JobMember& self) const {
  const auto index_of = [&](const JobMember& member) {
    return static_cast<std::size_t>(
        std::lower_bound(components_.begin(), components_.end(), member.code_id) -
        components_.begin());
  };
  std::vector<int> own(components_.size(), 0);
  const auto is_like_self = [&](const auto& row) {
    return row.member.clients > 0 && row.member.code_id == self.code_id;
  };
  const auto first = std::find_if(table.rows.begin(), table.rows.end(), is_like_self);
  const bool is_first = self.clients > 0 && first - table.rows.begin() == table.self;
  if (is_first && self.asks_for_servers) {
    try {
      own[index_of(self)] = self.asks_for_servers() ? 1 : 0;
    } catch (const std::exception&) {
      own[index_of(self)] = 0;  // what is wrong will be said where all of the component hear it
    }
  }
  std::vector<int> asked(own.size(), 0);
  ep::check(EP_Allreduce(own.data(), asked.data(), static_cast<int>(own.size()), MPI_INT, MPI_MAX,
                         base.get()));
  for (auto& row : table.rows) {
    if (row.member.clients == 0 || asked[index_of(row.member)] == 0) continue;
    row.is_asked_to_serve = !row.member.serves;
    row.member.serves = true;
  }
}

void Job::check_thread_levels(const Table& table) const {
  for (std::size_t rank = 0; rank < table.rows.size(); ++rank) {
    const auto& row = table.rows[rank];
    const int endpoints = row.member.clients + (row.member.serves ? 1 : 0);
    if (endpoints < 2 || row.thread_level >= MPI_THREAD_MULTIPLE) continue;
    const std::string clients =
        row.member.clients == 1 ? "client" : fmt::format("{} clients", row.member.clients);
    std::string why = fmt::format("it has {}{}{}", row.member.clients == 1 ? "a " : "", clients,
                                  row.member.serves ? " and a server" : "");
    if (attached_ && row.member.clients == 1) {
      why = "no server was started, so it writes its files itself";
    } else if (row.is_asked_to_serve) {
      why = fmt::format("variable servers_per_process gives it a server beside its {}", clients);
    }
    throw Error(ErrorCode::resource,
                fmt::format("process {} needs MPI_THREAD_MULTIPLE ({}), but MPI was initialised "
                            "with a lower level. Call MPI_Init_thread(..., MPI_THREAD_MULTIPLE, "
                            "...), or start epios_server processes and use one client per "
                            "process?",
                            rank, why));
  }
}

/// While components are those of the whole job.
ProcessTable Job::process_table(const Table& table) const {
  ProcessTable out;
  out.components = components_;
  out.is_attached = attached_;
  std::vector<int> clients(components_.size());
  std::vector<int> servers(components_.size() + 1);
  std::map<std::pair<std::string, std::string>, int> nodes;
  std::map<std::string, int> programs;
  for (const auto& row : table.rows) {
    ProcessTable::Process& process = out.processes.emplace_back();
    process.pid = row.place.pid;
    const auto node =
        nodes.try_emplace({row.place.node, row.place.numbers}, static_cast<int>(out.nodes.size()));
    if (node.second) out.nodes.push_back(row.place.node);
    process.node = node.first->second;
    const auto program =
        programs.try_emplace(row.place.program, static_cast<int>(out.programs.size()));
    if (program.second) out.programs.push_back(row.place.program);
    process.program = program.first->second;
    process.clients = row.member.clients;
    if (row.member.clients > 0) {
      const auto place =
          std::lower_bound(components_.begin(), components_.end(), row.member.code_id) -
          components_.begin();
      process.component = static_cast<int>(place);
      int& next = nth(clients, place);
      process.first_client = std::exchange(next, next + row.member.clients);
    }
    const std::size_t group =
        attached_ ? static_cast<std::size_t>(process.component) : components_.size();
    if (row.member.serves) process.server = servers[group]++;
  }
  return out;
}

int Job::in_process_table(int component) const {
  const std::vector<std::string>& all = watch_->process_table().components;
  const std::string& name = nth(components_, component);
  return static_cast<int>(std::lower_bound(all.begin(), all.end(), name) - all.begin());
}

Actor Job::client(int index) const {
  const ProcessTable::Process& own = nth(watch_->process_table().processes, process_);
  return {Actor::Kind::client, own.component, own.first_client + index, -1};
}

/// Contexts are numbered by their servers: without processes of servers each component has its own.
ActorTrace trace_of(const Job& job, const Actor& actor, std::int64_t context,
                    std::string_view thread) {
  if (!job.trace_) return {};
  const bool is_client = actor.kind == Actor::Kind::client;
  const std::vector<std::string>& all = job.watch_->process_table().components;
  const std::string name = actor.component < 0 ? "*" : nth(all, actor.component);
  const std::string kind = !thread.empty() ? std::string(thread) : is_client ? "client" : "server";
  return {job.trace_.get(), fmt::format("{} {} {} {} {}", kind, job.attached_ ? name : "*",
                                        is_client ? name : "*", actor.rank, context)};
}

int Job::rank_among_everyone(const Actor& client) const {
  int first = 0;
  for (const ProcessTable::Process& process : watch_->process_table().processes) {
    const int index = client.rank - process.first_client;
    if (process.component == client.component && index >= 0 && index < process.clients) {
      return first + index;
    }
    first += process.clients + (process.server >= 0 ? 1 : 0);
  }
  throw Error(ErrorCode::internal, fmt::format("client {} is in no process", client.rank));
}

std::vector<int> Job::clients_of_others() const {
  const ProcessTable& process_table = watch_->process_table();
  const int own = nth(process_table.processes, process_).component;
  std::vector<int> out;
  int first = 0;
  for (const ProcessTable::Process& process : process_table.processes) {
    for (int index = 0; process.component != own && index < process.clients; ++index) {
      out.push_back(first + index);
    }
    first += process.clients + (process.server >= 0 ? 1 : 0);
  }
  return out;
}

int Job::find_component(std::string_view code) const {
  const std::vector<std::string>& all = watch_->process_table().components;
  const auto found = std::find(all.begin(), all.end(), code);
  return found == all.end() ? -1 : static_cast<int>(found - all.begin());
}

int Job::clients_in(int component) const {
  int out = 0;
  for (const ProcessTable::Process& process : watch_->process_table().processes) {
    if (process.component == component) out += process.clients;
  }
  return out;
}

Actor Job::fellow_client(int rank) const {
  const ProcessTable::Process& own = nth(watch_->process_table().processes, process_);
  return {Actor::Kind::client, own.component, rank, -1};
}

Actor Job::client_of(int component, int rank) const {
  return {Actor::Kind::client, in_process_table(component), rank, -1};
}

Actor Job::server(int rank, std::int64_t context) const {
  const ProcessTable& process_table = watch_->process_table();
  return process_table.server(nth(process_table.processes, process_).component, rank, context);
}

Actor Job::own_server(int component, std::int64_t context) const {
  return watch_->process_table().server(in_process_table(component), servers_.rank(), context);
}

void Job::make_communicators(const ep::Comm& base, const Table& table, const JobMember& self) {
  const auto rows = [&](int rank) -> const Table::Row& { return nth(table.rows, rank); };
  const auto index_of = [&](const std::string& code_id) {
    return static_cast<int>(std::lower_bound(components_.begin(), components_.end(), code_id) -
                            components_.begin());
  };
  component_leaders_.assign(components_.size(), -1);
  server_leaders_.assign(components_.size(), -1);
  int first = 0;
  int first_server = -1;
  for (int rank = 0; rank < static_cast<int>(table.rows.size()); ++rank) {
    const JobMember& member = rows(rank).member;
    if (member.serves && first_server < 0) first_server = first + member.clients;
    if (member.clients > 0) {
      const auto component = static_cast<std::size_t>(index_of(member.code_id));
      if (component_leaders_[component] < 0) component_leaders_[component] = first;
      if (attached_ && server_leaders_[component] < 0) {
        server_leaders_[component] = first + member.clients;
      }
    }
    first += member.clients + (member.serves ? 1 : 0);
  }
  if (!attached_) std::fill(server_leaders_.begin(), server_leaders_.end(), first_server);

  const bool serves = rows(table.self).member.serves;
  const int component = self.clients > 0 ? index_of(self.code_id) : -1;
  world_ = base.create_endpoints(self.clients + (serves ? 1 : 0));
  processes_ = base.split(component >= 0 ? component : EP_UNDEFINED, table.self);
  if (component >= 0) clients_ = processes_.create_endpoints(self.clients);
  const int group = attached_ ? component : 0;
  const ep::Comm serving = base.split(serves ? group : EP_UNDEFINED, table.self);
  if (serves) {
    servers_ = std::move(serving.create_endpoints(1).front());
    file_threads_ = std::move(serving.create_endpoints(1).front());
  }
  own_component_ = component;
  int next_client = 0;
  for (const auto& row : table.rows) {
    const bool is_ours =
        component >= 0 && row.member.clients > 0 && index_of(row.member.code_id) == component;
    first_clients_.push_back(is_ours ? next_client : -1);
    client_counts_.push_back(is_ours ? row.member.clients : 0);
    next_client += client_counts_.back();
  }
  if (attached_ || !serves) {
    // Only the own component matters here.
    const auto own = static_cast<std::size_t>(component);
    components_ = {components_[own]};
    component_leaders_ = {component_leaders_[own]};
    server_leaders_ = {server_leaders_[own]};
    own_component_ = 0;
  }
}

std::vector<int> Job::clients_of(std::span<const int> processes) const {
  std::vector<int> out;
  for (const int process : processes) {
    const bool is_ours = process >= 0 && process < static_cast<int>(first_clients_.size()) &&
                         nth(first_clients_, process) >= 0;
    if (!is_ours) {
      throw Error(
          ErrorCode::argument,
          fmt::format("{} is no process of component '{}' (a context runs on clients of one "
                      "component). Is it the communicator that the session gave?",
                      process < 0 ? "a process outside the job"
                                  : fmt::format("process {} of the job", process),
                      nth(components_, own_component_)));
    }
    const int first = nth(first_clients_, process);
    for (int i = 0; i < nth(client_counts_, process); ++i) {
      out.push_back(first + i);
    }
  }
  std::sort(out.begin(), out.end());
  out.erase(std::unique(out.begin(), out.end()), out.end());
  return out;
}

ep::Comm Job::connect_client(int index) const {
  const auto component = static_cast<std::size_t>(own_component_);
  return ep::Comm::intercomm(clients(index), 0, nth(world_, index), server_leaders_[component],
                             static_cast<int>(ControlTag::intercomm));
}

ep::Comm Job::connect_server(int component) const {
  return ep::Comm::intercomm(servers_, 0, world_.back(), nth(component_leaders_, component),
                             static_cast<int>(ControlTag::intercomm));
}

}  // namespace epios::io
