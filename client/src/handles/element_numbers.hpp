#pragma once

#include <epios/definition.h>

#include <algorithm>
#include <cstdint>
#include <mutex>
#include <vector>

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
    auto found = std::find(contexts_.begin(), contexts_.end(), element.context);
    if (found == contexts_.end()) found = contexts_.insert(found, element.context);
    return (found - contexts_.begin() + 1) << 32 | element.node;
  }

  /// Of 0, and of what is no such number, an element without a context.
  epios_element element_of(std::intptr_t number) const {
    constexpr std::intptr_t node_bits = 0xffffffff;
    const std::intptr_t context = (number >> 32) - 1;
    const std::scoped_lock lock(mutex_);
    if (context < 0 || context >= std::ssize(contexts_)) return {nullptr, -1};
    return {contexts_[static_cast<std::size_t>(context)],
            static_cast<std::int32_t>(number & node_bits)};
  }

 private:
  mutable std::mutex mutex_;
  std::vector<epios_context*> contexts_;  // never taken out: old numbers stay old
};

}  // namespace epios::client
