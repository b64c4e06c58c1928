// The sending end of a channel: what an offer names is tried, and where memory is not shared the
// next carrier is taken.
#include <fmt/format.h>

#include <ep/ep.hpp>
#include <utility>

#include "delayed_channel.hpp"
#include "local_channel.hpp"
#include "memory.hpp"
#include "message_channel.hpp"
#include "offer.hpp"
#include "ring.hpp"
#include "transport/channel.hpp"
#include "window_channel.hpp"
#include "window_state.hpp"

namespace epios::io {
namespace {

// The group's memory, at the address it has in this process.
std::shared_ptr<Memory> find_in_process(const OfferedChannel& offered) {
  if (offered.token != process_token()) {
    throw ep::Error(
        EP_ERR_ARG,
        fmt::format("an in-process channel of process {} cannot be opened in process {} "
                    "(its memory is not visible here). Was the offer given to the wrong "
                    "client?",
                    offered.token.pid, process_token().pid));
  }
  // The token says that the bytes of the offer are an address of this process.
  // NOLINTNEXTLINE(performance-no-int-to-ptr)
  auto* memory = reinterpret_cast<Memory*>(static_cast<std::uintptr_t>(offered.address));
  return memory->shared_from_this();
}

std::size_t ring_bytes(const OfferedChannel& offered) { return offered.layout.memory_bytes(); }

/// Maps the ring of another process of the node, or returns nothing and says why. Only trying tells
/// who shares memory: containers of one machine may have a /dev/shm each, other users' segments may
/// be out of reach, and a limit of this process may forbid what its server may do.
std::shared_ptr<Memory> try_to_map(const OfferedChannel& offered, std::string& why) {
  try {
    std::shared_ptr<Memory> memory = Memory::open_segment(
        offered.segment_name, offered.segment_bytes, offered.offset,
        (ring_bytes(offered) + page_bytes() - 1) / page_bytes() * page_bytes());
    if (is_ring(memory->data(), offered.layout, offered.token.random)) return memory;
    why = fmt::format(
        "the shared memory segment {} here is not the server's (it holds another "
        "channel or none). Do client and server see different /dev/shm?",
        offered.segment_name);
  } catch (const ep::Error& error) {
    why = error.what();
  }
  return nullptr;
}

std::unique_ptr<ChannelSender> send_through(std::shared_ptr<Memory> memory, std::byte* ring,
                                            const OfferedChannel& offered, const ep::Comm& comm,
                                            int server) {
  claim_ring(ring, offered.layout);
  return std::make_unique<LocalSender>(offered.carrier, std::move(memory), ring, comm.get(),
                                       server);
}

std::unique_ptr<ChannelSender> open_in_process(const OfferedChannel& offered, const ep::Comm& comm,
                                               int server) {
  std::shared_ptr<Memory> memory = find_in_process(offered);
  std::byte* const ring = memory->data() + offered.offset;
  return send_through(std::move(memory), ring, offered, comm, server);
}

std::unique_ptr<ChannelSender> open_messages(const OfferedChannel& offered, const ep::Comm& comm,
                                             int server) {
  return std::make_unique<MessageSender>(offered.layout, comm.get(), server, offered.tag);
}

std::unique_ptr<ChannelSender> open_shared(const OfferedChannel& offered, const ep::Comm& comm,
                                           int server) {
  std::string why;
  if (std::shared_ptr<Memory> memory = try_to_map(offered, why)) {
    std::byte* const ring = memory->data();
    return send_through(std::move(memory), ring, offered, comm, server);
  }
  if (offered.layout.capacity_bytes > message_capacity_limit()) throw ep::Error(EP_ERR_OTHER, why);
  std::unique_ptr<ChannelSender> sender = open_messages(offered, comm, server);
  sender->set_fallback(std::move(why));
  return sender;
}

std::unique_ptr<ChannelSender> open_one_sided(const OfferedChannel& offered, const ep::Comm& comm,
                                              int server, const ChannelWindow* window) {
  if (comm.locality(server) == EP_LOCALITY_PROCESS) return open_in_process(offered, comm, server);
  std::string why;
  if (!offered.segment_name.empty() && maps_windows() &&
      comm.locality(server) == EP_LOCALITY_NODE) {
    if (std::shared_ptr<Memory> memory = try_to_map(offered, why)) {
      std::byte* const ring = memory->data();
      return send_through(std::move(memory), ring, offered, comm, server);
    }
  }
  auto sender = std::make_unique<WindowSender>(state_of(window), offered.layout, comm, server,
                                               offered.displacement);
  sender->set_fallback(std::move(why));
  return sender;
}

std::unique_ptr<ChannelSender> open_offered(const OfferedChannel& offered, const ep::Comm& comm,
                                            int server, const ChannelWindow* window) {
  switch (offered.carrier) {
    case CarrierKind::in_process:
      return open_in_process(offered, comm, server);
    case CarrierKind::shared_memory:
      return open_shared(offered, comm, server);
    case CarrierKind::messages:
      return open_messages(offered, comm, server);
    case CarrierKind::one_sided:
      return open_one_sided(offered, comm, server, window);
  }
  throw ep::Error(EP_ERR_ARG,
                  fmt::format("a channel's offer names carrier {} (unknown here). Are client "
                              "and server of the same release?",
                              static_cast<int>(offered.carrier)));
}

}  // namespace

std::unique_ptr<ChannelSender> open_channel(const ep::Comm& comm, int server,
                                            std::span<const std::byte> offer,
                                            const ChannelWindow* window) {
  const OfferedChannel offered = decode(offer);
  if (offered.peer != comm.rank()) {
    throw ep::Error(EP_ERR_ARG,
                    fmt::format("client {} cannot open the channel of client {} (a channel "
                                "has one sender). Were offers mixed up?",
                                comm.rank(), offered.peer));
  }
  std::unique_ptr<ChannelSender> sender = open_offered(offered, comm, server, window);
  const auto delays = Delays::of_test(comm.rank(), server, 0);
  if (!delays) return sender;
  std::string why = sender->fallback();
  sender = delayed(std::move(sender), *delays);
  sender->set_fallback(std::move(why));
  return sender;
}

}  // namespace epios::io
