#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "config/definitions.hpp"
#include "config/model_fwd.hpp"
#include "context/context_account.hpp"
#include "context/context_group.hpp"
#include "context/context_opening.hpp"
#include "context/context_progress.hpp"
#include "context/field_numbers.hpp"
#include "context/partner_exchange.hpp"
#include "context/received_fields.hpp"
#include "context/run_counters.hpp"
#include "context/sent_fields.hpp"
#include "data/before_records.hpp"
#include "data/part_ends.hpp"
#include "data/results.hpp"
#include "data/run_clock.hpp"
#include "data/statistics.hpp"
#include "links/read_link.hpp"
#include "links/server_link.hpp"
#include "links/step_waits.hpp"
#include "session/run_costs.hpp"
#include "space/steps.hpp"
#include "workflow/workflow.hpp"

namespace epios::client {

/// The time loop of one context on one client: the calendar, the workflow, and its links to the
/// servers. It is made when all clients agree on the Model, and goes when the context ends.
class ContextRun {
 public:
  /// `statistics`: null when no state outlives the run; `exchange`: null when nothing is exchanged
  /// with other contexts. What is given outlives this.
  ContextRun(ContextGroup& group, const config::Model& model, FieldNumbers& numbers,
             RunClock& clock, ContextAccount& account, ContextProgress& progress,
             std::unique_ptr<Statistics> statistics, PartnerExchange* exchange);
  ContextRun(const ContextRun&) = delete;
  ContextRun(ContextRun&&) = delete;
  ContextRun& operator=(const ContextRun&) = delete;
  ContextRun& operator=(ContextRun&&) = delete;
  ~ContextRun();

  /// Finds out which clients have what others need. Before servers are asked: what is refused here
  /// leaves no files behind. Collective.
  io::StepPlans& plan_steps(const io::LocalParts& parts);
  /// Opens the links to the servers, which have answered, and makes the workflow between them and
  /// the model. Collective.
  void connect(const ContextOpening& opening, const ServerLink::Replies& replies);
  /// The time loop begins, with what a run before has left.
  void begin_run();
  /// A date begins: what files and other contexts have at it enters the workflow.
  void begin_date() { received_->begin_date(); }

  const RunClock& clock() const { return clock_; }
  const FieldNumbers& numbers() const { return numbers_; }
  /// Fields by number, as FieldNumbers have them.
  SentFields& sent() { return *sent_; }
  ReceivedFields& received() { return *received_; }
  template <class T>
  void send(std::string_view id, std::span<const T> data) {
    sent_->send(number_of_sent(id), data);
  }
  template <class T>
  void receive(int field, std::span<T> data) {
    group_.record().call(RecordedKind::receive, {field, sizeof(T), std::ssize(data)}, [&] {
      received_->check_number(field);
      if (is_stopped()) refuse_receive(field);
      sent_->check_nothing_borrowed("receiving a field");
      received_->receive(field, data);
    });
  }
  /// True if data of a field would be of use; `now`: at this step.
  bool is_active(int field, bool now);
  /// The same of any field, also of those that the model receives, or that are made of others.
  bool is_active(std::string_view field, bool now);
  bool is_active(config::ElementHandle field, bool now);
  /// Goes on to a later step.
  void update_calendar(std::int64_t step);

  /// The files are closed, at a signal, while the model goes on: from now on there is only the
  /// calendar. `text`: "SIGTERM at 2000-01-02 00:00:00".
  void stop(std::string text);
  bool is_stopped() const { return sent_ && !sent_->stopped().empty(); }
  /// Returns that text, of one that is stopped.
  const std::string& stopped() const { return sent_->stopped(); }

  /// Sends what is left, and that nothing follows.
  void finish_sending();
  /// Waits until the servers have closed the files of the context.
  void wait_for_servers();
  UnsentData unsent() const;
  /// Returns warnings of what was moved between clients and never used.
  std::vector<std::string> left_over() const { return steps_->left_over(); }

  /// Returns what the run has cost this client so far.
  ClientCost cost() const;
  const ServerLink& link() const { return *link_; }

 private:
  int number_of_sent(std::string_view id) const;
  void advance(std::int64_t step);
  void make_workflow(const io::LocalParts& parts);
  void connect_reader(const ContextOpening& opening);
  void end_date();
  void end_parts();
  void deliver();
  void save_statistics();
  [[noreturn]] void refuse_receive(int field) const;
  double link_s() const;

  ContextGroup& group_;
  const config::Model& model_;
  FieldNumbers& numbers_;
  ContextAccount& account_;
  ContextProgress& progress_;
  PartnerExchange* exchange_;
  RunClock& clock_;
  std::vector<config::ReadSchedule> read_dates_;  // per Model::read_fields
  std::unique_ptr<Statistics> statistics_;
  // They go in the reverse order.
  std::unique_ptr<ServerLink> link_;
  std::unique_ptr<ReadLink> read_link_;  // null: nothing is read
  std::unique_ptr<BeforeRecords> before_records_;
  std::unique_ptr<PartEnds> part_ends_;
  std::unique_ptr<Results> results_;  // of the workflow
  std::unique_ptr<StepWaits> step_waits_;
  std::unique_ptr<io::StepPlans> steps_;  // of the workflow
  std::unique_ptr<io::Workflow> workflow_;
  std::unique_ptr<ReceivedFields> received_;
  std::unique_ptr<SentFields> sent_;
  RunCounters counters_;
};

}  // namespace epios::client
