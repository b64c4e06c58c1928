#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "cliques/rank_table.hpp"
#include "datatypes/reducer.hpp"

namespace ep {

/// A tree of combinations in postfix order: operands by number; `combine_two` combines the last
/// two.
using ReductionProgram = std::vector<int>;
constexpr int combine_two = -1;

/// Plans which process combines which operands. The tree over [lo, hi) combines [lo, mid) and [mid,
/// hi) with mid - lo the largest power of two below hi - lo.
///
/// Ordered: the tree is over ranks, so that neither placement nor the number of processes changes
/// the order of operations. A process combines the largest subtrees whose ranks are all its own,
/// the "partials"; the rest of the tree combines partials. Fast: one partial per process.
struct ReductionPlan {
  ReductionPlan(const RankTable& ranks, int me, bool ordered);

  struct Node {
    int left;  ///< numbers of partials, then of nodes
    int right;
    int process;  ///< of its first rank: combines
    int height;
  };
  std::vector<int> partials;               ///< process of each, in order of ranks
  std::vector<int> mine;                   ///< numbers of this process's partials
  std::vector<ReductionProgram> programs;  ///< of `mine`, over slots
  std::vector<Node> nodes;                 ///< over partials, children first; the last is the whole
  ReductionProgram top;                    ///< the same, over partials

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
/// which may be any of the operands. Any threads, on different elements.
void evaluate(const ReductionProgram& program, std::span<const void* const> operands,
              const Reducer& reducer, std::int64_t begin, std::int64_t end, void* out);

}  // namespace ep
