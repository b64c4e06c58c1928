// A process that dies while others wait for it: the launcher ends the job, nobody hangs. The first
// process kills itself in the middle of what the argument says; two endpoints in each.

#include <array>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <ep/ep.hpp>
#include <functional>
#include <map>
#include <string>
#include <thread>
#include <vector>

namespace {

using namespace std::chrono_literals;

void die_soon() {
  std::this_thread::sleep_for(50ms);
  std::raise(SIGKILL);
}

// Of the endpoints of the first process, the first one dies.
bool dies(const ep::Comm& comm) { return comm.rank() == 0; }

void hold_a_lock(const ep::Comm& comm) {
  std::array<long, 1> word{};
  ep::Window window = ep::Window::create(comm, std::as_writable_bytes(std::span(word)));
  const int target = comm.size() - 1;
  if (dies(comm)) {
    const ep::WindowLock lock(window, EP_LOCK_EXCLUSIVE, target);
    ep::check(EP_Barrier(comm.get()));
    die_soon();
  }
  ep::check(EP_Barrier(comm.get()));
  const ep::WindowLock lock(window, EP_LOCK_EXCLUSIVE, target);
  window.free();
}

void be_accessed(const ep::Comm& comm) {
  std::array<long, 1> word{};
  ep::Window window = ep::Window::create(comm, std::as_writable_bytes(std::span(word)));
  window.fence();
  if (dies(comm)) die_soon();
  const long one = 1;
  for (int i = 0; i < 1000; ++i) {
    ep::check(EP_Accumulate(&one, 1, MPI_LONG, 0, 0, 1, MPI_LONG, MPI_SUM, window.get()));
  }
  window.fence();
}

void write_together(const ep::Comm& comm) {
  EP_File file = EP_FILE_NULL;
  ep::check(EP_File_open(comm.get(), "/dev/shm/ep_death_test.data",
                         EP_MODE_RDWR | EP_MODE_CREATE | EP_MODE_DELETE_ON_CLOSE, MPI_INFO_NULL,
                         &file));
  std::remove("/dev/shm/ep_death_test.data");
  const std::vector<char> data(std::size_t{1} << 20U, 'x');
  for (MPI_Offset i = 0; i < 100; ++i) {
    if (i == 3 && dies(comm)) die_soon();
    const MPI_Offset place = (i * comm.size() + comm.rank()) * static_cast<MPI_Offset>(data.size());
    ep::check(EP_File_write_at_all(file, place / 2, data.data(), static_cast<int>(data.size()),
                                   MPI_BYTE, EP_STATUS_IGNORE));
  }
  ep::check(EP_File_close(&file));
}

// In both directions, small ones in rings and long ones that are read: some are under way.
void exchange_messages(const ep::Comm& comm) {
  const int peer = (comm.rank() + comm.size() / 2) % comm.size();
  std::vector<char> out(std::size_t{1} << 18U, 'x');
  std::vector<char> in(out.size());
  const auto size = static_cast<int>(out.size());
  for (int i = 0; i < 1'000'000; ++i) {
    if (i == 100 && dies(comm)) std::raise(SIGKILL);
    const int bytes = i % 3 == 0 ? size : i % 1000;
    ep::check(EP_Sendrecv(out.data(), bytes, MPI_BYTE, peer, 0, in.data(), size, MPI_BYTE, peer, 0,
                          comm.get(), EP_STATUS_IGNORE));
  }
}

}  // namespace

int main(int argc, char** argv) {
  const std::map<std::string, std::function<void(const ep::Comm&)>> ways{
      {"lock", hold_a_lock},
      {"accumulate", be_accessed},
      {"write", write_together},
      {"messages", exchange_messages}};
  const auto way = ways.find(argc > 1 ? argv[1] : "");
  if (way == ways.end()) return 2;
  const ep::Environment environment;
  const ep::Comm world = ep::Comm::from_mpi(MPI_COMM_WORLD);
  std::vector<ep::Comm> endpoints = world.create_endpoints(2);
  std::vector<std::thread> threads;
  for (const ep::Comm& endpoint : endpoints) {
    threads.emplace_back([&] { way->second(endpoint); });
  }
  for (std::thread& thread : threads) thread.join();
  return 0;
}
