/// @file
/// The arithmetic of a DataGraph, computed block by block.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <span>
#include <vector>

#include "ahead.hpp"
#include "arithmetic.hpp"
#include "config/data_graph.hpp"
#include "config/index.hpp"

namespace epios::io {

/// The source of values: the model's array, or the result of a temporal operation.
struct LeafValues {
  const double* doubles = nullptr;  ///< or
  const float* floats = nullptr;
  double marker = 0;  ///< values equal to it are missing; NaN for none
  const std::uint64_t* places =
      nullptr;  ///< one bit per place, 1 if it has a value; null if all have
  /// Place in the array of each place of the result, or -1 for no value; null if they are the same.
  const std::int64_t* from = nullptr;
};

/// Computes the values that `wanted` nodes of a graph need, in blocks of `most` values that stay in
/// cache: shared parts once, and without an array for any node. Allocates at construction only,
/// some kB per node that others wait for.
class Program {
 public:
  static constexpr std::int64_t most = 512;

  /// `results` are nodes whose values may be asked for, including data of the model or of temporal
  /// nodes. The graph is not kept.
  Program(const config::DataGraph& graph, std::span<const config::DataNodeId> results);

  /// Sets the values of a leaf: a node that is neither arithmetic nor a number.
  void set_leaf(config::DataNodeId node, const LeafValues& values) {
    nth(steps_, step_of_[node]).leaf = values;
    is_ready_ = false;
  }

  /// Returns true if no other result needs any of its arithmetic.
  bool is_alone(int result) const { return nth(is_alone_, result) != 0; }

  /// Begins the choice of results for the next run(): only chosen ones (by number) are computed.
  void choose_none();
  void choose(int result);
  /// The values of a chosen result are only to be added to those of an array with the same places.
  /// The next run() does so, and passes them on only where it cannot.
  void set_sum(int result, double* sum);
  /// Computes places `place` to `place + count` of the chosen results and passes each on as soon as
  /// it is ready: `take(result, values, place, count)`, with values for this call only.
  template <class Take>
  void run(std::int64_t place, std::int64_t count, Take&& take);
  /// Computes the only chosen result into `to`, beginning with the value of `place`.
  void run_into(int result, std::int64_t place, std::int64_t count, double* to);

 private:
  struct Step {
    config::ExpressionOp op = config::ExpressionOp::number;  // number: a leaf
    int result = -1;                                         // number of the result, if it is one
    std::size_t block = 0;                                   // offset in blocks_
    std::array<int, 3> arguments{-1, -1, -1};                // steps; -1 for a number
    std::array<double, 3> numbers{};
    LeafValues leaf{};
    const double* values = nullptr;  // values of the current block
    double* sum = nullptr;           // its values are only added to these
    bool is_argument = false;        // of another step
  };

  int add(const config::DataGraph& graph, config::DataNodeId node,
          std::vector<config::DataNodeId>& open);
  void place_blocks();
  void find_alone();
  /// Puts active steps in order, and finds what they take from memory.
  void make_ready();
  std::array<BlockArgument, 3> arguments_of(const Step& step) const;
  /// Adds to the sum of the step, if it has one and the operation can.
  bool add_to_sum(const Step& step, std::int64_t place, std::int64_t count) const;
  /// Computes into `block`, or finds values that exist already.
  void compute(Step& step, double* block, std::int64_t place, std::int64_t count);
  static void gather(const LeafValues& leaf, double* block, std::int64_t place, std::int64_t count);
  static const double* load(const LeafValues& leaf, double* block, std::int64_t place,
                            std::int64_t count);

  std::vector<Step> steps_;                         // in an order of evaluation
  IndexedVector<config::DataNodeId, int> step_of_;  // -1: none
  std::vector<int> step_of_result_;                 // per result
  std::vector<std::vector<int>> needs_;             // per result: its steps
  std::vector<std::uint8_t> is_alone_;              // per result
  std::vector<std::uint64_t> chosen_;               // a bit per step
  std::vector<std::uint8_t> is_chosen_;             // per result
  std::vector<int> active_;                         // steps of the current run, ascending
  bool is_ready_ = false;
  Ahead ahead_;  // arrays of leaves, and sums
  std::vector<double> blocks_;
};

template <class Take>
void Program::run(std::int64_t place, std::int64_t count, Take&& take) {
  make_ready();
  while (count > 0) {
    const std::int64_t n = std::min(count, most);
    ahead_.begin(place + n, std::min(count - n, most), std::ssize(active_));
    for (const int index : active_) {
      Step& step = nth(steps_, index);
      ahead_.fetch();
      if (add_to_sum(step, place, n)) continue;
      compute(step, blocks_.data() + step.block, place, n);
      if (step.result >= 0 && nth(is_chosen_, step.result) != 0) {
        take(step.result, step.values, place, n);
      }
    }
    place += n;
    count -= n;
  }
}

}  // namespace epios::io
