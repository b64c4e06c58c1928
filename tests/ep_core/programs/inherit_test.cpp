// Threads that inherit the endpoint of their parent. One source, built three times: with
// ep_inherit_threads (POSIX threads), with ep_inherit_openmp and clang's OpenMP runtime, and with
// gcc's, which tells tools nothing: there a scope attaches.
#include <gtest/gtest.h>

#include <array>
#include <ep/ep.hpp>
#include <thread>

#include "programs/start_endpoints.hpp"

namespace {

constexpr int endpoints = 3;

int attached() {
  int endpoint = -1;
  ep::check(EP_Thread_attached(&endpoint));
  return endpoint;
}

#if defined(INHERIT_THREADS)

TEST(InheritThreads, AThreadStartsWhereItsParentIs) {
  for (const int e : {2, 1, 0}) {
    ep::check(EP_Thread_attach(e, EP_COMM_CLIQUE));
    int child = -1;
    int grandchild = -1;
    std::thread([&] {
      child = attached();
      std::thread([&] { grandchild = attached(); }).join();
    }).join();
    EXPECT_EQ(child, e);
    EXPECT_EQ(grandchild, e);
  }
}

TEST(InheritThreads, AChildThatMovesLeavesItsParent) {
  std::thread([] {
    ep::check(EP_Thread_attach(2, EP_COMM_CLIQUE));
    EXPECT_EQ(attached(), 2);
  }).join();
  EXPECT_EQ(attached(), 0);
}

#else

TEST(InheritOpenMp, ARegionBelongsToTheEndpointThatOpenedIt) {
  for (const int e : {1, 2, 0}) {
    ep::check(EP_Thread_attach(e, EP_COMM_CLIQUE));
    std::array<int, 4> seen = {-1, -1, -1, -1};
#pragma omp parallel for num_threads(4) schedule(static, 1)
    for (int i = 0; i < 4; ++i) {
#if defined(WITHOUT_OMPT)
      const ep::AttachScope scope(e);
#endif
      seen[static_cast<std::size_t>(i)] = attached();
    }
    EXPECT_EQ(seen, (std::array<int, 4>{e, e, e, e}));
  }
}

TEST(InheritOpenMp, ATaskBelongsToTheEndpointThatMadeIt) {
  std::array<int, 12> seen{};
  seen.fill(-1);
#pragma omp parallel num_threads(3)
#pragma omp single
  for (int i = 0; i < 12; ++i) {
    ep::check(EP_Thread_attach(i % endpoints, EP_COMM_CLIQUE));
#pragma omp task shared(seen) firstprivate(i)
    {
#if defined(WITHOUT_OMPT)
      const ep::AttachScope scope(i % endpoints);
#endif
      seen[static_cast<std::size_t>(i)] = attached();
    }
  }
  for (int i = 0; i < 12; ++i) EXPECT_EQ(seen[static_cast<std::size_t>(i)], i % endpoints) << i;
  ep::check(EP_Thread_attach(0, EP_COMM_CLIQUE));
}

#endif

}  // namespace

int main(int argc, char** argv) {
  return ep::test::run_tests_at(endpoints, MPI_THREAD_MULTIPLE, argc, argv);
}
