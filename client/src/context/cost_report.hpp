#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "config/model_fwd.hpp"
#include "config/run_report.hpp"
#include "context/context_account.hpp"
#include "context/context_group.hpp"
#include "context/context_run.hpp"
#include "context/partner_exchange.hpp"

namespace epios::client {

struct StreamFigures;

/// What a context has cost its clients, put together at its end for the report of the run.
class CostReport {
 public:
  /// `exchange`: null when nothing was exchanged with other contexts; `stopped`: by which signal
  /// and when, "" if the model has ended the context. What is given outlives this.
  CostReport(const ContextGroup& group, const config::Model& model, const ContextAccount& account,
             ContextRun& run, const PartnerExchange* exchange, std::string stopped)
      : group_(group),
        model_(model),
        account_(account),
        run_(run),
        exchange_(exchange),
        stopped_(std::move(stopped)) {}

  /// Of a context that will never end: what it has cost this client, and what is known of its
  /// files. Local.
  void add_unfinished() const;
  /// What is known on the first client when figures of all have been summed up; elsewhere of some.
  struct Sums {
    std::vector<std::int64_t> dropped;  ///< per field for partners: records after their end
    std::vector<std::string> infinite;  ///< a line per field that was received with infinities
  };
  /// Of a context that has ended; `closing_s`: how long the servers took. By all clients, but for
  /// those that end in error: nobody is waited for long.
  Sums add(double closing_s) const;

 private:
  using Costs = std::function<config::FieldCost(std::size_t stream)>;
  config::ContextCost context_cost(const Costs& costs) const;
  config::SlowestStep slowest_step() const;
  config::BlockedOverTime blocked_over_time(std::span<const StreamFigures> sums, int clients) const;
  std::string infinity_text(std::size_t field, double values, double first_step) const;

  const ContextGroup& group_;
  const config::Model& model_;
  const ContextAccount& account_;
  ContextRun& run_;
  const PartnerExchange* exchange_;
  std::string stopped_;
};

}  // namespace epios::client
