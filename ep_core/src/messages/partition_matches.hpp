#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <tuple>

#include "messages/request.hpp"

namespace ep {

/// Either end of messages in parts: what it is, the room above knows.
struct PartitionEnd {
  PartitionEnd() = default;
  PartitionEnd(const PartitionEnd&) = delete;
  PartitionEnd(PartitionEnd&&) = delete;
  PartitionEnd& operator=(const PartitionEnd&) = delete;
  PartitionEnd& operator=(PartitionEnd&&) = delete;
  virtual ~PartitionEnd() = default;
};

/// What EP_Psend_init tells its receiver. Flat, to be sent as it is.
struct PartitionOffer {
  int tag = 0;
  int partitions = 1;
  std::int64_t bytes = 0;  ///< of the whole message
  std::uint32_t channel = 0;
  Label label;
};

/// The two ends of partitioned messages of a communicator, as far as they have not met. Offers of
/// one sender come in its order; here they are sorted by tag.
class PartitionMatches {
 public:
  /// A number that tells the channels of this process's endpoints apart. Numbers come again after
  /// 2^18 of them.
  std::uint32_t draw_channel(const std::shared_ptr<PartitionEnd>& source);
  void forget(std::uint32_t channel) noexcept;
  /// That of a sender in this process.
  std::shared_ptr<PartitionEnd> source(std::uint32_t channel);

  /// A receiver, or an offer from `source` to `slot`, meets the first of the other kind that waits,
  /// which is returned; else it waits itself.
  bool add(int slot, int source, int tag, const std::shared_ptr<PartitionEnd>& target,
           PartitionOffer& offer);
  std::shared_ptr<PartitionEnd> add(int slot, int source, const PartitionOffer& offer);
  /// A receiver that is freed before its sender came.
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
