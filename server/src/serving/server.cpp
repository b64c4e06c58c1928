// The loop of a server: receives control messages of clients and servers, sends or applies the
// leader's commands, and lets all contexts go on. Messages about a context go to it by its number;
// what comes before a context is open waits in EarlyParts. In order: one round of the loop,
// messages of clients, messages of servers, commands, the end of components and of the server.
#include "server/server.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "commands/commands.hpp"
#include "config/error.hpp"
#include "config/failure_text.hpp"
#include "config/index.hpp"
#include "contexts/early_parts.hpp"
#include "contexts/server_context.hpp"
#include "event/channel_windows.hpp"
#include "event/long_message.hpp"
#include "event/opening.hpp"
#include "event/stop_signals.hpp"
#include "file/compressors.hpp"
#include "file/file_thread.hpp"
#include "file/writing_endpoints.hpp"
#include "process/log.hpp"
#include "process/metrics_file.hpp"
#include "process/placement.hpp"
#include "process/thread_place.hpp"
#include "reading/inspections.hpp"
#include "serving/load_meter.hpp"

namespace epios::server {
struct Server::Impl {
  explicit Impl(const io::Job& the_job);

  bool progress();
  void show();
  bool receive_from_clients();
  void handle(int component, const ep::Received& message);
  void take_part(int component, const std::vector<std::byte>& bytes);
  bool is_last_goodbye(int component);
  bool receive_commands();
  bool receive_read_statuses();
  bool receive_inter_level();
  void take_gathered(std::uint32_t number, const std::vector<std::byte>& bytes);
  bool apply_next();
  void apply(const Command& command);
  void broadcast(const Command& command);
  void broadcast_and_apply(const Command& command);
  void component_over(const Command& command);
  std::string who_gave_up(const Command& command) const;
  bool progress_contexts();
  bool progress_all();
  double patience_s() const;
  void send_what_is_due();
  void report_to_all(const std::string& why);
  bool is_finished() const;
  bool is_leader() const { return job.servers().rank() == io::leader; }

  /// The state that a server keeps per component of the job.
  struct Component {
    Log log;                                    // names the component where there are several
    ep::Comm comm;                              // intercommunicator to its clients
    std::unique_ptr<io::ChannelWindow> window;  // to the same; null: none is wanted
    io::LongMessages messages{};                // of its clients
    int goodbyes = 0;                           // clients that came to an end; leader only
    bool is_over = false;
  };
  Component& at(int component) { return nth(components, component); }

  const io::Job& job;
  Log log;
  io::ActorTrace trace;               // of what all servers do together
  ThreadPlacer threads;               // before those that are made by this one
  std::vector<Component> components;  // in the job's order
  Outbox to_servers;                  // commands, and statements about records that are read
  Outbox to_clients;
  std::deque<Command> commands;  // received, not yet applied
  io::LongMessages inter_level;
  EarlyParts early_parts;
  std::uint32_t next_context = 0;
  bool clean = true;
  LoadMeter meter;
  struct Shown {
    config::HeldSlot<config::ServerSlot> slot;  // in the page of the process
    LoadMeter::Clock::time_point at{};
    std::map<std::string, MetricsFile> metrics{};  // by path
  };
  Shown shown;
  io::WritingEndpoints endpoints;  // before the contexts, whose files are theirs
  WrittenFiles written;
  std::map<std::uint32_t, std::unique_ptr<ServerContext>> contexts;
  io::Compressors compressors{io::Compressors::default_threads()};
  Inspections inspections{to_clients};
  io::FileThread file_thread;  // after the contexts: ends before their files and channels do
};

Server::Impl::Impl(const io::Job& the_job)
    : job(the_job),
      log(the_job.servers().rank(), &the_job.watch().page()),
      trace(trace_of(the_job, the_job.own_server(0, -1), -1)),
      threads(the_job, log),
      shown{the_job.watch().page().take_server(the_job.servers().rank())},
      endpoints(the_job.file_threads()),
      file_thread([this] { EP_Ring(job.servers().get(), job.servers().rank()); }) {
  const bool are_several = job.watch().process_table().components.size() > 1;
  for (int c = 0; c < static_cast<int>(job.components().size()); ++c) {
    const std::string& name = nth(job.components(), c);
    ep::Comm comm = job.connect_server(c);
    auto window = io::window_to_clients(comm);
    components.push_back({are_several ? log.of(name) : log, std::move(comm), std::move(window)});
  }
  for (const std::string& line : placement_lines(job)) log.info(line);
  if (!job.watch().page().problem().empty()) {
    log.info(
        fmt::format("epios top does not show this process ({})", job.watch().page().problem()));
  }
}

bool Server::Impl::progress() {
  const LoadMeter::Clock::time_point start = LoadMeter::Clock::now();
  const bool did = progress_all();
  if (!did) return false;
  const LoadMeter::Clock::time_point end = LoadMeter::Clock::now();
  if (!contexts.empty()) meter.add_busy(end - start);
  // The account of the file thread has a lock.
  constexpr std::chrono::milliseconds between{20};
  if (end - shown.at < between && !contexts.empty()) return true;
  shown.at = end;
  show();
  return true;
}

void Server::Impl::show() {
  const io::ServerLoad load =
      meter.load(job.servers().rank(), !contexts.empty(), file_thread.busy_s());
  shown.slot->contexts.set(static_cast<std::int64_t>(contexts.size()));
  shown.slot->open_s.set(load.open_s);
  shown.slot->busy_s.set(load.busy_s);
  shown.slot->writing_s.set(load.writing_s);
  shown.slot->updated_ns.set(config::page_clock_ns());
}

bool Server::Impl::progress_all() {
  bool did = receive_from_clients();
  did = receive_commands() || did;
  did = receive_read_statuses() || did;
  did = receive_inter_level() || did;
  did = apply_next() || did;
  did = progress_contexts() || did;
  did = inspections.progress() || did;
  for (const Component& component : components) {
    // Lets memory go that nobody puts to any more.
    if (component.window) component.window->progress();
  }
  send_what_is_due();
  return did;
}

bool Server::Impl::progress_contexts() {
  bool did = false;
  for (auto it = contexts.begin(); it != contexts.end();) {
    did = it->second->progress() || did;
    if (it->second->is_over()) {
      clean = clean && it->second->is_clean();
      it = contexts.erase(it);
      if (!contexts.empty()) continue;
      meter.end_open();
      for (auto& [path, file] : shown.metrics) file.write_soon();
    } else {
      ++it;
    }
  }
  return did;
}

void Server::Impl::send_what_is_due() {
  to_servers.progress();
  try {
    to_clients.progress();
  } catch (const ep::Error& error) {
    // The error concerns one client: it may be gone, the others are not.
    clean = false;
    log.error(fmt::format("a client cannot be told what it waits for: {}", error.what()));
  }
}

bool Server::Impl::receive_from_clients() {
  bool did = false;
  ep::Received message;
  for (int c = 0; c < static_cast<int>(components.size()); ++c) {
    Component& component = at(c);
    while (ep::try_receive(component.comm, EP_ANY_SOURCE,
                           static_cast<int>(io::ControlTag::to_server), message)) {
      did = true;
      if (component.messages.complete(message)) handle(c, message);
    }
  }
  return did;
}

void Server::Impl::handle(int component, const ep::Received& message) {
  const io::MessageKind kind = io::message_kind(message.bytes);
  if (kind == io::MessageKind::opening_part) return take_part(component, message.bytes);
  if (kind == io::MessageKind::passed) {
    const io::Passed passed = io::decode_passed(message.bytes);
    const auto context = contexts.find(passed.context);
    if (context != contexts.end()) context->second->note_passed(passed.event);
    return;
  }
  if (kind == io::MessageKind::answer_channel) {
    const io::AnswerChannel channel = io::decode_answer_channel(message.bytes);
    const auto context = contexts.find(channel.context);
    if (context != contexts.end()) context->second->add_answer_channel(channel);
    return;
  }
  if (kind == io::MessageKind::inspect) {
    inspections.start(file_thread, at(component).comm, message.source,
                      io::decode_inspect(message.bytes));
    return;
  }
  Command command;
  command.component = component;
  switch (kind) {
    case io::MessageKind::open_context:
      command.kind = Command::Kind::open_context;
      command.context = next_context++;
      command.package = message.bytes;
      break;
    case io::MessageKind::context_opened:
      command.kind = Command::Kind::context_opened;
      command.context = io::decode_context_opened(message.bytes).context;
      break;
    case io::MessageKind::goodbye: {
      const io::Goodbye goodbye = io::decode_goodbye(message.bytes);
      if (!goodbye.aborted && !is_last_goodbye(component)) return;
      command.kind = Command::Kind::component_over;
      command.failed = goodbye.aborted;
      command.client = message.source;
      command.reason = goodbye.reason;
      break;
    }
    case io::MessageKind::opening_part:
    case io::MessageKind::passed:
    case io::MessageKind::answer_channel:
    case io::MessageKind::inspect:
    case io::MessageKind::inspected:
    case io::MessageKind::in_pieces:
    case io::MessageKind::open_reply:
    case io::MessageKind::context_report:
      throw Error(ErrorCode::protocol,
                  "a client sent a message that only servers send. Is this a bug of EPIOS?");
  }
  broadcast_and_apply(command);
}

/// Parts may come before the leader's command to open their context.
void Server::Impl::take_part(int component, const std::vector<std::byte>& bytes) {
  const std::uint64_t opening = io::opening_of(bytes);
  for (auto& [number, context] : contexts) {
    if (context->component() == component && context->opening() == opening) {
      return context->add_part(bytes);
    }
  }
  early_parts.keep_of_client(component, opening, bytes);
}

bool Server::Impl::is_last_goodbye(int component) {
  Component& whose = at(component);
  return ++whose.goodbyes == whose.comm.remote_size();
}

bool Server::Impl::receive_commands() {
  if (is_leader()) return false;
  bool did = false;
  ep::Received message;
  while (ep::try_receive(job.servers(), io::leader, static_cast<int>(io::ControlTag::among_servers),
                         message)) {
    commands.push_back(decode_command(message.bytes));
    did = true;
  }
  return did;
}

/// Statements about contexts that are over have come too late.
bool Server::Impl::receive_read_statuses() {
  if (job.servers().size() < 2) return false;
  bool did = false;
  ep::Received message;
  while (ep::try_receive(job.servers(), EP_ANY_SOURCE,
                         static_cast<int>(io::ControlTag::among_readers), message)) {
    const ReadStatus status = decode_read_status(message.bytes);
    const auto context = contexts.find(status.context);
    if (context != contexts.end()) context->second->add_read_status(status, message.source);
    did = true;
  }
  return did;
}

/// Receives opening parts and failures of gatherers, and the answers of writers to them.
bool Server::Impl::receive_inter_level() {
  if (job.servers().size() < 2) return false;
  bool did = false;
  ep::Received message;
  while (ep::try_receive(job.servers(), EP_ANY_SOURCE,
                         static_cast<int>(io::ControlTag::inter_level), message)) {
    did = true;
    if (!inter_level.complete(message)) continue;
    if (io::message_kind(message.bytes) == io::MessageKind::opening_part) {
      take_gathered(static_cast<std::uint32_t>(io::opening_of(message.bytes)), message.bytes);
      continue;
    }
    if (io::message_kind(message.bytes) == io::MessageKind::context_report) {
      const io::ContextReport report = io::decode_context_report(message.bytes);
      const auto context = contexts.find(report.context);
      if (context != contexts.end()) context->second->on_gatherer_failure(message.source, report);
      continue;
    }
    io::OpenReply reply = io::decode_open_reply(message.bytes);
    const auto context = contexts.find(reply.context);
    if (context != contexts.end()) context->second->add_reply(message.source, std::move(reply));
  }
  return did;
}

/// A gatherer may have applied the leader's command to open the context before this server.
void Server::Impl::take_gathered(std::uint32_t number, const std::vector<std::byte>& bytes) {
  const auto context = contexts.find(number);
  if (context != contexts.end()) return context->second->add_part(bytes);
  early_parts.keep_of_gatherer(number, bytes);
}

bool Server::Impl::apply_next() {
  bool did = false;
  while (!commands.empty()) {
    const auto context = contexts.find(commands.front().context);
    if (context != contexts.end() && !context->second->can_apply(commands.front())) {
      // A seal waits for this server's own events, which will not come when clients gave up.
      const auto end = std::find_if(commands.begin(), commands.end(), [&](const Command& command) {
        return command.kind == Command::Kind::component_over && command.failed &&
               command.component == context->second->component();
      });
      if (end == commands.end()) break;
      context->second->fail_as_clients_left(who_gave_up(*end));
    }
    const Command command = std::move(commands.front());
    commands.pop_front();
    apply(command);
    did = true;
  }
  return did;
}

void Server::Impl::broadcast(const Command& command) {
  if (trace) trace.add("order " + traced(command));
  const std::vector<std::byte> bytes = encode(command);
  for (int rank = 0; rank < job.servers().size(); ++rank) {
    if (rank != io::leader) {
      to_servers.send(job.servers(), rank, static_cast<int>(io::ControlTag::among_servers), bytes);
    }
  }
}

void Server::Impl::broadcast_and_apply(const Command& command) {
  broadcast(command);
  apply(command);
}

void Server::Impl::apply(const Command& command) {
  if (trace && !is_leader()) trace.add("obey " + traced(command));
  if (command.kind == Command::Kind::component_over) return component_over(command);
  if (command.kind != Command::Kind::open_context) {
    const auto context = contexts.find(command.context);
    if (context != contexts.end()) context->second->apply(command);
    return;
  }
  const io::OpenContext request = io::decode_open_context(command.package);
  const EarlyParts::Parts early =
      early_parts.take(command.component, request.opening, command.context);
  // A client gave up before the leader heard of the context, which nobody would end.
  Component& component = at(command.component);
  if (component.is_over) return;
  for (auto& [number, earlier] : contexts) {
    if (earlier->is_repeated_by(command.component, request)) earlier->give_way();
  }
  threads.open_context();
  if (is_leader() && !request.metrics_file.empty()) {
    shown.metrics.try_emplace(request.metrics_file, request.metrics_file, job.watch().page().job(),
                              log);
  }
  io::catch_stop_signals(request.stop_on_signal);
  if (contexts.empty()) meter.begin_open();
  ServerContext::Environment environment;
  environment.servers = &job.servers();
  environment.job = &job;
  environment.file_threads = &job.file_threads();
  environment.clients = &component.comm;
  environment.window = component.window.get();
  environment.file_thread = &file_thread;
  environment.compressors = &compressors;
  environment.endpoints = &endpoints;
  environment.written = &written;
  environment.to_clients = &to_clients;
  environment.to_servers = &to_servers;
  environment.log = &component.log;
  environment.load = [this] {
    return meter.load(job.servers().rank(), !contexts.empty(), file_thread.busy_s());
  };
  environment.broadcast = [this](const Command& shared) { broadcast(shared); };
  const auto context = contexts.emplace(
      command.context,
      std::make_unique<ServerContext>(environment, command.context, command.component, request));
  for (const auto& part : early) context.first->second->add_part(part);
}

std::string Server::Impl::who_gave_up(const Command& command) const {
  return fmt::format("client {} of component '{}' gave up ({})", command.client,
                     nth(job.components(), command.component), command.reason);
}

void Server::Impl::component_over(const Command& command) {
  if (std::exchange(at(command.component).is_over, true)) return;  // several clients gave up
  early_parts.end(command.component);
  if (command.failed) {
    clean = false;
    log.error(fmt::format("{}. Its unfinished files keep their .part names", who_gave_up(command)));
  }
  for (auto& [number, context] : contexts) {
    if (context->component() == command.component) {
      context->abandon(who_gave_up(command));
    }
  }
}

double Server::Impl::patience_s() const {
  double shortest = 0;
  for (const auto& [number, context] : contexts) {
    const double own = context->patience_s();
    if (own > 0 && (shortest == 0 || own < shortest)) shortest = own;
  }
  return shortest;
}

void Server::Impl::report_to_all(const std::string& why) {
  clean = false;
  log.error(why);
  for (auto& [number, context] : contexts) context->fail_now(why);
  send_what_is_due();
}

bool Server::Impl::is_finished() const {
  // Clients that gave up take no messages any more.
  return std::all_of(components.begin(), components.end(),
                     [](const Component& component) { return component.is_over; }) &&
         contexts.empty() && to_servers.is_empty() && (to_clients.is_empty() || !clean);
}

Server::Server(const io::Job& job) : impl_(std::make_unique<Impl>(job)) {}
Server::~Server() = default;

void Server::run() {
  try {
    while (!impl_->is_finished()) {
      const double patience_s = impl_->patience_s();
      ep::wait_until(impl_->job.servers(),
                     {patience_s > 0 ? "parts of an event" : "events", -1, patience_s}, [&] {
                       return impl_->progress() || impl_->is_finished() ||
                              impl_->patience_s() != patience_s;
                     });
    }
  } catch (const std::exception& error) {
    const bool is_memory = failure_code(error) == ErrorCode::resource;
    const int rank = impl_->job.servers().rank();
    const std::string text = is_memory ? fmt::format("server {}: {}", rank, failure_text(error))
                                       : fmt::format("server {} fails ({})", rank, error.what());
    give_up(text);
    if (is_memory) throw Error(ErrorCode::resource, text);
    throw;
  }
}

/// The file thread may wait for those of other servers, which wait for this one: nobody waits for
/// it. The process will end.
void Server::give_up(const std::string& why) {
  Impl& impl = *impl_.release();
  impl.report_to_all(why);
}

bool Server::is_clean() const { return impl_ && impl_->clean; }

}  // namespace epios::server
