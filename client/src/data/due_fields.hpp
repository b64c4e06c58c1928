#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "config/index.hpp"
#include "data/run_clock.hpp"
#include "workflow/workflow.hpp"

namespace epios::client {

/// Whether data of a source would be of use at this step. The workflow says so; it is asked here
/// alone, once per step and source, however often the model asks. What is given outlives it.
class DueFields {
 public:
  DueFields(const io::Workflow& workflow, const RunClock& clock, std::size_t sources)
      : workflow_(workflow), clock_(clock), known_(sources) {
    for (auto& known : known_) known = unknown;
  }

  /// Nothing is of use any more.
  void stop() { is_stopped_.store(true, std::memory_order_relaxed); }
  bool is_stopped() const { return is_stopped_.load(std::memory_order_relaxed); }

  int count() const { return static_cast<int>(known_.size()); }
  /// Returns what is known already at this step, or nothing. Any thread.
  std::optional<bool> known(int source) const {
    if (is_stopped()) return false;
    const std::int64_t known = nth(known_, source).load(std::memory_order_relaxed);
    if (known >> 1 != clock_.step()) return std::nullopt;
    return (known & 1) != 0;
  }
  /// Valid until data of the source are sent or the step ends. One thread at a time.
  bool is_due(int source) {
    if (const auto answer = known(source)) return *answer;
    const bool is_due = workflow_.is_active(source, clock_.now());
    nth(known_, source).store(2 * clock_.step() + (is_due ? 1 : 0), std::memory_order_relaxed);
    return is_due;
  }
  /// Data of the source are being sent: the next question is a new one.
  void forget(int source) { nth(known_, source).store(unknown, std::memory_order_relaxed); }

 private:
  static constexpr std::int64_t unknown = -1;

  const io::Workflow& workflow_;
  const RunClock& clock_;
  std::atomic<bool> is_stopped_{false};
  std::vector<std::atomic<std::int64_t>> known_;  // by source: 2 x step, + 1 if it is due
};

}  // namespace epios::client
