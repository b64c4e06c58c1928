// MPI_THREAD_SERIALIZED holds per endpoint: its threads take turns, endpoints do not. It has a main
// of its own, since the level is chosen at the start.
#include <gtest/gtest.h>

#include <atomic>
#include <ep/ep.hpp>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "programs/start_endpoints.hpp"

namespace {

constexpr int endpoints = 3;

TEST(Serialized, ThreadsOfAnEndpointTakeTurns) {
  std::mutex turn;
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&] {
      ep::check(EP_Thread_attach(1, EP_COMM_CLIQUE));
      for (int i = 0; i < 100; ++i) {
        const std::lock_guard lock(turn);
        int in = -1;
        ep::check(EP_Sendrecv(&i, 1, MPI_INT, 0, 0, &in, 1, MPI_INT, 0, 0, EP_COMM_SELF,
                              EP_STATUS_IGNORE));
        EXPECT_EQ(in, i);
      }
    });
  }
  for (auto& thread : threads) thread.join();
}

/// Keeps a thread in a call until it is let go.
struct LongCall {
  std::atomic<bool> begun{false};
  std::atomic<bool> released{false};

  static int ready(void* state) {
    auto& call = *static_cast<LongCall*>(state);
    // A call within the call.
    int rank = -1;
    EXPECT_EQ(EP_Comm_rank(EP_COMM_ENDPOINTS, &rank), EP_SUCCESS);
    call.begun = true;
    return call.released ? 1 : 0;
  }
};

TEST(Serialized, ACallDuringACallOfAnotherThreadIsRefused) {
  EP_Comm handle = EP_COMM_NULL;
  ep::check(EP_Comm_dup(EP_COMM_SELF, &handle));
  const ep::Comm mine(handle);
  ep::check(EP_Comm_set_errhandler(EP_COMM_CLIQUE, EP_ERRORS_RETURN));
  LongCall call;
  std::thread other([&] {
    ep::check(EP_Thread_attach(0, EP_COMM_CLIQUE));
    ep::check(EP_Wait_until(EP_COMM_CLIQUE, LongCall::ready, &call, "the test", -1, 0));
  });
  while (!call.begun) std::this_thread::yield();
  int rank = -1;
  for (EP_Comm comm : {EP_COMM_CLIQUE, mine.get()}) {
    EXPECT_EQ(EP_Comm_rank(comm, &rank), EP_ERR_OTHER);
    EXPECT_NE(std::string(EP_Last_error()).find("MPI_THREAD_SERIALIZED"), std::string::npos);
  }
  // Another endpoint has calls of its own.
  std::thread([] {
    ep::check(EP_Thread_attach(1, EP_COMM_CLIQUE));
    EXPECT_EQ(EP_Send(nullptr, 0, MPI_BYTE, EP_PROC_NULL, 0, EP_COMM_CLIQUE), EP_SUCCESS);
  }).join();
  call.released = true;
  ep::check(EP_Ring(EP_COMM_CLIQUE, 0));
  other.join();
  EXPECT_EQ(EP_Comm_rank(EP_COMM_CLIQUE, &rank), EP_SUCCESS);
  EXPECT_EQ(rank, 0);
}

TEST(Serialized, EndpointsCommunicateAtTheSameTime) { ep::test::meet_often(endpoints); }

}  // namespace

int main(int argc, char** argv) {
  return ep::test::run_tests_at(endpoints, MPI_THREAD_SERIALIZED, argc, argv);
}
