/// @file
/// Layouts of endpoints that the contract suite of channels runs on: endpoint 0 receives, all
/// others send.
#pragma once

#include <gtest/gtest.h>

#include <chrono>
#include <ep/ep.hpp>
#include <exception>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "transport/channel.hpp"

namespace epios::io::test {

/// `force` as for ChannelGroup: in_process means the nearest carrier for each pair. A job of one
/// process has one more endpoint than `endpoints_per_process`, so that there is somebody to send.
struct Layout {
  CarrierKind force = CarrierKind::in_process;
  int endpoints_per_process = 1;
};

inline std::string layout_name(const ::testing::TestParamInfo<Layout>& info) {
  const CarrierKind force = info.param.force;
  const std::string carrier(force == CarrierKind::in_process ? "nearest" : name(force));
  return carrier + "_" + std::to_string(info.param.endpoints_per_process);
}

inline constexpr int group_tag = 10;  // and 11
inline constexpr int side_tag = 20;   // what tests tell each other beside the channels

/// Runs `body` once per endpoint of the job, each on a thread of its own. A failure of one endpoint
/// fails the test in its process; the others end by their deadlines.
inline void on_endpoints(const Layout& layout, const std::function<void(ep::Comm&)>& body) {
  const ep::Comm world = ep::Comm::from_mpi(MPI_COMM_WORLD);
  const int count = layout.endpoints_per_process + (world.size() == 1 ? 1 : 0);
  std::vector<ep::Comm> endpoints = world.create_endpoints(count);
  const auto run = [&body](ep::Comm& endpoint) {
    try {
      body(endpoint);
    } catch (const std::exception& error) {
      ADD_FAILURE() << "endpoint " << endpoint.rank() << ": " << error.what();
    }
  };
  std::vector<std::thread> threads;
  for (std::size_t i = 1; i < endpoints.size(); ++i)
    threads.emplace_back(run, std::ref(endpoints[i]));
  run(endpoints.front());
  for (std::thread& thread : threads) thread.join();
}

/// Waits by the rules of the product: asleep until a doorbell rings. A doorbell that nobody rings
/// is a failure, not a delay: the only other thing that wakes is the deadline.
inline void wait_for(const ep::Comm& comm, const char* what, const std::function<bool()>& ready) {
  constexpr double limit_s = 30;
  const auto start = std::chrono::steady_clock::now();
  ep::wait_until(comm, {what, -1, limit_s}, [&] {
    if (ready()) return true;
    const std::chrono::duration<double> waited = std::chrono::steady_clock::now() - start;
    if (waited.count() >= limit_s)
      throw std::runtime_error(std::string("waited in vain for ") + what);
    return false;
  });
}

/// An empty message to one endpoint, and its arrival.
inline void tell(const ep::Comm& comm, int rank) { ep::send(comm, {}, rank, side_tag); }
inline void hear(const ep::Comm& comm, int rank) { ep::receive(comm, rank, side_tag); }

/// The window that a carrier needs, or none. Endpoint 0 serves. Collective over `comm`, of the
/// intercommunicator of endpoint 0 and the others over both of its groups.
inline std::unique_ptr<ChannelWindow> window_for(
    const ep::Comm& comm, CarrierKind force,
    ChannelWindow::Side side = ChannelWindow::Side::clients) {
  if (force != CarrierKind::one_sided) return nullptr;
  return std::make_unique<ChannelWindow>(comm, side);
}

/// What one endpoint has after connecting: the server a group, each client a sender.
struct Connection {
  std::unique_ptr<ChannelWindow> window;
  std::unique_ptr<ChannelGroup> group;
  std::unique_ptr<ChannelSender> sender;
};

/// Channels from every endpoint to endpoint 0. Collective over `comm`.
inline Connection connect(const ep::Comm& comm, CarrierKind force, std::size_t capacity,
                          int depth) {
  Connection out;
  out.window = window_for(comm, force);
  if (comm.rank() == 0) {
    std::vector<ChannelSpec> specs;
    for (int peer = 1; peer < comm.size(); ++peer) specs.push_back({peer, capacity, depth});
    out.group = std::make_unique<ChannelGroup>(comm, group_tag, specs, force, out.window.get());
    for (int peer = 1; peer < comm.size(); ++peer) {
      ep::send(comm, out.group->offer(static_cast<std::size_t>(peer - 1)), peer, side_tag);
    }
  } else {
    const auto offer = ep::receive(comm, 0, side_tag).bytes;
    out.sender = open_channel(comm, 0, offer, out.window.get());
  }
  ep::check(EP_Barrier(comm.get()));
  if (out.group) out.group->unlink();
  return out;
}

/// Room for a part, waited for.
inline std::span<std::byte> reserve(const ep::Comm& comm, ChannelSender& sender,
                                    std::size_t bytes) {
  std::span<std::byte> room;
  wait_for(comm, "room in a channel", [&] { return !(room = sender.try_reserve(bytes)).empty(); });
  return room;
}

/// The next part, waited for.
inline std::span<std::byte> front(const ep::Comm& comm, ChannelReceiver& receiver) {
  std::span<std::byte> part;
  wait_for(comm, "a part of a channel", [&] { return !(part = receiver.front()).empty(); });
  return part;
}

/// A barrier of endpoints whose windows (null: there is none) go on meanwhile.
inline void meet(const ep::Comm& comm, ChannelWindow* window) {
  EP_Request request = EP_REQUEST_NULL;
  ep::check(EP_Ibarrier(comm.get(), &request));
  wait_for(comm, "the other endpoints", [&] {
    if (window != nullptr) window->progress();
    int is_over = 0;
    ep::check(EP_Test(&request, &is_over, EP_STATUS_IGNORE));
    return is_over != 0;
  });
}

/// Ends a test as clients end a run: nothing is under way when the channels go.
inline void drain(const ep::Comm& comm, Connection& connection) {
  if (connection.sender) {
    wait_for(comm, "the receiver to release all parts",
             [&] { return connection.sender->is_drained(); });
  }
  meet(comm, connection.window.get());
  if (!connection.window) return;
  connection.sender.reset();
  connection.group.reset();
  connection.window->free();
}

/// Carrier that `force` leads to between two endpoints.
inline CarrierKind expected_carrier(const ep::Comm& comm, int peer, CarrierKind force) {
  const CarrierKind nearest = comm.locality(peer) == EP_LOCALITY_PROCESS ? CarrierKind::in_process
                              : comm.locality(peer) == EP_LOCALITY_NODE ? CarrierKind::shared_memory
                                                                        : CarrierKind::messages;
  return std::max(nearest, force);
}

inline auto all_layouts() {
  return ::testing::Values(Layout{CarrierKind::in_process, 1}, Layout{CarrierKind::in_process, 2},
                           Layout{CarrierKind::shared_memory, 1},
                           Layout{CarrierKind::shared_memory, 2}, Layout{CarrierKind::messages, 1},
                           Layout{CarrierKind::messages, 2}, Layout{CarrierKind::one_sided, 1},
                           Layout{CarrierKind::one_sided, 2});
}

}  // namespace epios::io::test
