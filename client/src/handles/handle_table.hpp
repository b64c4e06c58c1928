#pragma once

#include <sys/types.h>

#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <utility>

#include "context/client_state.hpp"
#include "context/context_state.hpp"
#include "handles/xios_run.hpp"
#include "session/session_state.hpp"

namespace epios::client {

/// The one process-level state of the client library, since C has nowhere else to keep it: which
/// handles of its interface are alive, and what they stand for. Any thread.
class HandleTable {
 public:
  static HandleTable& instance();

  /// Once per process, before its session is opened. Throws Error{call_order} from the second call
  /// on: opening is collective, and no other process would come.
  void claim_session();
  /// What was claimed has ended as it should, without a session.
  void leave_well();
  /// Claims and opens the session of this process, as epios_session_open says.
  epios_session* open_session(const std::string& code_id, const SessionState::Options& options);
  /// Takes ownership; the handle is the object's address.
  epios_session* add(std::unique_ptr<SessionState> session);
  epios_client* add(std::unique_ptr<ClientState> client);
  epios_context* add(ContextState& context);

  /// Whether a session is open that this process opened: a child that the model forked has the
  /// table, too, but is no part of the job.
  bool has_sessions() const;
  /// Whether a session could not be opened here, or has ended without all data in files.
  bool has_lost_data() const;

  /// Throw Error{argument} for handles that are null, closed or of another kind.
  SessionState& session(const void* handle) const;
  ClientState& client(const void* handle) const;
  /// Of a client, as long as its handle is not void.
  std::shared_ptr<HelperBarrier> helper_barrier(const void* handle) const;
  /// Of a context that this thread used last, without a search: sends are many.
  ContextState& context(const void* handle) const;

  /// The run of `module xios`.
  XiosRun& xios() { return xios_; }

  /// Takes the object out: from now on its handle, and those of its contexts, are void.
  std::unique_ptr<SessionState> take_session(const void* handle);
  std::unique_ptr<ClientState> take_client(const void* handle);

 private:
  /// From now on a process that exits with open sessions says so and fails.
  HandleTable();
  void report_at_exit();

  const pid_t process_;
  mutable std::mutex mutex_;
  std::atomic<std::uint64_t> takings_{1};  // how often handles have become void
  bool session_claimed_ = false;
  bool data_lost_ = false;
  bool had_clients_ = false;
  std::map<const void*, std::unique_ptr<SessionState>> sessions_;
  std::map<const void*, std::unique_ptr<ClientState>> clients_;
  std::map<const void*, ContextState*> contexts_;
  XiosRun xios_;
};

}  // namespace epios::client
