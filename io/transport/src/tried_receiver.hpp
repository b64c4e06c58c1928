/// @file
/// The receiving end of an offer of shared memory, which its client may be unable to map.
#pragma once

#include <ep/types.h>

#include <memory>

#include "memory.hpp"
#include "transport/channel.hpp"

namespace epios::io {

/// Receives from the ring if the client claims it, and messages into the same ring if the client
/// sends some. The client decides by what it finds when it opens its end; until then both are
/// looked for.
class TriedReceiver final : public ChannelReceiver {
 public:
  /// `ring` is formatted, in `memory`. `comm` must stay valid.
  TriedReceiver(std::shared_ptr<Memory> memory, std::byte* ring, EP_Comm comm, int client, int tag);

  std::span<std::byte> front() override;
  void release() override { receiver_->release(); }
  bool acks_sent() override { return receiver_->acks_sent(); }
  CarrierKind carrier() const override { return receiver_->carrier(); }

  /// Takes the decision when the client has opened its end.
  void settle();

 private:
  void receive_messages();

  std::shared_ptr<Memory> memory_;  // shared with the group; emptied once the client has decided
  std::byte* ring_;
  EP_Comm comm_;
  int client_;
  int tag_;
  std::unique_ptr<ChannelReceiver> receiver_;
};

}  // namespace epios::io
