#pragma once

#include <epios/definition.h>

#include <array>
#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>

namespace epios::client {

/// Elements as numbers that fit into an address: what handles of `module xios` and of the C names
/// of XIOS hold. Any thread.
class ElementNumbers {
 public:
  /// Never 0, which stands for none.
  std::intptr_t number_of(const epios_element& element) {
    static_assert(sizeof(std::intptr_t) == 8, "context and element have half a number each");
    if (element.context == nullptr || element.node < 0) return 0;
    const std::scoped_lock lock(mutex_);
    const std::size_t count = count_.load(std::memory_order_relaxed);
    std::size_t context = 0;
    while (context < count && *place(context) != element.context) ++context;
    if (context == count) add(element.context);
    return static_cast<std::intptr_t>(context + 1) << 32 | element.node;
  }

  /// Of 0, and of what is no such number, an element without a context. Takes no lock: a send by
  /// handle never waits for a sibling thread.
  epios_element element_of(std::intptr_t number) const {
    constexpr std::intptr_t node_bits = 0xffffffff;
    const std::intptr_t context = (number >> 32) - 1;
    const auto count = static_cast<std::intptr_t>(count_.load(std::memory_order_acquire));
    if (context < 0 || context >= count) return {nullptr, -1};
    return {*place(static_cast<std::size_t>(context)),
            static_cast<std::int32_t>(number & node_bits)};
  }

 private:
  /// Blocks double, and none is ever moved: old numbers stay old, and who reads one meets no
  /// change. A number has 31 bits for its context.
  static constexpr std::size_t block_count = 32;

  epios_context** place(std::size_t context) const {
    const auto block = static_cast<std::size_t>(std::bit_width(context + 1)) - 1;
    return &blocks_[block][context + 1 - (std::size_t{1} << block)];
  }
  void add(epios_context* context) {
    const std::size_t count = count_.load(std::memory_order_relaxed);
    if (std::has_single_bit(count + 1)) {
      blocks_[static_cast<std::size_t>(std::bit_width(count + 1)) - 1] =
          std::make_unique<epios_context*[]>(count + 1);
    }
    *place(count) = context;
    count_.store(count + 1, std::memory_order_release);
  }

  std::mutex mutex_;  // of those that add
  std::array<std::unique_ptr<epios_context*[]>, block_count> blocks_;
  std::atomic<std::size_t> count_ = 0;
};

}  // namespace epios::client
