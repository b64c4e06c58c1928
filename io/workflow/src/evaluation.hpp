/// @file
/// Evaluates roots of a graph: arithmetic in blocks, directly into the filters that take samples.
#pragma once

#include <vector>

#include "workflow_graph.hpp"

namespace epios::io {

/// Evaluates roots whose leaves have data of one date. Filters with an accumulator and spatial
/// filters get the values of all roots of one grid in one pass over memory. Filters whose result is
/// the array itself, or is computed by their sink, get none. Does not allocate.
class Evaluation {
 public:
  explicit Evaluation(WorkflowGraph& graph);

  /// Takes samples of all chosen filters and spatial filters of these roots.
  void take_samples(const std::vector<int>& roots);
  /// Lets the sink of the stream compute its record from the current data.
  void put_worked_out(int stream, const Filter& filter);

  /// Returns the values of a root if they are an array already, else null.
  const double* array_of(const Root& root) const;

 private:
  void evaluate(const std::vector<int>& roots, config::GridId grid);
  void evaluate_alone(Root& root);
  void choose(const Root& root);
  double* only_sum(const Root& root) const;
  bool add_array(const std::vector<int>& roots, config::GridId grid);
  void run_program(config::GridId grid);
  bool is_next(const Root& root, config::GridId grid) const;

  WorkflowGraph& graph_;
  std::vector<int> root_of_result_;  ///< for the current evaluation
};

/// Returns true if a record is the model's array itself: an instant of data that the model sends.
bool passes_through(const Root& root, const Filter& filter);
/// Returns true if the sink computes the record: an instant of arithmetic need not be an array
/// first.
bool is_left_to_taker(const Root& root, const Filter& filter);

}  // namespace epios::io
