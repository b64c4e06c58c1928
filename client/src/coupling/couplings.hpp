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
#include "coupling/letters.hpp"
#include "coupling/link.hpp"
#include "data/array_places.hpp"
#include "event/job.hpp"
#include "workflow/workflow.hpp"

namespace epios::client {

/// What a context on one client exchanges with others: finds them, sends what the workflow makes
/// for them, and brings what comes from them into the workflow.
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
    io::Letters& letters;
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
  /// Greets the partners. Throws Error{configuration} when one cannot be there. Local.
  explicit Couplings(const Setup& setup);

  /// Waits for the partners, and makes the connections with those that this context is the later
  /// one of. Collective over the clients of the context and, for each partner that both sides have
  /// agreed to connect with, over those of both. All throw alike.
  void meet();
  /// The component of a partner. Throws Error{configuration} when the job has none, or when that is
  /// who asks itself.
  static int component_of(const io::Job& job, const std::string& code, const std::string& partner,
                          const std::string& where, const std::string& self);
  /// Of a partner some of whose clients are the same.
  static Error overlap_error(const std::string& where, const std::string& self,
                             const std::string& partner);
  /// Of a partner whose component has no other clients, and these do not have it.
  static Error nobody_error(const std::string& where, const std::string& self,
                            const std::string& code, const std::string& partner);
  /// Whether the clients of the context have these ranks in the component.
  bool is_on(std::vector<int> in_component) const;
  /// Tells a context on the same clients, which asks, of the grids of what is sent to it.
  /// Collective over the clients of the context.
  void give(const io::Letter& question) const;
  /// The opening has failed: nobody shall wait for this context. Local.
  void fail(const std::string& why);
  /// Whether there is a partner of that name.
  bool knows(const std::string& code, const std::string& context) const;
  /// Whether a greeting has been answered by a connection.
  bool has_met(const io::Letter& greeting) const;
  /// Why a greeting is not, and will not be, answered; empty: it may be.
  std::string refusal_text(const io::Letter& greeting) const;
  /// Where the coupler is that waits for another context of this client; empty: none does.
  std::string waits_at(const std::string& context) const;
  const std::string& name() const { return name_; }
  /// Whether all clients of another context of the component are also of this one.
  bool has_all_clients_of(const Couplings& other) const;

  /// Takes what goes to a partner: of config::coupled_fields() of coupler_out.
  std::unique_ptr<io::Sink> sink(int sent);

  // What comes from partners, by number among config::coupled_fields() of coupler_in.

  int received() const { return static_cast<int>(received_.size()); }
  /// -1: no such field.
  int find(std::string_view id) const;
  const std::string& id(int received) const;
  bool is_due(int received, config::Instant now) const;
  std::int64_t array_size(int received) const;
  const config::ReadSchedule& dates(int received) const { return received_[at(received)].dates; }
  const config::CoupledField& field(int received) const { return *received_[at(received)].field; }
  /// A date has come: the workflow is told what will come at it. Whether any of it is wanted.
  bool begin_date(config::Instant now, io::Workflow& workflow);
  /// Waits for the record of the date, which enters the workflow. Nothing when it is here.
  void fetch(int received, config::Instant now, io::Workflow& workflow);
  /// The same of all that come from `sources`, ascending, at the date.
  void fetch_sources(std::span<const int> sources, config::Instant now, io::Workflow& workflow);
  /// The values of the record that has been fetched.
  template <class T>
  void copy(int received, std::span<T> array) const;
  /// The date is over: what the workflow wants and the model has not received is waited for.
  void end_date(config::Instant now, io::Workflow& workflow);

  /// The date is over: partners hear of records that were due by it and have not left, of fields of
  /// coupler_out for which `comes_later` is not 1; empty: of all.
  void tell_missing(config::Instant now, std::span<const std::uint8_t> comes_later);

  void progress();
  /// After end(): the same; links that the partner does not need any more, either, go.
  void let_go();
  /// Tells the partners that this context has ended; `why`, if not empty: that it has failed.
  void end(const std::string& why);
  /// After end(): waits until the partners have ended, too.
  void wait_for_partners();
  double waited_s() const;
  /// Records that came after the partner's end, per field of coupler_out, on this client.
  std::vector<std::int64_t> dropped() const;
  /// What was sent and not wanted any more, a line per field. `dropped`: as dropped(), of the
  /// client with most.
  std::vector<std::string> remarks(std::span<const std::int64_t> dropped) const;

 private:
  struct Partner {
    std::string code, context;
    int component = -1;
    std::string where;  ///< of a coupler
    std::vector<config::CouplerField> sent, received;
    std::optional<config::CoupledContext> facts;  ///< of it
    int counterpart = -1;                         ///< its first client, among everyone
    std::uint64_t opening = 0;                    ///< number of its opening, once it is known
    bool is_local = false;     ///< it has the same clients: one of both connects without letters
    bool is_proposed = false;  ///< to it, see Letter
    int strangers = 0;  ///< clients of this context that are in its component: it is not there
    int refusals = 0;
    std::optional<Error> error;
    /// What the link will need, so that a server of this process does not take it before.
    io::ChannelMemory::Share reserved;
    std::unique_ptr<io::CouplingLink> link;
    bool is_over = false;  ///< both sides have ended: there is no link any more
    std::string name() const { return code + "::" + context; }
  };
  struct SentField {
    const config::CoupledField* field = nullptr;
    int partner = 0;
    config::Schedule dates;
    std::unique_ptr<io::CoupledGrid> grid;  ///< until it is connected
    int number = -1;                        ///< in the link; -1: nobody receives it
    std::int64_t next = 0;                  ///< record that has not left
    std::int64_t short_records = 0;         ///< made of fewer samples than there should be
    bool is_once() const;
  };
  struct ReceivedField {
    const config::CoupledField* field = nullptr;
    int partner = 0;
    config::ReadSchedule dates;
    std::unique_ptr<io::CoupledGrid> grid;  ///< until it is connected
    ArrayPlaces array;
    int number = -1;
    std::int64_t shift = 0;
    std::int64_t record = -1;                  ///< that the array holds
    std::optional<config::Instant> entered{};  ///< when it has entered the workflow
  };
  class CoupledSink;
  class Meeting;

  static std::size_t at(int index) { return static_cast<std::size_t>(index); }
  bool leads() const { return setup_.clients.rank() == 0; }
  void add_partner(const config::Coupler& coupler);
  void reserve_memory();
  Partner* find_partner(const std::string& code, const std::string& context);
  const Partner* find_partner(const std::string& code, const std::string& context) const;
  io::Letter letter_to(const Partner& partner, io::Letter::Kind kind) const;
  std::optional<io::Letter> take_letter(const Partner& partner, io::Letter::Kind kind) const;
  bool is_from(const Partner& partner, const io::Letter& letter) const;
  void refuse_twins(Partner& partner) const;
  void tell_all(const Partner& partner, io::Letter::Kind kind, const std::string& text = {}) const;
  void withdraw_greetings(const std::string& why = {}) const;
  void answer(Partner& partner, const io::Letter& greeting) const;
  void take_newer_greeting(Partner& partner) const;
  void talk(Partner& partner);
  void check_pair(Partner& partner) const;
  void refuse_strangers() const;
  void refuse_open(const std::string& why) const;
  void take_refusals(Partner& partner) const;
  int look_around(Partner& partner) const;
  void find_local_partners();
  void connect_local_partners();
  std::vector<std::string> left_out_remarks() const;
  static void connect_ends(std::vector<std::pair<Couplings*, Partner*>> ends);
  config::CoupledContext own_facts(const Partner& partner) const;
  io::CouplingSide side_of(Partner& partner);
  io::WaitLimits limits() const { return {setup_.patience_s, setup_.give_up_s, 0}; }
  void put(int sent, std::int64_t record, std::int64_t samples, const io::ArrayValues& values);
  io::CouplingLink& link_of(const std::string& field, int partner) const;

  Setup setup_;
  std::string name_;
  std::vector<Partner> partners_;
  std::vector<SentField> sent_;
  std::vector<ReceivedField> received_;
};

}  // namespace epios::client
