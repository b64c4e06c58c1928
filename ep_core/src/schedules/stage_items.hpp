#pragma once

#include <atomic>
#include <cstdint>

namespace ep {

/// The work items of one stage of an operation, which any number of threads claim one by one.
/// Stage, number of items and next item are one word, so that a late thread claims nothing of
/// another stage.
class StageItems {
 public:
  /// True if a stage can have so many items.
  static constexpr bool can_hold(int items) noexcept {
    return static_cast<std::uint64_t>(items) <= item_mask;
  }
  /// Offers the items of a stage. All items of the previous stage must be done.
  void open(int stage, int items) noexcept {
    left_.store(items, std::memory_order_relaxed);
    claims_.store(claim_word(stage, items), std::memory_order_release);
  }
  /// Clears the last stage. No thread may be in run().
  void clear() noexcept { claims_.store(0, std::memory_order_relaxed); }
  /// Claims items until none is left and calls `run_item(stage, item)` for each. Returns true if it
  /// claimed any. Any thread.
  template <class RunItem>
  bool run(RunItem&& run_item) {
    bool worked = false;
    std::uint64_t word = claims_.load(std::memory_order_acquire);
    while ((word & item_mask) < ((word >> item_bits) & item_mask)) {
      if (!claims_.compare_exchange_weak(word, word + 1, std::memory_order_acq_rel,
                                         std::memory_order_acquire)) {
        continue;
      }
      run_item(static_cast<int>(word >> (2 * item_bits)), static_cast<int>(word & item_mask));
      left_.fetch_sub(1, std::memory_order_acq_rel);
      worked = true;
      word = claims_.load(std::memory_order_acquire);
    }
    return worked;
  }
  /// True if no item of the stage is unclaimed or running.
  bool are_done() const noexcept { return left_.load(std::memory_order_acquire) <= 0; }

 private:
  static constexpr unsigned item_bits = 22;
  static constexpr std::uint64_t item_mask = (std::uint64_t{1} << item_bits) - 1;

  static constexpr std::uint64_t claim_word(int stage, int items) noexcept {
    return (static_cast<std::uint64_t>(static_cast<unsigned>(stage)) << (2 * item_bits)) |
           (static_cast<std::uint64_t>(static_cast<unsigned>(items)) << item_bits);
  }

  std::atomic<std::uint64_t> claims_{0};
  std::atomic<int> left_{0};
};

}  // namespace ep
