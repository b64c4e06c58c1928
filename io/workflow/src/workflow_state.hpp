/// @file
/// A Workflow during a run: which data have come, what they bring about.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "config/data_graph.hpp"
#include "filter.hpp"
#include "program.hpp"
#include "waiting_records.hpp"
#include "workflow/workflow.hpp"

namespace epios::io {

/// The graph at work.
///
///   send -> Leaf (a source) -> Root (arithmetic, or the leaf itself) -> Filter -> sinks
///              ^                                                          |
///              '--------------- Leaf (results that `@` asks for) <--------'
///              '--------------- Leaf (on another grid) <-- Spatial <-- Root
///
/// A root is worked out when the last of its leaves has data of one date, together with the other
/// roots that wait for the same, block by block, and only if one of its filters wants that date.
/// What came before the last one is kept in a copy until then. Results of filters are leaves again.
/// What a spatial filter makes of a root is a leaf, too, whose data are coming from when they are
/// taken until deliver().
struct Workflow::Impl {
 public:
  Impl(const config::Model& model, const LocalParts& parts, const MakeSink& make_sink,
       const MakeSink& make_result_sink, const MakeSpatial& make_spatial,
       const MakeSink& make_coupled_sink);

  template <class T>
  void send(int source, config::Instant now, std::span<const T> array, Array lifetime);
  void let_go(int source, config::Instant now);
  void expect(int source, config::Instant now) { leaves_[at(source)].expected = now; }
  bool may_want(int source, config::Instant date) const;
  void send_idle(int source, config::Instant now, std::size_t size);
  void pass(int stream, config::Instant now);
  void pass_sent(int sent, config::Instant now) { pass(static_cast<int>(first_sent_) + sent, now); }
  void deliver() { deliver(0); }
  OpenRecords open_records(int stream) const;
  void finish(config::Instant end);
  bool is_active(int source, config::Instant now) const;
  std::optional<SoleRecord> sole_record(int source, config::Instant now) const;
  void resume();
  config::OperationState state(int operation) const;
  void take_up(int operation, const config::OperationState& state);

  Filter& filter(int operation) { return filters_[at(operation)]; }
  const ArrayLayout& layout(int grid) const { return layouts_[at(grid)]; }
  const ArrayLayout& layout_of_source(int source) const {
    return layouts_[at(leaves_[at(source)].grid)];
  }
  const StreamAccount& account(int stream) const {
    return filters_[at(filter_of_stream_[at(stream)])].account();
  }
  std::int64_t repeated_sends(int source) const { return sources_[at(source)].repeated_sends; }

 private:
  /// Data that come from outside of the arithmetic. The first ones are the sources.
  struct Leaf {
    int node = -1;
    int grid = -1;
    std::vector<int> roots;
    LeafValues values;                          ///< as long as is_there
    config::Instant date;                       ///< of the last data
    bool is_there = false;                      ///< the data can still be read
    std::optional<config::Instant> coming{};    ///< the date of data that have been made by now
    int filter = -1;                            ///< that makes them; -1: the model does, or a file
    int spatial = -1;                           ///< or that one
    bool is_read = false;                       ///< a file does, or another context
    bool stays = false;                         ///< the data need no copy
    std::optional<config::Instant> expected{};  ///< of what is read: the last date that has data
    std::optional<double> marker;
    std::unique_ptr<double[]> copy;       ///< where some root has other leaves, too
    std::vector<std::uint64_t> places{};  ///< that have values, where roots are on other grids
    /// By grid of roots whose arrays have the same points at other places: see LeafValues::from.
    std::map<int, std::vector<std::int64_t>> places_of_points{};
  };
  /// A node of which filters take samples.
  struct Root {
    int result = -1;  ///< of the program
    int grid = -1;
    bool is_source = false;             ///< no arithmetic: what the model sends
    bool may_be_left_to_taker = false;  ///< its sink may work it out
    std::vector<int> leaves;            ///< that it waits for
    std::vector<int> operands;          ///< those of them that it is made of
    std::vector<int> filters, spatials;
    bool is_alone = false;      ///< one of several inputs of a spatial filter, and nothing else
    bool takes_sample = false;  ///< in the evaluation under way
    std::optional<config::Instant> done;  ///< the last date that it has been worked out for
  };
  struct Taken {
    config::Instant date;
    bool is_late = false;  ///< of a record whose last date is over
  };
  /// What makes values of another grid of those of a root, or of several that wait for the same.
  struct Spatial {
    struct Input {
      int root = -1;
      std::unique_ptr<double[]> values{};  ///< untouched if it is an array anyway
      bool copies = false;                 ///< the data under way, which are no array yet
    };
    std::unique_ptr<SpatialFilter> filter;
    std::vector<Input> inputs{};                    ///< the first one is the field itself
    std::vector<std::span<const double>> arrays{};  ///< of them, while they are taken
    int leaf = -1;                                  ///< the result
    bool is_chosen = false;                         ///< it takes the data under way
    bool is_coming = false;                         ///< it has taken data that have not arrived yet
    Taken taken{};
    std::optional<Taken> next{};  ///< it will take what inputs keep when those have arrived
  };
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

  /// Of data at a leaf.
  struct Arrival {
    config::Instant date;
    std::size_t depth = 0;  ///< filters that they have gone through in this send
    bool is_late = false;   ///< of a record whose last date is over
  };

  static std::size_t at(int index) { return static_cast<std::size_t>(index); }

  void add_under_way(int filter, std::vector<config::Instant>& dates) const;
  void add_before(int root, std::vector<config::Instant>& dates) const;
  void make_leaves(const config::Model& model, const config::DataGraph& graph);
  using Roots = std::map<std::pair<int, int>, int>;  ///< by node and grid
  void make_filters(const config::Model& model, const config::DataGraph& graph, Roots& known);
  int root_of(const config::DataGraph& graph, int node, int grid, Roots& known);
  void add_sinks(const std::vector<int>& nodes, const MakeSink& make_sink);
  int add_root(const config::DataGraph& graph, int node, int grid);
  void add_inputs(const config::Model& model, const config::DataGraph& graph,
                  const config::FieldExpression& step, const config::DataNode& node,
                  Spatial& spatial, int number);
  std::vector<int> leaves_of(const config::DataGraph& graph, int node) const;
  void make_spatials(const config::Model& model, const config::DataGraph& graph,
                     const MakeSpatial& make_spatial, Roots& known);
  void make_program(const config::DataGraph& graph);
  void leave_to_takers();
  void check_operands(const config::Model& model, const LocalParts& parts) const;
  void fit_layouts(const config::Model& model, const LocalParts& parts);
  void match_points(const config::Model& model, const LocalParts& parts, Leaf& leaf, Root& root);
  void make_room();

  void check_size(int source, std::size_t size) const;
  void arrive(int index, const Arrival& arrival);
  bool is_complete(const Root& root, config::Instant date) const;
  bool may_complete(int root, config::Instant date, int but) const;
  bool may_complete_anew(int root, config::Instant date, int but) const;
  void ask(config::Instant date) const;
  bool is_of_use(int filter, config::Instant date) const;
  bool is_wanted(const Root& root, config::Instant date) const;
  bool is_taken_on(int spatial, config::Instant date) const;
  bool is_awaited(int index, config::Instant date) const;
  bool passes_through(const Root& root, const Filter& filter) const;
  bool is_left_to_taker(const Root& root, const Filter& filter) const;
  bool is_fed(const Root& root, const Filter& filter) const;
  void work_out(Level& level, const Arrival& arrival);
  void send_late_results(Level& level, std::size_t depth);
  void take_samples(const Level& level);
  void evaluate(const Level& level, int grid);
  void evaluate_alone(Root& root);
  void choose(const Root& root);
  void send_results(Level& level, std::size_t depth, bool are_late);
  const double* array_of(const Root& root) const;
  void feed_spatials(const Level& level, const Arrival& arrival);
  void take(Spatial& spatial, const Taken& taken);
  void deliver(std::size_t depth);
  void put(int stream);
  void put_worked_out(int stream, const Filter& filter);
  void release(int filter);
  void keep(Leaf& leaf);
  void pass_filter(int index, config::Instant now);
  void pass_root(int index, config::Instant now);
  void send_late_result(int index);

  std::vector<ArrayLayout> layouts_;  ///< per grid
  std::vector<Leaf> leaves_;
  std::vector<Root> roots_;
  std::vector<int> root_nodes_;  ///< per root
  std::vector<Filter> filters_;  ///< those whose results others are made of come first
  std::vector<int> root_of_filter_;
  std::vector<Spatial> spatials_;             ///< in the order of the graph
  int coming_ = 0;                            ///< of them
  std::vector<int> leaf_of_node_;             ///< -1: none
  std::vector<int> filter_of_node_;           ///< -1: none
  std::vector<int> filter_of_stream_;         ///< as sinks_
  std::vector<std::unique_ptr<Sink>> sinks_;  ///< per stream; behind them per result, and coupled
  std::size_t streams_ = 0;
  std::size_t first_sent_ = 0;  ///< the first coupled one among sinks_
  WaitingRecords waiting_;
  config::Instant now_;  ///< of the last call
  std::vector<SourceAccount> sources_;
  std::unique_ptr<Program> program_;
  std::vector<int> root_of_result_;  ///< of the evaluation under way
  std::vector<Level> levels_;
  /// Roots and filters behind each other form diamonds: in one question each is looked at once.
  struct Answer {
    std::int64_t question = 0;
    bool is_yes = false;
  };
  mutable std::vector<Answer> answers_;  ///< per root
  mutable std::int64_t question_ = 0;
  /// The same for whether somebody takes what data of a date become.
  struct Use {
    std::int64_t question = 0;
    config::Instant date;
    bool is_yes = false;
  };
  mutable std::vector<Use> uses_;  ///< per filter, behind them per spatial one
  mutable std::int64_t use_question_ = 0;
  mutable config::Instant asked_;  ///< the date of the question: what later ones have, nobody knows
  /// A filter is visited once a time, on whatever ways.
  struct Visits {
    std::vector<std::int64_t> last;  ///< per filter
    std::int64_t number = 0;
    void begin() { ++number; }
    bool is_first(int filter) { return std::exchange(last[at(filter)], number) != number; }
  };
  Visits passes_;
  mutable Visits looks_;  ///< of open_records()
  /// Filters that another run goes on with; none: no other run does.
  std::optional<std::size_t> kept_;
};

}  // namespace epios::io
