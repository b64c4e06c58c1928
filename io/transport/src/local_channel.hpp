/// @file
/// The carriers in_process and shared_memory: sender and receiver use one ring.
#pragma once

#include <ep/types.h>

#include <memory>

#include "memory.hpp"
#include "ring.hpp"
#include "transport/channel.hpp"

namespace epios::io {

class LocalSender final : public ChannelSender {
 public:
  /// The ring at `ring`, in `memory`, has been claimed. `comm` must stay valid.
  LocalSender(CarrierKind carrier, std::shared_ptr<Memory> memory, std::byte* ring, EP_Comm comm,
              int server);

  std::span<std::byte> try_reserve(std::size_t bytes) override;
  void commit() override;
  void cancel() override { writer_.cancel(); }
  void progress() override {}
  std::size_t capacity() const override { return writer_.capacity(); }
  CarrierKind carrier() const override { return carrier_; }
  double fullest() const override { return writer_.fullest(); }
  bool is_drained() override { return writer_.is_drained(); }

 private:
  CarrierKind carrier_;
  std::shared_ptr<Memory> memory_;  // shared with the group if both are in one process
  RingWriter writer_;
  EP_Comm comm_;
  int server_;
};

class LocalReceiver final : public ChannelReceiver {
 public:
  /// `ring` is formatted; its memory and `comm` must outlive the receiver.
  LocalReceiver(CarrierKind carrier, std::byte* ring, EP_Comm comm, int client);

  std::span<std::byte> front() override { return reader_.front(); }
  void release() override;
  bool acks_sent() override { return true; }
  CarrierKind carrier() const override { return carrier_; }

 private:
  CarrierKind carrier_;
  RingReader reader_;
  EP_Comm comm_;
  int client_;
};

}  // namespace epios::io
