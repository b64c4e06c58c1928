/// @file
/// The carrier messages: a ring at each end, with two-sided messages between them.
#pragma once

#include <ep/types.h>

#include <array>
#include <cstdint>
#include <memory>

#include "memory.hpp"
#include "ring.hpp"
#include "transport/channel.hpp"

namespace epios::io {

/// Returns the largest part that one message carries (an int counts its 8-byte words).
std::size_t message_capacity_limit();

/// Sends parts with `tag`. The receiver reports with `tag` + 1 how many it has released so far.
class MessageSender final : public ChannelSender {
 public:
  /// `comm` must stay valid. Allocates the sending ring.
  MessageSender(const RingLayout& layout, EP_Comm comm, int server, int tag);
  MessageSender(const MessageSender&) = delete;
  MessageSender(MessageSender&&) = delete;
  MessageSender& operator=(const MessageSender&) = delete;
  MessageSender& operator=(MessageSender&&) = delete;
  /// Never waits. What is still being sent keeps its memory while the process lives.
  ~MessageSender() override;

  std::span<std::byte> try_reserve(std::size_t bytes) override;
  void commit() override;
  void cancel() override { writer_.cancel(); }
  void progress() override;
  std::size_t capacity() const override { return writer_.capacity(); }
  CarrierKind carrier() const override { return CarrierKind::messages; }
  double fullest() const override { return writer_.fullest(); }
  bool is_drained() override;

 private:
  struct State;
  void finish_sends();
  void take_credits();

  std::unique_ptr<State> state_;  // memory that pending communication uses
  RingWriter writer_;
  RingReader reader_;  // frees what is both sent and released
  EP_Comm comm_;
  int server_;
  int tag_;
  std::uint64_t committed_ = 0;  // parts since the beginning, like all counters here
  std::uint64_t sent_ = 0;
  std::uint64_t credited_ = 0;
  std::uint64_t freed_ = 0;
};

class MessageReceiver final : public ChannelReceiver {
 public:
  /// `ring` is formatted, in `memory`. `comm` must stay valid.
  MessageReceiver(std::shared_ptr<Memory> memory, std::byte* ring, EP_Comm comm, int client,
                  int tag);
  MessageReceiver(const MessageReceiver&) = delete;
  MessageReceiver(MessageReceiver&&) = delete;
  MessageReceiver& operator=(const MessageReceiver&) = delete;
  MessageReceiver& operator=(MessageReceiver&&) = delete;
  /// Never waits, like that of the sender.
  ~MessageReceiver() override;

  std::span<std::byte> front() override;
  void release() override;
  bool acks_sent() override;
  CarrierKind carrier() const override { return CarrierKind::messages; }

 private:
  struct State;
  void receive_parts();
  bool match_part();
  bool place_part();
  bool finish_part();
  void send_credit();
  [[noreturn]] void throw_alien(std::uint64_t bytes) const;

  std::unique_ptr<State> state_;  // memory that pending communication uses
  RingWriter writer_;
  RingReader reader_;
  EP_Comm comm_;
  int client_;
  int tag_;
  EP_Message matched_ = EP_MESSAGE_NULL;  // a part that has arrived and waits for room
  std::size_t matched_bytes_ = 0;
  std::uint64_t released_ = 0;  // parts since the beginning
  std::uint64_t acked_ = 0;     // last count sent to the client
  std::uint64_t credits_sent_ = 0;
};

}  // namespace epios::io
