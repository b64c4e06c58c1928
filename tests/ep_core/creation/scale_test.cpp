// Many communicators, many endpoints. Run with few tag bits, too (EP_TEST_TAG_UB).

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <numeric>
#include <vector>

#include "handles/endpoint.hpp"
#include "interposed.hpp"
#include "layouts.hpp"

namespace ep::test::scale_test {
namespace {

/// A number to the next rank, and one from the rank before.
void pass_around(const Comm& comm, int value) {
  const int next = (comm.rank() + 1) % comm.size();
  const int before = (comm.rank() + comm.size() - 1) % comm.size();
  const int out = 1000 * value + comm.rank();
  int in = -1;
  EP_Request request = EP_REQUEST_NULL;
  check(EP_Irecv(&in, 1, MPI_INT, before, value, comm.get(), &request));
  check(EP_Send(&out, 1, MPI_INT, next, value, comm.get()));
  check(EP_Wait(&request, EP_STATUS_IGNORE));
  ASSERT_EQ(in, 1000 * value + before);
}

void sum_up(const Comm& comm) {
  const int mine = comm.rank() + 1;
  int sum = 0;
  check(EP_Allreduce(&mine, &sum, 1, MPI_INT, MPI_SUM, comm.get()));
  ASSERT_EQ(sum, comm.size() * (comm.size() + 1) / 2);
}

std::vector<Comm> duplicates(const Comm& comm, int count) {
  std::vector<Comm> all;
  for (int i = 0; i < count; ++i) all.push_back(comm.dup());
  return all;
}

// MPICH stops at 2046 communicators.
TEST(ManyCommunicators, three_thousand_live_ones_are_used_one_by_one) {
  run_endpoints(processes(), [](const Comm& comm) {
    const std::vector<Comm> all = duplicates(comm, 3'000);
    for (int i = 0; i < 3'000; ++i) {
      pass_around(all[static_cast<std::size_t>(i)], i);
      if (i % 10 == 0) sum_up(all[static_cast<std::size_t>(i)]);
    }
    // Again in another order: none has lost what it had.
    for (int i = 2'999; i >= 0; i -= 7) pass_around(all[static_cast<std::size_t>(i)], i);
  });
}

TEST(ManyCommunicators, ten_thousand_live_ones_of_a_process_need_no_mpi) {
  run_endpoints([](int, int) { return 1; },
                [](const Comm& comm) {
                  const Comm self = Comm::from_mpi(MPI_COMM_SELF);
                  // Receives do not count: local calls also serve the other process, which may have
                  // reached its end already. What is not sent need not be received.
                  const auto raw_calls = [] { return calls(Raw::isend) + calls(Raw::comm_idup); };
                  check(EP_Barrier(comm.get()));
                  for (int i = 0; i < 100; ++i) check(EP_Progress(comm.get()));  // late answers
                  const std::int64_t before = raw_calls();
                  const std::vector<Comm> all = duplicates(self, 10'000);
                  for (int i = 0; i < 10'000; ++i) pass_around(all[static_cast<std::size_t>(i)], i);
                  for (int i = 0; i < 10'000; i += 10) sum_up(all[static_cast<std::size_t>(i)]);
                  EXPECT_EQ(raw_calls(), before);
                });
}

/// MPI's probes and tests in a hundred polls, with nothing on its way.
std::int64_t cost_of_polls(const Comm& comm) {
  check(EP_Barrier(comm.get()));
  for (int i = 0; i < 100; ++i) check(EP_Progress(comm.get()));  // late acknowledgements
  const std::int64_t before = calls(Raw::iprobe) + calls(Raw::tried_test);
  for (int i = 0; i < 100; ++i) check(EP_Progress(comm.get()));
  return calls(Raw::iprobe) + calls(Raw::tried_test) - before;
}

TEST(ManyCommunicators, a_poll_costs_the_same_however_many_live) {
  run_endpoints(processes(), [](const Comm& comm) {
    const std::int64_t alone = cost_of_polls(comm);
    EXPECT_LE(alone, 200);  // the wires of this communicator and of its parent
    EXPECT_GE(alone, processes() > 1 ? 100 : 0);
    const std::vector<Comm> all = duplicates(comm, 2'000);
    EXPECT_EQ(cost_of_polls(comm), alone);
    // A posted receive is its receiver's affair: it is matched, not polled for.
    std::vector<int> data(2'000, -1);
    std::vector<EP_Request> requests(2'000, EP_REQUEST_NULL);
    const int peer = (comm.rank() + 1) % comm.size();
    for (std::size_t i = 0; i < 2'000; ++i) {
      check(EP_Irecv(&data[i], 1, MPI_INT, EP_ANY_SOURCE, 0, all[i].get(), &requests[i]));
    }
    EXPECT_EQ(cost_of_polls(comm), alone);
    for (std::size_t i = 0; i < 2'000; ++i) {
      const int number = static_cast<int>(i);
      check(EP_Send(&number, 1, MPI_INT, peer, 0, all[i].get()));
    }
    check(EP_Waitall(2'000, requests.data(), EP_STATUSES_IGNORE));
    for (std::size_t i = 0; i < 2'000; ++i) ASSERT_EQ(data[i], static_cast<int>(i));
  });
}

std::size_t runs_of(const Comm& comm) { return comm.get()->local_group().runs().size(); }

TEST(ManyEndpoints, ranks_are_looked_up_in_memory_of_the_number_of_processes) {
  const auto world = static_cast<std::size_t>(processes());
  run_endpoints([](int process, int) { return process % 2 == 0 ? 128 : 31; },
                [&](const Comm& comm) {
                  EXPECT_EQ(runs_of(comm), world);
                  EXPECT_EQ(runs_of(comm.dup()), world);
                  const int group = comm.rank() < comm.size() / 2 ? 0 : 1;
                  EXPECT_LE(runs_of(comm.split(group, 0)), world);
                  int dimension = comm.size();
                  int periodic = 1;
                  EP_Comm cart = EP_COMM_NULL;
                  check(EP_Cart_create(comm.get(), 1, &dimension, &periodic, 0, &cart));
                  EXPECT_EQ(runs_of(Comm(cart)), world);
                });
}

/// Endpoints per process.
class Crowd : public testing::TestWithParam<int> {
 protected:
  void run(const std::function<void(const Comm&)>& body) const {
    run_endpoints([](int, int) { return GetParam(); }, body);
  }
};
INSTANTIATE_TEST_SUITE_P(PerProcess, Crowd, testing::Values(1, 2, 31, 128));

struct Ring {
  explicit Ring(const Comm& comm)
      : me(comm.rank()),
        next((me + 1) % comm.size()),
        before((me + comm.size() - 1) % comm.size()),
        // Across the crowd: mostly another process, and another slot.
        far((me + comm.size() / 2) % comm.size()),
        far_back((me + comm.size() - comm.size() / 2) % comm.size()) {}
  int me;
  int next;
  int before;
  int far;
  int far_back;
};

// With 19 bits, none of these tags fits beside the slots of a large crowd.
constexpr std::array<int, 4> tags{0, 77, 32'767, 2'000'000'000};

using Start = int (*)(const void*, int, MPI_Datatype, int, int, EP_Comm, EP_Request*);

TEST_P(Crowd, all_modes_of_sending) {
  std::vector<std::byte> memory(4'000'000);
  check(EP_Buffer_attach(memory.data(), static_cast<int>(memory.size())));
  run([](const Comm& comm) {
    const Ring ring(comm);
    for (const Start start : {EP_Isend, EP_Issend, EP_Ibsend, EP_Irsend}) {
      std::array<std::array<int, 2>, tags.size()> out{};
      std::array<std::array<int, 2>, tags.size()> in{};
      std::array<EP_Request, 2 * tags.size()> requests{};
      for (std::size_t i = 0; i < tags.size(); ++i) {
        check(EP_Irecv(in[i].data(), 2, MPI_INT, ring.far_back, tags[i], comm.get(), &requests[i]));
      }
      check(EP_Barrier(comm.get()));  // ready sends need their receives
      for (std::size_t i = tags.size(); i-- > 0;) {
        out[i] = {ring.me, tags[i]};
        check(start(out[i].data(), 2, MPI_INT, ring.far, tags[i], comm.get(),
                    &requests[tags.size() + i]));
      }
      check(EP_Waitall(static_cast<int>(requests.size()), requests.data(), EP_STATUSES_IGNORE));
      for (std::size_t i = 0; i < tags.size(); ++i) {
        ASSERT_EQ(in[i], (std::array<int, 2>{ring.far_back, tags[i]}));
      }
    }
  });
  void* address = nullptr;
  int size = 0;
  check(EP_Buffer_detach(static_cast<void*>(&address), &size));
}

TEST_P(Crowd, matched_probes) {
  run([](const Comm& comm) {
    const Ring ring(comm);
    for (const int tag : tags) {
      EP_Request send = EP_REQUEST_NULL;
      check(EP_Isend(&ring.me, 1, MPI_INT, ring.far, tag, comm.get(), &send));
      EP_Message message = EP_MESSAGE_NULL;
      EP_Status status;
      check(EP_Mprobe(EP_ANY_SOURCE, tag, comm.get(), &message, &status));
      ASSERT_EQ(status.EP_SOURCE, ring.far_back);
      int in = -1;
      EP_Request receive = EP_REQUEST_NULL;
      check(EP_Imrecv(&in, 1, MPI_INT, &message, &receive));
      check(EP_Wait(&receive, &status));
      ASSERT_EQ(in, ring.far_back);
      ASSERT_EQ(status.EP_TAG, tag);
      check(EP_Wait(&send, EP_STATUS_IGNORE));
    }
  });
}

TEST_P(Crowd, persistent_requests) {
  run([](const Comm& comm) {
    const Ring ring(comm);
    std::array<int, 3> in{};
    int out = 0;
    std::array<EP_Request, 4> requests{};
    check(EP_Send_init(&out, 1, MPI_INT, ring.next, 5, comm.get(), &requests[0]));
    check(EP_Ssend_init(&out, 1, MPI_INT, ring.far, 2'000'000'000, comm.get(), &requests[1]));
    check(EP_Recv_init(&in[0], 1, MPI_INT, ring.before, 5, comm.get(), &requests[2]));
    check(EP_Recv_init(&in[1], 1, MPI_INT, ring.far_back, 2'000'000'000, comm.get(), &requests[3]));
    for (int round = 0; round < 3; ++round) {
      out = 1000 * round + ring.me;
      check(EP_Startall(4, requests.data()));
      check(EP_Waitall(4, requests.data(), EP_STATUSES_IGNORE));
      ASSERT_EQ(in[0], 1000 * round + ring.before);
      ASSERT_EQ(in[1], 1000 * round + ring.far_back);
    }
    for (EP_Request& request : requests) check(EP_Request_free(&request));
  });
}

TEST_P(Crowd, collectives_under_way_together) {
  run([](const Comm& comm) {
    const int size = comm.size();
    const int me = comm.rank();
    int root = me == size - 1 ? 42 : -1;
    int sum = 0;
    int scan = 0;
    std::vector<int> out(static_cast<std::size_t>(size));
    for (int i = 0; i < size; ++i) out[static_cast<std::size_t>(i)] = 1000 * me + i;
    std::vector<int> in(static_cast<std::size_t>(size), -1);
    std::vector<int> all(static_cast<std::size_t>(size), -1);
    std::array<EP_Request, 6> requests{};
    check(EP_Ibcast(&root, 1, MPI_INT, size - 1, comm.get(), &requests[0]));
    check(EP_Iallreduce(&me, &sum, 1, MPI_INT, MPI_SUM, comm.get(), &requests[1]));
    check(EP_Iscan(&me, &scan, 1, MPI_INT, MPI_SUM, comm.get(), &requests[2]));
    check(EP_Ialltoall(out.data(), 1, MPI_INT, in.data(), 1, MPI_INT, comm.get(), &requests[3]));
    check(EP_Iallgather(&me, 1, MPI_INT, all.data(), 1, MPI_INT, comm.get(), &requests[4]));
    check(EP_Ibarrier(comm.get(), &requests[5]));
    check(EP_Waitall(6, requests.data(), EP_STATUSES_IGNORE));
    EXPECT_EQ(root, 42);
    EXPECT_EQ(sum, size * (size - 1) / 2);
    EXPECT_EQ(scan, me * (me + 1) / 2);
    for (int i = 0; i < size; ++i) {
      ASSERT_EQ(in[static_cast<std::size_t>(i)], 1000 * i + me);
      ASSERT_EQ(all[static_cast<std::size_t>(i)], i);
    }
  });
}

TEST_P(Crowd, neighbours_on_a_ring) {
  run([](const Comm& comm) {
    const Ring ring(comm);
    int dimension = comm.size();
    int periodic = 1;
    EP_Comm handle = EP_COMM_NULL;
    check(EP_Cart_create(comm.get(), 1, &dimension, &periodic, 0, &handle));
    const Comm cart(handle);
    const std::array<int, 2> out{10 * ring.me, 10 * ring.me + 1};
    std::array<int, 2> in{-1, -1};
    check(EP_Neighbor_allgather(&ring.me, 1, MPI_INT, in.data(), 1, MPI_INT, cart.get()));
    ASSERT_EQ(in, (std::array<int, 2>{ring.before, ring.next}));
    EP_Request request = EP_REQUEST_NULL;
    check(
        EP_Ineighbor_alltoall(out.data(), 1, MPI_INT, in.data(), 1, MPI_INT, cart.get(), &request));
    check(EP_Wait(&request, EP_STATUS_IGNORE));
    // Both go both ways where a ring of one or two has but one neighbour.
    if (comm.size() > 2) {
      ASSERT_EQ(in, (std::array<int, 2>{10 * ring.before + 1, 10 * ring.next}));
    }
  });
}

TEST_P(Crowd, intercommunicator_of_even_and_odd) {
  run([](const Comm& comm) {
    if (comm.size() < 2) return;
    const int me = comm.rank();
    const int side = me % 2;
    const Comm local = comm.split(side, me);
    const Comm inter = Comm::intercomm(local, 0, comm, 1 - side, 3);
    const int remote = inter.remote_size();
    ASSERT_EQ(remote, (comm.size() + (side == 0 ? 0 : 1)) / 2);
    // To the counterpart: every rank of the smaller side has one.
    const int mine = local.rank();
    const int peer = mine < remote ? mine : EP_PROC_NULL;
    for (const int tag : tags) {
      int in = -1;
      check(EP_Sendrecv(&me, 1, MPI_INT, peer, tag, &in, 1, MPI_INT, peer, tag, inter.get(),
                        EP_STATUS_IGNORE));
      ASSERT_EQ(in, peer == EP_PROC_NULL ? -1 : 2 * mine + 1 - side);
    }
    int sum = 0;
    check(EP_Allreduce(&me, &sum, 1, MPI_INT, MPI_SUM, inter.get()));
    int expected = 0;
    for (int rank = 1 - side; rank < comm.size(); rank += 2) expected += rank;
    EXPECT_EQ(sum, expected);
    EP_Comm handle = EP_COMM_NULL;
    check(EP_Intercomm_merge(inter.get(), side, &handle));
    const Comm merged(handle);
    ASSERT_EQ(merged.rank(), side == 0 ? mine : remote + mine);
    sum_up(merged);
  });
}

// However many sends are under way, a look costs a few of MPI's tests.
TEST(ManyMessages, pending_ones_cost_a_look_no_more_than_a_few) {
  if (processes() < 2) GTEST_SKIP() << "needs another process";
  run_endpoints(2, [](const Comm& comm) {
    constexpr int bytes = 200'000;  // MPI waits for the receiver
    constexpr int looks = 50;
    for (const int pending : {4, 400}) {
      std::vector<char> data(bytes);
      if (comm.rank() == 0) {
        std::vector<EP_Request> requests(static_cast<std::size_t>(pending));
        for (EP_Request& request : requests) {
          check(EP_Isend(data.data(), bytes, MPI_BYTE, 1, 0, comm.get(), &request));
        }
        const std::int64_t before = calls(Raw::tried_test);
        for (int i = 0; i < looks; ++i) check(EP_Progress(comm.get()));
        EXPECT_LE(calls(Raw::tried_test) - before, 8 * looks) << pending << " pending";
        check(EP_Send(nullptr, 0, MPI_BYTE, 1, 1, comm.get()));
        check(EP_Waitall(pending, requests.data(), EP_STATUSES_IGNORE));
      } else {
        check(EP_Recv(nullptr, 0, MPI_BYTE, 0, 1, comm.get(), EP_STATUS_IGNORE));
        for (int i = 0; i < pending; ++i) {
          check(EP_Recv(data.data(), bytes, MPI_BYTE, 0, 0, comm.get(), EP_STATUS_IGNORE));
        }
      }
      check(EP_Barrier(comm.get()));
    }
  });
}

}  // namespace
}  // namespace ep::test::scale_test
