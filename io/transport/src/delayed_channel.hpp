/// @file
/// Channels with random delays at both ends, for tests. EPIOS_TEST_DELAYS=<seed> delays all
/// channels; without it they know nothing of this file.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "transport/channel.hpp"

namespace epios::io {

/// Pauses of up to two milliseconds, random and repeatable.
class Delays {
 public:
  /// Returns nothing without the variable. Each end of a channel has pauses of its own.
  static std::optional<Delays> of_test(int self, int peer, std::uint64_t end);
  explicit Delays(std::uint64_t seed) : state_(seed) {}

  void pause();

 private:
  std::uint64_t next();

  std::uint64_t state_;
};

std::unique_ptr<ChannelSender> delayed(std::unique_ptr<ChannelSender> sender, const Delays& delays);
std::unique_ptr<ChannelReceiver> delayed(std::unique_ptr<ChannelReceiver> receiver,
                                         const Delays& delays);

}  // namespace epios::io
