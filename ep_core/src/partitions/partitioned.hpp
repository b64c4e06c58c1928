#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>

#include "handles/endpoint.hpp"
#include "messages/partition_matches.hpp"
#include "messages/persistent.hpp"
#include "messages/request.hpp"

namespace ep {

struct PartitionTarget;

/// The division of a message into partitions of one size, several of which may be sent together.
struct Partitioning {
  int partitions = 1;
  std::int64_t bytes = 0;  ///< size of the whole message

  /// Returns the number of messages between processes: more partitions than that share messages.
  int messages() const noexcept { return partitions < most_messages ? partitions : most_messages; }
  /// Returns the first partition of message k, or the number of partitions for k = messages().
  int first_of(int k) const noexcept {
    return static_cast<int>(std::int64_t{k} * partitions / messages());
  }
  std::int64_t begin_of(int partition) const noexcept { return bytes / partitions * partition; }

  static constexpr int most_messages = 1024;
};

/// The sending end, which lives as long as the request of either end.
struct PartitionSource final : PartitionEnd, std::enable_shared_from_this<PartitionSource> {
  PartitionSource(Member whose, int to, MappedView what, int partitions);

  void start(Request& request);
  /// Marks a partition. Returns false if it was marked before.
  bool mark(int partition);
  /// Records that the receiver in this process has begun with `generation`, and copies marked
  /// partitions there.
  void open_for(std::uint32_t generation);

  Member member;
  int dest;
  MappedView view;
  Partitioning partitioning;
  std::uint32_t channel = 0;
  bool is_local = false;
  /// The receiver in this process. Written before the first open_for().
  std::shared_ptr<PartitionTarget> target;

 private:
  void copy_if_marked(int partition, std::uint32_t generation);
  void send(int message);
  void end_one(int code, const std::string& text);

  Request* visible_ = nullptr;
  std::uint32_t generation_ = 0;  // starts so far
  // Per partition: 2 g + 1: marked in generation g; 2 g + 2: being copied, or sent.
  std::unique_ptr<std::atomic<std::uint64_t>[]> states_;
  std::unique_ptr<std::atomic<int>[]> unmarked_;  // partitions of each message
  std::atomic<int> left_{0};                      // partitions, or messages, that are not complete
  std::atomic<std::uint32_t> open_{0};            // generation that the receiver has begun
  std::mutex failure_mutex_;
};

/// The receiving end.
struct PartitionTarget final : PartitionEnd, std::enable_shared_from_this<PartitionTarget> {
  PartitionTarget(Member whose, int from, int which, MappedView where, int partitions);

  void start(Request& request);
  /// True if the partition has arrived; it then stays true. Reports the last partition only when
  /// the request is done, so that a caller who has seen all partitions finds the request done. Any
  /// thread.
  bool report(int partition);
  /// Records the sender.
  void match(const PartitionOffer& from);
  /// Records that bytes [begin, end) have arrived, which are one of the sender's partitions or
  /// messages.
  void arrive(std::int64_t begin, std::int64_t end, int code = 0, const std::string& text = {});

  Member member;
  int source;
  int tag;
  MappedView view;
  Partitioning partitioning;
  std::shared_ptr<PartitionSource> sender;  ///< if it is in this process

 private:
  void begin();
  void receive(const Partitioning& from, int message);

  std::mutex mutex_;  // guards starting against matching, and failures
  bool is_matched_ = false;
  bool waits_for_match_ = false;
  PartitionOffer offer_;
  Request* visible_ = nullptr;
  std::uint32_t generation_ = 0;
  std::unique_ptr<std::atomic<std::int64_t>[]>
      missing_;                    // bytes of each partition; `there`, `reported`
  std::atomic<int> unarrived_{0};  // number of partitions that have not arrived
  std::atomic<int> left_{0};       // number of the sender's partitions or messages to come
};

struct PartitionedSend final : Persistent {
  PartitionedSend(const Endpoint& endpoint, int dest, int tag, MappedView view, int partitions);
  PartitionedSend(const PartitionedSend&) = delete;
  PartitionedSend(PartitionedSend&&) = delete;
  PartitionedSend& operator=(const PartitionedSend&) = delete;
  PartitionedSend& operator=(PartitionedSend&&) = delete;
  ~PartitionedSend() override;
  void start(Request& request) override;

  std::shared_ptr<PartitionSource> source;
};

struct PartitionedReceive final : Persistent {
  PartitionedReceive(const Endpoint& endpoint, int source, int tag, MappedView view,
                     int partitions);
  PartitionedReceive(const PartitionedReceive&) = delete;
  PartitionedReceive(PartitionedReceive&&) = delete;
  PartitionedReceive& operator=(const PartitionedReceive&) = delete;
  PartitionedReceive& operator=(PartitionedReceive&&) = delete;
  ~PartitionedReceive() override;
  void start(Request& request) override;

  std::shared_ptr<PartitionTarget> target;
};

}  // namespace ep
