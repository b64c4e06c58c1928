/// @file
/// Channels between nodes against raw MPI between the same two processes, in one run: throughput of
/// records of 15.5 MB (360 x 180 x 30 doubles), and the time that a record of 1 kB takes there and
/// an answer back.
///
///     tests/bench/run_nodes.sh <build folder>                 on two emulated nodes
///     mpiexec -hosts a,b -ppn 1 -n 2 bench_nodes [rounds]     on two real ones
///
/// Prints "name value" lines, medians of the rounds: is_near is 1 if the processes are on one node.
#include <mpi.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ep/ep.hpp>
#include <exception>
#include <memory>
#include <stdexcept>
#include <vector>

#include "transport/channel.hpp"

namespace {

using Clock = std::chrono::steady_clock;
using epios::io::CarrierKind;
using epios::io::ChannelGroup;
using epios::io::ChannelSender;

constexpr std::size_t large_bytes = std::size_t{360} * 180 * 30 * sizeof(double);
constexpr std::size_t small_bytes = 1000;
constexpr int depth = 2;
constexpr int large_parts = 20;
constexpr int small_parts = 500;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

double median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

/// Both ends of a pair of channels: process 1 sends records, process 0 answers.
struct Pair {
  std::unique_ptr<ChannelGroup> in;
  std::unique_ptr<ChannelSender> out;
};

Pair open_pair(const ep::Comm& comm, std::size_t bytes) {
  constexpr int group_tag = 10;
  constexpr int offer_tag = 20;
  const int peer = 1 - comm.rank();
  const epios::io::ChannelSpec spec{peer, bytes, depth};
  Pair out;
  out.in = std::make_unique<ChannelGroup>(comm, group_tag, std::span(&spec, 1));
  ep::send(comm, out.in->offer(0), peer, offer_tag);
  out.out = epios::io::open_channel(comm, peer, ep::receive(comm, peer, offer_tag).bytes);
  ep::check(EP_Barrier(comm.get()));
  out.in->unlink();
  return out;
}

void send_part(const ep::Comm& comm, Pair& pair, const std::vector<std::byte>& data) {
  std::span<std::byte> room;
  ep::wait_until(comm, {"room in the channel", 1 - comm.rank()},
                 [&] { return !(room = pair.out->try_reserve(data.size())).empty(); });
  std::memcpy(room.data(), data.data(), data.size());
  pair.out->commit();
}

void take_part(const ep::Comm& comm, Pair& pair) {
  ep::wait_until(comm, {"a part", 1 - comm.rank()},
                 [&] { return !pair.in->receiver(0).front().empty(); });
  pair.in->receiver(0).release();
}

void drain(const ep::Comm& comm, Pair& pair) {
  ep::wait_until(comm, {"the receiver", 1 - comm.rank()}, [&] { return pair.out->is_drained(); });
}

/// Seconds for a record, as fast as they are taken.
double stream_channel(const ep::Comm& comm, std::size_t bytes, int parts) {
  Pair pair = open_pair(comm, bytes);
  const std::vector<std::byte> data(bytes, std::byte{3});
  double seconds = 0;
  for (int warm = 1; warm >= 0; --warm) {
    const int count = warm != 0 ? depth + 1 : parts;
    ep::check(EP_Barrier(comm.get()));
    const auto start = Clock::now();
    for (int i = 0; i < count; ++i) {
      comm.rank() == 1 ? send_part(comm, pair, data) : take_part(comm, pair);
    }
    drain(comm, pair);
    ep::wait_until(comm, {"the sender", 1}, [&] { return pair.in->receiver(0).acks_sent(); });
    seconds = seconds_since(start) / count;
  }
  ep::check(EP_Barrier(comm.get()));
  return seconds;
}

/// Seconds for a record there and an answer back.
double answer_channel(const ep::Comm& comm, std::size_t bytes, int parts) {
  Pair pair = open_pair(comm, bytes);
  const std::vector<std::byte> data(bytes, std::byte{3});
  std::vector<double> times;
  for (int i = 0; i < parts; ++i) {
    const auto start = Clock::now();
    if (comm.rank() == 1) send_part(comm, pair, data);
    take_part(comm, pair);
    if (comm.rank() == 0) send_part(comm, pair, data);
    times.push_back(seconds_since(start));
  }
  drain(comm, pair);
  ep::wait_until(comm, {"the peer", 1 - comm.rank()},
                 [&] { return pair.in->receiver(0).acks_sent(); });
  ep::check(EP_Barrier(comm.get()));
  return median(times);
}

/// The same by MPI: two sends on their way, as a channel has two parts, and a copy into the buffer
/// that MPI reads, as a model's values are packed.
double stream_mpi(int rank, std::size_t bytes, int parts) {
  std::vector<std::byte> data(bytes, std::byte{3});
  std::vector<std::vector<std::byte>> buffers(depth, data);
  double seconds = 0;
  for (int warm = 1; warm >= 0; --warm) {
    const int count = warm != 0 ? depth + 1 : parts;
    std::vector<MPI_Request> requests(depth, MPI_REQUEST_NULL);
    MPI_Barrier(MPI_COMM_WORLD);
    const auto start = Clock::now();
    for (int i = 0; i < count; ++i) {
      const auto b = static_cast<std::size_t>(i % depth);
      MPI_Wait(&requests[b], MPI_STATUS_IGNORE);
      const int size = static_cast<int>(bytes);
      if (rank == 1) {
        std::memcpy(buffers[b].data(), data.data(), bytes);
        MPI_Isend(buffers[b].data(), size, MPI_BYTE, 0, 1, MPI_COMM_WORLD, &requests[b]);
      } else {
        MPI_Irecv(buffers[b].data(), size, MPI_BYTE, 1, 1, MPI_COMM_WORLD, &requests[b]);
      }
    }
    MPI_Waitall(depth, requests.data(), MPI_STATUSES_IGNORE);
    seconds = seconds_since(start) / count;
  }
  MPI_Barrier(MPI_COMM_WORLD);
  return seconds;
}

double answer_mpi(int rank, std::size_t bytes, int parts) {
  std::vector<std::byte> data(bytes, std::byte{3});
  const int size = static_cast<int>(bytes);
  std::vector<double> times;
  for (int i = 0; i < parts; ++i) {
    const auto start = Clock::now();
    if (rank == 1) MPI_Send(data.data(), size, MPI_BYTE, 0, 2, MPI_COMM_WORLD);
    MPI_Recv(data.data(), size, MPI_BYTE, 1 - rank, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (rank == 0) MPI_Send(data.data(), size, MPI_BYTE, 1, 2, MPI_COMM_WORLD);
    times.push_back(seconds_since(start));
  }
  return median(times);
}

void run(const ep::Comm& comm, int rounds) {
  const int rank = comm.rank();
  std::vector<double> large, small, limit_large, limit_small, large_ratio, small_ratio;
  for (int i = 0; i < rounds; ++i) {  // by turns: what else the machine does meets both alike
    limit_large.push_back(stream_mpi(rank, large_bytes, large_parts));
    large.push_back(stream_channel(comm, large_bytes, large_parts));
    limit_small.push_back(answer_mpi(rank, small_bytes, small_parts));
    small.push_back(answer_channel(comm, small_bytes, small_parts));
    large_ratio.push_back(limit_large.back() / large.back());
    small_ratio.push_back(small.back() / limit_small.back());
  }
  if (rank != 1) return;
  const auto megabytes_per_s = [](double seconds) {
    return static_cast<double>(large_bytes) / seconds / 1e6;
  };
  std::printf("is_near %d\n", comm.locality(0) == EP_LOCALITY_NODE ? 1 : 0);
  std::printf("stream_mb_per_s %.4g\n", megabytes_per_s(median(large)));
  std::printf("mpi_mb_per_s %.4g\n", megabytes_per_s(median(limit_large)));
  std::printf("stream_ratio %.4g\n", median(large_ratio));
  std::printf("answer_us %.4g\n", median(small) * 1e6);
  std::printf("mpi_answer_us %.4g\n", median(limit_small) * 1e6);
  std::printf("answer_ratio %.4g\n", median(small_ratio));
}

}  // namespace

int main(int argc, char** argv) {
  try {
    const ep::Environment environment(MPI_THREAD_MULTIPLE);
    const ep::Comm world = ep::Comm::from_mpi(MPI_COMM_WORLD);
    if (world.size() != 2) throw std::runtime_error("it needs two processes");
    run(world, std::max(1, argc > 1 ? std::atoi(argv[1]) : 5));
    return EXIT_SUCCESS;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "bench_nodes: %s\n", error.what());
    return EP_Abort(EP_COMM_NULL, EXIT_FAILURE);
  }
}
