// All channels of a context on one server. It chooses a carrier for each peer, places the rings in
// one block of memory, and makes offers; open_channel() (channel_opening.cpp) opens the other end.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <ep/ep.hpp>
#include <utility>

#include "delayed_channel.hpp"
#include "local_channel.hpp"
#include "message_channel.hpp"
#include "offer.hpp"
#include "transport/channel.hpp"
#include "tried_receiver.hpp"
#include "window_channel.hpp"
#include "window_state.hpp"

namespace epios::io {
namespace {

constexpr std::size_t carriers = 4;

std::size_t index_of(CarrierKind kind) { return static_cast<std::size_t>(kind) - 1; }

std::size_t round_up(std::size_t bytes, std::size_t unit) {
  return (bytes + unit - 1) / unit * unit;
}

CarrierKind nearest_carrier(const ep::Comm& comm, int peer) {
  switch (comm.locality(peer)) {
    case EP_LOCALITY_PROCESS:
      return CarrierKind::in_process;
    case EP_LOCALITY_NODE:
      return CarrierKind::shared_memory;
    default:
      return CarrierKind::messages;
  }
}

void check_peers(std::span<const ChannelSpec> channels) {
  std::vector<int> peers;
  for (const ChannelSpec& spec : channels) peers.push_back(spec.peer);
  std::sort(peers.begin(), peers.end());
  const auto twice = std::adjacent_find(peers.begin(), peers.end());
  if (twice == peers.end()) return;
  throw ep::Error(EP_ERR_ARG,
                  fmt::format("client {} has two channels in one group (messages are told "
                              "apart by their source). Does the second one need a group "
                              "of its own?",
                              *twice));
}

// A put is counted as a message is.
void check_message_capacity(std::size_t capacity_bytes) {
  if (capacity_bytes <= message_capacity_limit()) return;
  throw ep::Error(
      EP_ERR_COUNT,
      fmt::format("a channel for parts of {} bytes cannot leave the node (one message has "
                  "at most {} bytes). Can more clients or servers share the work?",
                  capacity_bytes, message_capacity_limit()));
}

}  // namespace

std::string_view name(CarrierKind kind) {
  switch (kind) {
    case CarrierKind::in_process:
      return "in_process";
    case CarrierKind::shared_memory:
      return "shared_memory";
    case CarrierKind::messages:
      return "messages";
    case CarrierKind::one_sided:
      return "one_sided";
  }
  return "unknown";
}

std::size_t channel_bytes(std::size_t capacity_bytes, int depth) {
  return round_up(RingLayout::of(capacity_bytes, depth).memory_bytes(), page_bytes());
}

struct ChannelGroup::Impl {
  struct Channel {
    OfferedChannel offered;
    std::unique_ptr<ChannelReceiver> receiver;
    TriedReceiver* tried = nullptr;        // the receiver, or what it delays, if it is one
    const RingControl* exposed = nullptr;  // a ring that its client may put to
    bool is_offered = false;               // nobody opens what has not been
  };

  Impl() = default;
  Impl(const ep::Comm& comm, int tag, std::span<const ChannelSpec> specs, CarrierKind force,
       const ChannelWindow* channel_window);
  Impl(const Impl&) = delete;
  Impl(Impl&&) = delete;
  Impl& operator=(const Impl&) = delete;
  Impl& operator=(Impl&&) = delete;
  ~Impl();
  void place_all(const ep::Comm& comm, int tag, std::span<const ChannelSpec> specs,
                 CarrierKind force);
  void place(const ChannelSpec& spec, CarrierKind carrier, int tag);
  bool make_segment(CarrierKind force);
  void make_private(CarrierKind carrier);
  void make_exposed(const ep::Comm& comm, const ChannelWindow* channel_window);
  void open_receiver(Channel& channel, const ep::Comm& comm);

  std::array<std::size_t, carriers> bytes{};             // of each carrier's memory
  std::array<std::shared_ptr<Memory>, carriers> memory;  // shared with senders in this process
  std::vector<Channel> channels;
  std::string fallback;                 // why there is no segment
  std::shared_ptr<WindowState> window;  // shared with the ChannelWindow, which may end first
  bool is_attached = false;             // the window knows of the memory of one_sided
};

ChannelGroup::Impl::Impl(const ep::Comm& comm, int tag, std::span<const ChannelSpec> specs,
                         CarrierKind force, const ChannelWindow* channel_window)
    : Impl() {  // from here on errors end it as it ends
  check_peers(specs);
  place_all(comm, tag, specs, force);
  if (!make_segment(force)) place_all(comm, tag, specs, force);
  make_private(CarrierKind::in_process);
  make_private(CarrierKind::messages);
  make_exposed(comm, channel_window);
  for (Channel& channel : channels) {
    open_receiver(channel, comm);
    if (const auto delays = Delays::of_test(comm.rank(), channel.offered.peer, 1)) {
      channel.receiver = delayed(std::move(channel.receiver), *delays);
    }
  }
}

ChannelGroup::Impl::~Impl() {
  std::vector<const RingControl*> exposed;
  for (const Channel& channel : channels) {
    if (channel.is_offered && channel.exposed != nullptr) exposed.push_back(channel.exposed);
  }
  channels.clear();  // receivers say their last word into memory that is still there
  if (!is_attached) return;
  std::shared_ptr<Memory>& home = memory[index_of(CarrierKind::one_sided)];
  home->unlink();  // it may stay, but nobody maps it any more
  window->retire(std::move(home), std::move(exposed));
}

void ChannelGroup::Impl::place_all(const ep::Comm& comm, int tag,
                                   std::span<const ChannelSpec> specs, CarrierKind force) {
  bytes = {};
  channels.clear();
  channels.reserve(specs.size());
  for (const ChannelSpec& spec : specs) {
    CarrierKind carrier = std::max(nearest_carrier(comm, spec.peer), force);
    if (carrier == CarrierKind::shared_memory && !fallback.empty()) carrier = CarrierKind::messages;
    place(spec, carrier, tag);
  }
}

// Gives the channel's ring its place in its carrier's memory.
void ChannelGroup::Impl::place(const ChannelSpec& spec, CarrierKind carrier, int tag) {
  if (carrier >= CarrierKind::messages) check_message_capacity(spec.capacity_bytes);
  const RingLayout layout = RingLayout::of(spec.capacity_bytes, spec.depth);
  std::size_t& used = bytes[index_of(carrier)];
  OfferedChannel offered;
  offered.carrier = carrier;
  offered.layout = layout;
  offered.peer = spec.peer;
  offered.tag = tag;
  offered.offset = used;
  Channel& channel = channels.emplace_back();
  channel.offered = std::move(offered);
  // Whole pages: a client maps its own channel only.
  used += channel_bytes(spec.capacity_bytes, spec.depth);
}

// False: there is none, `fallback` says why, and messages are to carry what it would have.
bool ChannelGroup::Impl::make_segment(CarrierKind force) {
  const std::size_t size = bytes[index_of(CarrierKind::shared_memory)];
  if (size == 0) return true;
  try {
    memory[index_of(CarrierKind::shared_memory)] = Memory::make_segment(size);
    return true;
  } catch (const ep::Error& error) {
    const bool fits = std::all_of(channels.begin(), channels.end(), [](const Channel& channel) {
      return channel.offered.layout.capacity_bytes <= message_capacity_limit();
    });
    if (force != CarrierKind::in_process || !fits) throw;
    fallback = error.what();
    return false;
  }
}

void ChannelGroup::Impl::make_private(CarrierKind carrier) {
  const std::size_t size = bytes[index_of(carrier)];
  if (size > 0) memory[index_of(carrier)] = Memory::make_private(size);
}

// Memory of the window's rings: a segment where clients on the node can map it.
void ChannelGroup::Impl::make_exposed(const ep::Comm& comm, const ChannelWindow* channel_window) {
  const std::size_t size = bytes[index_of(CarrierKind::one_sided)];
  if (size == 0) return;
  window = state_of(channel_window);
  const auto lies = [&](int locality) {
    return [&comm, locality](const Channel& channel) {
      return channel.offered.carrier == CarrierKind::one_sided &&
             comm.locality(channel.offered.peer) == locality;
    };
  };
  std::shared_ptr<Memory>& home = memory[index_of(CarrierKind::one_sided)];
  if (maps_windows() && std::any_of(channels.begin(), channels.end(), lies(EP_LOCALITY_NODE))) {
    try {
      home = Memory::make_segment(size);
    } catch (const ep::Error&) {
      home.reset();  // parts are put there instead: slower, and nothing to complain of
    }
  }
  if (!home) home = Memory::make_private(size);
  if (!std::all_of(channels.begin(), channels.end(), lies(EP_LOCALITY_PROCESS))) {
    window->attach({home->data(), home->size()});
    is_attached = true;
  }
}

void ChannelGroup::Impl::open_receiver(Channel& channel, const ep::Comm& comm) {
  OfferedChannel& offered = channel.offered;
  const std::shared_ptr<Memory>& home = memory[index_of(offered.carrier)];
  std::byte* ring = home->data() + offered.offset;
  offered.token = process_token();
  format_ring(ring, offered.layout, offered.token.random);
  switch (offered.carrier) {
    case CarrierKind::messages:
      channel.receiver =
          std::make_unique<MessageReceiver>(home, ring, comm.get(), offered.peer, offered.tag);
      return;
    case CarrierKind::one_sided:
      offered.address = reinterpret_cast<std::uintptr_t>(home.get());
      offered.segment_bytes = home->size();
      offered.segment_name = home->segment_name();
      offered.displacement = reinterpret_cast<std::uintptr_t>(ring);
      if (comm.locality(offered.peer) == EP_LOCALITY_PROCESS) break;
      channel.exposed = reinterpret_cast<const RingControl*>(ring);
      channel.receiver = std::make_unique<WindowReceiver>(window, ring, comm.get(), offered.peer);
      return;
    case CarrierKind::in_process:
      offered.address = reinterpret_cast<std::uintptr_t>(home.get());
      break;
    case CarrierKind::shared_memory: {
      offered.segment_bytes = home->size();
      offered.segment_name = home->segment_name();
      // What no message can carry has the ring or none.
      if (offered.layout.capacity_bytes > message_capacity_limit()) break;
      auto tried =
          std::make_unique<TriedReceiver>(home, ring, comm.get(), offered.peer, offered.tag);
      channel.tried = tried.get();
      channel.receiver = std::move(tried);
      return;
    }
  }
  channel.receiver =
      std::make_unique<LocalReceiver>(offered.carrier, ring, comm.get(), offered.peer);
}

ChannelGroup::ChannelGroup(const ep::Comm& comm, int tag, std::span<const ChannelSpec> channels,
                           CarrierKind force, const ChannelWindow* window)
    : impl_(std::make_unique<Impl>(comm, tag, channels, force, window)) {}

ChannelGroup::~ChannelGroup() = default;

std::size_t ChannelGroup::size() const { return impl_->channels.size(); }

ChannelReceiver& ChannelGroup::receiver(std::size_t channel) {
  return *impl_->channels.at(channel).receiver;
}

ChannelOffer ChannelGroup::offer(std::size_t channel) {
  Impl::Channel& offered = impl_->channels.at(channel);
  offered.is_offered = true;
  return encode(offered.offered);
}

void ChannelGroup::unlink() {
  for (const CarrierKind carrier : {CarrierKind::shared_memory, CarrierKind::one_sided}) {
    const std::shared_ptr<Memory>& segment = impl_->memory[index_of(carrier)];
    if (segment) segment->unlink();
  }
  for (Impl::Channel& channel : impl_->channels) {
    if (channel.is_offered && channel.tried != nullptr) channel.tried->settle();
  }
}

std::size_t ChannelGroup::memory_bytes() const {
  std::size_t sum = 0;
  for (const std::size_t bytes : impl_->bytes) sum += bytes;
  return sum;
}

const std::string& ChannelGroup::fallback() const { return impl_->fallback; }

}  // namespace epios::io
