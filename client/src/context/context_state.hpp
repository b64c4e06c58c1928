#pragma once

#include <epios/epios.h>

#include <cstdint>
#include <ep/ep.hpp>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "config/calendar.hpp"
#include "context/client_state.hpp"
#include "context/context_account.hpp"
#include "context/context_definition.hpp"
#include "context/context_group.hpp"
#include "context/context_progress.hpp"
#include "context/context_run.hpp"
#include "context/cost_report.hpp"
#include "context/field_numbers.hpp"
#include "context/partner_exchange.hpp"
#include "data/run_clock.hpp"
#include "links/stop_agreement.hpp"

namespace epios::client {

/// Calls that need the time loop, each of which is refused outside it in its own words.
enum class RunCall : std::uint8_t {
  update_calendar,
  send,
  send_by_id,
  send_tile,
  borrow,
  give_back,
  find_field,
  find_read_field,
  receive,
  ask_active
};

/// What epios_context stands for: one context on one client, from its definitions to its files. It
/// is first a ContextDefinition, then, by a ContextOpening, a ContextRun; its ContextAccount stays
/// to the end.
class ContextState {
 public:
  enum class State : std::uint8_t { defining, failed_definition, running, finalized };

  /// `among`: between the clients of the context, when they are not all of the component.
  ContextState(ClientState& client, std::string id, ep::Comm among = {});
  ContextState(const ContextState&) = delete;
  ContextState(ContextState&&) = delete;
  ContextState& operator=(const ContextState&) = delete;
  ContextState& operator=(ContextState&&) = delete;
  ~ContextState();

  const std::string& id() const { return group_.id(); }
  ClientState& client() const { return group_.client(); }
  const ContextGroup& group() const { return group_; }
  /// While it is State::defining, others may wait for this client to close the definition.
  State state() const { return state_; }
  ContextDefinition& definition() { return definition_; }
  const ContextDefinition& definition() const { return definition_; }
  const ContextAccount& account() const { return account_; }

  void close_definition();
  /// Returns the time loop. Throws Error{call_order} outside it; `id`: of the field, where the call
  /// has one.
  ContextRun& run(RunCall call, std::string_view id = {}) {
    if (state_ != State::running) refuse(call, id);
    return *run_;
  }
  /// Goes on to a later step. With stop_on_signal the clients may end the context before it.
  void update_calendar(std::int64_t step);
  std::string current_date() const;
  /// Returns the same in parts; before the definition is closed that of the start, as far as it is
  /// set.
  config::Date date() const;
  epios_statistics statistics() const;
  void finalize();

  /// Return null when the context exchanges nothing with others. They stay when it has ended.
  PartnerExchange* exchange() const { return exchange_.get(); }
  Couplings* couplings() const { return exchange_ ? &exchange_->couplings() : nullptr; }
  /// Tells the others that this client comes no more. Local.
  void leave(std::string_view why);
  /// Of one that will never end: what it has cost this client and what is known of its files.
  /// Local.
  void report_unfinished();

 private:
  void close_unrecorded();
  void finalize_unrecorded();
  [[noreturn]] void refuse_unrecorded(RunCall call, std::string_view id) const;
  void open();
  void begin_time_loop();
  std::unique_ptr<Statistics> find_statistics();
  void connect(std::unique_ptr<Statistics> statistics);
  void meet_partners();
  [[noreturn]] void refuse(RunCall call, std::string_view id) const;
  [[noreturn]] void refuse_send(std::string_view what) const;
  [[noreturn]] void out_of_order(const char* call, const char* why) const;
  /// What is known when the files are closed.
  struct Ending {
    UnsentData unsent;
    std::vector<std::string> left_over;
    CostReport::Sums sums;
  };
  void watch_signals();
  void stop(int signal);
  Ending end_run(const char* call, State after, const std::string& stopped);
  std::vector<std::string> warn_at_end(const Ending& ending) const;
  void end(const UnsentData& unsent, const std::vector<std::string>& warnings);
  void end_stopped();

  State state_ = State::defining;
  ContextGroup group_;
  ContextDefinition definition_;
  ContextAccount account_;
  ContextProgress progress_;
  std::optional<FieldNumbers> numbers_;  // from here on: when all agree on the Model
  std::optional<RunClock> clock_;
  std::int64_t asked_ = -1;  // number of the opening that the servers were last asked for
  std::unique_ptr<PartnerExchange> exchange_;  // null: nothing is exchanged
  std::unique_ptr<StopAgreement> stops_;       // null: no signal ends the context
  std::unique_ptr<ContextRun> run_;            // null when the channels are closed
};

}  // namespace epios::client
