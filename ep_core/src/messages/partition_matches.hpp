#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <tuple>

#include "messages/request.hpp"

namespace ep {

/// Either end of a partitioned message; the room above defines it.
struct PartitionEnd {
  PartitionEnd() = default;
  PartitionEnd(const PartitionEnd&) = delete;
  PartitionEnd(PartitionEnd&&) = delete;
  PartitionEnd& operator=(const PartitionEnd&) = delete;
  PartitionEnd& operator=(PartitionEnd&&) = delete;
  virtual ~PartitionEnd() = default;
};

/// The message of EP_Psend_init to its receiver. A flat object, which is sent as raw bytes.
struct PartitionOffer {
  int tag = 0;
  int partitions = 1;
  std::int64_t bytes = 0;  ///< size of the whole message
  std::uint32_t channel = 0;
  Label label;
};

/// The ends of partitioned messages of a communicator that have not been matched. Offers of one
/// sender arrive in its order and are sorted by tag here.
class PartitionMatches {
 public:
  /// Returns a number that identifies a channel of this process's endpoints. Numbers repeat after
  /// 2^18 of them.
  std::uint32_t draw_channel(const std::shared_ptr<PartitionEnd>& source);
  void forget(std::uint32_t channel) noexcept;
  /// Returns the sending end of a channel in this process.
  std::shared_ptr<PartitionEnd> source(std::uint32_t channel);

  /// Matches a receiver, or an offer from `source` to `slot`, with the first end of the other kind
  /// that waits, which is returned; otherwise the new end waits.
  bool add(int slot, int source, int tag, const std::shared_ptr<PartitionEnd>& target,
           PartitionOffer& offer);
  std::shared_ptr<PartitionEnd> add(int slot, int source, const PartitionOffer& offer);
  /// Removes a receiver that is freed before its sender has arrived.
  void withdraw(int slot, int source, int tag, const PartitionEnd& target) noexcept;

 private:
  using Key = std::tuple<int, int, int>;

  std::mutex mutex_;
  std::uint32_t channels_ = 0;
  std::map<std::uint32_t, std::weak_ptr<PartitionEnd>> sources_;
  std::map<Key, std::deque<std::shared_ptr<PartitionEnd>>> targets_;
  std::map<Key, std::deque<PartitionOffer>> offers_;
};

}  // namespace ep
