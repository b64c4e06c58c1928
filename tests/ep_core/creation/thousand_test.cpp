// Far more endpoints than cores: a thousand in one process, and 4 x 250. What the contract suites
// ask of a few, in its core.
#include <gtest/gtest.h>
#include <malloc.h>

#include <atomic>
#include <cstdint>
#include <numeric>
#include <vector>

#include "layouts.hpp"

namespace ep::test::thousand_test {
namespace {

constexpr int endpoints = 1000;

TEST(Thousand, messages_to_neighbours_and_from_anybody) {
  run_endpoints(endpoints, [](const Comm& comm) {
    const int rank = comm.rank();
    const int next = (rank + 1) % endpoints;
    const int before = (rank + endpoints - 1) % endpoints;
    for (const int tag : {0, 77}) {
      int in = -1;
      check(EP_Sendrecv(&rank, 1, MPI_INT, next, tag, &in, 1, MPI_INT, before, tag, comm.get(),
                        EP_STATUS_IGNORE));
      ASSERT_EQ(in, before);
    }
    // Large ones meet their receive; everybody to the first, who takes them in any order.
    std::vector<int> large(rank % 100 == 0 ? 20'000 : 1, rank);
    if (rank > 0) {
      check(EP_Send(large.data(), static_cast<int>(large.size()), MPI_INT, 0, rank, comm.get()));
      return;
    }
    std::vector<bool> seen(endpoints, false);
    std::vector<int> buffer(20'000);
    for (int i = 1; i < endpoints; ++i) {
      EP_Status status;
      check(
          EP_Recv(buffer.data(), 20'000, MPI_INT, EP_ANY_SOURCE, EP_ANY_TAG, comm.get(), &status));
      ASSERT_EQ(status.EP_TAG, status.EP_SOURCE);
      ASSERT_EQ(buffer[0], status.EP_SOURCE);
      ASSERT_FALSE(seen[static_cast<std::size_t>(status.EP_SOURCE)]);
      seen[static_cast<std::size_t>(status.EP_SOURCE)] = true;
    }
  });
}

TEST(Thousand, collectives_in_all_forms) {
  run_endpoints(endpoints, [](const Comm& comm) {
    const std::int64_t mine = comm.rank() + 1;
    constexpr std::int64_t all = std::int64_t{endpoints} * (endpoints + 1) / 2;
    std::int64_t sum = 0;
    check(EP_Allreduce(&mine, &sum, 1, MPI_INT64_T, MPI_SUM, comm.get()));
    ASSERT_EQ(sum, all);
    std::int64_t upto = 0;
    check(EP_Scan(&mine, &upto, 1, MPI_INT64_T, MPI_SUM, comm.get()));
    ASSERT_EQ(upto, mine * (mine + 1) / 2);
    std::vector<std::int64_t> row(endpoints);
    check(EP_Allgather(&mine, 1, MPI_INT64_T, row.data(), 1, MPI_INT64_T, comm.get()));
    for (int rank = 0; rank < endpoints; ++rank) {
      ASSERT_EQ(row[static_cast<std::size_t>(rank)], rank + 1);
    }
    std::vector<std::int64_t> out(endpoints);
    std::iota(out.begin(), out.end(), 10'000 * mine);
    check(EP_Alltoall(out.data(), 1, MPI_INT64_T, row.data(), 1, MPI_INT64_T, comm.get()));
    for (int rank = 0; rank < endpoints; ++rank) {
      ASSERT_EQ(row[static_cast<std::size_t>(rank)], 10'000 * (rank + 1) + comm.rank());
    }
    EP_Request request = EP_REQUEST_NULL;
    std::int64_t value = comm.rank() == 7 ? 99 : 0;
    check(EP_Ibcast(&value, 1, MPI_INT64_T, 7, comm.get(), &request));
    check(EP_Wait(&request, EP_STATUS_IGNORE));
    ASSERT_EQ(value, 99);
    check(EP_Allreduce_init(&mine, &sum, 1, MPI_INT64_T, MPI_MAX, comm.get(), MPI_INFO_NULL,
                            &request));
    for (int round = 0; round < 3; ++round) {
      sum = 0;
      check(EP_Start(&request));
      check(EP_Wait(&request, EP_STATUS_IGNORE));
      ASSERT_EQ(sum, endpoints);
    }
    check(EP_Request_free(&request));
    for (int i = 0; i < 20; ++i) check(EP_Barrier(comm.get()));
  });
}

// Who is woken first sleeps in the next before the last one is woken from this.
TEST(Thousand, barriers_one_after_the_other) {
  std::atomic<int> entered{0};
  run_endpoints(endpoints, [&](const Comm& comm) {
    const int mine = endpoints / processes();
    for (int turn = 1; turn <= 40; ++turn) {
      entered.fetch_add(1);
      check(EP_Barrier(comm.get()));
      ASSERT_GE(entered.load(), turn * mine);
    }
  });
}

TEST(Thousand, communicators_of_communicators) {
  run_endpoints(endpoints, [](const Comm& comm) {
    const Comm part = comm.split(comm.rank() % 7, -comm.rank());
    const int size = endpoints / 7 + (comm.rank() % 7 < endpoints % 7 ? 1 : 0);
    ASSERT_EQ(part.size(), size);
    ASSERT_EQ(part.rank(), size - 1 - comm.rank() / 7);
    int sum = 0;
    const int one = 1;
    check(EP_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, part.get()));
    ASSERT_EQ(sum, size);
    const int side = comm.rank() % 2;
    const Comm half = comm.split(side, comm.rank());
    const Comm inter = Comm::intercomm(half, 0, comm, 1 - side, 4);
    ASSERT_EQ(inter.remote_size(), endpoints / 2);
    check(EP_Allreduce(&side, &sum, 1, MPI_INT, MPI_SUM, inter.get()));
    ASSERT_EQ(sum, side == 0 ? endpoints / 2 : 0);
  });
}

// What a communicator in which nothing happens costs, by endpoint.
TEST(Thousand, quiet_endpoints_take_little_memory) {
  constexpr int copies = 4;
  static std::atomic<std::int64_t> before{0};
  static std::atomic<std::int64_t> after{0};
  run_endpoints(endpoints, [](const Comm& comm) {
    const auto in_use = [] { return static_cast<std::int64_t>(::mallinfo2().uordblks); };
    const bool first = comm.rank() % (endpoints / processes()) == 0;
    {
      const Comm warm_up = comm.dup();
      check(EP_Barrier(warm_up.get()));
    }
    check(EP_Barrier(comm.get()));
    check(EP_Barrier(comm.get()));
    if (first) before = in_use();
    check(EP_Barrier(comm.get()));
    std::vector<Comm> all;
    for (int i = 0; i < copies; ++i) {
      all.push_back(comm.dup());
      check(EP_Barrier(all.back().get()));
    }
    check(EP_Barrier(comm.get()));
    check(EP_Barrier(comm.get()));
    if (first) after = in_use();
    check(EP_Barrier(comm.get()));
  });
  const double each =
      static_cast<double>(after - before) / copies / (static_cast<double>(endpoints) / processes());
  RecordProperty("bytes_per_endpoint", static_cast<int>(each));
  std::printf("%.0f bytes per endpoint of a communicator\n", each);
  EXPECT_LE(each, 2048);
}

}  // namespace
}  // namespace ep::test::thousand_test
