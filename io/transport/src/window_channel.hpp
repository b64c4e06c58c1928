/// @file
/// The carrier one_sided: the ends of a channel whose parts are put to the server's ring. A sender
/// that can map the ring uses a LocalSender instead.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include "put_stream.hpp"
#include "ring.hpp"
#include "transport/channel.hpp"
#include "window_state.hpp"

namespace epios::io {

class WindowSender final : public ChannelSender {
 public:
  /// `ring` is an address on the server. `comm` must outlive the sender.
  WindowSender(std::shared_ptr<WindowState> window, const RingLayout& layout, const ep::Comm& comm,
               int server, std::uint64_t ring);
  WindowSender(const WindowSender&) = delete;
  WindowSender(WindowSender&&) = delete;
  WindowSender& operator=(const WindowSender&) = delete;
  WindowSender& operator=(WindowSender&&) = delete;
  /// Never waits; the window continues what is under way.
  ~WindowSender() override;

  std::span<std::byte> try_reserve(std::size_t bytes) override;
  /// Waits until the part has left, because nobody would announce it while the model is in no call.
  /// It needs progress in the server's process, but not that the server takes parts.
  void commit() override;
  void cancel() override { stream_->writer().cancel(); }
  void progress() override { stream_->progress(); }
  std::size_t capacity() const override { return stream_->writer().capacity(); }
  CarrierKind carrier() const override { return CarrierKind::one_sided; }
  double fullest() const override { return stream_->writer().fullest(); }
  bool is_drained() override { return stream_->is_drained(); }

 private:
  std::shared_ptr<WindowState> window_;  // shared with the ChannelWindow, which may end first
  std::unique_ptr<PutStream> stream_;
  const ep::Comm& comm_;
  int server_;
};

class WindowReceiver final : public ChannelReceiver {
 public:
  /// `ring` is formatted and attached; its memory and `comm` must outlive the receiver.
  WindowReceiver(std::shared_ptr<WindowState> window, std::byte* ring, EP_Comm comm, int client);
  WindowReceiver(const WindowReceiver&) = delete;
  WindowReceiver(WindowReceiver&&) = delete;
  WindowReceiver& operator=(const WindowReceiver&) = delete;
  WindowReceiver& operator=(WindowReceiver&&) = delete;
  ~WindowReceiver() override;

  std::span<std::byte> front() override;
  void release() override;
  bool acks_sent() override;
  CarrierKind carrier() const override { return CarrierKind::one_sided; }

  /// For the window: tells the sender what could not be told at once. Returns false if it still
  /// cannot.
  bool send_acks_later() noexcept;

 private:
  void send_acks();
  bool try_tell();

  std::shared_ptr<WindowState> window_;
  RingControl* control_;
  RingReader reader_;
  EP_Comm comm_;
  int client_;
  PositionTeller positions_;
  std::uint64_t acked_ = 0;   // count that the sender knows to be released
  bool is_enlisted_ = false;  // the window will tell the rest
};

}  // namespace epios::io
