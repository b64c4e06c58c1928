// Any order of any parts from three clients: the server's queue must give whole events, in order,
// or say which clients differ. Headers are made of the input, mostly with the hash that fits.
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <span>
#include <string>
#include <vector>

#include "../event/fake_channel.hpp"
#include "config/error.hpp"
#include "event/event_queue.hpp"

namespace {

using namespace epios::io;  // NOLINT(google-build-using-namespace)
using epios::io::test::FakeChannel;

class Input {
 public:
  explicit Input(std::span<const std::uint8_t> bytes) : bytes_(bytes) {}
  bool is_over() const { return bytes_.empty(); }
  std::uint8_t byte() {
    if (bytes_.empty()) return 0;
    const std::uint8_t out = bytes_.front();
    bytes_ = bytes_.subspan(1);
    return out;
  }
  /// A small number, its negative, or one near the ends of its type.
  std::int64_t number() {
    const std::uint8_t kind = byte();
    if (kind < 240) return kind % 8;
    const std::int64_t small = byte();
    if (kind < 248) return -small;
    return kind < 252 ? std::int64_t{INT64_MAX} - small : std::int64_t{INT64_MIN} + small;
  }

 private:
  std::span<const std::uint8_t> bytes_;
};

class Play {
 public:
  Play()
      : queue_(
            "c", {{0, &channels_[0], {}}, {1, &channels_[1], {}}, {2, &channels_[2], {}}},
            [this](EventKind kind, int stream) -> const std::vector<int>& {
              return kind == EventKind::record && stream % 2 == 0 ? some_ : all_;
            },
            [](const EventHeader& header) { return std::to_string(header.stream); }) {}

  void act(Input& in) {
    const std::uint8_t what = in.byte();
    switch (what % 8) {
      case 6:
        take();
        break;
      case 7:
        if (what > 250) {
          queue_.discard([](const EventHeader&) {});
        } else if (queue_.is_ready()) {
          queue_.release();
        }
        static_cast<void>(queue_.waiting_for());
        static_cast<void>(queue_.lacks());
        static_cast<void>(queue_.missing_clients());
        break;
      default:
        push(channels_[what % 3U], in);
    }
  }

 private:
  void push(FakeChannel& channel, Input& in) {
    if (channel.parts.size() > 64) return;
    EventHeader header;
    const std::uint8_t form = in.byte();
    header.kind = static_cast<EventKind>(form % 8);
    header.stream = static_cast<std::int32_t>(in.number());
    header.record = in.number();
    header.step = in.number();
    header.event = in.number();
    header.sequence = in.number();
    header.samples = static_cast<std::uint32_t>(in.number());
    header.hash = event_hash(header) + (form > 250 ? 1U : 0U);
    const std::vector<std::byte> payload(form / 64U, std::byte{1});
    channel.push(header, payload);
    if (form == 240) channel.parts.back().pop_back();
    if (form == 241) channel.parts.back().resize(in.byte() % 64U + 1U);
  }

  void take() {
    const auto event = queue_.next();
    if (!event) return;
    expect(event->header.sequence >= last_, "events out of order");
    last_ = event->header.sequence;
    int before = -1;
    for (const EventQueue::Part& part : event->parts) {
      expect(part.client > before && part.client < 3, "parts out of order");
      before = part.client;
    }
    const bool is_some = event->header.kind == EventKind::record && event->header.stream % 2 == 0;
    expect(event->parts.size() == (is_some ? some_.size() : all_.size()), "parts are missing");
  }

  static void expect(bool law, const char* what) {
    if (law) return;
    std::fprintf(stderr, "event_fuzz: %s\n", what);
    std::abort();
  }

  const std::vector<int> all_{0, 1, 2};
  const std::vector<int> some_{0, 2};
  std::array<FakeChannel, 3> channels_;
  EventQueue queue_;
  std::int64_t last_ = 0;
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  Input in({data, size});
  Play play;
  try {
    while (!in.is_over()) play.act(in);
  } catch (const epios::Error& error) {
    const bool is_expected =
        error.code() == epios::ErrorCode::protocol || error.code() == epios::ErrorCode::mismatch;
    if (!is_expected || *error.what() == '\0') std::abort();
  }
  return 0;
}
