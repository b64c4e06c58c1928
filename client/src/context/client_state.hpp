#pragma once

#include <atomic>
#include <cstdint>
#include <ep/ep.hpp>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "context/control_messages.hpp"
#include "context/helper_barrier.hpp"
#include "coupling/coupling_handshake.hpp"
#include "coupling/couplings.hpp"
#include "recording/call_recorder.hpp"
#include "session/liveness_barrier.hpp"
#include "session/session_state.hpp"

namespace epios::client {

class ContextState;

/// Which thread a client is locked by: see ClientLock. Threads come in the order in which they
/// asked, so that no context of the client runs ahead of the others.
struct TicketLock {
  std::atomic<const void*> holder{nullptr};
  std::atomic<std::uint32_t> tickets{0};
  std::atomic<std::uint32_t> served{0};
  std::atomic<bool> is_blocking{false};  ///< calls wait for each other, none is refused
};

/// What epios_client stands for: one endpoint of a component, connected to the servers.
class ClientState {
 public:
  /// Collective over the clients of the component and their servers.
  ClientState(SessionState& session, int index);
  ClientState(const ClientState&) = delete;
  ClientState(ClientState&&) = delete;
  ClientState& operator=(const ClientState&) = delete;
  ClientState& operator=(ClientState&&) = delete;
  ~ClientState();

  SessionState& session() const { return session_; }
  const ep::Comm& clients() const { return session_.job().clients(index_); }
  const ep::Comm& servers() const { return servers_; }
  /// Returns what it and the servers say to each other beside the channels.
  ControlMessages& control() { return *control_; }
  const ControlMessages& control() const { return *control_; }
  int rank() const { return clients().rank(); }
  /// Itself as somebody who waits.
  io::Actor actor() const { return session_.job().client(index_); }
  LivenessBarrier& liveness() { return *liveness_; }
  /// Null if the calls of the model are not recorded.
  CallRecorder* recorder() const { return recorder_.get(); }

  /// Opens a context on some clients of the component, which all call it; on all of them when
  /// `members` is empty. The same id again is an error while it is open.
  ContextState& open_context(const std::string& id, const std::vector<int>& members = {});
  /// As open_context(), among the clients of the communicator that `among` makes; null: all.
  ContextState& open_among(const std::string& id, const std::function<ep::Comm()>& among);
  /// Ends running contexts (with a warning; that is collective), says goodbye. Waits for no other
  /// client: one that has failed may never come here. Throws Error{call_order} while a context is
  /// being defined, for which the others would wait: abandon() is what remains then.
  void close();
  /// Lets go without waiting: tells the servers. Local.
  void abandon(std::string_view why);

  io::CouplingHandshake& handshake() { return *handshake_; }
  /// Says no to contexts that wait for one of this client which exchanges nothing with them, and to
  /// those that wait for one of a client of this process that was closed. Local.
  void answer_handshakes();
  /// A context of this client, for others of it.
  Couplings::Neighbour neighbour(const std::string& context) const;
  /// The definition of a context ends: throws when another one of this client waits for it which it
  /// exchanges nothing with. Local.
  void refuse_vain_waits(const std::string& context, const Couplings* couplings) const;
  /// Before `waiting` waits for a partner, which may wait for what any context here has for others.
  /// By all clients of it alike.
  void deliver_to_partners(const Couplings& waiting);
  /// Moves what is under way between contexts of this client and others. Local.
  void progress_couplings();
  /// A number that no other opening of a context of the component has.
  std::uint64_t next_opening();
  /// The model's own, over the clients. Collective over them at first use.
  const ep::Comm& model_comm();
  /// Returns the lock of the client and its contexts: see ClientLock.
  TicketLock& ticket_lock() { return ticket_lock_; }
  /// Threads that help this client's process. Shared: they may look at it when the client has
  /// ended.
  const std::shared_ptr<HelperBarrier>& helper_barrier() const { return helper_barrier_; }

 private:
  void leave();
  void refuse_unfinished_definitions() const;
  void refuse_all_handshakes(const std::string& why);
  /// Between these clients; null when they are all. Collective over them.
  ep::Comm comm_among(const std::string& id, const std::vector<int>& members) const;

  SessionState& session_;
  int index_;
  ep::Comm servers_;
  std::unique_ptr<CallRecorder> recorder_;
  std::unique_ptr<ControlMessages> control_;
  std::shared_ptr<io::CouplingHandshake>
      handshake_;                              // the session's, too, once the client is closed
  ep::Comm model_comm_;                        // null until it is asked for
  std::unique_ptr<LivenessBarrier> liveness_;  // the session's once the client is closed
  std::map<std::string, std::unique_ptr<ContextState>, std::less<>> contexts_;  // latest of each id
  std::vector<std::unique_ptr<ContextState>>
      past_contexts_;  // their reports may still be asked for
  std::uint32_t openings_ = 0;
  bool over_ = false;
  TicketLock ticket_lock_;
  std::shared_ptr<HelperBarrier> helper_barrier_;
};

}  // namespace epios::client
