/// @file
/// What the channels of one process take, all contexts of its clients and of its server together.
#pragma once

#include <atomic>
#include <cstddef>
#include <memory>
#include <optional>
#include <utility>

namespace epios::io {

/// Bytes of channels of a process, which `buffer_bytes` limits. Any thread.
class ChannelMemory {
 public:
  /// What somebody has taken: given back with it.
  class Share {
   public:
    Share() = default;
    Share(ChannelMemory& of, std::size_t bytes) : of_(&of, Return{bytes}) {}
    std::size_t bytes() const { return of_ ? of_.get_deleter().bytes : 0; }

   private:
    struct Return {
      std::size_t bytes = 0;
      void operator()(ChannelMemory* of) const { of->taken_ -= bytes; }
    };
    std::unique_ptr<ChannelMemory, Return> of_{nullptr, Return{}};
  };

  std::size_t taken() const { return taken_; }
  /// None: more than `limit` would be taken then.
  std::optional<Share> take(std::size_t bytes, std::size_t limit) {
    std::size_t before = taken_;
    do {
      if (before > limit || bytes > limit - before) return std::nullopt;
    } while (!taken_.compare_exchange_weak(before, before + bytes));
    return Share(*this, bytes);
  }

 private:
  std::atomic<std::size_t> taken_{0};
};

}  // namespace epios::io
