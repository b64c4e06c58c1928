#pragma once

#include <cstdint>
#include <string_view>

#include "config/model_fwd.hpp"
#include "config/run_page.hpp"
#include "context/context_account.hpp"
#include "data/run_clock.hpp"
#include "links/server_link.hpp"

namespace epios::client {

/// Shows in the page of the process where a context of one client is and what it has cost so far.
/// All figures are counted anyway: a step costs some stores.
class RunCounters {
 public:
  RunCounters(config::RunPage& page, std::string_view component, std::string_view context, int rank)
      : slot_(page.take_client(component, context, rank)) {}

  /// `model`: of the context, whose fields are named.
  void show(const RunClock& clock, const ContextAccount& account, const ServerLink& link,
            const config::Model& model);
  /// As show(), of the last step: nothing is put off.
  void show_end(const RunClock& clock, const ContextAccount& account, const ServerLink& link,
                const config::Model& model);

 private:
  void show_blocked(const ServerLink& link, const config::Model& model);

  config::HeldSlot<config::ClientSlot> slot_;
  std::int64_t looked_at_ns_ = 0;  // at the channels
};

}  // namespace epios::client
