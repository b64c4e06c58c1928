#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "cliques/rank_table.hpp"
#include "datatypes/reducer.hpp"

namespace ep {

/// A tree of combinations in postfix order. Operands are given by number; `combine_two` combines
/// the last two.
using ReductionProgram = std::vector<int>;
constexpr int combine_two = -1;

/// Plans which process combines which operands. The tree over [lo, hi) combines [lo, mid) and [mid,
/// hi), where mid - lo is the largest power of two below hi - lo.
///
/// Ordered: the tree is over ranks, so that neither placement nor the number of processes changes
/// the order of operations. A process combines the largest subtrees whose ranks all belong to it,
/// the "partials"; the rest of the tree combines partials. Fast: there is one partial per process.
struct ReductionPlan {
  ReductionPlan(const RankTable& ranks, int me, bool ordered);

  struct Node {
    int left;  ///< number of a partial, or of a node behind the partials
    int right;
    int process;  ///< process of the first rank, which combines
    int height;
  };
  std::vector<int> partials;               ///< process of each partial, in rank order
  std::vector<int> mine;                   ///< numbers of this process's partials
  std::vector<ReductionProgram> programs;  ///< programs of the partials in `mine`, over slots
  std::vector<Node> nodes;  ///< nodes over partials, children first; the last one is the whole tree
  ReductionProgram top;     ///< the whole tree as a program over partials

  int process_of(int number) const {
    const auto i = static_cast<std::size_t>(number);
    return i < partials.size() ? partials[i] : nodes[i - partials.size()].process;
  }
  int height_of(int number) const {
    const auto i = static_cast<std::size_t>(number);
    return i < partials.size() ? 0 : nodes[i - partials.size()].height;
  }
  int whole() const { return static_cast<int>(partials.size() + nodes.size()) - 1; }

 private:
  class Builder;
};

/// Evaluates `program` on elements [begin, end) of the operands into the same elements of `out`,
/// which may be one of the operands. Threads may evaluate different elements at the same time.
void evaluate(const ReductionProgram& program, std::span<const void* const> operands,
              const Reducer& reducer, std::int64_t begin, std::int64_t end, void* out);

}  // namespace ep
