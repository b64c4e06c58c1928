#include "session/session_state.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <ep/bytes.hpp>
#include <ep/raw_comm.hpp>
#include <exception>
#include <filesystem>
#include <system_error>
#include <utility>
#include <vector>

#include "config/error.hpp"
#include "config/failure_text.hpp"
#include "config/index.hpp"
#include "config/model.hpp"
#include "config/run_report.hpp"
#include "event/agreement.hpp"
#include "event/event.hpp"
#include "file/replace_file.hpp"
#include "server/server.hpp"
#include "session/run_settings.hpp"
#include "session/server_pools.hpp"

namespace epios::client {
namespace {

std::string member_of_environment() {
  const char* const member = std::getenv("EPIOS_MEMBER");
  return member == nullptr ? "" : member;
}

}  // namespace

SessionState::SessionState(const std::string& code_id, const Options& options)
    : environment_(std::make_unique<ep::Environment>(MPI_THREAD_MULTIPLE)),
      texts_(options.texts),
      recorded_{code_id, options.texts.has_value(), {}, {}},
      hosts_server_(options.host_server) {
  try {
    names_ = config::run_names(code_id, member_of_environment());
    rendezvous_.emplace(comm_of_job(options));
    job_processes_ = ep::ProcessGroup(rendezvous_->comm());
    const io::JobMember self{names_.component, options.clients, options.host_server,
                             group_in_job(options.local),
                             [&] { return asks_for_servers(options.iodef); }};
    job_ = std::make_unique<io::Job>(rendezvous_->comm(), self, environment_->thread_level());
    clients_.assign(static_cast<std::size_t>(job_->local_clients()), Place::unopened);
    read_definitions(options.iodef);
    if (job_->serves() && !hosts_server_) start_server();
  } catch (...) {
    // The process will end without MPI_Finalize, which would wait for processes that wait for it.
    static_cast<void>(environment_.release());
    if (job_) job_->watch().page().unlink();
    static_cast<void>(job_.release());
    if (rendezvous_) rendezvous_->abandon();
    throw;
  }
}

SessionState::~SessionState() {
  if (abandoned_) {
    decline_report();
    job_->watch().page().unlink();
    static_cast<void>(environment_.release());
    static_cast<void>(job_.release());
    rendezvous_->abandon();
    if (server_.joinable()) server_.detach();
    return;
  }
  drain_departures();
  report();
  closed_.clear();
  if (server_.joinable()) server_.join();
}

/// By the first process of the component, before the component has met.
bool SessionState::asks_for_servers(const std::string& iodef) {
  if (!texts_) texts_ = read_run_texts(iodef);
  return texts_->mentions("servers_per_process") &&
         serves_in_processes(texts_->definitions(names_));
}

/// Where the coupler's components meet, others that never call this library would be waited for.
MPI_Comm SessionState::comm_of_job(const Options& options) {
  const bool is_known = options.is_comm_given || io::JobRendezvous::is_listed();
  if (options.local == MPI_COMM_NULL || is_known) return options.comm;
  const ep::Comm local = ep::Comm::from_mpi(options.local);
  int coupled = 0;
  io::all_or_none(local, [&] {
    if (local.rank() != 0) return;
    coupled = is_coupled(read_run_texts(options.iodef).definitions({})) ? 1 : 0;
  });
  ep::check(EP_Bcast(&coupled, 1, MPI_INT, 0, local.get()));
  return coupled != 0 ? options.local : options.comm;
}

/// Which processes the model takes for its component.
io::JobMember::Group SessionState::group_in_job(MPI_Comm local) const {
  if (local == MPI_COMM_NULL || local == rendezvous_->comm()) return {};
  std::vector<int> ranks = job_processes_.ranks_of(local);
  std::erase_if(ranks, [](int rank) { return rank < 0; });
  if (ranks.empty()) return {};
  return {*std::min_element(ranks.begin(), ranks.end()), static_cast<int>(ranks.size())};
}

/// Codes that clients_code_id says will come, and that have not.
std::vector<std::string> SessionState::warnings_on_codes() const {
  std::vector<std::string> out;
  for (const std::string& code : expected_codes(definitions_)) {
    if (job_->find_component(code) >= 0) continue;
    out.push_back(fmt::format(
        "epios: warning: clients_code_id of context 'xios' has '{}', and there is no such "
        "component in this job ({}). Does it start with another name, or does EPIOS_RANKS lack it?",
        code, fmt::join(job_->watch().process_table().components, ", ")));
  }
  return out;
}

/// A component is all that gave its name, whatever programs they are.
std::vector<std::string> SessionState::warnings_on_name() const {
  const io::ProcessTable& process_table = job_->watch().process_table();
  const int component = job_->find_component(names_.component);
  std::vector<std::pair<int, std::size_t>> programs;  // each with its first process
  for (std::size_t p = 0; p < process_table.processes.size(); ++p) {
    const io::ProcessTable::Process& process = process_table.processes[p];
    if (process.component != component || process.program < 0) continue;
    const bool is_known = std::any_of(programs.begin(), programs.end(), [&](const auto& known) {
      return known.first == process.program;
    });
    if (!is_known) programs.emplace_back(process.program, p);
  }
  if (programs.size() < 2) return {};
  const auto text = [&](std::size_t which) {
    return fmt::format("'{}' (from process {} on)",
                       nth(process_table.programs, programs[which].first), programs[which].second);
  };
  return {fmt::format(
      "epios: warning: component '{}' is of {} programs: {} and {}{} (all that give one name are "
      "one component). Give each component a name of its own?",
      names_.component, programs.size(), text(0), text(1), programs.size() > 2 ? " ..." : "")};
}

void SessionState::read_definitions(const std::string& iodef) {
  std::vector<std::byte> bytes;
  io::all_or_none(job_->processes(), [&] {
    if (job_->processes().rank() != 0) return;
    bytes = encode(texts_ ? *texts_ : read_run_texts(iodef));
    texts_.reset();
  });
  bytes = ep::broadcast_bytes(job_->processes(), 0, std::move(bytes));
  io::all_or_none(job_->processes(),
                  [&] { definitions_ = decode_run_texts(bytes).definitions(names_); });
  if (!recorded_.is_played) recorded_.settings = recording_settings(definitions_);
  if (!recorded_.settings.folder.empty()) recorded_.texts = std::move(bytes);
  const std::vector<std::string> notes =
      notes_on_pools(definitions_.servers(), job_->watch().process_table());
  if (job_->processes().rank() != 0) return;
  say_once(config::finding_lines(definitions_.warnings()));
  say_once(notes);
  say_once(warnings_on_name());
  say_once(warnings_on_codes());
  if (const std::string& why = job_->watch().page().problem(); !why.empty()) {
    log_note(fmt::format("component '{}': epios top does not show this process ({})",
                         names_.component, why));
  }
}

void SessionState::say_once(const std::vector<std::string>& lines) { once_.say(lines); }

void SessionState::add_to_report(const ClientCost& context) {
  const std::scoped_lock lock(clients_mutex_);
  costs_.add(context);
}

void SessionState::add_to_report(config::ContextCost context,
                                 const std::vector<config::ServerCost>& servers) {
  const std::scoped_lock lock(clients_mutex_);
  costs_.add(std::move(context), servers);
}

/// The first process shall not wait for what this one would say of its run.
void SessionState::decline_report() const {
  try {
    RunCosts::decline(job_->processes());
  } catch (const std::exception&) {
    return;  // the process ends in error as it is
  }
}

void SessionState::describe(config::RunReport& report) const {
  report.version = EPIOS_VERSION;
  report.component = names_.component;
  report.is_attached = job_->is_attached();
  const std::chrono::duration<double> alive = std::chrono::steady_clock::now() - begin_;
  report.alive_s = alive.count();
}

void SessionState::abandon(std::string_view why) {
  lose_data();
  if (!abandoned_.exchange(true)) report_failure(why);
}

/// Of this process alone: the others may be waiting for ever. Each that fails writes the file, the
/// last one stays.
void SessionState::report_failure(std::string_view why) const {
  try {
    config::RunReport report;
    {
      const std::scoped_lock lock(clients_mutex_);
      report = costs_.own(job_->local_clients());
    }
    describe(report);
    report.error = why;
    const bool is_told = report_detail(definitions_) != ReportDetail::none &&
                         job_->processes().rank() == 0 && report.sends > 0;
    if (is_told) log_lines(report_lines(report));  // why it failed is said anyway
    // What the first process knows of contexts that were stopped stays.
    if (!has_reported_ || job_->processes().rank() == 0) write_report(report);
  } catch (const std::exception& error) {
    log_warning(fmt::format("no report of component '{}' ({})", names_.component, error.what()));
  }
}

/// Of this process alone, as the run may end at any moment.
void SessionState::report_so_far() {
  has_reported_ = true;
  if (job_->processes().rank() != 0) return;
  try {
    config::RunReport report;
    {
      const std::scoped_lock lock(clients_mutex_);
      report = costs_.own(job_->local_clients());
    }
    describe(report);
    if (!report.contexts.empty()) write_report(report);
  } catch (const std::exception& error) {
    log_warning(fmt::format("no report of component '{}' ({})", names_.component, error.what()));
  }
}

/// What is made of it is the first process's choice: settings of the environment may differ between
/// processes.
void SessionState::report() const {
  constexpr double most_s = 10;  // for processes that have closed their clients already
  try {
    config::RunReport report = costs_.collect(job_->processes(), job_->local_clients(), most_s);
    if (job_->processes().rank() != 0 || report.contexts.empty()) return;
    if (const int size = job_->processes().size(); report.processes < size) {
      log_warning(
          fmt::format("the report of component '{}' lacks {} of {} processes (they have not ended "
                      "in order)",
                      names_.component, size - report.processes, size));
    }
    describe(report);
    const ReportDetail detail = report_detail(definitions_);
    if (detail == ReportDetail::summary) log_lines(report_lines(report));
    if (detail == ReportDetail::all) log_lines(report_lines(report) + report_table(report));
    write_report(report);
  } catch (const std::exception& error) {
    log_warning(fmt::format("no report of component '{}' ({})", names_.component, error.what()));
  }
}

void SessionState::write_report(const config::RunReport& report) const {
  std::string path = report_path(definitions_, names_.component);
  if (path.empty()) return;
  // A replay writes in its own folder.
  const bool is_of_recording = recorded_.is_played && std::getenv("EPIOS_REPORT") == nullptr;
  if (is_of_recording) path = std::filesystem::path(path).filename().string();
  // Whoever looks for it finds the one of the run before, or this one, never a half.
  const int error = io::replace_file(path, config::to_json(report), io::Readers::by_umask, false);
  if (error == 0) return;
  log_warning(fmt::format(
      "the report of component '{}' cannot be written to '{}' ({}). Does report_file of context "
      "xios, or EPIOS_REPORT, name a file in a folder that is there?",
      names_.component, path, std::strerror(error)));
}

void SessionState::start_server() {
  // The thread may outlive an abandoned session; the job does too.
  const auto serve = [job = job_.get()] {
    try {
      server::Server server(*job);
      server.run();
    } catch (const std::exception& error) {
      // Clients that wait for this server would wait for ever.
      log_error(fmt::format("server in the model's process: {}", failure_text(error)));
      EP_Abort(EP_COMM_NULL, 1);
    }
  };
  try {
    server_ = std::thread(serve);
  } catch (const std::system_error& error) {
    throw Error(ErrorCode::resource,
                fmt::format("the server in the model's process gets no thread ({}). Raise the "
                            "limit of threads (ulimit -u), or start servers of their own?",
                            error.code().message()));
  }
}

void SessionState::serve() {
  if (!hosts_server_) {
    throw Error(
        ErrorCode::call_order,
        "this process hosts no server (host_server was not set when the session was opened). "
        "Set it in epios_session_options?");
  }
  server::Server server(*job_);
  server.run();
  if (!server.is_clean()) {
    throw Error(ErrorCode::io,
                "the hosted server could not finish all files (see the log). "
                "Free space or write elsewhere?");
  }
}

void SessionState::claim_client(int index) {
  if (index < 0 || index >= job_->local_clients()) {
    throw Error(ErrorCode::argument,
                fmt::format("client {} does not exist (this process has clients 0 to {}). Set "
                            "'clients' when opening the session?",
                            index, job_->local_clients() - 1));
  }
  const std::scoped_lock lock(clients_mutex_);
  Place& place = nth(clients_, index);
  if (place != Place::unopened) {
    throw Error(ErrorCode::call_order,
                fmt::format("client {} {} (a client is opened once). Does each thread open a "
                            "client of its own?",
                            index, place == Place::open ? "is open already" : "was closed"));
  }
  place = Place::open;
}

void SessionState::release_client(int index) {
  const std::scoped_lock lock(clients_mutex_);
  nth(clients_, index) = Place::closed;
}

void SessionState::close_client(int index, ClosedClient client) {
  const std::scoped_lock lock(clients_mutex_);
  nth(clients_, index) = Place::closed;
  closed_.push_back(std::move(client));
  has_closed_ = true;
}

void SessionState::answer_for_closed() {
  if (!has_closed_) return;  // as in every step of a run
  const std::scoped_lock lock(clients_mutex_);
  const auto is_asking = [](const io::HandshakeMessage& message) { return message.asks(); };
  for (const ClosedClient& client : closed_) {
    while (const auto message = client.handshake->take(is_asking)) {
      const std::string why = io::ended_text(names_.component, client.rank);
      client.handshake->send(io::refusal_of(*message, why, false), message->rank);
    }
  }
}

void SessionState::drain_departures() {
  try {
    // Client 0 first, which the others wait for.
    std::sort(closed_.begin(), closed_.end(),
              [](const ClosedClient& a, const ClosedClient& b) { return a.rank < b.rank; });
    for (const ClosedClient& client : closed_) {
      client.liveness->drain_departures([this] { answer_for_closed(); });
    }
    announce_end();
  } catch (const std::exception& error) {
    log_warning(fmt::format("the session ends while its clients still talk: {}", error.what()));
  }
}

/// Nobody answers from here on: contexts of other components that look for one of this, now or
/// later, must not wait for ever. By one process for all.
void SessionState::announce_end() const {
  if (closed_.empty() || closed_.front().rank != io::leader) return;
  io::HandshakeMessage message;
  message.kind = io::HandshakeMessage::Kind::bye;
  message.from_code = names_.component;
  for (const int rank : job_->clients_of_others()) closed_.front().handshake->send(message, rank);
}

int SessionState::clients_opened() const {
  const std::scoped_lock lock(clients_mutex_);
  return static_cast<int>(std::count_if(clients_.begin(), clients_.end(),
                                        [](Place place) { return place != Place::unopened; }));
}

int SessionState::open_clients() const {
  const std::scoped_lock lock(clients_mutex_);
  return static_cast<int>(std::count(clients_.begin(), clients_.end(), Place::open));
}

std::vector<int> SessionState::clients_of(MPI_Comm comm) const {
  return job_->clients_of(job_processes_.ranks_of(comm));
}

MPI_Comm SessionState::process_comm() const {
  MPI_Comm out = MPI_COMM_NULL;
  ep::check(EP_Comm_mpi(job_->processes().get(), &out));
  return out;
}

}  // namespace epios::client
