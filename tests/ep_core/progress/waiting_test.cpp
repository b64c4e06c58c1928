#include <ep/watch.h>
#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <chrono>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "layouts.hpp"

namespace ep::test::waiting_test {
namespace {

using namespace std::chrono_literals;

double cpu_seconds() {
  rusage usage{};
  getrusage(RUSAGE_THREAD, &usage);
  const auto seconds = [](const timeval& t) {
    return static_cast<double>(t.tv_sec) + 1e-6 * static_cast<double>(t.tv_usec);
  };
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

// The sender is asleep for a second; its peers sleep too instead of spinning (bound far above what
// a sleeping thread needs, far below a spinning one).
TEST(Waiting, an_idle_waiter_leaves_the_processor_alone) {
  run_endpoints(3, [](const Comm& comm) {
    check(EP_Barrier(comm.get()));
    if (comm.rank() == 0) {
      std::this_thread::sleep_for(1s);
      for (int dest = 1; dest < comm.size(); ++dest) {
        check(EP_Send(nullptr, 0, MPI_BYTE, dest, 0, comm.get()));
      }
      return;
    }
    const double before = cpu_seconds();
    check(EP_Recv(nullptr, 0, MPI_BYTE, 0, 0, comm.get(), EP_STATUS_IGNORE));
    EXPECT_LT(cpu_seconds() - before, 0.3);
  });
}

TEST(Waiting, a_ring_wakes_who_waits_for_a_condition) {
  run_endpoints(2, [](const Comm& comm) {
    // The condition is made true by a message's content, seen through a side door: the other
    // endpoint rings only after it was received there.
    static std::atomic<int> flag;
    const bool same_process = comm.locality(1 - comm.rank()) == EP_LOCALITY_PROCESS;
    flag = 0;
    check(EP_Barrier(comm.get()));
    if (comm.rank() == 0) {
      if (same_process) flag = 1;
      check(EP_Send(nullptr, 0, MPI_BYTE, 1, 0, comm.get()));
      check(EP_Ring(comm.get(), 1));
    } else {
      wait_until(comm, {"the test's flag", 0}, [&] {
        int arrived = 0;
        check(EP_Iprobe(0, 0, comm.get(), &arrived, EP_STATUS_IGNORE));
        return arrived != 0 && (!same_process || flag == 1);
      });
      check(EP_Recv(nullptr, 0, MPI_BYTE, 0, 0, comm.get(), EP_STATUS_IGNORE));
    }
    EXPECT_EQ(EP_Ring(comm.get(), 2), EP_ERR_RANK);
  });
}

// As a server does that receives what it finds: who waits inside may be the only one to poll.
TEST(Waiting, a_condition_may_wait_itself) {
  run_endpoints(2, [](const Comm& comm) {
    constexpr int large = 1 << 20;
    std::vector<char> bytes(large, comm.rank() == 0 ? 'x' : ' ');
    check(EP_Barrier(comm.get()));
    if (comm.rank() == 0) {
      for (const int tag : {0, 1, 2}) {
        std::this_thread::sleep_for(200ms);
        check(EP_Send(bytes.data(), large, MPI_CHAR, 1, tag, comm.get()));
      }
      return;
    }
    int received = 0;
    wait_until(comm, {"three messages", 0}, [&] {
      int arrived = 0;
      check(EP_Iprobe(0, received, comm.get(), &arrived, EP_STATUS_IGNORE));
      if (arrived == 0) return false;
      for (int times = 0; times < 2 && received < 3; ++times, ++received) {
        check(EP_Recv(bytes.data(), large, MPI_CHAR, 0, received, comm.get(), EP_STATUS_IGNORE));
      }
      return received == 3;
    });
    EXPECT_EQ(bytes.back(), 'x');
  });
}

/// A counter in memory that all processes of the node map.
class SharedCounter {
 public:
  explicit SharedCounter(const Comm& comm) {
    std::array<int, 2> origin{getpid(), memfd_create("ep_test_counter", 0)};
    if (origin[1] >= 0 && ftruncate(origin[1], 4096) != 0) origin[1] = -1;
    const int own = origin[1];
    check(EP_Bcast(origin.data(), 2, MPI_INT, 0, comm.get()));
    const std::string path =
        "/proc/" + std::to_string(origin[0]) + "/fd/" + std::to_string(origin[1]);
    const int file = open(path.c_str(), O_RDWR);
    void* const memory = mmap(nullptr, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    check(EP_Barrier(comm.get()));
    close(file);
    close(own);
    EXPECT_NE(memory, MAP_FAILED);
    value_ = static_cast<std::atomic<int>*>(memory);
  }
  SharedCounter(const SharedCounter&) = delete;
  SharedCounter(SharedCounter&&) = delete;
  SharedCounter& operator=(const SharedCounter&) = delete;
  SharedCounter& operator=(SharedCounter&&) = delete;
  ~SharedCounter() { munmap(value_, 4096); }

  std::atomic<int>& value() { return *value_; }

 private:
  std::atomic<int>* value_;
};

// Conditions in shared memory, which the library cannot see: endpoints take turns, several sleep in
// one process. A ring that got lost would cost a tenth of a second at least, each time.
TEST(Waiting, rings_reach_every_waiter_of_a_process) {
  run_endpoints(5, [](const Comm& comm) {
    SharedCounter counter(comm);
    const int size = comm.size();
    for (int turn = comm.rank(); turn < 120 * size; turn += size) {
      wait_until(comm, {"its turn", (comm.rank() + size - 1) % size},
                 [&] { return counter.value() == turn; });
      counter.value() = turn + 1;
      check(EP_Ring(comm.get(), (comm.rank() + 1) % size));
    }
    check(EP_Barrier(comm.get()));
    EXPECT_EQ(counter.value(), 120 * size);
  });
}

/// Counts rounds that took as long as a lost wake-up does: a busy machine makes all somewhat
/// slower.
struct SlowRounds {
  struct Round {
    explicit Round(SlowRounds& whole) : rounds(whole) {}
    Round(const Round&) = delete;
    Round(Round&&) = delete;
    Round& operator=(const Round&) = delete;
    Round& operator=(Round&&) = delete;
    ~Round() {
      if (std::chrono::steady_clock::now() - begin >= 900ms) ++rounds.count;
    }
    SlowRounds& rounds;
    std::chrono::steady_clock::time_point begin = std::chrono::steady_clock::now();
  };
  std::atomic<int> count{0};  // of all endpoints together
};

// Of several sleepers of a process, the one that polls and the one that would follow it leave at
// the same time: the next must take over, or what comes from the other process is noticed a second
// late.
TEST(Waiting, the_pollers_place_is_passed_on) {
  if (processes() < 2) GTEST_SKIP() << "needs messages between processes";
  constexpr int rounds = 60;
  SlowRounds slow;
  const int half = 4;
  run_endpoints(
      [](int process, int) { return process < 2 ? 4 : 0; },
      [&](const Comm& comm) {
        for (int round = 0; round < rounds; ++round) {
          const SlowRounds::Round timed(slow);
          if (comm.rank() >= half) {
            std::this_thread::sleep_for(1ms);  // until the receivers have gone to sleep
            // All but one are answered at once; the last a moment later.
            if (comm.rank() % half == round % half) std::this_thread::sleep_for(1ms);
            check(EP_Send(&round, 1, MPI_INT, comm.rank() - half, 0, comm.get()));
            int answer = -1;
            check(
                EP_Recv(&answer, 1, MPI_INT, comm.rank() - half, 1, comm.get(), EP_STATUS_IGNORE));
            continue;
          }
          int got = -1;
          check(EP_Recv(&got, 1, MPI_INT, comm.rank() + half, 0, comm.get(), EP_STATUS_IGNORE));
          EXPECT_EQ(got, round);
          check(EP_Send(&got, 1, MPI_INT, comm.rank() + half, 1, comm.get()));
        }
      });
  EXPECT_LT(slow.count, rounds / 3);
}

// An endpoint waits in one communicator for what comes through another, and through a third one
// that has other ranks. Each lost wake-up would cost a second.
TEST(Waiting, what_comes_through_another_communicator_wakes_too) {
  constexpr int rounds = 60;
  SlowRounds slow;
  run_endpoints(2, [&slow](const Comm& comm) {
    EP_Comm waits_in = EP_COMM_NULL;
    EP_Comm reversed = EP_COMM_NULL;
    check(EP_Comm_dup(comm.get(), &waits_in));
    check(EP_Comm_split(comm.get(), 0, -comm.rank(), &reversed));
    const Comm own(waits_in);
    const Comm other(reversed);
    for (int round = 0; round < rounds; ++round) {
      const SlowRounds::Round timed(slow);
      const Comm& way = round % 2 == 0 ? comm : other;
      const int peer = 1 - way.rank();
      if (comm.rank() == round / 2 % 2) {
        std::this_thread::sleep_for(1ms);  // until the other has gone to sleep
        check(EP_Send(&round, 1, MPI_INT, peer, 0, way.get()));
        continue;
      }
      wait_until(own, {"a message elsewhere"}, [&] {
        int arrived = 0;
        check(EP_Iprobe(peer, 0, way.get(), &arrived, EP_STATUS_IGNORE));
        return arrived != 0;
      });
      int got = -1;
      check(EP_Recv(&got, 1, MPI_INT, peer, 0, way.get(), EP_STATUS_IGNORE));
      EXPECT_EQ(got, round);
    }
  });
  EXPECT_LT(slow.count, rounds / 3);
}

TEST(Waiting, errors_of_the_condition_end_the_wait) {
  run_endpoints(1, [](const Comm& comm) {
    EXPECT_THROW(wait_until(comm, {"nothing"}, []() -> bool { throw std::runtime_error("no"); }),
                 std::runtime_error);
    int calls = 0;
    wait_until(comm, {"many calls", -1, 0.0005}, [&] { return ++calls > 200; });
    EXPECT_EQ(calls, 201);
    const auto fails = [](void*) { return -1; };
    EXPECT_EQ(EP_Wait_until(comm.get(), fails, nullptr, "failure", -1, 0), EP_ERR_OTHER);
  });
}

TEST(Waiting, progress_is_made_by_any_endpoint) {
  run_endpoints(2, [](const Comm& comm) {
    int value = 5;
    if (comm.rank() == 0) {
      check(EP_Send(&value, 1, MPI_INT, 1, 0, comm.get()));
    } else {
      int flag = 0;
      while (flag == 0) {
        check(EP_Progress(comm.get()));
        check(EP_Iprobe(0, 0, comm.get(), &flag, EP_STATUS_IGNORE));
        std::this_thread::yield();
      }
      check(EP_Recv(&value, 1, MPI_INT, 0, 0, comm.get(), EP_STATUS_IGNORE));
    }
  });
}

TEST(Waiting, the_watchdog_names_endpoint_reason_and_peer) {
  testing::internal::CaptureStderr();
  check(EP_Set_watchdog(0.05));
  run_endpoints(2, [](const Comm& comm) {
    check(EP_Comm_set_name(comm.get(), "ocean"));
    if (comm.rank() == 0) {
      std::this_thread::sleep_for(400ms);
      check(EP_Send(nullptr, 0, MPI_BYTE, 1, 0, comm.get()));
    } else {
      check(EP_Recv(nullptr, 0, MPI_BYTE, 0, 0, comm.get(), EP_STATUS_IGNORE));
    }
  });
  check(EP_Set_watchdog(60));
  const std::string text = testing::internal::GetCapturedStderr();
  int rank = 0;
  ASSERT_EQ(MPI_Comm_rank(MPI_COMM_WORLD, &rank), MPI_SUCCESS);
  if (rank == (processes() == 1 ? 0 : 1)) {
    EXPECT_NE(text.find("rank 1 of 2 in 'ocean' waits"), std::string::npos) << text;
    EXPECT_NE(text.find("for a message (EP_Recv) of rank 0"), std::string::npos) << text;
  }
}

void expect_said(const std::string& text, const std::string& expected) {
  EXPECT_NE(text.find(expected), std::string::npos) << "no '" << expected << "' in\n" << text;
}

// Long before the watchdog's time.
TEST(Waiting, a_signal_asks_what_endpoints_wait_for) {
  testing::internal::CaptureStderr();
  run_endpoints(1, [](const Comm& comm) {
    using Clock = std::chrono::steady_clock;
    std::atomic<bool> is_over{false};
    std::thread asking([&] {
      while (!is_over) {
        kill(getpid(), SIGUSR1);
        std::this_thread::sleep_for(20ms);
      }
    });
    const auto end = Clock::now() + 300ms;
    wait_until(comm, {"the end of a test", 7, 0.01}, [&] { return Clock::now() >= end; });
    is_over = true;
    asking.join();
    // The last signal may have come when nobody waited any more: its answer is not the next test's.
    const auto moment = Clock::now() + 50ms;
    wait_until(comm, {"the last answer", -1, 0.01}, [&] { return Clock::now() >= moment; });
  });
  const std::string text = testing::internal::GetCapturedStderr();
  int process = 0;
  ASSERT_EQ(MPI_Comm_rank(MPI_COMM_WORLD, &process), MPI_SUCCESS);
  if (process > 0) return;
  expect_said(text, "[ep watchdog] process 0: 1 endpoint waits\n");
  expect_said(text, "s for the end of a test of rank 7\n");
}

TEST(Waiting, a_signal_to_who_does_not_wait_says_so) {
  testing::internal::CaptureStderr();
  raise(SIGUSR1);
  EXPECT_EQ(testing::internal::GetCapturedStderr(),
            "[ep watchdog] pid " + std::to_string(getpid()) +
                ": no endpoint waits (the program computes, or waits elsewhere)\n");
}

// The hook replaces the table: it is called at least once a second, and hears of SIGUSR1.
TEST(Waiting, threads_that_wait_call_the_progress_hook) {
  struct Calls {
    std::atomic<int> all{0}, requested{0};
  } calls;
  testing::internal::CaptureStderr();
  check(EP_Set_watchdog(0.05));
  check(EP_Set_progress_hook(
      [](void* state, int requested) {
        ++static_cast<Calls*>(state)->all;
        static_cast<Calls*>(state)->requested += requested;
      },
      &calls));
  std::atomic<int> signals{0};  // to this process: the endpoint is in one of them
  std::int64_t waited_ms = 400;
  run_endpoints(1, [&](const Comm& comm) {
    std::thread asking([&] {
      ++signals;
      std::this_thread::sleep_for(50ms);
      kill(getpid(), SIGUSR1);
    });
    // On a busy machine later: the signal may take its time, and calls are as many as can be.
    const auto begin = std::chrono::steady_clock::now();
    wait_until(comm, {"the end of a test", -1, 0.01}, [&] {
      const auto now = std::chrono::steady_clock::now();
      const bool has_seen = calls.requested >= signals && signals > 0 && calls.all >= 4;
      if (now - begin < 400ms || (!has_seen && now - begin < 10s)) return false;
      waited_ms = std::chrono::duration_cast<std::chrono::milliseconds>(now - begin).count();
      return true;
    });
    asking.join();
  });
  int other = 0;
  check(EP_Set_progress_hook(nullptr, &other));  // is not the present one
  check(EP_Set_progress_hook(nullptr, &calls));
  const int seen = calls.all;
  check(EP_Set_watchdog(60));
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
  EXPECT_GE(seen, 4);
  EXPECT_LE(seen, 5 + waited_ms / 20);  // not at every sleep
  EXPECT_EQ(calls.requested, signals);
}

/// What the watchdog of this process said while `work` ran in 2 endpoints of each process.
template <class Work>
std::string watched(Work&& work) {
  testing::internal::CaptureStderr();
  check(EP_Set_watchdog(0.1));
  run_endpoints([](int, int) { return 2; }, std::forward<Work>(work));
  check(EP_Set_watchdog(60));
  return testing::internal::GetCapturedStderr();
}

// The last endpoint comes late, once to a barrier and once to a non-blocking operation.
TEST(Waiting, the_watchdog_names_siblings_that_have_not_come) {
  const std::string text = watched([](const Comm& comm) {
    const bool is_late = comm.rank() == comm.size() - 1;
    if (is_late) std::this_thread::sleep_for(600ms);
    check(EP_Barrier(comm.get()));
    EP_Request request = EP_REQUEST_NULL;
    if (is_late) std::this_thread::sleep_for(600ms);
    check(EP_Ibarrier(comm.get(), &request));
    check(EP_Wait(&request, EP_STATUS_IGNORE));
  });
  int process = 0;
  ASSERT_EQ(MPI_Comm_rank(MPI_COMM_WORLD, &process), MPI_SUCCESS);
  if (process != processes() - 1) return;
  const std::string late = std::to_string(2 * processes() - 1);
  expect_said(text, "for EP_Barrier, still to come: rank " + late + " of this process\n");
  expect_said(text, "for EP_Ibarrier, still to come: rank " + late + " of this process\n");
}

// All of the last process come late: the others wait for it, and say that it does not wait itself.
TEST(Waiting, the_watchdog_names_processes_that_have_not_come) {
  if (processes() != 2) GTEST_SKIP() << "of more processes, some wait for others that wait";
  const std::string text = watched([](const Comm& comm) {
    if (comm.rank() >= 2) std::this_thread::sleep_for(800ms);
    check(EP_Barrier(comm.get()));
    std::vector<int> all(4);
    if (comm.rank() == 3) std::this_thread::sleep_for(800ms);
    const int mine = comm.rank();
    check(EP_Allgather(&mine, 1, MPI_INT, all.data(), 1, MPI_INT, comm.get()));
  });
  int process = 0;
  ASSERT_EQ(MPI_Comm_rank(MPI_COMM_WORLD, &process), MPI_SUCCESS);
  if (process != 0) return;
  expect_said(text,
              "for EP_Barrier, still to come: process 1 (ranks 2, 3), which has no long wait\n");
  expect_said(text, "for EP_Allgather, still to come: process 1 (ranks 2, 3), which waits, too\n");
}

}  // namespace
}  // namespace ep::test::waiting_test
