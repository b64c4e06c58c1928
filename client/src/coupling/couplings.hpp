#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <ep/ep.hpp>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "config/coupled_contexts.hpp"
#include "config/error.hpp"
#include "config/model_fwd.hpp"
#include "coupling/coupled_fields.hpp"
#include "coupling/coupling_handshake.hpp"
#include "coupling/link.hpp"
#include "coupling/partner.hpp"
#include "event/job.hpp"

namespace epios::client {

/// The partners that a context on one client exchanges fields with: finds them, connects with them,
/// and sees to it that nobody is waited for in vain. CoupledFields are what is exchanged.
class Couplings {
 public:
  /// A context of the component as this client has it.
  struct Neighbour {
    enum class State : std::uint8_t { none, being_defined, failed, running } state = State::none;
    Couplings* couplings = nullptr;  ///< null: it exchanges nothing, or is not so far
  };
  struct Setup {
    const config::Model& model;
    const io::LocalParts& parts;  ///< until this is made
    const io::Job& job;
    const ep::Comm& clients;  ///< of the context
    io::CouplingHandshake& handshake;
    std::string code;  ///< of the component
    io::Actor self;
    std::vector<int> in_component;  ///< ranks of the clients there
    std::uint64_t opening = 0;      ///< number of this opening of the context
    double patience_s = 0, give_up_s = 0;
    int carrier = 0;
    std::int64_t buffer_bytes = 0;
    std::function<Neighbour(const std::string&)> neighbour;
    std::function<void()> poll;   ///< called while this client waits for others of the context
    std::function<void()> check;  ///< the same otherwise; what it throws ends the wait
  };
  /// Sends hello to the partners. Throws Error{configuration} when one cannot be there. Local.
  explicit Couplings(const Setup& setup);

  /// Waits for the partners, and makes the connections with those that this context is the later
  /// one of. Collective over the clients of the context and, for each partner that both sides have
  /// agreed to connect with, over those of both. All throw alike.
  void meet();
  /// Returns the component of a partner. Throws Error{configuration} when the job has none, or when
  /// that is who asks itself.
  static int component_of(const io::Job& job, const std::string& code, const std::string& partner,
                          const std::string& where, const std::string& self);
  /// Returns the error for a partner some of whose clients are the same.
  static Error overlap_error(const std::string& where, const std::string& self,
                             const std::string& partner);
  /// Returns the error for a partner whose component has no other clients, and these do not have
  /// it.
  static Error nobody_error(const std::string& where, const std::string& self,
                            const std::string& code, const std::string& partner);
  /// Returns true if the clients of the context have these ranks in the component.
  bool is_on(std::vector<int> in_component) const;
  /// Tells a context on the same clients, which asks, of the grids of what is sent to it.
  /// Collective over the clients of the context.
  void give(const io::HandshakeMessage& question) const;
  /// The opening has failed: nobody shall wait for this context. Local.
  void fail(const std::string& why);
  /// Returns true if there is a partner of that name.
  bool knows(const std::string& code, const std::string& context) const;
  /// Returns true if a hello has been answered by a connection.
  bool has_met(const io::HandshakeMessage& hello) const;
  /// Returns why a hello is not, and will not be, answered; empty: it may be.
  std::string refusal_text(const io::HandshakeMessage& hello) const;
  /// Returns where the coupler is that waits for another context of this client; empty: none does.
  std::string waits_at(const std::string& context) const;
  const std::string& name() const { return name_; }
  /// Returns true if all clients of another context of the component are also of this one.
  bool has_all_clients_of(const Couplings& other) const;

  /// Returns true if the definitions of all partners are closed, too.
  bool are_all_linked() const;

  /// Returns what is exchanged.
  CoupledFields& fields() { return fields_; }
  const CoupledFields& fields() const { return fields_; }

  void progress();
  /// After end(): the same; links that the partner does not need any more, either, go.
  void let_go();
  /// Tells the partners that this context has ended; `why`, if not empty: that it has failed.
  void end(const std::string& why);
  /// After end(): waits until the partners have ended, too.
  void wait_for_partners();
  double waited_s() const;

 private:
  class Meeting;

  static std::size_t at(int index) { return static_cast<std::size_t>(index); }
  bool leads() const { return setup_.clients.rank() == 0; }
  std::vector<Partner> find_partners() const;
  Partner partner_of(const config::Coupler& coupler) const;
  void reserve_memory();
  Partner* find_partner(const std::string& code, const std::string& context);
  const Partner* find_partner(const std::string& code, const std::string& context) const;
  io::HandshakeMessage message_to(const Partner& partner, io::HandshakeMessage::Kind kind) const;
  std::optional<io::HandshakeMessage> take_message(const Partner& partner,
                                                   io::HandshakeMessage::Kind kind) const;
  bool is_from(const Partner& partner, const io::HandshakeMessage& message) const;
  void refuse_twins(Partner& partner) const;
  void send_to_all(const Partner& partner, io::HandshakeMessage::Kind kind,
                   const std::string& text = {}) const;
  void cancel_hellos(const std::string& why = {}) const;
  void answer(Partner& partner, const io::HandshakeMessage& hello) const;
  void take_newer_hello(Partner& partner) const;
  void exchange_messages(Partner& partner);
  void check_pair(Partner& partner) const;
  void refuse_unmatched() const;
  void refuse_open(const std::string& why) const;
  void take_refusals(Partner& partner) const;
  int look_around(Partner& partner) const;
  void find_local_partners();
  void connect_local_partners();
  static void connect_ends(std::vector<std::pair<Couplings*, Partner*>> ends);
  config::CoupledContext own_facts(const Partner& partner) const;
  io::CouplingSide side_of(Partner& partner);
  io::WaitLimits limits() const { return {setup_.patience_s, setup_.give_up_s, 0}; }

  Setup setup_;
  std::string name_;
  std::vector<Partner> partners_;
  CoupledFields fields_;
};

}  // namespace epios::client
