/// @file
/// The graph of a Workflow, made ready for a run.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "config/data_graph.hpp"
#include "config/index.hpp"
#include "filter.hpp"
#include "program.hpp"
#include "workflow/workflow.hpp"

namespace epios::io {

/// Data that come from outside of the arithmetic: what the model sends or a file holds, results of
/// temporal operations that `@` asks for, results of spatial filters.
struct Leaf {
  config::DataNodeId node;
  config::GridId grid;
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
  std::optional<double> marker;               ///< that the model has for missing values
  std::unique_ptr<double[]> copy;             ///< exists where some root has other leaves, too
  /// By grid of roots whose arrays have the same points at other places: see LeafValues::from. The
  /// places are those of WorkflowGraph::places_between.
  std::map<int, const std::int64_t*> places_of_points{};

  bool has_data_of(config::Instant when) const { return is_there && date == when; }
};

/// A node of which filters take samples.
struct Root {
  int result = -1;  ///< of the program
  config::GridId grid;
  bool is_source = false;             ///< no arithmetic: what the model sends
  bool may_be_left_to_taker = false;  ///< its sink may work it out
  std::vector<int> leaves;            ///< that it waits for
  std::vector<int> operands;          ///< those of them that it is made of
  /// Per operand: the places that have values (LeafValues::places).
  std::vector<const std::uint64_t*> places_of_operands;
  bool is_taken_elsewhere = false;  ///< on a grid that may not mask what its own does
  std::vector<int> filters, spatials;
  bool is_alone = false;      ///< one of several inputs of a spatial filter, and nothing else
  bool takes_sample = false;  ///< in the evaluation under way
  std::optional<config::Instant> done;  ///< the last date that it has been worked out for
};

/// A spatial filter and the roots it takes: one, or several that wait for the same data.
struct Spatial {
  struct Input {
    int root = -1;
    std::unique_ptr<double[]> values{};  ///< untouched if it is an array anyway
    bool copies = false;                 ///< the data under way, which are no array yet
  };
  struct Taken {
    config::Instant date;
    bool is_late = false;  ///< of a record whose last date is over
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

/// Leaves, roots, filters and sinks, with their numbers:
///
///   send -> Leaf (a source) -> Root (arithmetic, or the leaf itself) -> Filter -> sinks
///              ^                                                          |
///              '--------------- Leaf (results that `@` asks for) <--------'
///              '--------------- Leaf (on another grid) <-- Spatial <-- Root
///
/// Sources are the first leaves, in their order. Sinks are numbered as streams; behind these come
/// the sinks of results, then those of coupled fields.
struct WorkflowGraph {
  std::vector<ArrayLayout> layouts;  ///< per grid
  std::vector<Leaf> leaves;
  std::vector<Root> roots;
  std::vector<Filter> filters;  ///< those whose results others are made of come first
  std::vector<int> roots_of_filters;
  /// The states that outlive a run, as config::kept_operations() numbers them.
  struct KeptState {
    int filter = 0;
    std::int64_t slot = 0;
  };
  std::vector<KeptState> kept_states;
  std::vector<Spatial> spatials;  ///< in the order of the graph
  std::vector<std::unique_ptr<Sink>> sinks;
  std::vector<int> filters_of_streams;  ///< as sinks
  std::size_t stream_count = 0;
  std::vector<config::Schedule> schedules_of_streams;  ///< of a run that another continues
  std::size_t first_sent = 0;                          ///< the first coupled one among sinks
  /// By grids of a root and of a leaf: where the points of the one lie in arrays of the other. One
  /// list for all fields of the two grids.
  std::map<std::pair<config::GridId, config::GridId>, std::vector<std::int64_t>> places_between;
  /// A bit per place, 1 if both grids have a value there.
  std::map<std::pair<config::GridId, config::GridId>, std::vector<std::uint64_t>> places_of_values;
  std::unique_ptr<Program> program;
  std::size_t depth = 0;  ///< results that lie behind each other, at most

  const ArrayLayout& layout(int grid) const { return nth(layouts, grid); }
  Leaf& leaf(int index) { return nth(leaves, index); }
  const Leaf& leaf(int index) const { return nth(leaves, index); }
  Root& root(int index) { return nth(roots, index); }
  const Root& root(int index) const { return nth(roots, index); }
  Filter& filter(int index) { return nth(filters, index); }
  const Filter& filter(int index) const { return nth(filters, index); }
  int root_of_filter(int filter) const { return nth(roots_of_filters, filter); }
  Spatial& spatial(int index) { return nth(spatials, index); }
  const Spatial& spatial(int index) const { return nth(spatials, index); }
  Sink& sink(int stream) const { return *nth(sinks, stream); }
  int filter_of_stream(int stream) const { return nth(filters_of_streams, stream); }
};

/// Returns the graph of a client with its local parts. Collective operations take no part in it.
/// Throws Error if operands of an expression do not fit each other, or if `make_spatial` is empty
/// and the model has a transformation.
WorkflowGraph make_workflow_graph(const config::Model& model, const LocalParts& parts,
                                  const Workflow::MakeSink& make_sink,
                                  const Workflow::MakeSink& make_result_sink,
                                  const Workflow::MakeSpatial& make_spatial,
                                  const Workflow::MakeSink& make_coupled_sink);

}  // namespace epios::io
