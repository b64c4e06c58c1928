/// @file
/// Channels whose parts leave and arrive late, for tests: EPIOS_TEST_DELAYS=<seed> makes all of
/// them so. Without it no channel knows of this.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "transport/channel.hpp"

namespace epios::io {

/// Pauses of up to two milliseconds, at random and repeatable.
class Delays {
 public:
  /// None without the variable. Each end of a channel has pauses of its own.
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
