#pragma once

#include <cstdint>
#include <ep/ep.hpp>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "context/client_state.hpp"
#include "event/event.hpp"
#include "links/server_waits.hpp"
#include "recording/call_recorder.hpp"
#include "session/liveness_barrier.hpp"
#include "session/run_settings.hpp"

namespace epios::client {

/// The clients that have a context together, as one of them sees them: who they are, how they wait
/// and how they warn. Ranks of clients in messages and errors are ranks in it.
class ContextGroup {
 public:
  /// `among`: between the clients of the context, when they are not all of the component.
  ContextGroup(ClientState& client, std::string id, ep::Comm among);

  /// Returns the id of the context.
  const std::string& id() const { return id_; }
  ClientState& client() const { return client_; }
  /// Returns what keeps the calls of the model that concern the context.
  const ContextRecord& record() const { return record_; }
  const ep::Comm& clients() const { return among_ ? among_ : client_.clients(); }
  bool leads() const { return clients().rank() == io::leader; }
  /// Returns a communicator of the same clients; null when they are all. Collective.
  ep::Comm dup() const { return among_ ? among_.dup() : ep::Comm(); }
  /// Returns the ranks of the clients in the component. Collective.
  std::vector<int> ranks_in_component() const;

  /// Says once that clients do without memory that they should share with `whom`; `why` is this
  /// client's reason, or "" if it does not. Collective.
  void note_unshared(std::string_view whom, const std::string& why) const;

  /// Waits until all clients close the definition; from now on waits and warnings are as `settings`
  /// and `is_strict` say. Collective.
  void enter(const RunSettings& settings, bool is_strict);
  /// Tells those that wait in enter() that this client comes no more. Local.
  void leave(std::string_view why);
  const RunSettings& settings() const { return settings_; }
  bool is_strict() const { return is_strict_; }

  /// Returns the number that the servers know the context by, once they do.
  std::optional<std::uint32_t> number() const { return number_; }
  void set_number(std::uint32_t number) { number_ = number; }
  /// Returns how this client waits for servers.
  ServerWaits server_waits() const;

  /// Warns: each client of its own `texts`. With strict="true" any of them is an error on all.
  /// Collective.
  void warn(const std::vector<std::string>& texts) const;

 private:
  LivenessBarrier& liveness();

  ClientState& client_;
  std::string id_;
  ContextRecord record_;
  ep::Comm among_;                             // null: all clients of the component
  std::unique_ptr<LivenessBarrier> liveness_;  // of `among_`
  RunSettings settings_;
  bool is_strict_ = false;
  std::optional<std::uint32_t> number_;
};

}  // namespace epios::client
