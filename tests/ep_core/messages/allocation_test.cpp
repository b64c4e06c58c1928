// No allocation for small messages and collectives once things have settled: this program counts
// the calls of operator new of all its threads.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <barrier>
#include <cstdint>
#include <functional>
#include <vector>

#include "layouts.hpp"
#include "messages/counted_new.hpp"

namespace ep::test::allocation_test {
namespace {

/// What one endpoint does, again and again.
using Exchange = std::function<void(const Comm&)>;

int rounds() { return processes() == 1 ? 1000 : 200; }

/// Allocations of this process in many rounds. Who is ahead of whom differs from time to
/// time, and a new maximum takes new memory once: the quietest of a few thousands counts, after a
/// first.
std::int64_t allocations_of(int endpoints_per_process, const Exchange& exchange) {
  std::barrier<> together(endpoints_per_process);
  std::array<std::int64_t, 12> counts{};
  run_endpoints([&](int, int) { return endpoints_per_process; },
                [&](const Comm& comm) {
                  for (int i = 0; i < rounds(); ++i) exchange(comm);
                  for (std::int64_t& count : counts) {
                    check(EP_Barrier(comm.get()));
                    together.arrive_and_wait();
                    const std::int64_t before = allocations();
                    together.arrive_and_wait();
                    for (int i = 0; i < rounds(); ++i) exchange(comm);
                    together.arrive_and_wait();
                    const std::int64_t after = allocations();
                    together.arrive_and_wait();
                    if (comm.rank() % endpoints_per_process == 0) count = after - before;
                  }
                  check(EP_Barrier(comm.get()));
                });
  return *std::min_element(counts.begin(), counts.end());
}

/// Two endpoints, in one process or in two.
std::int64_t allocations_of(const Exchange& exchange) {
  return allocations_of(processes() == 1 ? 2 : 1, exchange);
}

TEST(Allocations, are_counted) {
  EXPECT_GE(allocations_of([](const Comm&) { std::vector<int> one(1); }), rounds());
}

TEST(Allocations, none_for_blocking_messages) {
  for (const int bytes : {0, 8, 200, 1000}) {
    EXPECT_EQ(allocations_of([bytes](const Comm& comm) {
                std::array<char, 1000> data{};
                const int peer = 1 - comm.rank();
                if (comm.rank() == 0)
                  check(EP_Send(data.data(), bytes, MPI_BYTE, peer, 1, comm.get()));
                check(EP_Recv(data.data(), bytes, MPI_BYTE, peer, 1, comm.get(), EP_STATUS_IGNORE));
                if (comm.rank() == 1)
                  check(EP_Send(data.data(), bytes, MPI_BYTE, peer, 1, comm.get()));
              }),
              0)
        << bytes;
  }
}

TEST(Allocations, none_for_non_blocking_messages) {
  for (const int source : {0, EP_ANY_SOURCE}) {
    EXPECT_EQ(allocations_of([source](const Comm& comm) {
                const int peer = 1 - comm.rank();
                const int out = 3;
                int in = 0;
                std::array<EP_Request, 2> requests{};
                check(EP_Irecv(&in, 1, MPI_INT, source == 0 ? peer : source, 2, comm.get(),
                               &requests[0]));
                check(EP_Isend(&out, 1, MPI_INT, peer, 2, comm.get(), &requests[1]));
                check(EP_Wait(&requests[1], EP_STATUS_IGNORE));
                check(EP_Wait(&requests[0], EP_STATUS_IGNORE));
              }),
              0);
  }
}

// As models exchange the borders of their parts.
TEST(Allocations, none_for_several_requests_at_once) {
  EXPECT_EQ(allocations_of([](const Comm& comm) {
              const int peer = 1 - comm.rank();
              std::array<int, 4> out{};
              std::array<int, 4> in{};
              std::array<EP_Request, 8> requests{};
              for (int i = 0; i < 4; ++i) {
                const auto at = static_cast<std::size_t>(i);
                check(EP_Irecv(&in[at], 1, MPI_INT, peer, i, comm.get(), &requests[at]));
                check(EP_Isend(&out[at], 1, MPI_INT, peer, i, comm.get(), &requests[4 + at]));
              }
              int index = 0;
              check(EP_Waitany(8, requests.data(), &index, EP_STATUS_IGNORE));
              check(EP_Waitall(8, requests.data(), EP_STATUSES_IGNORE));
            }),
            0);
}

// Messages that come before their receives are kept in memory that was there before.
TEST(Allocations, none_for_unexpected_messages) {
  EXPECT_EQ(allocations_of([](const Comm& comm) {
              const int peer = 1 - comm.rank();
              std::array<char, 100> data{};
              for (int i = 0; i < 10; ++i) {
                check(EP_Send(data.data(), 10 * i, MPI_BYTE, peer, i, comm.get()));
              }
              for (int i = 10; i-- > 0;) {
                check(EP_Recv(data.data(), 100, MPI_BYTE, peer, i, comm.get(), EP_STATUS_IGNORE));
              }
            }),
            0);
}

TEST(Allocations, none_for_collectives) {
  for (const int endpoints : {1, 2, 3}) {
    EXPECT_EQ(allocations_of(endpoints, [](const Comm& comm) { check(EP_Barrier(comm.get())); }), 0)
        << endpoints;
    EXPECT_EQ(allocations_of(endpoints,
                             [](const Comm& comm) {
                               const double mine = 1;
                               double sum = 0;
                               check(EP_Allreduce(&mine, &sum, 1, MPI_DOUBLE, MPI_SUM, comm.get()));
                             }),
              0)
        << endpoints;
    EXPECT_EQ(allocations_of(endpoints,
                             [](const Comm& comm) {
                               int data = 4;
                               EP_Request request = EP_REQUEST_NULL;
                               check(EP_Ibcast(&data, 1, MPI_INT, 0, comm.get(), &request));
                               check(EP_Wait(&request, EP_STATUS_IGNORE));
                             }),
              0)
        << endpoints;
  }
}

}  // namespace
}  // namespace ep::test::allocation_test
