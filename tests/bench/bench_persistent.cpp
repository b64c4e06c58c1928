/// @file
/// What persistent collectives and messages in parts save, each against the other way to do the
/// same in the same run: medians over turns.
///
///     mpiexec -n 1 bench_persistent      8 endpoints of one process; threads of one process
///     mpiexec -n 2 bench_persistent      2 processes of 4; between processes
#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <barrier>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <ep/ep.hpp>
#include <exception>
#include <functional>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "arguments.hpp"

namespace {

constexpr int endpoints_in_all = 8;
constexpr int fillers = 4;
constexpr int message_bytes = 1024 * 1024;
constexpr int part_bytes = message_bytes / fillers;

double now_s() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

/// Seconds of each way, turn by turn, at rank 0.
struct Turns {
  std::vector<double> one;
  std::vector<double> other;

  void print(const char* what, const char* target) const {
    std::vector<double> ratios;
    for (std::size_t i = 0; i < one.size(); ++i) ratios.push_back(one[i] / other[i]);
    std::sort(ratios.begin(), ratios.end());
    std::printf("| %s | %s | %.3g (%.3g to %.3g) | %.3g us, %.3g us |\n", what, target,
                median(ratios), ratios.front(), ratios.back(), 1e6 * median(one),
                1e6 * median(other));
  }
};

template <class Call>
double time_of(const ep::Comm& comm, int calls, Call&& call) {
  ep::check(EP_Barrier(comm.get()));
  const double begin_s = now_s();
  for (int i = 0; i < calls; ++i) call();
  return (now_s() - begin_s) / calls;
}

void measure_allreduce(const ep::Comm& comm, int turns, Turns& out) {
  double mine = comm.rank();
  double sum = 0;
  EP_Request request = EP_REQUEST_NULL;
  ep::check(
      EP_Allreduce_init(&mine, &sum, 1, MPI_DOUBLE, MPI_SUM, comm.get(), MPI_INFO_NULL, &request));
  constexpr int calls = 3'000;
  for (int turn = 0; turn < turns; ++turn) {
    const double persistent_s = time_of(comm, calls, [&] {
      ep::check(EP_Start(&request));
      ep::check(EP_Wait(&request, EP_STATUS_IGNORE));
    });
    const double blocking_s = time_of(comm, calls, [&] {
      ep::check(EP_Allreduce(&mine, &sum, 1, MPI_DOUBLE, MPI_SUM, comm.get()));
    });
    if (comm.rank() != 0) continue;
    out.one.push_back(persistent_s);
    out.other.push_back(blocking_s);
  }
  ep::check(EP_Request_free(&request));
}

/// Threads of the sender, one for each part, which fill and then call `leave(part)`.
class Fillers {
 public:
  explicit Fillers(std::vector<std::uint64_t>& data) : data_(data) {
    for (int part = 0; part < fillers; ++part) threads_.emplace_back([this, part] { work(part); });
  }
  Fillers(const Fillers&) = delete;
  Fillers(Fillers&&) = delete;
  Fillers& operator=(const Fillers&) = delete;
  Fillers& operator=(Fillers&&) = delete;
  ~Fillers() {
    leave_ = nullptr;
    begin_.arrive_and_wait();
    for (std::thread& thread : threads_) thread.join();
  }

  void fill(const std::function<void(int)>& leave) {
    leave_ = leave;
    begin_.arrive_and_wait();
    end_.arrive_and_wait();
  }

 private:
  void work(int part) {
    constexpr std::size_t each = part_bytes / sizeof(std::uint64_t);
    for (std::uint64_t round = 0;; ++round) {
      begin_.arrive_and_wait();
      if (!leave_) return;
      std::uint64_t* const mine = data_.data() + each * static_cast<std::size_t>(part);
      for (std::size_t i = 0; i < each; ++i) mine[i] = round + i;
      leave_(part);
      end_.arrive_and_wait();
    }
  }

  std::vector<std::uint64_t>& data_;
  std::function<void(int)> leave_;
  std::barrier<> begin_{fillers + 1};
  std::barrier<> end_{fillers + 1};
  std::vector<std::thread> threads_;
};

/// Rank 0 sends to rank 1, and goes on when all has come.
void measure_parts(const ep::Comm& comm, int turns, Turns& out) {
  if (comm.rank() > 1) return;
  constexpr int calls = 100;
  std::vector<std::uint64_t> data(message_bytes / sizeof(std::uint64_t));
  EP_Request whole = EP_REQUEST_NULL;
  const auto acknowledge = [&] { ep::check(EP_Send(nullptr, 0, MPI_BYTE, 0, 9, comm.get())); };
  const auto await_end = [&] {
    ep::check(EP_Recv(nullptr, 0, MPI_BYTE, 1, 9, comm.get(), EP_STATUS_IGNORE));
  };
  const auto time_of_calls = [&](auto&& call) {
    const double begin_s = now_s();
    for (int i = 0; i < calls; ++i) call();
    return (now_s() - begin_s) / calls;
  };
  if (comm.rank() == 1) {
    ep::check(EP_Precv_init(data.data(), 1, message_bytes, MPI_BYTE, 0, 0, comm.get(),
                            MPI_INFO_NULL, &whole));
    for (int turn = 0; turn < turns; ++turn) {
      for (int i = 0; i < calls; ++i) {
        ep::check(EP_Start(&whole));
        ep::check(EP_Wait(&whole, EP_STATUS_IGNORE));
        acknowledge();
      }
      for (int i = 0; i < calls; ++i) {
        std::array<EP_Request, fillers> quarters{};
        for (int part = 0; part < fillers; ++part) {
          auto* const place = reinterpret_cast<std::byte*>(data.data()) + part * part_bytes;
          ep::check(EP_Irecv(place, part_bytes, MPI_BYTE, 0, part, comm.get(),
                             &quarters[static_cast<std::size_t>(part)]));
        }
        ep::check(EP_Waitall(fillers, quarters.data(), EP_STATUSES_IGNORE));
        acknowledge();
      }
    }
  } else {
    Fillers threads(data);
    ep::check(EP_Psend_init(data.data(), fillers, part_bytes, MPI_BYTE, 1, 0, comm.get(),
                            MPI_INFO_NULL, &whole));
    for (int turn = 0; turn < turns; ++turn) {
      out.one.push_back(time_of_calls([&] {
        ep::check(EP_Start(&whole));
        threads.fill([&](int part) { ep::check(EP_Pready(part, whole)); });
        ep::check(EP_Wait(&whole, EP_STATUS_IGNORE));
        await_end();
      }));
      out.other.push_back(time_of_calls([&] {
        threads.fill([&](int part) {
          const auto* const place =
              reinterpret_cast<const std::byte*>(data.data()) + part * part_bytes;
          ep::check(EP_Send(place, part_bytes, MPI_BYTE, 1, part, comm.get()));
        });
        await_end();
      }));
    }
  }
  ep::check(EP_Request_free(&whole));
}

/// `body` once for each of this process's endpoints of a new communicator of `total`.
void at_endpoints(const ep::Comm& world, int total,
                  const std::function<void(const ep::Comm&)>& body) {
  const std::vector<ep::Comm> mine = world.create_endpoints(total / world.size());
  std::vector<std::thread> threads;
  for (const ep::Comm& comm : mine) threads.emplace_back([&] { body(comm); });
  for (std::thread& thread : threads) thread.join();
}

void run(int turns) {
  const ep::Comm world = ep::Comm::from_mpi(MPI_COMM_WORLD);
  if (world.size() > 2) throw std::runtime_error("one process or two (mpiexec -n 1 or -n 2).");
  Turns allreduce;
  Turns parts;
  at_endpoints(world, endpoints_in_all,
               [&](const ep::Comm& comm) { measure_allreduce(comm, turns, allreduce); });
  at_endpoints(world, 2, [&](const ep::Comm& comm) { measure_parts(comm, turns, parts); });
  if (world.rank() != 0) return;
  const std::string where = world.size() == 1 ? "one process" : "two processes";
  allreduce.print(("persistent allreduce of 8 B, 8 endpoints in " + where + " / blocking").c_str(),
                  "0.8");
  parts.print(("1 MiB in 4 parts by 4 threads in " + where + " / 4 sends").c_str(), "1.0");
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app("What persistent collectives and messages in parts save.", "bench_persistent");
  int turns = 11;
  app.add_option("--turns", turns, "Turns of each way")->check(CLI::PositiveNumber);
  if (const auto status = ep::read_arguments(app, argc, argv)) return *status;
  try {
    const ep::Environment environment;
    run(turns);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "bench_persistent: %s\n", error.what());
    return 1;
  }
  return 0;
}
