/// @file
/// Speed of the carriers: parts of 15.5 MB (360 x 180 x 30 doubles) and of 1 KB from one endpoint
/// to another, against memcpy of 15.5 MB in the same run, and the carrier one_sided against
/// messages.
///
///     mpiexec -n 2 bench_transport [parts]
///     mpiexec -n 2 -env EP_SHM 0 bench_transport     by MPI alone, as between nodes
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ep/ep.hpp>
#include <exception>
#include <thread>
#include <vector>

#include "transport/channel.hpp"

namespace {

using Clock = std::chrono::steady_clock;
using epios::io::CarrierKind;
using epios::io::ChannelWindow;

constexpr std::size_t large_bytes = std::size_t{360} * 180 * 30 * sizeof(double);
constexpr std::size_t small_bytes = 1000;
constexpr int small_in_a_channel = 64;  // small parts that a channel holds
constexpr int group_tag = 10;
constexpr int offer_tag = 20;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

double median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

// Seconds per copy between two arrays that are in use.
double time_memcpy(int repeats) {
  const std::vector<std::byte> from(large_bytes, std::byte{1});
  std::vector<std::byte> to(large_bytes, std::byte{2});
  std::vector<double> times;
  for (int i = 0; i < repeats; ++i) {
    const auto start = Clock::now();
    std::memcpy(to.data(), from.data(), large_bytes);
    times.push_back(seconds_since(start));
    if (to[static_cast<std::size_t>(i)] != std::byte{1}) std::abort();  // keeps the copy alive
  }
  return median(times);
}

struct Times {
  double first_s = 0;    // to reserve, fill and commit the first part
  double blocked_s = 0;  // the same, median of all others: the receiver keeps up
  double stream_s = 0;   // per part, as fast as the receiver takes them
};

void send_part(const ep::Comm& comm, epios::io::ChannelSender& sender,
               const std::vector<std::byte>& data) {
  std::span<std::byte> room;
  ep::wait_until(comm, {"room in the channel", 0},
                 [&] { return !(room = sender.try_reserve(data.size())).empty(); });
  std::memcpy(room.data(), data.data(), data.size());
  sender.commit();
}

void wait_drained(const ep::Comm& comm, epios::io::ChannelSender& sender) {
  ep::wait_until(comm, {"the receiver", 0}, [&] { return sender.is_drained(); });
}

/// What is sent how: from endpoint `client` to endpoint 0.
struct Case {
  int client;
  CarrierKind force;
  std::size_t part_bytes;
  int parts;
};

Times run_sender(const ep::Comm& comm, const Case& what, const ChannelWindow& window) {
  const auto offer = ep::receive(comm, 0, offer_tag).bytes;
  const auto sender = epios::io::open_channel(comm, 0, offer, &window);
  const std::vector<std::byte> data(what.part_bytes, std::byte{3});
  const int parts = what.parts;
  Times out;
  std::vector<double> times;
  for (int i = 0; i < parts; ++i) {
    const auto start = Clock::now();
    send_part(comm, *sender, data);
    times.push_back(seconds_since(start));
    wait_drained(comm, *sender);
  }
  out.first_s = times.front();
  times.erase(times.begin());
  out.blocked_s = median(times);
  const auto start = Clock::now();
  for (int i = 0; i < parts; ++i) send_part(comm, *sender, data);
  wait_drained(comm, *sender);
  out.stream_s = seconds_since(start) / parts;
  return out;
}

void run_receiver(const ep::Comm& comm, const Case& what, const ChannelWindow& window) {
  const int depth = what.part_bytes == small_bytes ? small_in_a_channel : 2;
  const epios::io::ChannelSpec spec{what.client, what.part_bytes, depth};
  epios::io::ChannelGroup group(comm, group_tag, {&spec, 1}, what.force, &window);
  ep::send(comm, group.offer(0), what.client, offer_tag);
  for (int i = 0; i < 2 * what.parts; ++i) {
    ep::wait_until(comm, {"a part", what.client},
                   [&] { return !group.receiver(0).front().empty(); });
    group.receiver(0).release();
  }
}

// All other endpoints sleep in the barriers. Seconds per part, at all.
double run(const ep::Comm& comm, const Case& what, const ChannelWindow& window, double memcpy_s) {
  double stream_s = 0;
  ep::check(EP_Barrier(comm.get()));
  if (comm.rank() == 0) run_receiver(comm, what, window);
  if (comm.rank() == what.client) {
    const CarrierKind nearest = comm.locality(0) == EP_LOCALITY_PROCESS
                                    ? CarrierKind::in_process
                                    : CarrierKind::shared_memory;
    const Times times = run_sender(comm, what, window);
    const double own_memcpy_s =
        memcpy_s * static_cast<double>(what.part_bytes) / static_cast<double>(large_bytes);
    std::printf("%-14s %-10s %8.1f %8.2f %8.2f %10.4f %10.4f %8.2f\n",
                std::string(name(std::max(what.force, nearest))).c_str(),
                nearest == CarrierKind::in_process ? "threads" : "processes",
                static_cast<double>(what.part_bytes) / 1e3,
                static_cast<double>(what.part_bytes) / times.stream_s / 1e9,
                own_memcpy_s / times.stream_s, times.blocked_s * 1e3, times.first_s * 1e3,
                times.blocked_s / own_memcpy_s);
    std::fflush(stdout);
    stream_s = times.stream_s;
  }
  ep::check(EP_Bcast(&stream_s, 1, MPI_DOUBLE, what.client, comm.get()));
  return stream_s;
}

void run_all(const ep::Comm& comm, int parts) {
  double memcpy_s = 0;
  if (comm.rank() == 0) {
    memcpy_s = time_memcpy(std::max(parts, 20));
    std::printf("memcpy of %.1f MB: %.2f ms, %.2f GB/s\n", static_cast<double>(large_bytes) / 1e6,
                memcpy_s * 1e3, static_cast<double>(large_bytes) / memcpy_s / 1e9);
    std::printf("%-14s %-10s %8s %8s %8s %10s %10s %8s\n", "carrier", "between", "KB", "GB/s",
                "/memcpy", "blocked/ms", "first/ms", "/memcpy");
    std::fflush(stdout);
  }
  ep::check(EP_Bcast(&memcpy_s, 1, MPI_DOUBLE, 0, comm.get()));
  ChannelWindow window(comm, ChannelWindow::Side::clients);
  const int in_process = 1;  // two endpoints per process
  const int other_process = 2;
  for (const std::size_t bytes : {large_bytes, small_bytes}) {
    const int count = bytes == large_bytes ? parts : 400 * parts;
    const auto time = [&](int client, CarrierKind force) {
      return run(comm, {client, force, bytes, count}, window, memcpy_s);
    };
    time(in_process, CarrierKind::in_process);
    time(in_process, CarrierKind::messages);
    time(other_process, CarrierKind::shared_memory);
    const double messages_s = time(other_process, CarrierKind::messages);
    const double one_sided_s = time(other_process, CarrierKind::one_sided);
    if (comm.rank() == 0) {
      std::printf("one_sided / messages, between processes: %.2f\n", messages_s / one_sided_s);
      std::fflush(stdout);
    }
  }
  window.free();
}

}  // namespace

int main(int argc, char** argv) {
  try {
    const ep::Environment environment(MPI_THREAD_MULTIPLE);
    const ep::Comm world = ep::Comm::from_mpi(MPI_COMM_WORLD);
    const int parts = argc > 1 ? std::atoi(argv[1]) : 50;
    if (world.size() != 2 || parts < 2) {
      std::fprintf(stderr, "usage: mpiexec -n 2 bench_transport [parts, at least 2]\n");
      return 2;
    }
    std::vector<ep::Comm> endpoints = world.create_endpoints(2);
    std::thread second([&] { run_all(endpoints[1], parts); });
    run_all(endpoints[0], parts);
    second.join();
    return 0;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "bench_transport: %s\n", error.what());
    return EP_Abort(EP_COMM_NULL, 1);
  }
}
