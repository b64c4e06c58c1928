// Windows of clients and servers, over intercommunicators whose groups share processes or not.

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <numeric>
#include <thread>

#include "windows/window_layouts.hpp"

namespace ep::test::client_server_window_test {
namespace {

enum class Roles { unsaid, said };

/// Two groups of the endpoints of a communicator, as the server or a client sees them.
struct Sides {
  bool is_server;
  Comm own;
  Comm inter;
};

Sides make_sides(const Comm& comm, const std::vector<int>& servers) {
  const bool is_server = std::find(servers.begin(), servers.end(), comm.rank()) != servers.end();
  int first_client = 0;
  while (std::find(servers.begin(), servers.end(), first_client) != servers.end()) ++first_client;
  Comm own = comm.split(is_server ? 1 : 0, comm.rank());
  Comm inter = Comm::intercomm(own, 0, comm, is_server ? first_client : servers.front(), 4);
  return {is_server, std::move(own), std::move(inter)};
}

class ServedWindow {
 public:
  ServedWindow(const Sides& sides, Roles roles, int words)
      : memory_(static_cast<std::size_t>(words), 0) {
    MPI_Info info = MPI_INFO_NULL;
    MPI_Info_create(&info);
    if (roles == Roles::said) MPI_Info_set(info, "ep_role", sides.is_server ? "server" : "client");
    check(EP_Win_create_client_server(memory_.data(), words * static_cast<MPI_Aint>(sizeof(long)),
                                      sizeof(long), info, sides.inter.get(), &win_));
    MPI_Info_free(&info);
    check(EP_Win_set_errhandler(win_, EP_ERRORS_RETURN));
  }
  ServedWindow(const ServedWindow&) = delete;
  ServedWindow(ServedWindow&&) = delete;
  ServedWindow& operator=(const ServedWindow&) = delete;
  ServedWindow& operator=(ServedWindow&&) = delete;
  ~ServedWindow() { EXPECT_EQ(EP_Win_free(&win_), EP_SUCCESS) << EP_Last_error(); }

  [[nodiscard]] EP_Win get() const { return win_; }
  [[nodiscard]] long word(int i) const { return memory_[static_cast<std::size_t>(i)]; }

 private:
  std::vector<long> memory_;
  EP_Win win_ = EP_WIN_NULL;
};

// Every client writes to its word at every server and adds to a counter there; then servers write
// to the clients.
void exchange(const Comm& comm, const Sides& sides, Roles roles) {
  const int own = sides.own.size();
  const int remote = sides.inter.remote_size();
  const int me = sides.own.rank();
  {
    const ServedWindow window(sides, roles, std::max(own, remote) + 1);
    const long value = 100 + me;
    const long one = 1;
    for (const bool servers_turn : {false, true}) {
      if (sides.is_server == servers_turn) {
        check(EP_Win_lock_all(0, window.get()));
        for (int target = 0; target < remote; ++target) {
          check(EP_Put(&value, 1, MPI_LONG, target, me + 1, 1, MPI_LONG, window.get()));
          check(EP_Accumulate(&one, 1, MPI_LONG, target, 0, 1, MPI_LONG, MPI_SUM, window.get()));
        }
        check(EP_Win_flush_all(window.get()));
        long read = 0;
        check(EP_Get(&read, 1, MPI_LONG, remote - 1, me + 1, 1, MPI_LONG, window.get()));
        check(EP_Win_unlock_all(window.get()));
        EXPECT_EQ(read, value);
      }
      check(EP_Barrier(comm.get()));
      if (sides.is_server == servers_turn) continue;
      EXPECT_EQ(window.word(0), remote);
      for (int r = 0; r < remote; ++r) EXPECT_EQ(window.word(r + 1), 100 + r);
    }
    // Other synchronisation, with the other group.
    EP_Group others = EP_GROUP_NULL;
    check(EP_Win_get_group(window.get(), &others));
    int size = 0;
    check(EP_Group_size(others, &size));
    EXPECT_EQ(size, remote);
    if (sides.is_server) {
      check(EP_Win_post(others, 0, window.get()));
      check(EP_Win_wait(window.get()));
      EXPECT_EQ(window.word(1), 7);
    } else {
      const long seven = 7;
      check(EP_Win_start(others, 0, window.get()));
      for (int target = 0; me == 0 && target < remote; ++target) {
        check(EP_Put(&seven, 1, MPI_LONG, target, 1, 1, MPI_LONG, window.get()));
      }
      check(EP_Win_complete(window.get()));
    }
    check(EP_Group_free(&others));
    EXPECT_EQ(EP_Win_lock(EP_LOCK_SHARED, remote, 0, window.get()), EP_ERR_RANK);
    check(EP_Win_fence(0, window.get()));
    check(EP_Put(&value, 1, MPI_LONG, me % remote, me + 1, 1, MPI_LONG, window.get()));
    check(EP_Win_fence(EP_MODE_NOSUCCEED, window.get()));
    for (int r = 0; r < remote; ++r) {
      if (r % own == me) {
        EXPECT_EQ(window.word(r + 1), 100 + r);
      }
    }
  }
}

void run_sides(int total, const std::vector<int>& servers) {
  run_endpoints(total, [&](const Comm& comm) {
    const Sides sides = make_sides(comm, servers);
    for (const Roles roles : {Roles::unsaid, Roles::said}) exchange(comm, sides, roles);
    check(EP_Barrier(comm.get()));
  });
}

TEST(ClientServerWindows, of_a_server_behind_all_clients) { run_sides(4, {3}); }
TEST(ClientServerWindows, of_a_server_in_front) { run_sides(4, {0}); }
TEST(ClientServerWindows, of_servers_that_share_their_processes_with_clients) {
  run_sides(6, {0, 3, 5});
}
TEST(ClientServerWindows, of_several_servers_in_a_process) { run_sides(6, {3, 4, 5}); }
TEST(ClientServerWindows, of_more_servers_than_clients) { run_sides(5, {0, 1, 2, 4}); }

TEST(ClientServerWindows, are_exact_for_clients_of_all_processes) {
  run_endpoints(5, [](const Comm& comm) {
    const Sides sides = make_sides(comm, {2});
    const ServedWindow window(sides, Roles::said, 2);
    const int times = processes() <= 2 ? 100 : 20;
    if (!sides.is_server) {
      const long one = 1;
      for (int i = 0; i < times; ++i) {
        long value = 0;
        check(EP_Win_lock(EP_LOCK_SHARED, 0, 0, window.get()));
        check(EP_Fetch_and_op(&one, &value, MPI_LONG, 0, 0, MPI_SUM, window.get()));
        check(EP_Win_unlock(0, window.get()));
        check(EP_Win_lock(EP_LOCK_EXCLUSIVE, 0, 0, window.get()));
        check(EP_Get(&value, 1, MPI_LONG, 0, 1, 1, MPI_LONG, window.get()));
        check(EP_Win_flush(0, window.get()));
        ++value;
        check(EP_Put(&value, 1, MPI_LONG, 0, 1, 1, MPI_LONG, window.get()));
        check(EP_Win_unlock(0, window.get()));
      }
    }
    check(EP_Barrier(comm.get()));
    if (sides.is_server) {
      EXPECT_EQ(window.word(0), 4 * times);
      EXPECT_EQ(window.word(1), 4 * times);
    }
  });
}

/// A window without memory, to which its endpoint attaches; errors are returned.
class DynamicWindow {
 public:
  explicit DynamicWindow(const Sides& sides) : inter_(sides.inter.get()) {
    MPI_Info info = MPI_INFO_NULL;
    MPI_Info_create(&info);
    MPI_Info_set(info, "ep_role", sides.is_server ? "server" : "client");
    MPI_Info_set(info, "ep_dynamic", "true");
    check(EP_Win_create_client_server(nullptr, 0, 1, info, inter_, &win_));
    MPI_Info_free(&info);
    check(EP_Win_set_errhandler(win_, EP_ERRORS_RETURN));
  }
  DynamicWindow(const DynamicWindow&) = delete;
  DynamicWindow(DynamicWindow&&) = delete;
  DynamicWindow& operator=(const DynamicWindow&) = delete;
  DynamicWindow& operator=(DynamicWindow&&) = delete;
  ~DynamicWindow() { EXPECT_EQ(EP_Win_free(&win_), EP_SUCCESS) << EP_Last_error(); }

  [[nodiscard]] EP_Win get() const { return win_; }
  /// Addresses of `mine` at the endpoints of the other group. Collective.
  [[nodiscard]] std::vector<MPI_Aint> addresses_of_others(const void* mine, int others) const {
    const auto own = reinterpret_cast<MPI_Aint>(mine);
    std::vector<MPI_Aint> out(static_cast<std::size_t>(others));
    check(EP_Allgather(&own, 1, MPI_AINT, out.data(), 1, MPI_AINT, inter_));
    return out;
  }

 private:
  EP_Comm inter_;
  EP_Win win_ = EP_WIN_NULL;
};

// Clients write to memory that servers have attached, then servers to that of clients; servers
// attach and detach more than once.
void exchange_attached(const Comm& comm, const Sides& sides) {
  constexpr MPI_Aint word = sizeof(long);
  const int remote = sides.inter.remote_size();
  const int me = sides.own.rank();
  const DynamicWindow window(sides);
  check(EP_Win_lock_all(EP_MODE_NOCHECK, window.get()));
  for (int round = 0; round < 2; ++round) {
    std::vector<long> memory(static_cast<std::size_t>(std::max(remote, sides.own.size()) + 1), 0);
    check(EP_Win_attach(window.get(), memory.data(),
                        static_cast<MPI_Aint>(memory.size() * sizeof(long))));
    const auto addresses = window.addresses_of_others(memory.data(), remote);
    const long value = 100 * (round + 1) + me;
    const long one = 1;
    for (const bool servers_turn : {false, true}) {
      for (int target = 0; sides.is_server == servers_turn && target < remote; ++target) {
        const MPI_Aint there = addresses[static_cast<std::size_t>(target)];
        EP_Request request = EP_REQUEST_NULL;
        check(EP_Rput(&value, 1, MPI_LONG, target, there + (me + 1) * word, 1, MPI_LONG,
                      window.get(), &request));
        check(EP_Wait(&request, EP_STATUS_IGNORE));
        check(EP_Accumulate(&one, 1, MPI_LONG, target, there, 1, MPI_LONG, MPI_SUM, window.get()));
      }
      check(EP_Win_flush_all(window.get()));
      check(EP_Barrier(comm.get()));
      check(EP_Win_sync(window.get()));
      if (sides.is_server == servers_turn) continue;
      EXPECT_EQ(memory[0], remote);
      for (int r = 0; r < remote; ++r) {
        EXPECT_EQ(memory[static_cast<std::size_t>(r + 1)], 100 * (round + 1) + r);
      }
    }
    check(EP_Win_detach(window.get(), memory.data()));
  }
  check(EP_Win_unlock_all(window.get()));
}

void run_attached(int total, const std::vector<int>& servers) {
  run_endpoints(total, [&](const Comm& comm) {
    exchange_attached(comm, make_sides(comm, servers));
    check(EP_Barrier(comm.get()));
  });
}

TEST(DynamicClientServerWindows, of_a_server_behind_all_clients) { run_attached(4, {3}); }
TEST(DynamicClientServerWindows, are_made_by_all_or_none) {
  run_endpoints(4, [](const Comm& comm) {
    const Sides sides = make_sides(comm, {3});
    MPI_Info info = MPI_INFO_NULL;
    MPI_Info_create(&info);
    MPI_Info_set(info, "ep_dynamic", comm.rank() == 1 ? "false" : "true");
    EP_Win win = EP_WIN_NULL;
    EXPECT_EQ(EP_Win_create_client_server(nullptr, 0, 1, info, sides.inter.get(), &win),
              EP_ERR_INFO_VALUE);
    EXPECT_TRUE(says("differs from others in info key ep_dynamic"));
    EXPECT_EQ(win, EP_WIN_NULL);
    MPI_Info_free(&info);
    check(EP_Barrier(comm.get()));
  });
}
TEST(DynamicClientServerWindows, of_servers_that_share_their_processes_with_clients) {
  run_attached(6, {0, 3, 5});
}
TEST(DynamicClientServerWindows, of_several_servers_in_a_process) { run_attached(6, {3, 4, 5}); }

// Also when it is a sibling of the waiting endpoint that drives the traffic.
TEST(DynamicClientServerWindows, an_accumulate_from_another_process_wakes_who_waits_elsewhere) {
  run_endpoints(std::max(3, 2 * processes()), [](const Comm& comm) {
    const Sides sides = make_sides(comm, {0});
    const DynamicWindow window(sides);
    check(EP_Win_lock_all(EP_MODE_NOCHECK, window.get()));
    alignas(8) std::array<long, 2> words{};
    check(EP_Win_attach(window.get(), words.data(), sizeof words));
    const auto addresses = window.addresses_of_others(words.data(), sides.inter.remote_size());
    if (sides.is_server) {
      const std::atomic_ref<long> position(words[1]);
      constexpr double limit_s = 20;
      const auto start = std::chrono::steady_clock::now();
      wait_until(sides.own, {"two words", -1, limit_s}, [&] {
        const std::chrono::duration<double> waited = std::chrono::steady_clock::now() - start;
        return position.load() != 0 || waited.count() >= limit_s;
      });
      EXPECT_EQ(position.load(), 2) << "nobody woke the server";
      EXPECT_EQ(words[0], 1) << "elements are applied in the order of memory";
    } else if (sides.own.rank() == sides.own.size() - 1 && processes() > 1) {
      std::this_thread::sleep_for(std::chrono::milliseconds(50));  // the server falls asleep
      const std::array<long, 2> both{1, 2};
      check(EP_Accumulate(both.data(), 2, MPI_LONG, 0, addresses[0], 2, MPI_LONG, MPI_REPLACE,
                          window.get()));
    } else if (sides.own.rank() == sides.own.size() - 1) {
      // Inside a process nothing is sent: who accumulates rings.
      const std::array<long, 2> both{1, 2};
      check(EP_Accumulate(both.data(), 2, MPI_LONG, 0, addresses[0], 2, MPI_LONG, MPI_REPLACE,
                          window.get()));
      check(EP_Ring(sides.inter.get(), 0));
    }
    check(EP_Win_unlock_all(window.get()));
    check(EP_Barrier(comm.get()));
    check(EP_Win_detach(window.get(), words.data()));
  });
}

}  // namespace
}  // namespace ep::test::client_server_window_test
