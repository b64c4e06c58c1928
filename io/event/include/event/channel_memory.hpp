/// @file
/// Memory of the channels of one process, for all contexts of its clients and of its server
/// together.
#pragma once

#include <atomic>
#include <cstddef>
#include <memory>
#include <optional>
#include <utility>

namespace epios::io {

/// Counts the bytes of the channels of a process, which `buffer_bytes` limits. Any thread.
class ChannelMemory {
 public:
  /// Memory that was taken. The destructor gives it back.
  class Share {
   public:
    Share() = default;
    Share(ChannelMemory& of, std::size_t bytes) : of_(&of, Return{bytes}) {}
    std::size_t bytes() const { return of_ ? of_.get_deleter().bytes : 0; }

   private:
    friend class ChannelMemory;
    struct Return {
      std::size_t bytes = 0;
      void operator()(ChannelMemory* of) const { of->taken_ -= bytes; }
    };
    std::unique_ptr<ChannelMemory, Return> of_{nullptr, Return{}};
  };

  /// The result of take().
  struct Outcome {
    std::optional<Share> share;  ///< not set if the limit would be exceeded
    std::size_t others = 0;      ///< bytes that were taken before
  };

  std::size_t taken() const { return taken_; }
  Outcome take(std::size_t bytes, std::size_t limit) { return take(bytes, limit, {}); }
  /// Takes memory in addition to that of `share`, which nobody else can take meanwhile.
  Outcome take(std::size_t bytes, std::size_t limit, Share share) {
    const std::size_t has = share.bytes();
    std::size_t before = taken_;
    do {
      const std::size_t others = before - has;
      if (others > limit || bytes > limit - others) return {std::nullopt, others};
    } while (!taken_.compare_exchange_weak(before, before - has + bytes));
    static_cast<void>(share.of_.release());  // it is part of the new share
    return {Share(*this, bytes), before - has};
  }

 private:
  std::atomic<std::size_t> taken_{0};
};

}  // namespace epios::io
