#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "contexts/context_intake.hpp"
#include "contexts/context_plan.hpp"
#include "event/job.hpp"
#include "event/stall_timeout.hpp"
#include "event/watch.hpp"

namespace epios::server {

/// Knows what one context waits for on one server, and for whom. It tells the watch of the job, and
/// fails the context when clients let an event wait for too long. Nothing here
/// waits itself.
class ContextWaits {
 public:
  ContextWaits(const io::Job& job, const ContextPlan& plan);

  /// Looks whether the next event lacks parts of clients. Returns true if it does, for which the
  /// context waits then. Throws Error{call_order} when that has lasted for too long.
  bool check_stall(const ContextIntake& intake);
  /// Returns seconds until an event that has begun to arrive should be complete; 0 while none has
  /// begun.
  double patience_s() const { return stall_timeout_.wait_s(); }

  /// The context waits for `what`, and for the clients whose parts of the next event are missing.
  void wait_for(std::string_view what, const ContextIntake& intake);
  /// The context waits for `what`, and for the servers of these ranks.
  void wait_for_servers(std::string_view what, const std::vector<int>& ranks);
  /// The context waits for nothing. Costs next to nothing while that is so.
  void clear();
  /// The context is closed.
  void end() { waiting_.end(); }

 private:
  void set(std::string_view what, std::vector<io::Actor> whom);
  std::vector<io::Actor> actors_of(const std::vector<int>& senders) const;

  const io::Job& job_;
  const ContextPlan& plan_;
  io::StallTimeout stall_timeout_;
  io::Waiting waiting_;
  std::string what_;          // that is waited for
  std::vector<int> servers_;  // that are waited for, if servers are
  std::optional<std::pair<std::uint64_t, std::size_t>>
      lacks_;  // of the event that was looked at last
};

}  // namespace epios::server
