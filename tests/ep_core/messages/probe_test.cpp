#include <gtest/gtest.h>

#include <array>
#include <vector>

#include "layouts.hpp"

namespace ep::test::probe_test {
namespace {

class Probe : public testing::TestWithParam<int> {};
INSTANTIATE_TEST_SUITE_P(Endpoints, Probe, testing::Values(2, 3, 4));

// Sizes on both sides of the eager limit, tags on both sides of what fits in a raw tag.
TEST_P(Probe, tells_source_tag_and_size_and_leaves_the_message) {
  run_endpoints(GetParam(), [](const Comm& comm) {
    for (const int count : {0, 10, 50'000}) {
      for (const int tag : {4, 2'000'000'001}) {
        std::vector<int> data(static_cast<std::size_t>(count) + 1, comm.rank());
        if (comm.rank() == 1) check(EP_Send(data.data(), count, MPI_INT, 0, tag, comm.get()));
        if (comm.rank() != 0) continue;
        EP_Status status;
        check(EP_Probe(EP_ANY_SOURCE, EP_ANY_TAG, comm.get(), &status));
        EXPECT_EQ(status.EP_SOURCE, 1);
        EXPECT_EQ(status.EP_TAG, tag);
        int found = -1;
        check(EP_Get_count(&status, MPI_INT, &found));
        EXPECT_EQ(found, count);
        int flag = 0;
        check(EP_Iprobe(1, tag, comm.get(), &flag, EP_STATUS_IGNORE));
        EXPECT_EQ(flag, 1);
        check(EP_Recv(data.data(), count, MPI_INT, 1, tag, comm.get(), EP_STATUS_IGNORE));
        EXPECT_EQ(data[0], count > 0 ? 1 : 0);
      }
    }
    int flag = 1;
    check(EP_Iprobe(EP_ANY_SOURCE, EP_ANY_TAG, comm.get(), &flag, EP_STATUS_IGNORE));
    EXPECT_EQ(flag, 0);
  });
}

TEST_P(Probe, a_matched_message_is_out_of_reach_of_receives) {
  run_endpoints(GetParam(), [](const Comm& comm) {
    for (const int count : {3, 50'000}) {
      for (const int tag : {4, 2'000'000'001}) {
        std::vector<int> first(static_cast<std::size_t>(count), 1);
        std::vector<int> second(static_cast<std::size_t>(count), 2);
        if (comm.rank() == 1) {
          std::array<EP_Request, 2> sends{};
          check(EP_Isend(first.data(), count, MPI_INT, 0, tag, comm.get(), &sends[0]));
          check(EP_Isend(second.data(), count, MPI_INT, 0, tag, comm.get(), &sends[1]));
          check(EP_Waitall(2, sends.data(), EP_STATUSES_IGNORE));
        }
        if (comm.rank() != 0) continue;
        EP_Message message = EP_MESSAGE_NULL;
        EP_Status status;
        check(EP_Mprobe(EP_ANY_SOURCE, tag, comm.get(), &message, &status));
        check(EP_Recv(second.data(), count, MPI_INT, 1, EP_ANY_TAG, comm.get(), EP_STATUS_IGNORE));
        EXPECT_EQ(second[0], 2);
        std::vector<int> in(static_cast<std::size_t>(count), -1);
        if (count == 3) {
          check(EP_Mrecv(in.data(), count, MPI_INT, &message, &status));
        } else {
          EP_Request request = EP_REQUEST_NULL;
          check(EP_Imrecv(in.data(), count, MPI_INT, &message, &request));
          check(EP_Wait(&request, &status));
        }
        EXPECT_EQ(message, EP_MESSAGE_NULL);
        EXPECT_EQ(in.back(), 1);
        EXPECT_EQ(status.EP_TAG, tag);
      }
    }
  });
}

TEST_P(Probe, of_nobody) {
  run_endpoints(GetParam(), [](const Comm& comm) {
    EP_Message message = EP_MESSAGE_NULL;
    EP_Status status;
    check(EP_Mprobe(EP_PROC_NULL, 0, comm.get(), &message, &status));
    EXPECT_EQ(message, EP_MESSAGE_NO_PROC);
    EXPECT_EQ(status.EP_SOURCE, EP_PROC_NULL);
    check(EP_Mrecv(nullptr, 0, MPI_INT, &message, &status));
    EXPECT_EQ(message, EP_MESSAGE_NULL);
    EXPECT_EQ(status.EP_SOURCE, EP_PROC_NULL);
  });
}

TEST_P(Probe, received_messages_of_unknown_size) {
  run_endpoints(GetParam(), [](const Comm& comm) {
    const std::vector<std::byte> bytes(static_cast<std::size_t>(100 * (comm.rank() + 1)),
                                       std::byte{7});
    if (comm.rank() > 0) {
      send(comm, bytes, 0, 9);
      return;
    }
    std::size_t total = 0;
    for (int i = 1; i < comm.size(); ++i) {
      const Received received = receive(comm, EP_ANY_SOURCE, 9);
      EXPECT_EQ(received.bytes.size(), static_cast<std::size_t>(100 * (received.source + 1)));
      total += received.bytes.size();
    }
    EXPECT_EQ(total, static_cast<std::size_t>(50 * comm.size() * (comm.size() + 1) - 100));
    Received none;
    EXPECT_FALSE(try_receive(comm, EP_ANY_SOURCE, 9, none));
  });
}

}  // namespace
}  // namespace ep::test::probe_test
