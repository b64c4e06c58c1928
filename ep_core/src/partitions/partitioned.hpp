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

/// A message in parts of one size, of which several may travel together.
struct Partitioning {
  int partitions = 1;
  std::int64_t bytes = 0;  ///< of the whole

  /// Between processes: more parts than that share messages.
  int messages() const noexcept { return partitions < most_messages ? partitions : most_messages; }
  /// The first part of message k; of messages(): the number of parts.
  int first_of(int k) const noexcept {
    return static_cast<int>(std::int64_t{k} * partitions / messages());
  }
  std::int64_t begin_of(int partition) const noexcept { return bytes / partitions * partition; }

  static constexpr int most_messages = 1024;
};

/// The sending end, which lives as long as either end's request.
struct PartitionSource final : PartitionEnd, std::enable_shared_from_this<PartitionSource> {
  PartitionSource(Member whose, int to, MappedView what, int parts);

  void start(Request& request);
  /// Marks a part. False: it was marked before.
  bool mark(int partition);
  /// The receiver in this process has begun with `generation`: what is marked goes there.
  void open_for(std::uint32_t generation);

  Member member;
  int dest;
  MappedView view;
  Partitioning parts;
  std::uint32_t channel = 0;
  bool is_local = false;
  /// Of the receiver in this process. Written before the first open_for().
  std::shared_ptr<PartitionTarget> target;

 private:
  void copy_if_marked(int partition, std::uint32_t generation);
  void send(int message);
  void end_one(int code, const std::string& text);

  Request* visible_ = nullptr;
  std::uint32_t generation_ = 0;  // starts so far
  // Of each part: 2 g + 1, it is marked in generation g; 2 g + 2, it is being copied, or sent.
  std::unique_ptr<std::atomic<std::uint64_t>[]> states_;
  std::unique_ptr<std::atomic<int>[]> unmarked_;  // parts of each message
  std::atomic<int> left_{0};                      // parts, or messages, that are not complete
  std::atomic<std::uint32_t> open_{0};            // generation that the receiver has begun
  std::mutex failure_mutex_;
};

/// The receiving end.
struct PartitionTarget final : PartitionEnd, std::enable_shared_from_this<PartitionTarget> {
  PartitionTarget(Member whose, int from, int which, MappedView where, int parts);

  void start(Request& request);
  /// True if the partition is there; then it stays true. The last one that is asked for is there
  /// when the request is done, so that who has seen all of them finds it done. Any thread.
  bool report(int partition);
  /// The sender is known.
  void meet(const PartitionOffer& from);
  /// Bytes [begin, end) are there, one of the sender's parts or messages.
  void arrive(std::int64_t begin, std::int64_t end, int code = 0, const std::string& text = {});

  Member member;
  int source;
  int tag;
  MappedView view;
  Partitioning parts;
  std::shared_ptr<PartitionSource> sender;  ///< if it is in this process

 private:
  void begin();
  void receive(const Partitioning& from, int message);

  std::mutex mutex_;  // starting against meeting, and failures
  bool has_met_ = false;
  bool waits_for_meeting_ = false;
  PartitionOffer offer_;
  Request* visible_ = nullptr;
  std::uint32_t generation_ = 0;
  std::unique_ptr<std::atomic<std::int64_t>[]> missing_;  // bytes of each part; `there`, `reported`
  std::atomic<int> unarrived_{0};                         // parts
  std::atomic<int> left_{0};                              // of the sender's parts or messages
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
