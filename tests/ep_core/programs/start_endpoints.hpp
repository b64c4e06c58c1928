#pragma once

#include <gtest/gtest.h>

#include <ep/ep.hpp>
#include <thread>
#include <vector>

namespace ep::test {

/// What the main of a test does that chooses endpoints and their level at the start: the tests run
/// in the thread of endpoint 0. Returns the program's status.
inline int run_tests_at(int endpoints, int level, int argc, char** argv) {
  int size = 0;
  int rank = -1;
  if (EP_Init_endpoint(&argc, &argv, endpoints, level, &size, &rank) != EP_SUCCESS) return 2;
  int provided = -1;
  const bool is_right = EP_Query_thread(&provided) == EP_SUCCESS && provided == level &&
                        size >= endpoints && rank >= 0;
  testing::InitGoogleTest(&argc, argv);
  const int failed = RUN_ALL_TESTS();
  return EP_Finalize() == EP_SUCCESS && is_right ? failed : 2;
}

/// A hundred barriers of all endpoints of the process, each with a thread of its own: the caller's
/// is that of endpoint 0.
inline void meet_often(int endpoints) {
  const auto meet = [] {
    for (int i = 0; i < 100; ++i) check(EP_Barrier(EP_COMM_ENDPOINTS));
  };
  std::vector<std::thread> threads;
  for (int e = 1; e < endpoints; ++e) {
    threads.emplace_back([e, &meet] {
      check(EP_Thread_attach(e, EP_COMM_CLIQUE));
      meet();
    });
  }
  meet();
  for (std::thread& thread : threads) thread.join();
}

}  // namespace ep::test
