// Routes of reductions between processes: what each process sends, receives and combines in each
// round. Numbers of processes that are no power of two are folded first. In order: folding,
// doubling, halving, ring, halving of slices.
#include "schedules/reduction_route.hpp"

#include <algorithm>
#include <bit>

namespace ep {

namespace {

using Then = RouteStep::Then;

/// Participants reduced to a power of two: of the first 2 * pairs, each odd one hands its operand
/// to the even one before it.
class Folding {
 public:
  explicit Folding(const Participants& all)
      : all_(all),
        left_(static_cast<int>(std::bit_floor(static_cast<unsigned>(all.count)))),
        pairs_(all.count - left_) {}

  int left() const { return left_; }
  bool folds(int index) const { return index < 2 * pairs_ && index % 2 == 1; }
  /// The number among those left of a participant, or of the one it folds into.
  int number(int index) const { return index < 2 * pairs_ ? index / 2 : index - pairs_; }
  int process(int number) const {
    return all_.process(number < pairs_ ? 2 * number : number + pairs_);
  }

  void begin(ReductionRoute& route, std::int64_t count) const {
    if (all_.me >= 2 * pairs_) return;
    const int partner = all_.process(all_.me ^ 1);
    if (folds(all_.me)) {
      route.push_back({partner, {0, count}, -1, {}, Then::take});
    } else {
      route.push_back({-1, {}, partner, {0, count}, Then::theirs_is_right});
    }
  }
  /// The result back to those that fold; `root`: only to that one.
  void end(ReductionRoute& route, std::int64_t count, int root) const {
    if (all_.me >= 2 * pairs_) return;
    const int odd = all_.me | 1;
    if (root >= 0 && root != odd) return;
    const int partner = all_.process(all_.me ^ 1);
    if (all_.me == odd) {
      route.push_back({-1, {}, partner, {0, count}, Then::take});
    } else {
      route.push_back({partner, {0, count}, -1, {}, Then::take});
    }
  }

 private:
  const Participants& all_;
  int left_;
  int pairs_;
};

/// Says whether the partner's operand is the left or the right one, which the ranks of both decide.
Then side_of(int me, int partner) {
  return partner < me ? Then::theirs_is_left : Then::theirs_is_right;
}

}  // namespace

ReductionRoute doubling_route(const Participants& all, std::int64_t count) {
  ReductionRoute route;
  const Folding folding(all);
  folding.begin(route, count);
  if (!folding.folds(all.me)) {
    const int me = folding.number(all.me);
    for (int distance = 1; distance < folding.left(); distance *= 2) {
      const int partner = me ^ distance;
      const int process = folding.process(partner);
      route.push_back({process, {0, count}, process, {0, count}, side_of(me, partner)});
    }
  }
  folding.end(route, count, -1);
  return route;
}

ReductionRoute halving_route(const Participants& all, std::int64_t count, int root) {
  ReductionRoute route;
  const Folding folding(all);
  folding.begin(route, count);
  if (!folding.folds(all.me)) {
    const int me = folding.number(all.me);
    std::vector<ElementRange> mine{{0, count}};  // elements still to reduce here, by step
    for (int distance = 1; distance < folding.left(); distance *= 2) {
      const int partner = me ^ distance;
      const std::int64_t half = mine.back().count / 2;
      const ElementRange lower{mine.back().first, half};
      const ElementRange upper{lower.end(), mine.back().count - half};
      const bool keeps_lower = (me & distance) == 0;
      const int process = folding.process(partner);
      mine.push_back(keeps_lower ? lower : upper);
      route.push_back(
          {process, keeps_lower ? upper : lower, process, mine.back(), side_of(me, partner)});
    }
    const int target = root >= 0 ? folding.number(root) : -1;
    for (int distance = folding.left() / 2; distance > 0; distance /= 2) {
      const ElementRange range = mine.back();
      mine.pop_back();
      const ElementRange both = mine.back();
      const ElementRange other = range.first == both.first
                                     ? ElementRange{range.end(), both.count - range.count}
                                     : ElementRange{both.first, both.count - range.count};
      const int process = folding.process(me ^ distance);
      const bool sends = target < 0 || ((me ^ target) & distance) != 0;
      const bool receives = target < 0 || !sends;
      route.push_back({sends ? process : -1, range, receives ? process : -1, other, Then::take});
      if (!receives) break;
    }
  }
  folding.end(route, count, root);
  return route;
}

ReductionRoute ring_route(const Participants& all, std::span<const std::int64_t> bounds,
                          bool everybody) {
  ReductionRoute route;
  const auto slice = [&](int distance_behind) {
    const int i = ((all.me - distance_behind) % all.count + all.count) % all.count;
    const auto k = static_cast<std::size_t>(i);
    return ElementRange{bounds[k], bounds[k + 1] - bounds[k]};
  };
  for (int step = 0; step + 1 < all.count; ++step) {
    route.push_back(
        {all.ahead(1), slice(step + 1), all.behind(1), slice(step + 2), Then::theirs_is_left});
  }
  for (int step = 0; everybody && step + 1 < all.count; ++step) {
    route.push_back({all.ahead(1), slice(step), all.behind(1), slice(step + 1), Then::take});
  }
  return route;
}

ReductionRoute halving_scatter_route(const Participants& all,
                                     std::span<const std::int64_t> bounds) {
  ReductionRoute route;
  const auto range = [&](int first, int count) {
    const auto at = static_cast<std::size_t>(first);
    return ElementRange{bounds[at], bounds[at + static_cast<std::size_t>(count)] - bounds[at]};
  };
  for (int distance = all.count / 2; distance > 0; distance /= 2) {
    const int partner = all.me ^ distance;
    route.push_back({all.process(partner), range(partner & ~(distance - 1), distance),
                     all.process(partner), range(all.me & ~(distance - 1), distance),
                     side_of(all.me, partner)});
  }
  return route;
}

}  // namespace ep
