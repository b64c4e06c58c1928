/// @file
/// Times of messages and collectives, one "name seconds" a line; run_ep_core.sh makes the ratios.
///
///     mpiexec -n 2 bench_ep_core messages                   endpoints and raw MPI by turns
///     mpiexec -n 2 bench_ep_core collectives --endpoints 4  endpoints
///     mpiexec -n 8 bench_ep_core collectives --raw          the MPI library between processes
///     mpiexec -n 2 bench_ep_core rate --endpoints 4         pairs, one endpoint in each process
///     mpiexec -n 8 bench_ep_core rate --raw                 the same pairs of processes
#include <sched.h>
#include <sys/resource.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <ep/ep.hpp>
#include <exception>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "arguments.hpp"

namespace {

constexpr int kib = 1024;
constexpr int mib = 1024 * kib;

double now_s() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

double median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

/// What is measured, in the names of both libraries.
class Endpoints {
 public:
  explicit Endpoints(const ep::Comm& comm)
      : comm_(comm.get()), rank(comm.rank()), size(comm.size()) {}

 private:
  EP_Comm comm_;

 public:
  int rank;
  int size;

  void send(const void* data, int bytes) const {
    ep::check(EP_Send(data, bytes, MPI_BYTE, 1 - rank, 0, comm_));
  }
  void receive(void* data, int bytes) const {
    ep::check(EP_Recv(data, bytes, MPI_BYTE, 1 - rank, 0, comm_, EP_STATUS_IGNORE));
  }
  void barrier() const { ep::check(EP_Barrier(comm_)); }
  void allreduce(const double* from, double* to, int count, MPI_Op op) const {
    ep::check(EP_Allreduce(from, to, count, MPI_DOUBLE, op, comm_));
  }
  void bcast(void* data, int bytes) const { ep::check(EP_Bcast(data, bytes, MPI_BYTE, 0, comm_)); }
  void alltoall(const void* from, void* to, int bytes) const {
    ep::check(EP_Alltoall(from, bytes, MPI_BYTE, to, bytes, MPI_BYTE, comm_));
  }
  [[nodiscard]] EP_Comm comm() const { return comm_; }

  using Request = EP_Request;
  void start_send(const void* data, int bytes, int dest, Request* request) const {
    ep::check(EP_Isend(data, bytes, MPI_BYTE, dest, 0, comm_, request));
  }
  void start_receive(void* data, int bytes, int source, Request* request) const {
    ep::check(EP_Irecv(data, bytes, MPI_BYTE, source, 0, comm_, request));
  }
  static void wait_all(std::vector<Request>& requests) {
    ep::check(EP_Waitall(static_cast<int>(requests.size()), requests.data(), EP_STATUSES_IGNORE));
  }
};

void check_mpi(int code) {
  if (code != MPI_SUCCESS) MPI_Abort(MPI_COMM_WORLD, code);
}

class RawMpi {
 public:
  RawMpi() {
    check_mpi(MPI_Comm_rank(MPI_COMM_WORLD, &rank));
    check_mpi(MPI_Comm_size(MPI_COMM_WORLD, &size));
  }

  int rank = 0;
  int size = 0;

  void send(const void* data, int bytes) const {
    check_mpi(MPI_Send(data, bytes, MPI_BYTE, 1 - rank, 0, MPI_COMM_WORLD));
  }
  void receive(void* data, int bytes) const {
    check_mpi(MPI_Recv(data, bytes, MPI_BYTE, 1 - rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
  }
  static void barrier() { check_mpi(MPI_Barrier(MPI_COMM_WORLD)); }
  static void allreduce(const double* from, double* to, int count, MPI_Op op) {
    check_mpi(MPI_Allreduce(from, to, count, MPI_DOUBLE, op, MPI_COMM_WORLD));
  }
  static void bcast(void* data, int bytes) {
    check_mpi(MPI_Bcast(data, bytes, MPI_BYTE, 0, MPI_COMM_WORLD));
  }
  static void alltoall(const void* from, void* to, int bytes) {
    check_mpi(MPI_Alltoall(from, bytes, MPI_BYTE, to, bytes, MPI_BYTE, MPI_COMM_WORLD));
  }

  using Request = MPI_Request;
  static void start_send(const void* data, int bytes, int dest, Request* request) {
    check_mpi(MPI_Isend(data, bytes, MPI_BYTE, dest, 0, MPI_COMM_WORLD, request));
  }
  static void start_receive(void* data, int bytes, int source, Request* request) {
    check_mpi(MPI_Irecv(data, bytes, MPI_BYTE, source, 0, MPI_COMM_WORLD, request));
  }
  static void wait_all(std::vector<Request>& requests) {
    check_mpi(MPI_Waitall(static_cast<int>(requests.size()), requests.data(), MPI_STATUSES_IGNORE));
  }
};

/// Seconds per call in a batch of at least `batch_s`: of the rank that took longest. All ranks call
/// it.
template <class Library, class Call>
double time_of(const Library& library, double batch_s, Call&& call) {
  const auto longest = [&](int calls) {
    library.barrier();
    const double begin_s = now_s();
    for (int i = 0; i < calls; ++i) call();
    const double mine_s = now_s() - begin_s;
    double all_s = 0;
    library.allreduce(&mine_s, &all_s, 1, MPI_MAX);
    return all_s / calls;
  };
  // A pause of a millisecond must not pass for the time of a call: the last batch is a long one.
  int calls = 5;
  double call_s = longest(calls);
  while (calls * call_s < batch_s) {
    calls = static_cast<int>(calls * std::clamp(1.2 * batch_s / (calls * call_s), 1.5, 10.));
    call_s = longest(calls);
  }
  return call_s;
}

/// The median of seven batches.
template <class Library, class Call>
double median_time_of(const Library& library, Call&& call) {
  std::vector<double> batches;
  for (int batch = 0; batch < 7; ++batch) batches.push_back(time_of(library, 0.1, call));
  return median(batches);
}

void print(int rank, const char* name, double value) {
  if (rank == 0) std::printf("%s %.4g\n", name, value);
}

/// Keeps the calling thread on the `number`th core that it may use: two that spin on one core would
/// measure the scheduler. Without effect where there are fewer cores.
void stay_on_core(int number) {
  static const cpu_set_t allowed = [] {
    cpu_set_t set;
    CPU_ZERO(&set);
    sched_getaffinity(0, sizeof set, &set);
    return set;
  }();
  for (std::size_t core = 0; core < CPU_SETSIZE; ++core) {
    if (!CPU_ISSET(core, &allowed) || number-- > 0) continue;
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(core, &one);
    sched_setaffinity(0, sizeof one, &one);
    return;
  }
}

/// Seconds from one of the two ranks to the other: half a round trip.
template <class Library>
double one_way_s(const Library& library, std::vector<char>& data, int bytes) {
  const auto round_trip = [&] {
    if (library.rank == 0) {
      library.send(data.data(), bytes);
      library.receive(data.data(), bytes);
    } else {
      library.receive(data.data(), bytes);
      library.send(data.data(), bytes);
    }
  };
  return time_of(library, 0.02, round_trip) / 2;
}

/// Of `bytes`, between two arrays in turn, as messages are copied.
double memcpy_s(int bytes) {
  std::vector<char> one(static_cast<std::size_t>(bytes), 1);
  std::vector<char> two(one.size(), 2);
  std::vector<double> times;
  for (int i = 0; i < 9; ++i) {
    const double begin_s = now_s();
    std::memcpy(two.data(), one.data(), one.size());
    times.push_back(now_s() - begin_s);
    two.swap(one);
  }
  return median(times);
}

template <class Library>
void measure_collectives(const Library& library) {
  constexpr int block = 64 * kib;
  std::vector<double> from(mib / sizeof(double), 1);
  std::vector<double> to(mib / sizeof(double));
  std::vector<char> blocks(static_cast<std::size_t>(block) *
                           static_cast<std::size_t>(library.size));
  std::vector<char> received(blocks.size());
  const auto allreduce = [&](int count) {
    return median_time_of(library,
                          [&] { library.allreduce(from.data(), to.data(), count, MPI_SUM); });
  };
  print(library.rank, "barrier_s", median_time_of(library, [&] { library.barrier(); }));
  print(library.rank, "allreduce_8_s", allreduce(1));
  print(library.rank, "allreduce_64k_s", allreduce(block / static_cast<int>(sizeof(double))));
  print(library.rank, "allreduce_1m_s", allreduce(mib / static_cast<int>(sizeof(double))));
  print(library.rank, "bcast_64k_s",
        median_time_of(library, [&] { library.bcast(blocks.data(), block); }));
  print(library.rank, "alltoall_64k_s",
        median_time_of(library, [&] { library.alltoall(blocks.data(), received.data(), block); }));
}

/// A small message while receives on other tags are pending at both ends.
double pending_s(const Endpoints& library, int pending) {
  std::vector<EP_Request> requests(static_cast<std::size_t>(pending), EP_REQUEST_NULL);
  char unused = 0;
  for (int i = 0; i < pending; ++i) {
    ep::check(EP_Irecv(&unused, 1, MPI_BYTE, 1 - library.rank, 1 + i, library.comm(),
                       &requests[static_cast<std::size_t>(i)]));
  }
  std::vector<char> data(8, 1);
  const double seconds = one_way_s(library, data, 8);
  for (EP_Request& request : requests) {
    ep::check(EP_Cancel(&request));
    ep::check(EP_Wait(&request, EP_STATUS_IGNORE));
  }
  return seconds;
}

double thread_cpu_s() {
  rusage usage{};
  getrusage(RUSAGE_THREAD, &usage);
  return static_cast<double>(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
         1e-6 * static_cast<double>(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec);
}

/// Share of a core that endpoint 1 uses while it waits for endpoint 0, which sleeps for a second.
double waiting_share(const Endpoints& library) {
  library.barrier();
  const double begin_s = now_s();
  const double begin_cpu_s = thread_cpu_s();
  double share = 0;
  char byte = 0;
  if (library.rank == 0) {
    std::this_thread::sleep_for(std::chrono::seconds(1));
    library.send(&byte, 1);
  } else {
    library.receive(&byte, 1);
    share = (thread_cpu_s() - begin_cpu_s) / (now_s() - begin_s);
  }
  double both = 0;
  library.allreduce(&share, &both, 1, MPI_SUM);
  return both;
}

struct Size {
  const char* name;
  int bytes;
};
constexpr std::array<Size, 4> sizes{{{"8", 8}, {"64k", 64 * kib}, {"1m", mib}, {"16m", 16 * mib}}};

/// "way_size seconds" for all sizes.
template <class Library>
void measure_messages(const Library& library, const std::string& way) {
  std::vector<char> data(std::size_t{16} * mib, 1);
  for (const Size& size : sizes) {
    const std::string name = way + "_" + size.name;
    print(library.rank, name.c_str(), one_way_s(library, data, size.bytes));
  }
}

void measure_more(const Endpoints& library, const std::string& way) {
  print(library.rank, (way + "_pending_1").c_str(), pending_s(library, 1));
  print(library.rank, (way + "_pending_10000").c_str(), pending_s(library, 10000));
  print(library.rank, (way + "_waiting_share").c_str(), waiting_share(library));
}

/// Runs `body` at the two endpoints of a communicator of this process alone.
template <class Body>
void inside_one_process(Body&& body) {
  const ep::Comm self = ep::Comm::from_mpi(MPI_COMM_SELF);
  const std::vector<ep::Comm> both = self.create_endpoints(2);
  std::thread second([&] {
    stay_on_core(1);  // where the other process sleeps
    body(Endpoints(both[1]));
  });
  body(Endpoints(both[0]));
  second.join();
}

// Where a virtual machine's cores are may change within a second: the ways take turns, and each
// line of one turn is to be compared with the others of the same turn.
void measure_turn(const ep::Comm& world) {
  const Endpoints between(world);
  if (world.rank() == 0) {
    inside_one_process([](const Endpoints& library) { measure_messages(library, "inside"); });
    print(0, "memcpy_16m", memcpy_s(16 * mib));
  }
  between.barrier();  // the other process slept here
  measure_messages(between, "between");
  measure_messages(RawMpi(), "raw");
}

void run_messages(int turns) {
  const ep::Environment environment;
  const ep::Comm world = ep::Comm::from_mpi(MPI_COMM_WORLD);
  if (world.size() != 2) throw std::runtime_error("messages are measured between 2 processes");
  stay_on_core(world.rank());
  for (int turn = 0; turn < turns; ++turn) measure_turn(world);
  const Endpoints between(world);
  if (world.rank() == 0) {
    inside_one_process([](const Endpoints& library) { measure_more(library, "inside"); });
  }
  between.barrier();
  measure_more(between, "between");
}

/// Seconds per message of 8 bytes, all pairs at work: the first half of the ranks sends windows of
/// messages to the second, which answers each window.
template <class Library>
void measure_rate(const Library& library) {
  constexpr int window = 64;
  const int half = library.size / 2;
  const bool sends = library.rank < half;
  const int partner = sends ? library.rank + half : library.rank - half;
  std::vector<double> data(window, 1);
  std::vector<typename Library::Request> requests(window);
  std::vector<typename Library::Request> answer(1);
  const double window_s = median_time_of(library, [&] {
    for (std::size_t i = 0; i < window; ++i) {
      if (sends) {
        library.start_send(&data[i], sizeof(double), partner, &requests[i]);
      } else {
        library.start_receive(&data[i], sizeof(double), partner, &requests[i]);
      }
    }
    library.wait_all(requests);
    if (sends) {
      library.start_receive(data.data(), 0, partner, answer.data());
    } else {
      library.start_send(data.data(), 0, partner, answer.data());
    }
    library.wait_all(answer);
  });
  print(library.rank, "message_s", window_s / (window * half));
}

template <class Measure>
void run_endpoints(int endpoints, Measure&& measure) {
  const ep::Environment environment;
  const ep::Comm world = ep::Comm::from_mpi(MPI_COMM_WORLD);
  const std::vector<ep::Comm> mine = world.create_endpoints(endpoints);
  std::vector<std::thread> threads;
  threads.reserve(mine.size());
  for (const ep::Comm& comm : mine) {
    threads.emplace_back([&] { measure(Endpoints(comm)); });
  }
  for (std::thread& thread : threads) thread.join();
}

// As a program without threads would: MPI takes no locks.
template <class Measure>
void run_raw(Measure&& measure) {
  check_mpi(MPI_Init(nullptr, nullptr));
  measure(RawMpi());
  check_mpi(MPI_Finalize());
}

template <class Measure>
void run_either(bool raw, int endpoints, Measure&& measure) {
  if (raw) {
    run_raw(measure);
  } else {
    run_endpoints(endpoints, measure);
  }
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app("Times of ep_core and of the MPI library below it.", "bench_ep_core");
  app.require_subcommand(1);
  int turns = 5;
  int endpoints = 1;
  bool raw = false;
  CLI::App* const messages = app.add_subcommand("messages", "between two endpoints");
  messages->add_option("--turns", turns)->check(CLI::Range(1, 1000));
  CLI::App* const collectives = app.add_subcommand("collectives");
  CLI::App* const rate = app.add_subcommand("rate", "of small messages, in pairs");
  for (CLI::App* const command : {collectives, rate}) {
    command->add_option("--endpoints", endpoints, "per process")->check(CLI::Range(1, 128));
    command->add_flag("--raw", raw, "of the MPI library, between processes");
  }
  if (const auto exit_code = ep::read_arguments(app, argc, argv)) return *exit_code;
  try {
    if (messages->parsed()) {
      run_messages(turns);
    } else if (rate->parsed()) {
      run_either(raw, endpoints, [](const auto& library) { measure_rate(library); });
    } else {
      run_either(raw, endpoints, [](const auto& library) { measure_collectives(library); });
    }
  } catch (const std::exception& error) {
    std::fprintf(stderr, "bench_ep_core: %s.\n", error.what());
    return 2;
  }
  return 0;
}
