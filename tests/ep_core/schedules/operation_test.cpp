#include <gtest/gtest.h>

#include <numeric>
#include <thread>
#include <vector>

#include "collectives/collective_forms.hpp"
#include "layouts.hpp"

namespace ep::test::operation_test {
namespace {

/// Several operations under way, whatever they are.
class Outstanding : public testing::TestWithParam<int> {};
INSTANTIATE_TEST_SUITE_P(Endpoints, Outstanding, testing::Values(1, 2, 3, 5));

TEST_P(Outstanding, many_of_one_communicator_waited_for_in_any_order) {
  run_endpoints(GetParam(), [](const Comm& comm) {
    constexpr int number = 60;
    const int size = comm.size();
    std::vector<int> values(number);
    std::vector<int> sums(number, -1);
    std::vector<std::vector<int>> gathered(number, std::vector<int>(index(size), -1));
    std::vector<EP_Request> requests(2 * number, EP_REQUEST_NULL);
    for (int i = 0; i < number; ++i) {
      values[index(i)] = 100 * i + comm.rank();
      check(EP_Iallreduce(&values[index(i)], &sums[index(i)], 1, MPI_INT, MPI_SUM, comm.get(),
                          &requests[index(2 * i)]));
      check(EP_Iallgather(&values[index(i)], 1, MPI_INT, gathered[index(i)].data(), 1, MPI_INT,
                          comm.get(), &requests[index(2 * i + 1)]));
    }
    // Each endpoint waits in an order of its own.
    for (int i = 0; i < 2 * number; ++i) {
      const int step = comm.rank() % 2 == 0 ? 2 * number - 1 - i : (i * 7) % (2 * number);
      check(EP_Wait(&requests[index(step)], EP_STATUS_IGNORE));
    }
    for (int i = 0; i < number; ++i) {
      ASSERT_EQ(sums[index(i)], 100 * i * size + size * (size - 1) / 2);
      for (int rank = 0; rank < size; ++rank) {
        ASSERT_EQ(gathered[index(i)][index(rank)], 100 * i + rank);
      }
    }
  });
}

TEST_P(Outstanding, waits_of_other_requests_drive_them) {
  run_endpoints(GetParam(), [](const Comm& comm) {
    std::vector<double> mine(40'000, comm.rank() + 1);
    std::vector<double> sum(mine.size(), -1);
    EP_Request reduction = EP_REQUEST_NULL;
    check(EP_Iallreduce(mine.data(), sum.data(), 40'000, MPI_DOUBLE, MPI_SUM, comm.get(),
                        &reduction));
    // A message around the ring, received only by tests.
    const int next = (comm.rank() + 1) % comm.size();
    EP_Request message = EP_REQUEST_NULL;
    int in = -1;
    check(EP_Irecv(&in, 1, MPI_INT, EP_ANY_SOURCE, 1, comm.get(), &message));
    check(EP_Send(&next, 1, MPI_INT, next, 1, comm.get()));
    int flag = 0;
    while (flag == 0) check(EP_Test(&message, &flag, EP_STATUS_IGNORE));
    EXPECT_EQ(in, comm.rank());
    check(EP_Wait(&reduction, EP_STATUS_IGNORE));
    EXPECT_EQ(sum[39'999], comm.size() * (comm.size() + 1) / 2.0);
  });
}

TEST_P(Outstanding, different_communicators_in_different_orders) {
  run_endpoints(GetParam(), [](const Comm& comm) {
    const Comm first = comm.dup();
    const Comm second = comm.dup();
    for (int round = 0; round < 10; ++round) {
      int a = comm.rank() == 0 ? round : -1;
      int b = comm.rank() == 0 ? 1000 + round : -1;
      EP_Request one = EP_REQUEST_NULL;
      EP_Request two = EP_REQUEST_NULL;
      // Half of the ranks begin with the one, half with the other.
      if (comm.rank() % 2 == 0) {
        check(EP_Ibcast(&a, 1, MPI_INT, 0, first.get(), &one));
        check(EP_Ibcast(&b, 1, MPI_INT, 0, second.get(), &two));
      } else {
        check(EP_Ibcast(&b, 1, MPI_INT, 0, second.get(), &two));
        check(EP_Ibcast(&a, 1, MPI_INT, 0, first.get(), &one));
      }
      check(EP_Wait(&two, EP_STATUS_IGNORE));
      check(EP_Wait(&one, EP_STATUS_IGNORE));
      ASSERT_EQ(a, round);
      ASSERT_EQ(b, 1000 + round);
    }
  });
}

// Blocking operations of two communicators, by two threads for each endpoint.
TEST(Concurrent, communicators_used_by_threads_of_their_own) {
  run_endpoints(3, [](const Comm& comm) {
    const Comm other = comm.dup();
    const auto work = [](const Comm& own) {
      for (int round = 0; round < 40; ++round) {
        const int mine = own.rank() + round;
        int largest = -1;
        check(EP_Allreduce(&mine, &largest, 1, MPI_INT, MPI_MAX, own.get()));
        ASSERT_EQ(largest, own.size() - 1 + round);
        check(EP_Barrier(own.get()));
      }
    };
    std::thread sibling(work, std::cref(other));
    work(comm);
    sibling.join();
  });
}

TEST(Concurrent, a_communicator_may_be_freed_meanwhile) {
  run_endpoints(3, [](const Comm& comm) {
    Comm gone = comm.dup();
    std::vector<int> data(100, gone.rank() == 1 ? 7 : 0);
    EP_Request request = EP_REQUEST_NULL;
    check(EP_Ibcast(data.data(), 100, MPI_INT, 1, gone.get(), &request));
    gone = Comm();
    check(EP_Wait(&request, EP_STATUS_IGNORE));
    EXPECT_EQ(data, std::vector<int>(100, 7));
  });
}

TEST(CollectiveErrors, what_one_endpoint_can_see_is_told_before_anything_is_sent) {
  run_endpoints(2, [](const Comm& comm) {
    int value = 0;
    const int size = comm.size();
    EP_Comm c = comm.get();
    EXPECT_EQ(EP_Bcast(&value, 1, MPI_INT, size, c), EP_ERR_ROOT);
    EXPECT_EQ(EP_Bcast(&value, 1, MPI_INT, EP_PROC_NULL, c), EP_ERR_ROOT);
    EXPECT_EQ(EP_Bcast(&value, -1, MPI_INT, 0, c), EP_ERR_COUNT);
    EXPECT_EQ(EP_Bcast(&value, 1, MPI_DATATYPE_NULL, 0, c), EP_ERR_TYPE);
    EXPECT_EQ(EP_Bcast(nullptr, 1, MPI_INT, 0, c), EP_ERR_BUFFER);
    EXPECT_EQ(EP_Allreduce(&value, &value, 1, MPI_INT, MPI_OP_NULL, c), EP_ERR_OP);
    EXPECT_EQ(EP_Allgatherv(&value, 1, MPI_INT, &value, nullptr, nullptr, MPI_INT, c), EP_ERR_ARG);
    EXPECT_EQ(EP_Ibarrier(c, nullptr), EP_ERR_ARG);
    EXPECT_EQ(EP_Neighbor_allgather(&value, 1, MPI_INT, &value, 1, MPI_INT, c), EP_ERR_TOPOLOGY);
    EXPECT_EQ(EP_Barrier(EP_COMM_NULL), EP_ERR_COMM);
    check(EP_Barrier(c));
  });
}

// What happens between processes depends on sizes: here both are in one.
TEST(CollectiveErrors, different_functions_or_counts_in_one_process) {
  if (processes() > 1) GTEST_SKIP() << "needs both endpoints in one process";
  run_endpoints(2, [](const Comm& comm) {
    int value = comm.rank();
    int out = -1;
    const int code = comm.rank() == 0 ? EP_Barrier(comm.get())
                                      : EP_Allreduce(&value, &out, 1, MPI_INT, MPI_SUM, comm.get());
    EXPECT_EQ(code, EP_ERR_OTHER);
    const std::vector<int> many(4, 1);
    std::vector<int> into(4, -1);
    EXPECT_EQ(EP_Allreduce(many.data(), into.data(), comm.rank() + 1, MPI_INT, MPI_SUM, comm.get()),
              EP_ERR_COUNT);
    std::vector<int> data{1, 2, 3, 4};
    const int cast = EP_Bcast(data.data(), comm.rank() == 0 ? 4 : 2, MPI_INT, 0, comm.get());
    EXPECT_EQ(cast, comm.rank() == 0 ? EP_SUCCESS : EP_ERR_TRUNCATE);
    const int less = EP_Bcast(data.data(), comm.rank() == 0 ? 2 : 4, MPI_INT, 0, comm.get());
    EXPECT_EQ(less, comm.rank() == 0 ? EP_SUCCESS : EP_ERR_COUNT);
    check(EP_Barrier(comm.get()));
  });
}

}  // namespace
}  // namespace ep::test::operation_test
