#pragma once

#include <atomic>

#include "schedules/algorithm_choice.hpp"

namespace ep {

class Clique;

/// The settings by which a communicator chooses algorithms for collectives. They are the same in
/// all its processes. Any thread.
class CollectiveTuning {
 public:
  /// True if the placement of endpoints may determine the association of sums
  /// ("ep_reduction=fast").
  bool fast_reduction() const noexcept { return fast_reduction_.load(std::memory_order_relaxed); }
  void set_fast_reduction(bool fast) noexcept { fast_reduction_.store(fast); }
  /// Returns the model that predicts the costs of algorithms.
  const CostModel& cost_model() const noexcept {
    return *cost_model_.load(std::memory_order_acquire);
  }
  void set_cost_model(const CostModel& model) {
    cost_model_.store(&kept(model), std::memory_order_release);
  }
  /// Copies both settings from `other`.
  void copy_from(const CollectiveTuning& other) noexcept {
    set_fast_reduction(other.fast_reduction());
    cost_model_.store(&other.cost_model(), std::memory_order_release);
  }

 private:
  std::atomic<bool> fast_reduction_{false};
  std::atomic<const CostModel*> cost_model_{&kept(CostModel())};
};

CollectiveTuning& tuning_of(const Clique& clique);

}  // namespace ep
