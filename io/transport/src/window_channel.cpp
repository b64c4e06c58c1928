#include "window_channel.hpp"

#include <cstddef>
#include <ep/ep.hpp>
#include <utility>

namespace epios::io {
namespace {

// Limit for unanswered positions to a client that computes. ep_core waits when a thousand messages
// to one target are unanswered, over all contexts of the client.
constexpr std::uint64_t most_unanswered = 4;

}  // namespace

WindowSender::WindowSender(std::shared_ptr<WindowState> window, const RingLayout& layout,
                           const ep::Comm& comm, int server, std::uint64_t ring)
    : window_(std::move(window)),
      stream_(std::make_unique<PutStream>(*window_, layout, server, ring)),
      comm_(comm),
      server_(server) {}

void WindowSender::commit() {
  stream_->commit();
  if (stream_->is_announced()) return;
  ep::wait_until(comm_, {"a part to leave through a window", server_}, [this] {
    stream_->progress();
    return stream_->is_announced();
  });
}

WindowSender::~WindowSender() {
  stream_->writer().cancel();
  try {
    if (stream_->end()) return;
  } catch (const ep::Error&) {
    // Its memory stays; whoever had it has been told of the failure, or does not care.
    static_cast<void>(stream_.release());
    return;
  }
  window_->adopt(std::move(stream_));
}

std::span<std::byte> WindowSender::try_reserve(std::size_t bytes) {
  if (!stream_->has_room()) return {};
  return stream_->writer().try_reserve(bytes);
}

WindowReceiver::WindowReceiver(std::shared_ptr<WindowState> window, std::byte* ring, EP_Comm comm,
                               int client)
    : window_(std::move(window)),
      control_(reinterpret_cast<RingControl*>(ring)),
      reader_(ring),
      comm_(comm),
      client_(client),
      positions_(window_->get(), client, most_unanswered) {}

WindowReceiver::~WindowReceiver() {
  if (is_enlisted_) window_->withdraw(*this);
  const std::uint64_t released = control_->released.load(std::memory_order_relaxed);
  const std::uint64_t mirror = control_->mirror.load(std::memory_order_acquire);
  if (mirror == 0 || acked_ == released || control_->is_left.load() != 0) return;
  static_cast<void>(EP_Accumulate(&released, 1, MPI_UINT64_T, client_,
                                  static_cast<MPI_Aint>(mirror + offsetof(RingControl, released)),
                                  1, MPI_UINT64_T, MPI_REPLACE, window_->get()));
}

std::span<std::byte> WindowReceiver::front() {
  send_acks();
  return reader_.front();
}

bool WindowReceiver::acks_sent() {
  send_acks();
  return acked_ == control_->released.load(std::memory_order_relaxed) ||
         control_->is_left.load(std::memory_order_acquire) != 0;
}

void WindowReceiver::release() {
  reader_.release();
  send_acks();
}

// The newest position counts: what finds no room is told with a later one, or by the window.
void WindowReceiver::send_acks() {
  if (try_tell() || is_enlisted_) return;
  window_->enlist(*this);
  is_enlisted_ = true;
}

bool WindowReceiver::send_acks_later() noexcept {
  try {
    if (!try_tell()) return false;
  } catch (const ep::Error&) {
    // Whoever receives here will be told.
  }
  is_enlisted_ = false;
  return true;
}

bool WindowReceiver::try_tell() {
  const std::uint64_t released = control_->released.load(std::memory_order_relaxed);
  if (acked_ == released) return true;
  const std::uint64_t mirror = control_->mirror.load(std::memory_order_acquire);
  if (mirror == 0) {
    ep::check(EP_Ring(comm_, client_));
    acked_ = released;
    return true;
  }
  if (control_->is_left.load(std::memory_order_acquire) != 0) return true;  // it asks no more
  if (!positions_.has_room()) return false;
  positions_.tell(mirror + offsetof(RingControl, released), std::span(&released, 1));
  acked_ = released;
  return true;
}

}  // namespace epios::io
