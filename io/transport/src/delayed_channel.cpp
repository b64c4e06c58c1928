#include "delayed_channel.hpp"

#include <chrono>
#include <cstdlib>
#include <thread>
#include <utility>

namespace epios::io {
namespace {

class DelayedSender final : public ChannelSender {
 public:
  DelayedSender(std::unique_ptr<ChannelSender> sender, const Delays& delays)
      : sender_(std::move(sender)), delays_(delays) {}

  std::span<std::byte> try_reserve(std::size_t bytes) override {
    return sender_->try_reserve(bytes);
  }
  void commit() override {
    delays_.pause();
    sender_->commit();
    delays_.pause();
  }
  void cancel() override { sender_->cancel(); }
  void progress() override { sender_->progress(); }
  std::size_t capacity() const override { return sender_->capacity(); }
  CarrierKind carrier() const override { return sender_->carrier(); }
  double fullest() const override { return sender_->fullest(); }
  bool is_drained() override { return sender_->is_drained(); }

 private:
  std::unique_ptr<ChannelSender> sender_;
  Delays delays_;
};

class DelayedReceiver final : public ChannelReceiver {
 public:
  DelayedReceiver(std::unique_ptr<ChannelReceiver> receiver, const Delays& delays)
      : receiver_(std::move(receiver)), delays_(delays) {}

  std::span<std::byte> front() override {
    const std::span<std::byte> part = receiver_->front();
    if (!part.empty()) delays_.pause();
    return part;
  }
  void release() override {
    delays_.pause();
    receiver_->release();
  }
  bool acks_sent() override { return receiver_->acks_sent(); }
  CarrierKind carrier() const override { return receiver_->carrier(); }

 private:
  std::unique_ptr<ChannelReceiver> receiver_;
  Delays delays_;
};

}  // namespace

std::optional<Delays> Delays::of_test(int self, int peer, std::uint64_t end) {
  const char* const seed = std::getenv("EPIOS_TEST_DELAYS");
  if (seed == nullptr) return std::nullopt;
  const std::uint64_t number = std::strtoull(seed, nullptr, 10);
  const auto of_peers =
      (static_cast<std::uint64_t>(self) << 32U) + static_cast<std::uint64_t>(peer);
  return Delays((number << 1U) ^ (of_peers * 2654435761U) ^ end);
}

/// SplitMix64 (Steele, Lea and Flood, doi:10.1145/2714064.2660195).
std::uint64_t Delays::next() {
  state_ += 0x9E3779B97F4A7C15U;
  std::uint64_t z = state_;
  z = (z ^ (z >> 30U)) * 0xBF58476D1CE4E5B9U;
  z = (z ^ (z >> 27U)) * 0x94D049BB133111EBU;
  return z ^ (z >> 31U);
}

void Delays::pause() {
  const std::uint64_t number = next();
  if (number % 4 != 0) return;
  std::this_thread::sleep_for(std::chrono::microseconds((number >> 8U) % 2000));
}

std::unique_ptr<ChannelSender> delayed(std::unique_ptr<ChannelSender> sender,
                                       const Delays& delays) {
  return std::make_unique<DelayedSender>(std::move(sender), delays);
}

std::unique_ptr<ChannelReceiver> delayed(std::unique_ptr<ChannelReceiver> receiver,
                                         const Delays& delays) {
  return std::make_unique<DelayedReceiver>(std::move(receiver), delays);
}

}  // namespace epios::io
