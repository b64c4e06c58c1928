/// @file
/// Works out roots of a graph: arithmetic in blocks, straight into those who take samples.
#pragma once

#include <vector>

#include "workflow_graph.hpp"

namespace epios::io {

/// Evaluates roots whose leaves have data of one date. Filters with an accumulator and spatial
/// filters get the values of all roots of one grid in one pass over memory; filters whose result is
/// the array itself, or is worked out by their sink, get none. Nothing is allocated.
class Evaluation {
 public:
  explicit Evaluation(WorkflowGraph& graph);

  /// Samples of all chosen filters and spatial filters of these roots are taken.
  void take_samples(const std::vector<int>& roots);
  /// The sink of the stream works out its record itself, from the data under way.
  void put_worked_out(int stream, const Filter& filter);

  /// The values of a root, where they are an array already; else null.
  const double* array_of(const Root& root) const;

 private:
  void evaluate(const std::vector<int>& roots, int grid);
  void evaluate_alone(Root& root);
  void choose(const Root& root);
  bool is_next(const Root& root, int grid) const;

  WorkflowGraph& graph_;
  std::vector<int> root_of_result_;  ///< of the evaluation under way
};

/// True if a record is the model's array itself: an instant of what the model sends.
bool passes_through(const Root& root, const Filter& filter);
/// True if the sink works out the record: an instant of arithmetic need not be an array before.
bool is_left_to_taker(const Root& root, const Filter& filter);

}  // namespace epios::io
