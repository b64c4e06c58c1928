#include "topologies/graph_order.hpp"

#include <algorithm>
#include <cstddef>
#include <map>
#include <numeric>
#include <set>
#include <tuple>
#include <utility>

namespace ep {

namespace {

std::int64_t weight_of(const GraphEdge& edge) { return std::max(edge.weight, 0); }

std::size_t index(int number) { return static_cast<std::size_t>(number); }

/// The nodes that have no process yet, and how much each is tied to the part that grows now.
class Growth {
 public:
  Growth(int nodes, std::span<const GraphEdge> edges) : ties_(index(nodes)), states_(index(nodes)) {
    for (const GraphEdge& edge : edges) {
      if (edge.source == edge.destination) continue;
      ties_[index(edge.source)].emplace_back(edge.destination, weight_of(edge));
      ties_[index(edge.destination)].emplace_back(edge.source, weight_of(edge));
      states_[index(edge.source)].open += weight_of(edge);
      states_[index(edge.destination)].open += weight_of(edge);
    }
    for (int node = 0; node < nodes; ++node) candidates_.insert(key_of(node));
  }

  /// Takes `count` nodes, the part of one process; in ascending order.
  std::vector<int> grow(int count) {
    std::vector<int> part;
    part.reserve(index(count));
    while (static_cast<int>(part.size()) < count) {
      part.push_back(part.empty() ? first_of_part() : std::get<2>(*candidates_.begin()));
      take(part.back());
    }
    for (const int node : std::exchange(tied_, {})) {
      if (!states_[index(node)].taken) change(node, [](State& state) { state.inside = 0; });
    }
    std::sort(part.begin(), part.end());
    return part;
  }

 private:
  struct State {
    std::int64_t inside = 0;   // weight of ties to the part
    std::int64_t outside = 0;  // to earlier parts and this one
    std::int64_t open = 0;     // to nodes without a process
    bool taken = false;
  };
  // Most tied to the part, least to the rest, lowest.
  using Key = std::tuple<std::int64_t, std::int64_t, int>;

  Key key_of(int node) const {
    const State& state = states_[index(node)];
    return {-state.inside, state.open, node};
  }

  // Begins next to nodes that are placed already, so that no gaps remain.
  int first_of_part() const {
    Key best{1, 0, 0};
    for (const Key& key : candidates_) {
      const State& state = states_[index(std::get<2>(key))];
      best = std::min(best, Key{-state.outside, state.open, std::get<2>(key)});
    }
    return std::get<2>(best);
  }

  template <class Change>
  void change(int node, Change&& how) {
    candidates_.erase(key_of(node));
    how(states_[index(node)]);
    candidates_.insert(key_of(node));
  }

  void take(int node) {
    candidates_.erase(key_of(node));
    states_[index(node)].taken = true;
    for (const auto& tie : ties_[index(node)]) {
      if (states_[index(tie.first)].taken) continue;
      change(tie.first, [&](State& state) {
        state.inside += tie.second;
        state.outside += tie.second;
        state.open -= tie.second;
      });
      tied_.push_back(tie.first);
    }
  }

  std::vector<std::vector<std::pair<int, std::int64_t>>> ties_;
  std::vector<State> states_;
  std::set<Key> candidates_;
  std::vector<int> tied_;
};

}  // namespace

std::int64_t cut_weight(const RankTable& ranks, std::span<const GraphEdge> edges,
                        std::span<const int> node_of) {
  std::vector<int> process_of(node_of.size());
  for (std::size_t rank = 0; rank < node_of.size(); ++rank) {
    process_of[index(node_of[rank])] = ranks.place(static_cast<int>(rank)).process;
  }
  std::int64_t cut = 0;
  for (const GraphEdge& edge : edges) {
    if (process_of[index(edge.source)] != process_of[index(edge.destination)]) {
      cut += weight_of(edge);
    }
  }
  return cut;
}

std::vector<int> order_graph(const RankTable& ranks, int nodes, std::span<const GraphEdge> edges) {
  std::vector<int> as_it_was(index(nodes));
  std::iota(as_it_was.begin(), as_it_was.end(), 0);
  const std::int64_t cut_before = cut_weight(ranks, edges, as_it_was);
  if (cut_before == 0) return as_it_was;
  std::map<int, std::vector<int>> ranks_of;  // ranks by process
  for (int rank = 0; rank < nodes; ++rank) ranks_of[ranks.place(rank).process].push_back(rank);
  Growth growth(nodes, edges);
  std::vector<int> node_of(index(nodes));
  for (const auto& [process, own] : ranks_of) {
    const std::vector<int> part = growth.grow(static_cast<int>(own.size()));
    for (std::size_t i = 0; i < own.size(); ++i) node_of[index(own[i])] = part[i];
  }
  return cut_weight(ranks, edges, node_of) < cut_before ? node_of : as_it_was;
}

}  // namespace ep
