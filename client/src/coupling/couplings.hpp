#pragma once

#include <cstddef>
#include <cstdint>
#include <ep/ep.hpp>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "config/model.hpp"
#include "coupling/facts.hpp"
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
  struct Setup {
    const config::Model& model;
    const io::LocalParts& parts;  ///< until this is made
    const io::Job& job;
    const ep::Comm& clients;  ///< of the context
    io::Letters& letters;
    std::string code;  ///< of the component
    io::Actor self;
    std::vector<int> in_component;  ///< ranks of the clients there
    double patience_s = 0, give_up_s = 0;
    int carrier = 0;
    std::int64_t buffer_bytes = 0;
    std::function<void()> check;  ///< called while this client waits
  };
  /// Greets the partners. Throws Error{configuration} when one cannot be there. Local.
  explicit Couplings(const Setup& setup);

  /// A partner of a context that lives on this client.
  struct End {
    Couplings* of = nullptr;
    int partner = 0;
  };
  /// Those that are not connected yet. `is_left(code, context)`: this one is left for later.
  std::vector<End> open_ends(
      const std::function<bool(const std::string&, const std::string&)>& is_left);
  /// That to another context of this client; none: there is none.
  std::optional<End> end_to(const std::string& context);
  /// Waits for the partners, and makes the connections. Collective over the clients of the contexts
  /// and, in the end, over those of their partners. All throw alike.
  static void connect(std::vector<End> ends);
  /// Whether a greeting is answered by one of the partners' ends.
  bool knows(const std::string& code, const std::string& context) const;

  /// Takes what goes to a partner: of config::coupled_fields() of coupler_out.
  std::unique_ptr<io::Sink> sink(int sent);

  // What comes from partners, by number among config::coupled_fields() of coupler_in.

  int received() const { return static_cast<int>(received_.size()); }
  /// -1: no such field.
  int find(std::string_view id) const;
  const std::string& id(int received) const { return received_[at(received)].field->id; }
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

  void progress();
  /// Tells the partners that this context has ended; `why`, if not empty: that it has failed.
  void end(const std::string& why);
  /// After end(): waits until the partners have ended, too.
  void wait_for_partners();
  double waited_s() const;
  /// What was sent and not wanted any more, a line per field.
  std::vector<std::string> remarks() const;

 private:
  struct Partner {
    std::string code, context;
    int component = -1;
    std::string where;  ///< of a coupler
    std::vector<io::CouplerField> sent, received;
    std::optional<io::CoupledContext> facts;  ///< of it
    int counterpart = -1;                     ///< its first client, among everyone
    int refusals = 0;
    std::string error;
    std::unique_ptr<io::CouplingLink> link;
    std::string name() const { return code + "::" + context; }
  };
  struct SentField {
    const config::CoupledField* field = nullptr;
    int partner = 0;
    std::unique_ptr<io::CoupledGrid> grid;  ///< until it is connected
    int number = -1;                        ///< in the link; -1: nobody receives it
  };
  struct ReceivedField {
    const config::CoupledField* field = nullptr;
    int partner = 0;
    config::ReadSchedule dates;
    std::unique_ptr<io::CoupledGrid> grid;  ///< until it is connected
    ArrayPlaces array;
    int number = -1;
    std::int64_t shift = 0;
    std::int64_t record = -1;  ///< that the array holds
  };
  class CoupledSink;

  static std::size_t at(int index) { return static_cast<std::size_t>(index); }
  static Partner& partner_of(const End& end) { return end.of->partners_[at(end.partner)]; }
  static std::vector<io::Actor> awaited(const std::vector<End>& ends);
  static void get_facts(const std::vector<End>& ends);
  static void link(const std::vector<End>& ends, const std::string& name);
  bool leads() const { return setup_.clients.rank() == 0; }
  void add_partner(const config::Coupler& coupler);
  void greet(const Partner& partner);
  bool talk(Partner& partner);
  void refuse_strangers() const;
  void take_refusals(Partner& partner) const;
  void share_facts(Partner& partner) const;
  io::CoupledContext own_facts(const Partner& partner) const;
  io::CouplingSide side_of(int partner);
  io::WaitLimits limits() const { return {setup_.patience_s, setup_.give_up_s, 0}; }
  void put(int sent, std::int64_t record, const io::ArrayValues& values);
  io::CouplingLink& link_of(const std::string& field, int partner) const;

  Setup setup_;
  std::string name_;
  std::vector<Partner> partners_;
  std::vector<SentField> sent_;
  std::vector<ReceivedField> received_;
};

}  // namespace epios::client
