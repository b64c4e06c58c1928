#include "handles/handle_table.hpp"

#include <ep/finalize.h>
#include <fmt/format.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <thread>

#include "config/error.hpp"
#include "handles/exit_guard.hpp"
#include "session/log.hpp"

namespace epios::client {
namespace {

constexpr const char* has_open_session =
    "the model exits with an open session (its unfinished files keep their .part names). Call "
    "epios_session_close, or epios_session_abandon after an error?";
constexpr const char* lost_data =
    "the model exits as if all were well, but data are lost (a call of EPIOS failed, or the model "
    "abandoned its session). Look at what the calls return?";

[[noreturn]] void invalid(const char* kind) {
  throw Error(
      ErrorCode::argument,
      fmt::format("not a handle of an open {0} (null, closed, or of another kind). Is it what "
                  "epios_{0}_open returned?",
                  kind));
}

template <class Map>
auto& find(const Map& map, const void* handle, const char* kind) {
  const auto found = map.find(handle);
  if (found == map.end()) invalid(kind);
  return *found->second;
}

template <class Map>
auto take(Map& map, const void* handle, const char* kind) {
  const auto found = map.find(handle);
  if (found == map.end()) invalid(kind);
  auto out = std::move(found->second);
  map.erase(found);
  return out;
}

/// Called at exit. Nobody may take for success what leaves data behind, and the launcher ends the
/// job of a process that fails.
void report_lost_data(int status, void* opaque) {
  const auto& table = *static_cast<const HandleTable*>(opaque);
  if (table.has_sessions()) {
    log_error(has_open_session);
  } else if (table.has_lost_data() && status == EXIT_SUCCESS) {
    log_error(lost_data);
  } else {
    return;
  }
  std::fflush(nullptr);
  // The launcher ends the others at once: they are given a moment to say what they know.
  std::this_thread::sleep_for(std::chrono::milliseconds(200));
  std::_Exit(status != EXIT_SUCCESS ? status : EXIT_FAILURE);
}

/// Called first in MPI_Finalize. Servers and other clients would wait for what cannot come any
/// more.
void report_finalize(void* table) {
  if (!static_cast<const HandleTable*>(table)->has_sessions()) return;
  log_error(
      "MPI_Finalize with an open session (its unfinished files keep their .part names). Call "
      "epios_session_close first?");
  std::fflush(nullptr);
  // Ends the whole job, and later than an abort would: the launcher still forwards the text.
  std::_Exit(EXIT_FAILURE);
}

}  // namespace

HandleTable::HandleTable() : process_(::getpid()) { report_at_exit(); }

void HandleTable::report_at_exit() {
  // Where it cannot be registered, the report is all that is missing.
  static_cast<void>(::on_exit(report_lost_data, this));
}

HandleTable& HandleTable::instance() {
  // Never destroyed: a program that exits with open sessions must not wait for peers on its way
  // out.
  // NOLINTNEXTLINE(cppcoreguidelines-avoid-non-const-global-variables): the one process-level state
  static auto* const table = new HandleTable;
  return *table;
}

void HandleTable::claim_session() {
  const std::scoped_lock lock(mutex_);
  if (session_claimed_) {
    throw Error(ErrorCode::call_order,
                "this process has opened its session already (a process joins its job once, also "
                "when that failed). Keep the handle of the first epios_session_open?");
  }
  session_claimed_ = true;
  data_lost_ = true;  // until it is open
  guard_exit(lost_data);
}

void HandleTable::leave_well() {
  const std::scoped_lock lock(mutex_);
  data_lost_ = false;
  guard_exit(nullptr);
}

epios_session* HandleTable::open_session(const std::string& code_id,
                                         const SessionState::Options& options) {
  if (code_id.empty() || options.clients < 1) {
    throw Error(
        ErrorCode::argument,
        fmt::format("session '{}' with {} clients (a name and at least one client are needed). "
                    "Start from EPIOS_SESSION_OPTIONS_INIT?",
                    code_id, options.clients));
  }
  claim_session();
  return add(std::make_unique<SessionState>(code_id, options));
}

epios_session* HandleTable::add(std::unique_ptr<SessionState> session) {
  const std::scoped_lock lock(mutex_);
  // Once, as there is one session. MPI may be initialised no earlier than it.
  ep::check(EP_On_finalize(report_finalize, this));
  data_lost_ = false;
  guard_exit(has_open_session);
  auto* handle = session.get();
  sessions_.emplace(handle, std::move(session));
  return reinterpret_cast<epios_session*>(handle);
}

epios_client* HandleTable::add(std::unique_ptr<ClientState> client) {
  const std::scoped_lock lock(mutex_);
  // Again, as an attached server has begun: the last registered runs first, and HDF5 must not shut
  // down at exit while the server's file thread writes.
  if (!had_clients_) report_at_exit();
  had_clients_ = true;
  auto* handle = client.get();
  clients_.emplace(handle, std::move(client));
  return reinterpret_cast<epios_client*>(handle);
}

epios_context* HandleTable::add(ContextState& context) {
  const std::scoped_lock lock(mutex_);
  contexts_.emplace(&context, &context);
  return reinterpret_cast<epios_context*>(&context);
}

bool HandleTable::has_sessions() const {
  const std::scoped_lock lock(mutex_);
  return !sessions_.empty() && ::getpid() == process_;
}

bool HandleTable::has_lost_data() const {
  const std::scoped_lock lock(mutex_);
  return data_lost_ && ::getpid() == process_;
}

SessionState& HandleTable::session(const void* handle) const {
  const std::scoped_lock lock(mutex_);
  return find(sessions_, handle, "session");
}

ClientState& HandleTable::client(const void* handle) const {
  const std::scoped_lock lock(mutex_);
  return find(clients_, handle, "client");
}

std::shared_ptr<HelperBarrier> HandleTable::helper_barrier(const void* handle) const {
  const std::scoped_lock lock(mutex_);
  return find(clients_, handle, "client").helper_barrier();
}

ContextState& HandleTable::context(const void* handle) const {
  struct Last {
    const void* handle = nullptr;
    ContextState* context = nullptr;
    std::uint64_t takings = 0;
  };
  // NOLINTNEXTLINE(cppcoreguidelines-avoid-non-const-global-variables): what the thread found last
  thread_local Last last;
  const std::uint64_t takings = takings_.load(std::memory_order_acquire);
  if (handle == last.handle && takings == last.takings) return *last.context;
  const std::scoped_lock lock(mutex_);
  ContextState& found = find(contexts_, handle, "context");
  last = {handle, &found, takings};
  return found;
}

std::unique_ptr<SessionState> HandleTable::take_session(const void* handle) {
  const std::scoped_lock lock(mutex_);
  auto session = take(sessions_, handle, "session");
  data_lost_ = data_lost_ || session->has_lost_data();
  guard_exit(data_lost_ ? lost_data : nullptr);
  return session;
}

std::unique_ptr<ClientState> HandleTable::take_client(const void* handle) {
  const std::scoped_lock lock(mutex_);
  auto client = take(clients_, handle, "client");
  takings_.fetch_add(1, std::memory_order_release);
  std::erase_if(contexts_,
                [&](const auto& entry) { return &entry.second->client() == client.get(); });
  return client;
}

}  // namespace epios::client
