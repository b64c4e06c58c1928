// A model that starts MPI itself, without threads, and ends it itself. No gtest main: the point is
// who calls MPI_Init.
#include <gtest/gtest.h>

#include <ep/ep.hpp>

namespace {

TEST(SingleThread, one_endpoint_per_process_works) {
  const ep::Environment environment(MPI_THREAD_MULTIPLE);
  EXPECT_EQ(environment.thread_level(), MPI_THREAD_SINGLE);
  const ep::Comm world = ep::Comm::from_mpi(MPI_COMM_WORLD);
  const int next = (world.rank() + 1) % world.size();
  std::vector<int> out(30'000, world.rank());
  std::vector<int> in(30'000, -1);
  EP_Request send = EP_REQUEST_NULL;
  ep::check(EP_Isend(out.data(), 30'000, MPI_INT, next, 0, world.get(), &send));
  ep::check(EP_Recv(in.data(), 30'000, MPI_INT, EP_ANY_SOURCE, 0, world.get(), EP_STATUS_IGNORE));
  ep::check(EP_Wait(&send, EP_STATUS_IGNORE));
  EXPECT_EQ(in.back(), (world.rank() + world.size() - 1) % world.size());
  ep::check(EP_Barrier(world.get()));
}

TEST(SingleThread, several_endpoints_are_refused_everywhere) {
  const ep::Environment environment(MPI_THREAD_MULTIPLE);
  const ep::Comm world = ep::Comm::from_mpi(MPI_COMM_WORLD);
  EP_Comm out[2] = {EP_COMM_NULL, EP_COMM_NULL};
  EXPECT_EQ(EP_Comm_create_endpoints(world.get(), world.rank() == 0 ? 2 : 1, MPI_INFO_NULL, out),
            EP_ERR_ENDPOINTS);
  EXPECT_NE(std::string(EP_Last_error()).find("Ask for MPI_THREAD_MULTIPLE?"), std::string::npos);
}

}  // namespace

int main(int argc, char** argv) {
  if (MPI_Init(&argc, &argv) != MPI_SUCCESS) return 2;
  testing::InitGoogleTest(&argc, argv);
  int failed = RUN_ALL_TESTS();
  int any = 1;
  if (MPI_Allreduce(&failed, &any, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD) != MPI_SUCCESS) return 2;
  if (MPI_Finalize() != MPI_SUCCESS) return 2;
  return any;
}
