/// @file
/// Effects of data before it comes.
#pragma once

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "config/index.hpp"
#include "waiting_records.hpp"
#include "workflow_graph.hpp"

namespace epios::io {

/// Marks of filters, so that each is visited once per traversal.
class Visits {
 public:
  explicit Visits(std::size_t filters) : last_(filters) {}
  void begin() { ++number_; }
  bool is_first(int filter) { return std::exchange(nth(last_, filter), number_) != number_; }

 private:
  std::vector<std::int64_t> last_;  ///< per filter
  std::int64_t number_ = 0;
};

/// Answers questions about the present state of a graph and changes nothing. Roots and filters in
/// sequence form diamonds: each is looked at once per question, so that no question costs more than
/// the size of the graph. Does not allocate.
class Outlook {
 public:
  Outlook(const WorkflowGraph& graph, const WaitingRecords& waiting);

  /// Begins questions about data of that date. Answers are kept until the next call; the graph must
  /// not change between.
  void ask(config::Instant date);

  /// Returns true if all leaves of the root have data of that date.
  bool is_complete(const Root& root, config::Instant date) const;
  /// Returns true if data of that date makes the filter produce something that is taken: a record,
  /// or a value for other filters that produce something in turn.
  bool is_of_use(int filter, config::Instant date);
  /// Returns true if somebody takes the result of the spatial filter for data of that date.
  bool is_taken_on(int spatial, config::Instant date);
  /// Returns true if a filter or a spatial filter of the root takes data of that date.
  bool is_wanted(const Root& root, config::Instant date);
  /// Returns true if a root still waits for data of the leaf for that date.
  bool is_awaited(int leaf, config::Instant date);

  /// The following functions begin questions of their own. They implement the functions of Workflow
  /// with the same names.
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
  std::vector<Use>
      uses_;  ///< per filter, followed by spatial ones: whether somebody takes its result
  std::int64_t use_question_ = 0;
  config::Instant asked_;  ///< date of the question; data of later dates is unknown
  Visits looks_;           ///< for open_records()
};

}  // namespace epios::io
