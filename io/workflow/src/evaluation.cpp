// From the leaves of a graph to samples and records: which roots must be worked out, the pass over
// all roots of one grid (evaluate), inputs that a spatial filter takes from several grids
// (evaluate_alone), records that a sink works out.
#include "evaluation.hpp"

#include <algorithm>
#include <cmath>

#include "config/index.hpp"
#include "kernels.hpp"

namespace epios::io {

namespace {

/// True if the filter takes the sample of this date into its accumulator.
bool is_fed(const Root& root, const Filter& filter) {
  return filter.takes_sample() && !passes_through(root, filter) && !is_left_to_taker(root, filter);
}

}  // namespace

bool passes_through(const Root& root, const Filter& filter) {
  return root.is_source && filter.passes_through();
}

bool is_left_to_taker(const Root& root, const Filter& filter) {
  return root.may_be_left_to_taker && filter.passes_through();
}

Evaluation::Evaluation(WorkflowGraph& graph) : graph_(graph), root_of_result_(graph.roots.size()) {}

void Evaluation::take_samples(const std::vector<int>& roots) {
  for (const int r : roots) {
    Root& root = graph_.root(r);
    root.takes_sample = std::any_of(root.filters.begin(), root.filters.end(),
                                    [&](int f) { return is_fed(root, graph_.filter(f)); });
    for (const int s : root.spatials) {
      Spatial& spatial = graph_.spatial(s);
      for (Spatial::Input& input : spatial.inputs) {
        if (input.root != r) continue;
        input.copies = spatial.is_chosen && array_of(root) == nullptr;
        root.takes_sample = root.takes_sample || input.copies;
      }
    }
  }
  for (const int r : roots) {
    Root& root = graph_.root(r);
    if (!root.takes_sample) continue;
    if (root.is_alone) {
      evaluate_alone(root);
    } else {
      evaluate(roots, root.grid);
    }
  }
}

/// Makes the program work out the root, among others, from the values under way.
void Evaluation::choose(const Root& root) {
  graph_.program->choose(root.result);
  for (std::size_t k = 0; k < root.operands.size(); ++k) {
    const Leaf& leaf = graph_.leaf(root.operands[k]);
    LeafValues values = leaf.values;
    const auto from = leaf.places_of_points.find(root.grid);
    if (from != leaf.places_of_points.end()) {
      values.from = from->second;
    } else {
      values.places = root.places_of_operands[k];
    }
    graph_.program->set_leaf(leaf.node, values);
  }
}

/// The array to whose values those of a root are only to be added, or null.
double* Evaluation::only_sum(const Root& root) const {
  Filter* only = nullptr;
  for (const int f : root.filters) {
    Filter& filter = graph_.filter(f);
    if (!is_fed(root, filter)) continue;
    if (only != nullptr) return nullptr;
    only = &filter;
  }
  if (only == nullptr || !root.spatials.empty()) return nullptr;
  return only->accumulators().current().plain_sum();
}

bool Evaluation::is_next(const Root& root, config::GridId grid) const {
  return root.takes_sample && root.grid == grid && !root.is_alone;
}

/// A mean of what the model sends, if that is all there is to do on a grid, needs no program: halos
/// and masks make many short pieces.
bool Evaluation::add_array(const std::vector<int>& roots, config::GridId grid) {
  const Root* only = nullptr;
  for (const int r : roots) {
    const Root& root = graph_.root(r);
    if (!is_next(root, grid)) continue;
    if (only != nullptr) return false;
    only = &root;
  }
  const double* const from = array_of(*only);
  if (from == nullptr || only->filters.size() != 1 || !only->spatials.empty()) return false;
  double* const sum = graph_.filter(only->filters.front()).accumulators().current().plain_sum();
  if (sum == nullptr) return false;
  graph_.layout(grid).for_each_piece([&](std::int64_t first, std::int64_t size) {
    kernels::add(from + first, sum + first, size);
  });
  return true;
}

/// Evaluates all roots of one grid at once.
void Evaluation::evaluate(const std::vector<int>& roots, config::GridId grid) {
  graph_.program->choose_none();
  for (const int r : roots) {
    Root& root = graph_.root(r);
    if (!is_next(root, grid)) continue;
    choose(root);
    graph_.program->set_sum(root.result, only_sum(root));
    nth(root_of_result_, root.result) = r;
    for (const int f : root.filters) {
      const int leaf = graph_.filter(f).leaf;
      if (leaf >= 0 && graph_.filter(f).takes_sample()) graph_.leaf(leaf).is_there = false;
    }
  }
  if (!add_array(roots, grid)) run_program(grid);
  for (const int r : roots) {
    Root& root = graph_.root(r);
    if (!is_next(root, grid)) continue;
    root.takes_sample = false;
    for (const int f : root.filters) {
      Filter& filter = graph_.filter(f);
      if (is_fed(root, filter)) filter.accumulators().current().end_sample();
    }
  }
}

void Evaluation::run_program(config::GridId grid) {
  graph_.layout(grid).for_each_piece([&](std::int64_t first, std::int64_t size) {
    graph_.program->run(
        first, size, [&](int result, const double* values, std::int64_t place, std::int64_t count) {
          const Root& root = graph_.root(nth(root_of_result_, result));
          for (const int f : root.filters) {
            Filter& filter = graph_.filter(f);
            if (is_fed(root, filter)) filter.accumulators().current().add(values, place, count);
          }
          for (const int s : root.spatials) {
            const Spatial::Input& input = graph_.spatial(s).inputs.front();
            if (input.copies) std::copy_n(values, count, input.values.get() + place);
          }
        });
  });
}

/// An input of a spatial filter, whose arithmetic others may need, too.
void Evaluation::evaluate_alone(Root& root) {
  const auto self = static_cast<int>(&root - graph_.roots.data());
  graph_.program->choose_none();
  choose(root);
  graph_.layout(root.grid).for_each_piece([&](std::int64_t first, std::int64_t size) {
    graph_.program->run(first, size,
                        [&](int, const double* values, std::int64_t place, std::int64_t count) {
                          for (const int s : root.spatials) {
                            for (const Spatial::Input& input : graph_.spatial(s).inputs) {
                              if (input.root == self)
                                std::copy_n(values, count, input.values.get() + place);
                            }
                          }
                        });
  });
  root.takes_sample = false;
}

const double* Evaluation::array_of(const Root& root) const {
  if (!root.is_source) return nullptr;
  const LeafValues& values = graph_.leaf(root.operands.front()).values;
  return std::isnan(values.marker) ? values.doubles : nullptr;
}

void Evaluation::put_worked_out(int stream, const Filter& filter) {
  class OfProgram final : public Calculation {
   public:
    OfProgram(Program& program, int result) : program_(program), result_(result) {}
    void work_out(std::int64_t place, std::int64_t count, double* to) override {
      program_.run_into(result_, place, count, to);
    }

   private:
    Program& program_;
    int result_;
  };
  const Root& root = graph_.root(graph_.root_of_filter(graph_.filter_of_stream(stream)));
  graph_.program->choose_none();
  choose(root);
  OfProgram values(*graph_.program, root.result);
  graph_.sink(stream).put_worked_out(filter.record(), filter.samples(), values);
}

}  // namespace epios::io
