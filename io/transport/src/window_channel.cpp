#include "window_channel.hpp"

#include <cstddef>
#include <utility>

namespace epios::io {

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
      positions_(window_->get(), client, window_parts_limit) {}

WindowReceiver::~WindowReceiver() {
  // The last position could not be told if a client announced more than it may.
  const std::uint64_t released = control_->released.load(std::memory_order_relaxed);
  const std::uint64_t mirror = control_->mirror.load(std::memory_order_acquire);
  if (mirror == 0 || told_ == released || control_->is_left.load() != 0) return;
  static_cast<void>(EP_Accumulate(&released, 1, MPI_UINT64_T, client_,
                                  static_cast<MPI_Aint>(mirror + offsetof(RingControl, released)),
                                  1, MPI_UINT64_T, MPI_REPLACE, window_->get()));
}

std::span<std::byte> WindowReceiver::front() {
  static_cast<void>(is_told());
  return reader_.front();
}

bool WindowReceiver::is_told() {
  const std::uint64_t released = control_->released.load(std::memory_order_relaxed);
  if (told_ != released) tell_sender();
  return told_ == released;
}

void WindowReceiver::release() {
  reader_.release();
  tell_sender();
}

void WindowReceiver::tell_sender() {
  const std::uint64_t released = control_->released.load(std::memory_order_relaxed);
  const std::uint64_t mirror = control_->mirror.load(std::memory_order_acquire);
  if (mirror == 0) {
    told_ = released;
    return ep::check(EP_Ring(comm_, client_));
  }
  if (!positions_.has_room()) return;
  positions_.tell(mirror + offsetof(RingControl, released), std::span(&released, 1));
  told_ = released;
}

}  // namespace epios::io
