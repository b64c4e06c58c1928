#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "config/model_fwd.hpp"
#include "context/context_account.hpp"
#include "context/context_group.hpp"
#include "context/context_progress.hpp"
#include "coupling/couplings.hpp"
#include "data/run_clock.hpp"
#include "workflow/workflow.hpp"

namespace epios::client {

/// When what a context exchanges with partners leaves and comes: CoupledFields know how. Couplings
/// outlive the time loop, since partners may still need what they hold.
class PartnerExchange {
 public:
  /// Sends hello to the partners (Couplings). `in_component`: ranks of the clients of the context
  /// there; `opening`: its number. Local. What is given outlives this, but for `parts`.
  PartnerExchange(const ContextGroup& group, const config::Model& model, ContextAccount& account,
                  ContextProgress& progress, const io::LocalParts& parts,
                  std::vector<int> in_component, std::uint64_t opening);

  Couplings& couplings() { return couplings_; }
  const Couplings& couplings() const { return couplings_; }
  CoupledFields& fields() { return couplings_.fields(); }
  const CoupledFields& fields() const { return couplings_.fields(); }

  /// The time loop begins, or, with null, is over; both outlive it.
  void run_with(io::Workflow* workflow, const RunClock* clock);

  /// Results of the run before go to those who take them, if all partners are linked: the
  /// definitions of those in this process may be closed after this one, and before time begins.
  void resume_when_linked();

  // In the time loop.

  /// Brings what has come for a received field, by its number in CoupledFields, into the workflow.
  void fetch(int received);
  /// Brings what a result of the workflow is made of, as far as it comes from partners.
  void fetch_for_result(int result);
  /// Partners of contexts here may wait for what steps between clients make for them: it leaves,
  /// if all clients of this context are of `waiting`, too.
  void deliver_for(const Couplings& waiting);
  /// The date ends: no data of it come any more, records for partners that have waited leave.
  void end_date();
  /// What has not left by now has no values, and partners hear of it.
  void report_missing();

 private:
  void pass_sent(bool are_of_received);
  std::string place() const;

  const ContextGroup& group_;
  ContextAccount& account_;
  Couplings couplings_;
  std::vector<std::vector<config::SourceId>> sources_of_results_;  // of the workflow
  std::vector<std::uint8_t> is_of_received_;  // per field for partners: it is made of theirs
  std::vector<std::uint8_t> comes_later_;     // the same: of theirs or of other clients' points
  bool sends_what_is_moved_ = false;          // to partners: by steps between clients
  io::Workflow* workflow_ = nullptr;          // null outside the time loop
  const RunClock* clock_ = nullptr;
};

}  // namespace epios::client
