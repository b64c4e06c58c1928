#include <gtest/gtest.h>

#include <cstdlib>
#include <vector>

#include "layouts.hpp"

namespace ep::test::communicator_test {
namespace {

int sum_of_ranks(const Comm& comm) {
  int rank = comm.rank();
  int sum = -1;
  check(EP_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, comm.get()));
  return sum;
}

class Communicators : public testing::TestWithParam<int> {};
INSTANTIATE_TEST_SUITE_P(Endpoints, Communicators, testing::Values(1, 2, 3, 5));

TEST_P(Communicators, ranks_are_contiguous_per_process) {
  run_endpoints(GetParam(), [](const Comm& comm) {
    int here = 0;
    for (int rank = 0; rank < comm.size(); ++rank) {
      const bool local = comm.locality(rank) == EP_LOCALITY_PROCESS;
      EXPECT_TRUE(local || comm.locality(rank) == EP_LOCALITY_NODE);
      here += local ? 1 : 0;
    }
    for (int rank = 1; rank < comm.size(); ++rank) {
      const bool before = comm.locality(rank - 1) == EP_LOCALITY_PROCESS;
      const bool now = comm.locality(rank) == EP_LOCALITY_PROCESS;
      EXPECT_TRUE(!before || now || comm.rank() < rank);
    }
    EXPECT_EQ(comm.locality(comm.rank()), EP_LOCALITY_PROCESS);
    EXPECT_GE(here, comm.size() / processes());
    EXPECT_FALSE(comm.is_inter());
  });
}

TEST(CommunicatorShapes, processes_without_endpoints) {
  run_endpoints([](int process, int all) { return process == all - 1 ? 3 : 0; },
                [](const Comm& comm) {
                  EXPECT_EQ(comm.size(), 3);
                  EXPECT_EQ(sum_of_ranks(comm), 3);
                });
}

TEST(CommunicatorShapes, endpoints_of_endpoints) {
  run_endpoints(2, [](const Comm& comm) {
    const std::vector<Comm> more = comm.create_endpoints(comm.rank() == 0 ? 1 : 2);
    EXPECT_EQ(more.front().rank(), comm.rank() == 0 ? 0 : 1);
    EXPECT_EQ(more.back().rank(), comm.rank() == 0 ? 0 : 2);
    for (const Comm& one : more) EXPECT_EQ(one.size(), 3);
    if (comm.rank() == 1) {
      const int out = 5;
      check(EP_Send(&out, 1, MPI_INT, 0, 0, more.back().get()));
    } else {
      EP_Status status;
      int in = 0;
      check(EP_Recv(&in, 1, MPI_INT, EP_ANY_SOURCE, 0, more.front().get(), &status));
      EXPECT_EQ(status.EP_SOURCE, 2);
    }
  });
}

TEST(CommunicatorShapes, a_negative_count_fails_everywhere) {
  run_endpoints(3, [](const Comm& comm) {
    EP_Comm none = EP_COMM_NULL;
    const int count = comm.rank() == 1 ? -2 : 0;
    EXPECT_EQ(EP_Comm_create_endpoints(comm.get(), count, MPI_INFO_NULL, &none), EP_ERR_ARG);
    EXPECT_NE(std::string(EP_Last_error()).find("rank 1"), std::string::npos);
    EXPECT_EQ(sum_of_ranks(comm), 3);
  });
}

TEST_P(Communicators, dup_keeps_traffic_apart) {
  run_endpoints(GetParam(), [](const Comm& comm) {
    const Comm other = comm.dup();
    EXPECT_EQ(other.rank(), comm.rank());
    const int next = (comm.rank() + 1) % comm.size();
    const int a = 1;
    const int b = 2;
    check(EP_Send(&a, 1, MPI_INT, next, 0, comm.get()));
    check(EP_Send(&b, 1, MPI_INT, next, 0, other.get()));
    int in = 0;
    check(EP_Recv(&in, 1, MPI_INT, EP_ANY_SOURCE, EP_ANY_TAG, other.get(), EP_STATUS_IGNORE));
    EXPECT_EQ(in, 2);
    check(EP_Recv(&in, 1, MPI_INT, EP_ANY_SOURCE, EP_ANY_TAG, comm.get(), EP_STATUS_IGNORE));
    EXPECT_EQ(in, 1);
  });
}

TEST_P(Communicators, split_orders_by_key_over_processes) {
  run_endpoints(GetParam(), [](const Comm& comm) {
    const Comm reversed = comm.split(0, -comm.rank());
    EXPECT_EQ(reversed.rank(), comm.size() - 1 - comm.rank());
    EXPECT_EQ(sum_of_ranks(reversed), comm.size() * (comm.size() - 1) / 2);
    const Comm same_key = comm.split(3, 0);
    EXPECT_EQ(same_key.rank(), comm.rank());
    const int next = (reversed.rank() + 1) % comm.size();
    const int out = reversed.rank();
    int in = -1;
    EP_Status status;
    EP_Request request = EP_REQUEST_NULL;
    check(EP_Irecv(&in, 1, MPI_INT, EP_ANY_SOURCE, 0, reversed.get(), &request));
    check(EP_Send(&out, 1, MPI_INT, next, 0, reversed.get()));
    check(EP_Wait(&request, &status));
    EXPECT_EQ(in, (reversed.rank() + comm.size() - 1) % comm.size());
    EXPECT_EQ(status.EP_SOURCE, in);
  });
}

TEST_P(Communicators, split_with_undefined_colour_gives_null) {
  run_endpoints(GetParam(), [](const Comm& comm) {
    const bool out = comm.rank() % 2 == 1;
    const Comm even = comm.split(out ? EP_UNDEFINED : 4, 0);
    EXPECT_EQ(static_cast<bool>(even), !out);
    if (out) return;
    EXPECT_EQ(even.size(), (comm.size() + 1) / 2);
    EXPECT_EQ(even.rank(), comm.rank() / 2);
    EXPECT_EQ(sum_of_ranks(even), even.size() * (even.size() - 1) / 2);
  });
}

// What it was made of neither frees it once more nor gives it out again.
TEST(CommunicatorShapes, raw_communicator_may_be_freed_by_the_program) {
  run_endpoints(processes(), [](const Comm& comm) {
    const Comm one = comm.split(0, comm.rank());
    MPI_Comm raw = MPI_COMM_NULL;
    check(EP_Comm_mpi(one.get(), &raw));
    MPI_Comm copy = MPI_COMM_NULL;
    ASSERT_EQ(MPI_Comm_dup(raw, &copy), MPI_SUCCESS);
    ASSERT_EQ(MPI_Comm_free(&raw), MPI_SUCCESS);
    MPI_Comm other = MPI_COMM_NULL;
    check(EP_Comm_mpi(one.get(), &other));
    int size = -1;
    ASSERT_EQ(MPI_Comm_size(other, &size), MPI_SUCCESS);
    EXPECT_EQ(size, one.size());
    ASSERT_EQ(MPI_Comm_free(&copy), MPI_SUCCESS);
    MPI_Comm again = MPI_COMM_NULL;
    check(EP_Comm_mpi(one.get(), &again));
    EXPECT_EQ(again, other);
    ASSERT_EQ(MPI_Comm_free(&again), MPI_SUCCESS);
  });
}

TEST(CommunicatorShapes, raw_communicator_is_ranked_alike) {
  run_endpoints(processes(), [](const Comm& comm) {
    const Comm reversed = comm.split(0, -comm.rank());
    for (const Comm* one : {&comm, &reversed}) {
      MPI_Comm raw = MPI_COMM_NULL;
      check(EP_Comm_mpi(one->get(), &raw));
      int rank = -1;
      int size = -1;
      ASSERT_EQ(MPI_Comm_rank(raw, &rank), MPI_SUCCESS);
      ASSERT_EQ(MPI_Comm_size(raw, &size), MPI_SUCCESS);
      EXPECT_EQ(rank, one->rank());
      EXPECT_EQ(size, one->size());
      MPI_Comm again = MPI_COMM_NULL;
      check(EP_Comm_mpi(one->get(), &again));
      EXPECT_EQ(again, raw);
    }
    if (comm.size() < 2) return;
    const Comm pair = comm.split(comm.rank() < 2 ? 0 : EP_UNDEFINED, -comm.rank());
    if (!pair) return;
    MPI_Comm raw = MPI_COMM_NULL;
    check(EP_Comm_mpi(pair.get(), &raw));
    int rank = -1;
    ASSERT_EQ(MPI_Comm_rank(raw, &rank), MPI_SUCCESS);
    EXPECT_EQ(rank, 1 - comm.rank());
  });
}

TEST(CommunicatorShapes, raw_communicator_needs_one_endpoint_per_process) {
  run_endpoints(processes() + 1, [](const Comm& comm) {
    MPI_Comm raw = MPI_COMM_NULL;
    EXPECT_EQ(EP_Comm_mpi(comm.get(), &raw), EP_ERR_COMM);
    EXPECT_NE(std::string(EP_Last_error()).find("exactly one"), std::string::npos);
  });
}

// MPICH itself stops at 2046. Inside one process there is no raw communicator at all, between
// processes all share one wire.
TEST(CommunicatorShapes, ten_thousand_inside_one_process) {
  Comm self = Comm::from_mpi(MPI_COMM_SELF);
  std::vector<Comm> all;
  for (int i = 0; i < 10'000; ++i) all.push_back(self.dup());
  int in = 0;
  for (const int i : {0, 5'000, 9'999}) {
    const EP_Comm one = all[static_cast<std::size_t>(i)].get();
    check(EP_Send(&i, 1, MPI_INT, 0, 0, one));
    check(EP_Recv(&in, 1, MPI_INT, 0, 0, one, EP_STATUS_IGNORE));
    EXPECT_EQ(in, i);
  }
}

TEST(CommunicatorShapes, three_thousand_between_processes) {
  run_endpoints(processes(), [](const Comm& comm) {
    std::vector<Comm> all;
    for (int i = 0; i < 3'000; ++i) all.push_back(comm.dup());
    EXPECT_EQ(sum_of_ranks(all[2'999]), comm.size() * (comm.size() - 1) / 2);
    for (const int i : {0, 40, 255, 256, 2'999}) {
      const EP_Comm one = all[static_cast<std::size_t>(i)].get();
      const int out = i + comm.rank();
      int in = -1;
      EP_Request request = EP_REQUEST_NULL;
      check(EP_Irecv(&in, 1, MPI_INT, EP_ANY_SOURCE, EP_ANY_TAG, one, &request));
      check(EP_Send(&out, 1, MPI_INT, (comm.rank() + 1) % comm.size(), 5, one));
      check(EP_Wait(&request, EP_STATUS_IGNORE));
      EXPECT_EQ(in, i + (comm.rank() + comm.size() - 1) % comm.size());
    }
  });
}

}  // namespace
}  // namespace ep::test::communicator_test
