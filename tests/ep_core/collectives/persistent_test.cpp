// What is special about persistent collectives; that each does what its blocking form does is in
// the tests of all forms.
#include <gtest/gtest.h>

#include <array>
#include <numeric>
#include <vector>

#include "collectives/collective_forms.hpp"
#include "layouts.hpp"

namespace ep::test::persistent_test {
namespace {

class PersistentCollectives : public testing::TestWithParam<int> {};
INSTANTIATE_TEST_SUITE_P(Endpoints, PersistentCollectives, testing::Values(1, 2, 3, 5));

/// A sum of one number over all, again and again.
struct Sum {
  std::int64_t mine = 0;
  std::int64_t all = 0;
  EP_Request request = EP_REQUEST_NULL;

  void make(const Comm& comm) {
    check(EP_Allreduce_init(&mine, &all, 1, MPI_INT64_T, MPI_SUM, comm.get(), MPI_INFO_NULL,
                            &request));
  }
};

TEST_P(PersistentCollectives, every_start_takes_what_is_in_the_buffers_then) {
  run_endpoints(GetParam(), [](const Comm& comm) {
    Sum sum;
    sum.make(comm);
    int flag = 0;
    check(EP_Test(&sum.request, &flag, EP_STATUS_IGNORE));
    EXPECT_EQ(flag, 1) << "inactive counts as complete";
    for (int round = 1; round <= 200; ++round) {
      sum.mine = round * (comm.rank() + 1);
      check(EP_Start(&sum.request));
      check(EP_Wait(&sum.request, EP_STATUS_IGNORE));
      ASSERT_EQ(sum.all, round * comm.size() * (comm.size() + 1) / 2);
    }
    check(EP_Request_free(&sum.request));
    EXPECT_EQ(sum.request, EP_REQUEST_NULL);
  });
}

TEST_P(PersistentCollectives, start_in_any_order_a_different_one_at_every_endpoint) {
  run_endpoints(GetParam(), [](const Comm& comm) {
    constexpr int count = 6;
    std::array<Sum, count> sums;
    for (Sum& sum : sums) sum.make(comm);
    for (int round = 0; round < 50; ++round) {
      std::array<EP_Request, count> requests{};
      for (int k = 0; k < count; ++k) {
        // Rank r begins with the sum after that of rank r - 1, and others may go on between.
        const int i = (k + comm.rank() * (round + 1)) % count;
        Sum& sum = sums[index(i)];
        sum.mine = 1'000 * i + round;
        sum.all = -1;
        check(EP_Start(&sum.request));
        requests[index(k)] = sum.request;
      }
      check(EP_Barrier(comm.get()));
      check(EP_Waitall(count, requests.data(), EP_STATUSES_IGNORE));
      for (int i = 0; i < count; ++i) {
        ASSERT_EQ(sums[index(i)].all, comm.size() * (1'000 * i + round));
      }
    }
    for (Sum& sum : sums) check(EP_Request_free(&sum.request));
  });
}

TEST_P(PersistentCollectives, outlive_the_communicator_and_the_datatype) {
  run_endpoints(GetParam(), [](const Comm& comm) {
    MPI_Datatype pair = MPI_DATATYPE_NULL;
    ASSERT_EQ(MPI_Type_contiguous(2, MPI_INT64_T, &pair), MPI_SUCCESS);
    ASSERT_EQ(MPI_Type_commit(&pair), MPI_SUCCESS);
    EP_Comm copy = EP_COMM_NULL;
    check(EP_Comm_dup(comm.get(), &copy));
    std::vector<std::int64_t> all(index(2 * comm.size()), -1);
    std::array<std::int64_t, 2> mine{};
    EP_Request request = EP_REQUEST_NULL;
    check(EP_Allgather_init(mine.data(), 1, pair, all.data(), 1, pair, copy, MPI_INFO_NULL,
                            &request));
    ASSERT_EQ(MPI_Type_free(&pair), MPI_SUCCESS);
    check(EP_Comm_free(&copy));
    for (int round = 0; round < 3; ++round) {
      mine = {sample(comm.rank(), round, 0), sample(comm.rank(), round, 1)};
      check(EP_Start(&request));
      check(EP_Wait(&request, EP_STATUS_IGNORE));
      for (int rank = 0; rank < comm.size(); ++rank) {
        ASSERT_EQ(all[index(2 * rank)], sample(rank, round, 0));
        ASSERT_EQ(all[index(2 * rank + 1)], sample(rank, round, 1));
      }
    }
    check(EP_Request_free(&request));
  });
}

// More than two processes' worth of messages of one operation may be under way: a process that is
// done begins anew while another still receives.
TEST_P(PersistentCollectives, large_ones_follow_each_other) {
  run_endpoints(GetParam(), [](const Comm& comm) {
    constexpr int count = 40'000;
    std::vector<std::int64_t> data(count);
    EP_Request request = EP_REQUEST_NULL;
    check(EP_Bcast_init(data.data(), count, MPI_INT64_T, 0, comm.get(), MPI_INFO_NULL, &request));
    for (int round = 0; round < 20; ++round) {
      std::iota(data.begin(), data.end(), comm.rank() == 0 ? round : -round);
      check(EP_Start(&request));
      check(EP_Wait(&request, EP_STATUS_IGNORE));
      ASSERT_EQ(data.front(), round);
      ASSERT_EQ(data.back(), round + count - 1);
    }
    check(EP_Request_free(&request));
  });
}

TEST_P(PersistentCollectives, freed_while_active_goes_on_and_places_are_used_again) {
  run_endpoints(GetParam(), [](const Comm& comm) {
    for (int round = 0; round < 30; ++round) {
      Sum sum;
      sum.make(comm);
      for (int start = 0; start < round % 4; ++start) {
        sum.mine = round;
        check(EP_Start(&sum.request));
        check(EP_Wait(&sum.request, EP_STATUS_IGNORE));
        ASSERT_EQ(sum.all, round * comm.size());
      }
      sum.mine = round + 1;
      check(EP_Start(&sum.request));
      check(EP_Request_free(&sum.request));
      // All have come to the next collective: the operation needs nothing but progress.
      for (int i = 0; i < 3; ++i) check(EP_Barrier(comm.get()));
      while (comm.size() > 1 && sum.all != (round + 1) * comm.size()) {
        check(EP_Progress(comm.get()));
      }
    }
  });
}

TEST_P(PersistentCollectives, wrong_use_is_an_error) {
  run_endpoints(GetParam(), [](const Comm& comm) {
    std::int64_t value = 0;
    EP_Request request = EP_REQUEST_NULL;
    EXPECT_EQ(EP_Bcast_init(&value, -1, MPI_INT64_T, 0, comm.get(), MPI_INFO_NULL, &request),
              EP_ERR_COUNT);
    EXPECT_EQ(
        EP_Bcast_init(&value, 1, MPI_INT64_T, comm.size(), comm.get(), MPI_INFO_NULL, &request),
        EP_ERR_ROOT);
    EXPECT_EQ(EP_Barrier_init(comm.get(), MPI_INFO_NULL, nullptr), EP_ERR_ARG);
    check(EP_Barrier_init(comm.get(), MPI_INFO_NULL, &request));
    EXPECT_EQ(EP_Cancel(&request), EP_ERR_REQUEST) << "not active";
    check(EP_Start(&request));
    EXPECT_EQ(EP_Start(&request), EP_ERR_REQUEST) << "active";
    check(EP_Wait(&request, EP_STATUS_IGNORE));
    check(EP_Request_free(&request));
  });
}

// Endpoints of one process are compared when all have started.
TEST_P(PersistentCollectives, different_functions_are_the_error_of_the_wait) {
  if (processes() > 1 || GetParam() < 2) GTEST_SKIP() << "for endpoints of one process";
  run_endpoints(GetParam(), [](const Comm& comm) {
    std::int64_t value = 0;
    EP_Request request = EP_REQUEST_NULL;
    if (comm.rank() == 0) {
      check(EP_Barrier_init(comm.get(), MPI_INFO_NULL, &request));
    } else {
      check(EP_Bcast_init(&value, 1, MPI_INT64_T, 0, comm.get(), MPI_INFO_NULL, &request));
    }
    check(EP_Start(&request));
    EXPECT_EQ(EP_Wait(&request, EP_STATUS_IGNORE), EP_ERR_OTHER);
    check(EP_Request_free(&request));
  });
}

}  // namespace
}  // namespace ep::test::persistent_test
