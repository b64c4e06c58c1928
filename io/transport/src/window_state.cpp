#include "window_state.hpp"

#include <algorithm>
#include <cstdlib>
#include <ep/client_server_window.hpp>
#include <string_view>
#include <utility>

#include "put_stream.hpp"
#include "window_channel.hpp"

namespace epios::io {
namespace {

ep::WindowSide side_of(ChannelWindow::Side side) {
  return side == ChannelWindow::Side::servers ? ep::WindowSide::servers : ep::WindowSide::clients;
}

}  // namespace

void keep_for_ever(std::shared_ptr<Memory> memory) {
  static_cast<void>(new std::shared_ptr<Memory>(std::move(memory)));
}

std::shared_ptr<WindowState> state_of(const ChannelWindow* window) {
  if (window != nullptr) return window->state();
  throw ep::Error(EP_ERR_ARG,
                  "the carrier one_sided cannot be used here (this connection has no window). Was "
                  "it made before the carrier was known?");
}

bool maps_windows() {
  const char* const wish = std::getenv("EP_SHM");
  return wish == nullptr || std::string_view(wish) != "0";
}

bool is_left_alone(const RingControl& ring) {
  if (ring.has_sender.load(std::memory_order_acquire) != 0) return true;
  return ring.is_left.load(std::memory_order_acquire) != 0;
}

WindowState::WindowState(const ep::Comm& comm, ChannelWindow::Side own_side)
    : win_(ep::create_attachable_window(comm, side_of(own_side))) {
  ep::check(EP_Win_set_errhandler(win_, EP_ERRORS_RETURN));
  ep::check(EP_Win_lock_all(EP_MODE_NOCHECK, win_));
}

WindowState::~WindowState() {
  // Freed memory would be written to or read.
  for (Retired& retired : retired_) keep_for_ever(std::move(retired.memory));
  for (std::unique_ptr<PutStream>& orphan : orphans_) static_cast<void>(orphan.release());
}

void WindowState::attach(std::span<std::byte> bytes) {
  ep::check(EP_Win_attach(win_, bytes.data(), static_cast<MPI_Aint>(bytes.size())));
}

bool WindowState::try_detach(const std::byte* bytes) noexcept {
  return win_ == EP_WIN_NULL || EP_Win_detach(win_, bytes) == EP_SUCCESS;
}

void WindowState::retire(std::shared_ptr<Memory> memory, std::vector<const RingControl*> rings) {
  retired_.push_back({std::move(memory), std::move(rings)});
  sweep();
}

void WindowState::withdraw(const PutStream& stream) { std::erase(streams_, &stream); }

void WindowState::withdraw(const WindowReceiver& receiver) { std::erase(unacked_, &receiver); }

std::size_t WindowState::retired_bytes() const {
  std::size_t sum = 0;
  for (const Retired& retired : retired_) sum += retired.memory->size();
  return sum;
}

void WindowState::adopt(std::unique_ptr<PutStream> stream) {
  withdraw(*stream);
  orphans_.push_back(std::move(stream));
}

void WindowState::sweep() {
  std::erase_if(retired_, [this](Retired& retired) {
    std::erase_if(retired.rings, [](const RingControl* ring) { return is_left_alone(*ring); });
    if (!retired.rings.empty()) return false;
    if (!try_detach(retired.memory->data())) keep_for_ever(std::move(retired.memory));
    return true;
  });
}

void WindowState::progress() {
  for (PutStream* const stream : streams_) stream->progress();
  std::erase_if(orphans_, [](std::unique_ptr<PutStream>& orphan) {
    try {
      return orphan->end();
    } catch (const ep::Error&) {
      static_cast<void>(orphan.release());  // nobody waits for it; its memory stays
      return true;
    }
  });
  std::erase_if(unacked_, [](WindowReceiver* receiver) { return receiver->send_acks_later(); });
  if (!retired_.empty()) sweep();
}

void WindowState::free() {
  progress();
  ep::check(EP_Win_unlock_all(win_));
  ep::check(EP_Win_free(&win_));
  orphans_.clear();
  retired_.clear();
}

ChannelWindow::ChannelWindow(const ep::Comm& comm, Side own_side)
    : state_(std::make_shared<WindowState>(comm, own_side)) {}

ChannelWindow::~ChannelWindow() = default;

void ChannelWindow::progress() { state_->progress(); }

bool ChannelWindow::is_idle() const { return state_->is_idle(); }

void ChannelWindow::free() { state_->free(); }

}  // namespace epios::io
