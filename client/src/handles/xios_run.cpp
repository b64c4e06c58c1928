#include "handles/xios_run.hpp"

#include <fmt/format.h>

#include <utility>

#include "config/error.hpp"
#include "handles/c_guard.hpp"
#include "handles/handle_table.hpp"
#include "session/run_settings.hpp"
#include "session/xios_words.hpp"

namespace epios::client {
namespace {

// NOLINTNEXTLINE(cppcoreguidelines-avoid-non-const-global-variables): which context a thread is in
thread_local epios_context* own_current = nullptr;

}  // namespace

void XiosRun::initialize(const std::string& code_id, MPI_Comm local, MPI_Comm job,
                         MPI_Comm* component) {
  speak_xios();
  SessionState::Options options;
  // What the world holds beside the component, servers perhaps, would be asked to agree on it.
  if (local != MPI_COMM_WORLD) options.local = local;
  if (job != MPI_COMM_NULL) {
    options.comm = job;
    options.is_comm_given = true;
  }
  epios_session* const session = HandleTable::instance().open_session(code_id, options);
  session_ = session;
  epios_client* client = nullptr;
  check_c(epios_client_open(session, 0, &client));
  client_ = client;
  HandleTable::instance().client(client).ticket_lock().is_blocking = true;
  if (logs_memory(HandleTable::instance().session(session).definitions())) {
    memory_log_ = std::make_unique<MemoryLog>(HandleTable::instance().client(client).rank());
  }
  if (component != nullptr) check_c(epios_session_comm(session, component));
}

void XiosRun::finalize() {
  if (client_ == nullptr) {
    throw Error(ErrorCode::call_order,
                "xios_finalize called without a run (it was not begun, or has ended). Call "
                "xios_initialize once before it?");
  }
  {
    const std::scoped_lock lock(mutex_);
    contexts_.clear();
    if (memory_log_) memory_log_->flush();
    memory_log_.reset();
  }
  shared_current_ = own_current = nullptr;
  check_c(epios_client_close(client_.exchange(nullptr)));
  check_c(epios_session_close(session_.exchange(nullptr)));
}

void XiosRun::open_context(const std::string& id, MPI_Comm comm) {
  if (client_ == nullptr) {
    throw Error(ErrorCode::call_order,
                fmt::format("context '{}' opened before the run (there are no servers yet). Call "
                            "xios_initialize first?",
                            id));
  }
  epios_context* context = nullptr;
  check_c(epios_context_open_on(client_, id.c_str(), comm, &context));
  {
    const std::scoped_lock lock(mutex_);
    contexts_[id] = context;
  }
  set_current(context);
}

epios_context* XiosRun::context(const std::string& id) const {
  const std::scoped_lock lock(mutex_);
  const auto found = contexts_.find(id);
  return found == contexts_.end() ? nullptr : found->second;
}

bool XiosRun::is_open(const std::string& id) const { return context(id) != nullptr; }

void XiosRun::finalize_context() {
  epios_context* const context = current();
  check_c(epios_context_finalize(context));
  const std::scoped_lock lock(mutex_);
  std::erase_if(contexts_, [&](const auto& entry) { return entry.second == context; });
  own_current = nullptr;
  epios_context* expected = context;
  shared_current_.compare_exchange_strong(expected, nullptr);
}

void XiosRun::set_current(epios_context* context) {
  own_current = context;
  const std::scoped_lock lock(mutex_);
  if (shared_current_.load() == nullptr) chooser_ = std::this_thread::get_id();
  if (chooser_ == std::this_thread::get_id()) shared_current_ = context;
}

epios_context* XiosRun::current_or_null() const {
  return own_current != nullptr ? own_current : shared_current_.load();
}

epios_context* XiosRun::current() const {
  if (epios_context* const context = current_or_null()) return context;
  throw Error(ErrorCode::call_order,
              "there is no current context (none was initialised, or the last one has ended). Call "
              "xios_context_initialize or xios_set_current_context first?");
}

std::string XiosRun::id_of(epios_context* context) const {
  const std::scoped_lock lock(mutex_);
  for (const auto& [id, handle] : contexts_) {
    if (handle == context) return id;
  }
  throw Error(ErrorCode::call_order, "the current context has ended. Choose another?");
}

void XiosRun::log_memory(const char* place, bool finalize) {
  const std::scoped_lock lock(mutex_);
  if (!memory_log_) return;
  memory_log_->add(place);
  if (finalize) memory_log_->flush();
}

double XiosRun::timer(const std::string& name, TimerAction action) {
  const Clock::time_point now = Clock::now();
  if (name.empty()) return std::chrono::duration<double>(now.time_since_epoch()).count();
  const std::scoped_lock lock(mutex_);
  Timer& timer = timers_[name];
  if (timer.runs) timer.seconds += std::chrono::duration<double>(now - timer.since).count();
  timer.since = now;
  if (action == TimerAction::resume) timer.runs = true;
  if (action == TimerAction::suspend) timer.runs = false;
  if (action == TimerAction::reset) timer = {0, now, false};
  return timer.seconds;
}

}  // namespace epios::client
