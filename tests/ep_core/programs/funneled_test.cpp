// MPI_THREAD_FUNNELED holds per endpoint: one thread each, all at the same time. It has a main of
// its own, since the level is chosen at the start.
#include <gtest/gtest.h>

#include <ep/ep.hpp>
#include <thread>
#include <vector>

#include "programs/start_endpoints.hpp"

namespace {

constexpr int endpoints = 3;

TEST(Funneled, ASecondThreadIsRefused) {
  std::thread([] {
    EXPECT_EQ(EP_Thread_attach(0, EP_COMM_CLIQUE), EP_ERR_ENDPOINTS);
    EXPECT_NE(std::string(EP_Last_error()).find("MPI_THREAD_FUNNELED"), std::string::npos);
    ep::check(EP_Thread_attach(1, EP_COMM_CLIQUE));
  }).join();
}

// What MPI itself was given is more.
TEST(Funneled, TheLevelIsWhatHoldsForEachEndpoint) {
  for (const int e : {1, 2}) {
    std::thread([e] {
      ep::check(EP_Thread_attach(e, EP_COMM_CLIQUE));
      int level = -1;
      ep::check(EP_Query_thread(&level));
      EXPECT_EQ(level, MPI_THREAD_FUNNELED);
      EXPECT_EQ(MPI_Query_thread(&level), MPI_SUCCESS);
      EXPECT_EQ(level, MPI_THREAD_MULTIPLE);
    }).join();
  }
}

TEST(Funneled, AThreadThatEndsOrMovesGivesItsEndpointBack) {
  for (int i = 0; i < 2; ++i) {
    std::thread([] {
      ep::check(EP_Thread_attach(1, EP_COMM_CLIQUE));
      ep::check(EP_Thread_attach(2, EP_COMM_CLIQUE));
      std::thread([] { ep::check(EP_Thread_attach(1, EP_COMM_CLIQUE)); }).join();
    }).join();
  }
}

TEST(Funneled, AnInheritingThreadMayNotCallForItsParent) {
  std::thread([] {
    ep::check(EP_Thread_inherit(0));
    int rank = -1;
    EXPECT_EQ(EP_Comm_rank(EP_COMM_ENDPOINTS, &rank), EP_ERR_OTHER);
  }).join();
}

TEST(Funneled, NorMayAnyoneElseByAHandleOfTheEndpoint) {
  EP_Comm handle = EP_COMM_NULL;
  ep::check(EP_Comm_dup(EP_COMM_SELF, &handle));
  const ep::Comm mine(handle);
  EXPECT_EQ(mine.rank(), 0);
  std::thread([&] {
    int rank = -1;
    EXPECT_EQ(EP_Comm_rank(mine.get(), &rank), EP_ERR_OTHER);
    EXPECT_NE(std::string(EP_Last_error()).find("MPI_THREAD_FUNNELED"), std::string::npos);
    EXPECT_EQ(EP_Ring(mine.get(), 0), EP_SUCCESS) << "any thread";
  }).join();
  EXPECT_EQ(mine.rank(), 0);
  // What a thread made at an endpoint stays its own when it moves.
  std::thread([] {
    ep::check(EP_Thread_attach(1, EP_COMM_CLIQUE));
    EP_Comm made = EP_COMM_NULL;
    ep::check(EP_Comm_dup(EP_COMM_SELF, &made));
    ep::check(EP_Thread_attach(2, EP_COMM_CLIQUE));
    EXPECT_EQ(ep::Comm(made).rank(), 0);
  }).join();
}

TEST(Funneled, ALibraryWithACommunicatorOfItsOwnIsNotConcerned) {
  const ep::Comm library = ep::Comm::from_mpi(MPI_COMM_WORLD);
  std::thread([&] { EXPECT_EQ(library.dup().rank(), 0); }).join();
}

TEST(Funneled, EndpointsCommunicateAtTheSameTime) { ep::test::meet_often(endpoints); }

}  // namespace

int main(int argc, char** argv) {
  return ep::test::run_tests_at(endpoints, MPI_THREAD_FUNNELED, argc, argv);
}
