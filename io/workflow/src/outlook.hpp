/// @file
/// What data would bring about, before they come.
#pragma once

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "waiting_records.hpp"
#include "workflow_graph.hpp"

namespace epios::io {

/// Marks of filters: each is visited once a time, on whatever ways.
class Visits {
 public:
  explicit Visits(std::size_t filters) : last_(filters) {}
  void begin() { ++number_; }
  bool is_first(int filter) {
    return std::exchange(last_[static_cast<std::size_t>(filter)], number_) != number_;
  }

 private:
  std::vector<std::int64_t> last_;  ///< per filter
  std::int64_t number_ = 0;
};

/// Answers questions about a graph as it is now; changes nothing of it. Roots and filters behind
/// each other form diamonds: in one question each is looked at once, so that no question costs more
/// than the graph is large. Nothing is allocated.
class Outlook {
 public:
  Outlook(const WorkflowGraph& graph, const WaitingRecords& waiting);

  /// Begins questions about data of that date: answers are remembered until the next call, and
  /// nothing of the graph may change between.
  void ask(config::Instant date);

  /// True if all leaves of the root have data of that date.
  bool is_complete(const Root& root, config::Instant date) const;
  /// True if data of that date make something of the filter that somebody takes: a record, or what
  /// other filters make something of in turn.
  bool is_of_use(int filter, config::Instant date);
  /// True if somebody takes what the spatial filter makes of data of that date.
  bool is_taken_on(int spatial, config::Instant date);
  /// True if a filter or a spatial filter of the root takes data of that date.
  bool is_wanted(const Root& root, config::Instant date);
  /// True if a root still waits for data of the leaf of that date.
  bool is_awaited(int leaf, config::Instant date);

  /// These begin questions of their own; they are what Workflow promises under the same names.
  bool may_want(int source, config::Instant date);
  std::optional<Workflow::SoleRecord> sole_record(int source, config::Instant now);
  OpenRecords open_records(int stream, config::Instant now);

 private:
  struct Answer {
    std::int64_t question = 0;
    bool is_yes = false;
  };
  struct Use {
    std::int64_t question = 0;
    config::Instant date;
    bool is_yes = false;
  };

  static std::size_t at(int index) { return static_cast<std::size_t>(index); }
  bool may_complete(int root, config::Instant date, int but);
  bool may_complete_anew(int root, config::Instant date, int but);
  bool may_come(const Leaf& leaf, config::Instant date, int but);
  void add_under_way(int filter, std::vector<config::Instant>& dates);
  void add_before(int root, std::vector<config::Instant>& dates);

  const WorkflowGraph& graph_;
  const WaitingRecords& waiting_;
  std::vector<Answer> answers_;  ///< per root: whether it may get all its data
  std::int64_t question_ = 0;
  std::vector<Use> uses_;  ///< per filter, behind them per spatial one: whether somebody takes it
  std::int64_t use_question_ = 0;
  config::Instant asked_;  ///< the date of the question: what later ones have, nobody knows
  Visits looks_;           ///< of open_records()
};

}  // namespace epios::io
