#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <numeric>
#include <string>
#include <vector>

#include "layouts.hpp"

namespace ep::test::modes_test {
namespace {

class Modes : public testing::TestWithParam<int> {};
INSTANTIATE_TEST_SUITE_P(Endpoints, Modes, testing::Values(2, 3, 4));

// Sizes around what is buffered, tags that fit in MPI's and one that does not.
constexpr std::array<int, 3> counts{1, 3000, 50'000};
constexpr std::array<int, 2> tags{3, 1'900'000'000};

TEST_P(Modes, a_synchronous_send_waits_for_its_receive) {
  run_endpoints(GetParam(), [](const Comm& comm) {
    if (comm.rank() > 1) return;
    for (const int count : counts) {
      for (const int tag : tags) {
        std::vector<int> data(static_cast<std::size_t>(count), 7 + comm.rank());
        if (comm.rank() == 0) {
          EP_Request send = EP_REQUEST_NULL;
          check(EP_Issend(data.data(), count, MPI_INT, 1, tag, comm.get(), &send));
          // The other one answers although it has not received: progress alone must not complete.
          check(EP_Recv(nullptr, 0, MPI_BYTE, 1, 99, comm.get(), EP_STATUS_IGNORE));
          int flag = 1;
          for (int i = 0; i < 100; ++i) check(EP_Test(&send, &flag, EP_STATUS_IGNORE));
          EXPECT_EQ(flag, 0) << count << " elements, tag " << tag;
          check(EP_Send(nullptr, 0, MPI_BYTE, 1, 98, comm.get()));
          check(EP_Wait(&send, EP_STATUS_IGNORE));
          check(EP_Ssend(data.data(), count, MPI_INT, 1, tag, comm.get()));
        } else {
          EP_Status status;
          check(EP_Probe(0, tag, comm.get(), &status));
          check(EP_Send(nullptr, 0, MPI_BYTE, 0, 99, comm.get()));
          check(EP_Recv(nullptr, 0, MPI_BYTE, 0, 98, comm.get(), EP_STATUS_IGNORE));
          for (int i = 0; i < 2; ++i) {
            check(EP_Recv(data.data(), count, MPI_INT, 0, tag, comm.get(), &status));
            EXPECT_EQ(data.back(), 7);
            data.assign(data.size(), -1);
          }
        }
      }
    }
  });
}

TEST_P(Modes, a_buffered_send_needs_no_receive) {
  run_endpoints(GetParam(), [](const Comm& comm) {
    // One buffer serves the process: rank 0 attaches it.
    std::vector<std::byte> memory(3'000'000);
    if (comm.rank() == 0) {
      check(EP_Buffer_attach(memory.data(), static_cast<int>(memory.size())));
      for (const int count : counts) {
        for (const int tag : tags) {
          std::vector<int> data(static_cast<std::size_t>(count), count + tag % 10);
          check(EP_Bsend(data.data(), count, MPI_INT, 1, tag, comm.get()));
          EP_Request request = EP_REQUEST_NULL;
          check(EP_Ibsend(data.data(), count, MPI_INT, 1, tag, comm.get(), &request));
          int flag = 0;
          check(EP_Test(&request, &flag, EP_STATUS_IGNORE));
          EXPECT_EQ(flag, 1);
          data.assign(data.size(), -1);
        }
      }
      check(EP_Send(nullptr, 0, MPI_BYTE, 1, 99, comm.get()));
      void* back = nullptr;
      int size = 0;
      check(EP_Buffer_detach(static_cast<void*>(&back), &size));
      EXPECT_EQ(back, memory.data());
      EXPECT_EQ(size, 3'000'000);
    } else if (comm.rank() == 1) {
      check(EP_Recv(nullptr, 0, MPI_BYTE, 0, 99, comm.get(), EP_STATUS_IGNORE));
      for (const int count : counts) {
        for (const int tag : tags) {
          for (int i = 0; i < 2; ++i) {
            std::vector<int> data(static_cast<std::size_t>(count), -1);
            check(EP_Recv(data.data(), count, MPI_INT, 0, tag, comm.get(), EP_STATUS_IGNORE));
            EXPECT_EQ(data.back(), count + tag % 10);
          }
        }
      }
    }
  });
}

TEST(BufferedSends, bad_use_of_the_buffer_is_an_error) {
  run_endpoints([](int process, int) { return process == 0 ? 1 : 0; },
                [](const Comm& comm) {
                  std::array<std::byte, 200> memory{};
                  std::array<double, 40> data{};
                  void* back = nullptr;
                  int size = 0;
                  EXPECT_EQ(EP_Bsend(data.data(), 1, MPI_DOUBLE, 0, 0, comm.get()), EP_ERR_BUFFER);
                  EXPECT_EQ(EP_Buffer_detach(static_cast<void*>(&back), &size), EP_ERR_BUFFER);
                  EXPECT_EQ(EP_Buffer_attach(nullptr, 5), EP_ERR_BUFFER);
                  EXPECT_EQ(EP_Buffer_attach(memory.data(), -1), EP_ERR_ARG);
                  check(EP_Buffer_attach(memory.data(), 200));
                  EXPECT_EQ(EP_Buffer_attach(memory.data(), 200), EP_ERR_BUFFER);
                  EXPECT_EQ(EP_Bsend(data.data(), 40, MPI_DOUBLE, 0, 0, comm.get()), EP_ERR_BUFFER);
                  EP_Request request = EP_REQUEST_NULL;
                  EXPECT_EQ(EP_Ibsend(data.data(), 40, MPI_DOUBLE, 0, 0, comm.get(), &request),
                            EP_ERR_BUFFER);
                  EXPECT_EQ(request, EP_REQUEST_NULL);
                  check(EP_Buffer_detach(static_cast<void*>(&back), &size));
                });
}

TEST_P(Modes, ready_sends_meet_posted_receives) {
  run_endpoints(GetParam(), [](const Comm& comm) {
    if (comm.rank() > 1) return;
    const int other = 1 - comm.rank();
    for (const int count : counts) {
      std::vector<int> in(static_cast<std::size_t>(count), -1);
      const std::vector<int> out(static_cast<std::size_t>(count), comm.rank());
      std::array<EP_Request, 2> requests{};
      check(EP_Irecv(in.data(), count, MPI_INT, other, 0, comm.get(), &requests[0]));
      // Both receives are posted when both have heard of the other.
      check(EP_Sendrecv(nullptr, 0, MPI_BYTE, other, 1, nullptr, 0, MPI_BYTE, other, 1, comm.get(),
                        EP_STATUS_IGNORE));
      if (count == 1) {
        check(EP_Rsend(out.data(), count, MPI_INT, other, 0, comm.get()));
      } else {
        check(EP_Irsend(out.data(), count, MPI_INT, other, 0, comm.get(), &requests[1]));
      }
      check(EP_Waitall(2, requests.data(), EP_STATUSES_IGNORE));
      EXPECT_EQ(in.back(), other);
    }
  });
}

TEST_P(Modes, sendrecv_and_replace_go_round_a_ring) {
  run_endpoints(GetParam(), [](const Comm& comm) {
    const int next = (comm.rank() + 1) % comm.size();
    const int previous = (comm.rank() + comm.size() - 1) % comm.size();
    for (const int count : counts) {
      std::vector<double> out(static_cast<std::size_t>(count), comm.rank());
      std::vector<double> in(out.size(), -1);
      EP_Status status;
      check(EP_Sendrecv(out.data(), count, MPI_DOUBLE, next, 4, in.data(), count, MPI_DOUBLE,
                        previous, 4, comm.get(), &status));
      EXPECT_EQ(in.back(), previous);
      EXPECT_EQ(status.EP_SOURCE, previous);
      check(EP_Sendrecv_replace(out.data(), count, MPI_DOUBLE, next, 5, EP_ANY_SOURCE, EP_ANY_TAG,
                                comm.get(), &status));
      EXPECT_EQ(out.back(), previous);
      EXPECT_EQ(status.EP_TAG, 5);
    }
    double value = 3;
    check(EP_Sendrecv_replace(&value, 1, MPI_DOUBLE, EP_PROC_NULL, 0, EP_PROC_NULL, 0, comm.get(),
                              EP_STATUS_IGNORE));
    EXPECT_EQ(value, 3);
  });
}

TEST_P(Modes, persistent_requests_are_started_again_and_again) {
  run_endpoints(GetParam(), [](const Comm& comm) {
    const int next = (comm.rank() + 1) % comm.size();
    const int previous = (comm.rank() + comm.size() - 1) % comm.size();
    MPI_Datatype every_second = MPI_DATATYPE_NULL;
    ASSERT_EQ(MPI_Type_vector(500, 1, 2, MPI_INT, &every_second), MPI_SUCCESS);
    ASSERT_EQ(MPI_Type_commit(&every_second), MPI_SUCCESS);
    std::vector<int> out(1000, -1);
    std::vector<int> in(1000, -1);
    std::array<EP_Request, 2> requests{};
    check(EP_Recv_init(in.data(), 1, every_second, previous, 0, comm.get(), &requests[0]));
    check(comm.rank() % 2 == 0
              ? EP_Send_init(out.data(), 1, every_second, next, 0, comm.get(), &requests[1])
              : EP_Ssend_init(out.data(), 1, every_second, next, 0, comm.get(), &requests[1]));
    ASSERT_EQ(MPI_Type_free(&every_second), MPI_SUCCESS);
    check(EP_Waitall(2, requests.data(), EP_STATUSES_IGNORE));  // inactive: complete
    for (int round = 0; round < 5; ++round) {
      out.assign(out.size(), 10 * comm.rank() + round);
      check(EP_Startall(2, requests.data()));
      EXPECT_EQ(EP_Start(&requests[0]), EP_ERR_REQUEST) << "active";
      std::array<EP_Status, 2> statuses{};
      check(EP_Waitall(2, requests.data(), statuses.data()));
      EXPECT_EQ(statuses[0].EP_SOURCE, previous);
      EXPECT_EQ(in[998], 10 * previous + round);
      EXPECT_EQ(in[999], -1);
      EXPECT_NE(requests[0], EP_REQUEST_NULL);
    }
    for (EP_Request& request : requests) check(EP_Request_free(&request));
    EXPECT_EQ(requests[0], EP_REQUEST_NULL);
  });
}

// From rank 0 to rank 1, which says when its receive is posted.
TEST_P(Modes, persistent_ready_and_buffered_sends) {
  run_endpoints(GetParam(), [](const Comm& comm) {
    if (comm.rank() > 1) return;
    const bool sends = comm.rank() == 0;
    std::vector<std::byte> memory(1'000'000);
    if (sends) check(EP_Buffer_attach(memory.data(), static_cast<int>(memory.size())));
    for (const int count : counts) {
      for (const auto init : {EP_Rsend_init, EP_Bsend_init}) {
        std::vector<int> data(static_cast<std::size_t>(count), -1);
        EP_Request request = EP_REQUEST_NULL;
        check(sends ? init(data.data(), count, MPI_INT, 1, 3, comm.get(), &request)
                    : EP_Recv_init(data.data(), count, MPI_INT, 0, 3, comm.get(), &request));
        for (int round = 0; round < 3; ++round) {
          if (sends) {
            data.assign(data.size(), round);
            check(EP_Recv(nullptr, 0, MPI_BYTE, 1, 1, comm.get(), EP_STATUS_IGNORE));
          }
          check(EP_Start(&request));
          if (!sends) check(EP_Send(nullptr, 0, MPI_BYTE, 0, 1, comm.get()));
          check(EP_Wait(&request, EP_STATUS_IGNORE));
          ASSERT_NE(request, EP_REQUEST_NULL);
          EXPECT_EQ(data, std::vector<int>(data.size(), round));
        }
        check(EP_Request_free(&request));
      }
    }
    // A buffered one completes without its receive.
    const int out = 8;
    int in = -1;
    EP_Request request = EP_REQUEST_NULL;
    if (sends) {
      check(EP_Bsend_init(&out, 1, MPI_INT, 1, 4, comm.get(), &request));
      check(EP_Start(&request));
      check(EP_Wait(&request, EP_STATUS_IGNORE));
      check(EP_Request_free(&request));
      check(EP_Send(nullptr, 0, MPI_BYTE, 1, 5, comm.get()));
      void* back = nullptr;
      int size = 0;
      check(EP_Buffer_detach(static_cast<void*>(&back), &size));
    } else {
      check(EP_Recv(nullptr, 0, MPI_BYTE, 0, 5, comm.get(), EP_STATUS_IGNORE));
      check(EP_Recv(&in, 1, MPI_INT, 0, 4, comm.get(), EP_STATUS_IGNORE));
      EXPECT_EQ(in, out);
    }
  });
}

TEST_P(Modes, receives_and_waiting_sends_can_be_cancelled) {
  run_endpoints(GetParam(), [](const Comm& comm) {
    int value = -1;
    for (const int source : {0, EP_ANY_SOURCE}) {
      EP_Request receive = EP_REQUEST_NULL;
      check(EP_Irecv(&value, 1, MPI_INT, source, 60, comm.get(), &receive));
      check(EP_Cancel(&receive));
      EP_Status status;
      check(EP_Wait(&receive, &status));
      int cancelled = 0;
      check(EP_Test_cancelled(&status, &cancelled));
      EXPECT_EQ(cancelled, 1);
    }
    // To itself: certainly in this process.
    EP_Request send = EP_REQUEST_NULL;
    value = comm.rank();
    check(EP_Issend(&value, 1, MPI_INT, comm.rank(), 61, comm.get(), &send));
    check(EP_Cancel(&send));
    EP_Status status;
    check(EP_Wait(&send, &status));
    int flag = 0;
    check(EP_Test_cancelled(&status, &flag));
    EXPECT_EQ(flag, 1);
    check(EP_Iprobe(EP_ANY_SOURCE, 61, comm.get(), &flag, EP_STATUS_IGNORE));
    EXPECT_EQ(flag, 0) << "the message is gone";
    // What has been matched goes on.
    EP_Request receive = EP_REQUEST_NULL;
    int in = -1;
    check(EP_Irecv(&in, 1, MPI_INT, comm.rank(), 62, comm.get(), &receive));
    check(EP_Send(&value, 1, MPI_INT, comm.rank(), 62, comm.get()));
    check(EP_Cancel(&receive));
    check(EP_Wait(&receive, &status));
    check(EP_Test_cancelled(&status, &flag));
    EXPECT_EQ(flag, 0);
    EXPECT_EQ(in, value);
  });
}

TEST_P(Modes, freed_requests_go_on) {
  run_endpoints(GetParam(), [](const Comm& comm) {
    if (comm.rank() > 1) return;
    for (const int count : counts) {
      EP_Request request = EP_REQUEST_NULL;
      if (comm.rank() == 0) {
        const std::vector<int> data(static_cast<std::size_t>(count), 5);
        check(EP_Isend(data.data(), count, MPI_INT, 1, 0, comm.get(), &request));
        check(EP_Request_free(&request));
        EXPECT_EQ(request, EP_REQUEST_NULL);
        check(EP_Recv(nullptr, 0, MPI_BYTE, 1, 1, comm.get(), EP_STATUS_IGNORE));
      } else {
        std::vector<int> in(static_cast<std::size_t>(count), -1);
        check(EP_Recv(in.data(), count, MPI_INT, 0, 0, comm.get(), EP_STATUS_IGNORE));
        EXPECT_EQ(in.back(), 5);
        check(EP_Send(nullptr, 0, MPI_BYTE, 0, 1, comm.get()));
      }
    }
  });
}

TEST_P(Modes, get_status_leaves_the_request) {
  run_endpoints(GetParam(), [](const Comm& comm) {
    int in = -1;
    const int out = 9;
    EP_Request receive = EP_REQUEST_NULL;
    int flag = 1;
    check(EP_Irecv(&in, 1, MPI_INT, comm.rank(), 7, comm.get(), &receive));
    check(EP_Request_get_status(receive, &flag, EP_STATUS_IGNORE));
    EXPECT_EQ(flag, 0);
    check(EP_Send(&out, 1, MPI_INT, comm.rank(), 7, comm.get()));
    EP_Status status;
    for (int i = 0; i < 2; ++i) {
      check(EP_Request_get_status(receive, &flag, &status));
      EXPECT_EQ(flag, 1);
      EXPECT_EQ(status.EP_TAG, 7);
    }
    check(EP_Wait(&receive, &status));
    EXPECT_EQ(in, 9);
    check(EP_Request_get_status(EP_REQUEST_NULL, &flag, &status));
    EXPECT_EQ(flag, 1);
  });
}

}  // namespace
}  // namespace ep::test::modes_test
