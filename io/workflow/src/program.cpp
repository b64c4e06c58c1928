// Runs the arithmetic of a graph in blocks, so that intermediate values stay in the caches.
// Operations are sorted once; a run computes only those that are needed.
#include "program.hpp"

#include <limits>
#include <utility>

#include "config/index.hpp"
#include "kernels.hpp"

namespace epios::io {

Program::Program(const config::DataGraph& graph, std::span<const config::DataNodeId> results)
    : step_of_(graph.nodes.size(), -1), is_chosen_(results.size(), 0) {
  std::vector<config::DataNodeId> open;
  for (std::size_t i = 0; i < results.size(); ++i) {
    const int step = add(graph, results[i], open);
    step_of_result_.push_back(step);
    nth(steps_, step).result = static_cast<int>(i);
  }
  std::vector<int> found;
  std::vector<std::uint8_t> is_found(steps_.size(), 0);
  for (const int result : step_of_result_) {
    found.assign(1, result);
    nth(is_found, result) = 1;
    for (std::size_t i = 0; i < found.size(); ++i) {
      for (const int argument : nth(steps_, found[i]).arguments) {
        if (argument < 0 || nth(is_found, argument) != 0) continue;
        nth(is_found, argument) = 1;
        found.push_back(argument);
      }
    }
    std::sort(found.begin(), found.end());
    for (const int step : found) nth(is_found, step) = 0;
    needs_.push_back(found);
  }
  for (const Step& step : steps_) {
    for (const int argument : step.arguments) {
      if (argument >= 0) nth(steps_, argument).is_argument = true;
    }
  }
  find_alone();
  ahead_.reserve(2 * steps_.size());
  chosen_.assign(steps_.size() / 64 + 1, 0);
  active_.reserve(steps_.size());
  place_blocks();
}

/// The step of a node, made behind those of its arguments when it is new. Expressions may be deep:
/// no recursion.
int Program::add(const config::DataGraph& graph, config::DataNodeId node,
                 std::vector<config::DataNodeId>& open) {
  open.assign(1, node);
  while (!open.empty()) {
    const config::DataNodeId at = open.back();
    const config::DataNode& made = graph.nodes[at];
    const bool is_arithmetic = made.kind == config::DataNode::Kind::arithmetic;
    const std::size_t before = open.size();
    if (step_of_[at] < 0 && is_arithmetic) {
      for (std::size_t i = made.arguments.size(); i-- > 0;) {
        const config::DataNodeId argument = made.arguments[i];
        if (graph.nodes[argument].is_field && step_of_[argument] < 0) open.push_back(argument);
      }
    }
    if (open.size() > before) continue;
    open.pop_back();
    if (step_of_[at] >= 0) continue;
    Step step;
    if (is_arithmetic) step.op = made.op;
    for (std::size_t i = 0; is_arithmetic && i < made.arguments.size(); ++i) {
      const config::DataNodeId argument = made.arguments[i];
      step.arguments.at(i) = step_of_[argument];
      step.numbers.at(i) = graph.nodes[argument].number;
    }
    step_of_[at] = static_cast<int>(steps_.size());
    steps_.push_back(step);
  }
  return step_of_[node];
}

void Program::find_alone() {
  std::vector<int> users(steps_.size(), 0);
  for (const std::vector<int>& needed : needs_) {
    for (const int step : needed) ++nth(users, step);
  }
  for (const std::vector<int>& needed : needs_) {
    is_alone_.push_back(std::all_of(needed.begin(), needed.end(), [&](int step) {
      const auto at = static_cast<std::size_t>(step);
      return users[at] == 1 || steps_[at].op == config::ExpressionOp::number;
    }));
  }
}

void Program::make_ready() {
  if (is_ready_) return;
  is_ready_ = true;
  std::sort(active_.begin(), active_.end());
  ahead_.clear();
  for (const int index : active_) {
    const Step& step = nth(steps_, index);
    if (step.sum != nullptr) ahead_.add(step.sum);
    const bool is_leaf = step.op == config::ExpressionOp::number && step.leaf.from == nullptr;
    if (is_leaf && step.leaf.doubles != nullptr) ahead_.add(step.leaf.doubles);
    if (is_leaf && step.leaf.floats != nullptr) ahead_.add(step.leaf.floats);
  }
}

void Program::set_sum(int result, double* sum) {
  nth(steps_, nth(step_of_result_, result)).sum = sum;
  is_ready_ = false;
}

bool Program::add_to_sum(const Step& step, std::int64_t place, std::int64_t count) const {
  if (step.sum == nullptr || step.is_argument) return false;
  return accumulate(step.op, arguments_of(step), step.sum + place, count);
}

void Program::run_into(int result, std::int64_t place, std::int64_t count, double* to) {
  make_ready();
  const int last = nth(step_of_result_, result);
  while (count > 0) {
    const std::int64_t n = std::min(count, most);
    ahead_.begin(place + n, std::min(count - n, most), std::ssize(active_));
    for (const int index : active_) {
      Step& step = nth(steps_, index);
      ahead_.fetch();
      compute(step, index == last ? to : blocks_.data() + step.block, place, n);
    }
    const double* const values = nth(steps_, last).values;
    if (values != to) std::copy_n(values, n, to);
    to += n;
    place += n;
    count -= n;
  }
}

/// A block serves one step after the other: from the step that fills it to the last that reads it.
void Program::place_blocks() {
  std::vector<int> last_use(steps_.size());
  for (std::size_t i = 0; i < steps_.size(); ++i) {
    last_use[i] = static_cast<int>(i);
    for (const int argument : steps_[i].arguments) {
      if (argument >= 0) nth(last_use, argument) = static_cast<int>(i);
    }
  }
  std::vector<std::vector<std::size_t>> ends(steps_.size());  // blocks free behind a step
  std::vector<std::size_t> free;
  std::size_t blocks = 0;
  for (std::size_t i = 0; i < steps_.size(); ++i) {
    std::size_t block = blocks;
    if (free.empty()) {
      ++blocks;
    } else {
      block = free.back();
      free.pop_back();
    }
    steps_[i].block = block * static_cast<std::size_t>(most);
    nth(ends, last_use[i]).push_back(block);
    free.insert(free.end(), ends[i].begin(), ends[i].end());
  }
  blocks_.resize(blocks * static_cast<std::size_t>(most));
}

void Program::choose_none() {
  for (const int step : active_) {
    chosen_[static_cast<std::size_t>(step) / 64] = 0;
    nth(steps_, step).sum = nullptr;
  }
  active_.clear();
  std::fill(is_chosen_.begin(), is_chosen_.end(), std::uint8_t{0});
  is_ready_ = false;
}

void Program::choose(int result) {
  nth(is_chosen_, result) = 1;
  is_ready_ = false;
  for (const int step : nth(needs_, result)) {
    const auto at = static_cast<std::size_t>(step);
    std::uint64_t& word = chosen_[at / 64];
    const std::uint64_t bit = std::uint64_t{1} << (at % 64);
    if ((word & bit) != 0) continue;
    word |= bit;
    active_.push_back(step);
  }
}

void Program::gather(const LeafValues& leaf, double* block, std::int64_t place,
                     std::int64_t count) {
  for (std::int64_t i = 0; i < count; ++i) {
    const std::int64_t from = leaf.from[place + i];
    double value = std::numeric_limits<double>::quiet_NaN();
    if (from >= 0) value = leaf.doubles != nullptr ? leaf.doubles[from] : leaf.floats[from];
    if (value == leaf.marker) value = std::numeric_limits<double>::quiet_NaN();
    block[i] = value;
  }
}

const double* Program::load(const LeafValues& leaf, double* block, std::int64_t place,
                            std::int64_t count) {
  if (leaf.from != nullptr) {
    gather(leaf, block, place, count);
    return block;
  }
  if (leaf.doubles != nullptr && leaf.marker != leaf.marker && leaf.places == nullptr) {
    return leaf.doubles + place;
  }
  if (leaf.doubles != nullptr) {
    kernels::load(leaf.doubles + place, block, leaf.marker, count);
  } else {
    kernels::load(leaf.floats + place, block, leaf.marker, count);
  }
  if (leaf.places != nullptr) kernels::keep_places(block, leaf.places, place, count);
  return block;
}

void Program::compute(Step& step, double* block, std::int64_t place, std::int64_t count) {
  if (step.op == config::ExpressionOp::number) {
    step.values = load(step.leaf, block, place, count);
    return;
  }
  apply(step.op, arguments_of(step), block, count);
  step.values = block;
}

std::array<BlockArgument, 3> Program::arguments_of(const Step& step) const {
  std::array<BlockArgument, 3> arguments;
  for (std::size_t i = 0; i < 3; ++i) {
    const int argument = step.arguments.at(i);
    if (argument >= 0) {
      arguments.at(i).values = nth(steps_, argument).values;
    } else {
      arguments.at(i).number = step.numbers.at(i);
    }
  }
  return arguments;
}

}  // namespace epios::io
