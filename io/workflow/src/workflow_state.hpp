/// @file
/// A Workflow during a run: which data have come, what they bring about.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "config/index.hpp"
#include "evaluation.hpp"
#include "outlook.hpp"
#include "waiting_records.hpp"
#include "workflow/workflow.hpp"
#include "workflow_graph.hpp"

namespace epios::io {

/// The graph at work.
///
/// A root is worked out when the last of its leaves has data of one date, together with the other
/// roots that wait for the same, block by block, and only if one of its filters wants that date.
/// Data that came before the last ones are kept in a copy until then. Results of filters are leaves
/// again. The result of a spatial filter is a leaf, too, whose data are coming from when they are
/// taken until deliver().
struct Workflow::Impl {
 public:
  Impl(const config::Model& model, const LocalParts& parts, const MakeSink& make_sink,
       const MakeSink& make_result_sink, const MakeSpatial& make_spatial,
       const MakeSink& make_coupled_sink);

  template <class T>
  void send(int source, config::Instant now, std::span<const T> array, Array lifetime);
  void let_go(int source, config::Instant now);
  void expect(int source, config::Instant now) { graph_.leaf(source).expected = now; }
  void send_idle(int source, config::Instant now, std::size_t size);
  void pass(int stream, config::Instant now);
  void pass_sent(int sent, config::Instant now);
  void deliver() { deliver(0); }
  void finish(config::Instant end);
  void resume();

  bool may_want(int source, config::Instant date) { return outlook_.may_want(source, date); }
  bool is_active(int source, config::Instant now);
  std::optional<SoleRecord> sole_record(int source, config::Instant now) {
    return outlook_.sole_record(source, now);
  }
  OpenRecords open_records(int stream) { return outlook_.open_records(stream, now_); }

  config::OperationState state(int operation) const;
  void take_up(int operation, const config::OperationState& state);

  Accumulator& accumulator(int operation) {
    const WorkflowGraph::KeptState& kept = nth(graph_.kept_states, operation);
    return graph_.filter(kept.filter).accumulators().at(kept.slot);
  }
  const ArrayLayout& layout(int grid) const { return graph_.layout(grid); }
  const StreamAccount& account(int stream) const {
    return graph_.filter(graph_.filter_of_stream(stream)).account();
  }
  std::int64_t repeated_sends(int source) const { return nth(sources_, source).repeated_sends; }

 private:
  struct SourceAccount {
    std::optional<config::Instant> last_used;
    std::int64_t repeated_sends = 0;
  };
  /// Work in progress at one depth of the way through filters.
  struct Level {
    std::vector<int> ready;  ///< roots
    std::vector<int> due;    ///< filters
    std::vector<int> streams;
  };
  /// Data that a leaf has got.
  struct Arrival {
    config::Instant date;
    std::size_t depth = 0;  ///< filters that they have gone through in this send
    bool is_late = false;   ///< of a record whose last date is over
  };

  SourceAccount& source(int index) { return nth(sources_, index); }
  void check_size(int source, std::size_t size) const;
  void arrive(int index, const Arrival& arrival);
  void keep(Leaf& leaf);
  void work_out(Level& level, const Arrival& arrival);
  void choose_takers(const Level& level, config::Instant date);
  void decide(const Level& level, config::Instant date);
  void finish_due(Level& level, config::Instant date);
  void send_late_results(Level& level, std::size_t depth);
  void send_results(Level& level, std::size_t depth, bool are_late);
  void feed_spatials(const Level& level, const Arrival& arrival);
  void feed(Spatial& spatial, const Arrival& arrival);
  void take(Spatial& spatial, const Spatial::Taken& taken);
  void deliver(std::size_t depth);
  void put(int stream);
  void release(int filter);
  void pass_filter(int index, config::Instant now);
  void pass_root(int index, config::Instant now);
  void send_late_result(int index);

  WorkflowGraph graph_;
  WaitingRecords waiting_;
  Outlook outlook_;
  Evaluation evaluation_;
  config::Instant now_;  ///< of the last call
  std::vector<SourceAccount> sources_;
  std::vector<Level> levels_;
  int coming_ = 0;            ///< spatial filters whose result is coming
  std::vector<int> resumed_;  ///< filters that had records in the run before, until resume()
  Visits passes_;             ///< of pass()
  /// Filters that another run goes on with; none: no other run does.
  std::optional<std::size_t> kept_;
};

}  // namespace epios::io
