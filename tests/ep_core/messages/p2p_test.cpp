#include <gtest/gtest.h>

#include <array>
#include <numeric>
#include <string>
#include <thread>
#include <vector>

#include "layouts.hpp"

namespace ep::test::p2p_test {
namespace {

class P2p : public testing::TestWithParam<int> {};
INSTANTIATE_TEST_SUITE_P(Endpoints, P2p, testing::Values(2, 3, 4, 5));

TEST_P(P2p, ring_of_small_messages) {
  run_endpoints(GetParam(), [](const Comm& comm) {
    const int size = comm.size();
    const int rank = comm.rank();
    for (int round = 0; round < 50; ++round) {
      const int out = 1000 * rank + round;
      int in = -1;
      EP_Request request = EP_REQUEST_NULL;
      check(EP_Irecv(&in, 1, MPI_INT, (rank + size - 1) % size, 7, comm.get(), &request));
      check(EP_Send(&out, 1, MPI_INT, (rank + 1) % size, 7, comm.get()));
      EP_Status status;
      check(EP_Wait(&request, &status));
      EXPECT_EQ(in, 1000 * ((rank + size - 1) % size) + round);
      EXPECT_EQ(status.EP_SOURCE, (rank + size - 1) % size);
      EXPECT_EQ(status.EP_TAG, 7);
      EXPECT_EQ(request, EP_REQUEST_NULL);
    }
  });
}

// What a blocked receiver is handed without its mailbox's lock must not overtake what went through
// it: sizes on both sides of the limit, all senders at once, exact receives and wildcards.
TEST_P(P2p, blocked_receives_keep_the_order_of_each_sender) {
  run_endpoints(GetParam(), [](const Comm& comm) {
    constexpr int messages = 400;
    const auto length = [](int n) { return 1 + n % 13; };  // in ints
    if (comm.rank() > 0) {
      std::vector<int> out(13);
      for (int n = 0; n < messages; ++n) {
        out[0] = n;
        check(EP_Send(out.data(), length(n), MPI_INT, 0, n % 3, comm.get()));
      }
      return;
    }
    std::vector<int> next(static_cast<std::size_t>(comm.size()), 0);
    for (int i = 0; i < (comm.size() - 1) * messages; ++i) {
      std::array<int, 13> in{};
      EP_Status status;
      const int busy = 1 + i % (comm.size() - 1);
      int& expected = next[static_cast<std::size_t>(busy)];
      const bool exact = i % 2 == 0 && expected < messages;
      check(EP_Recv(in.data(), 13, MPI_INT, exact ? busy : EP_ANY_SOURCE,
                    exact ? expected % 3 : EP_ANY_TAG, comm.get(), &status));
      const int n = next[static_cast<std::size_t>(status.EP_SOURCE)]++;
      ASSERT_EQ(in[0], n) << "from " << status.EP_SOURCE;
      ASSERT_EQ(status.EP_TAG, n % 3);
      int count = 0;
      check(EP_Get_count(&status, MPI_INT, &count));
      ASSERT_EQ(count, length(n));
    }
  });
}

// MPI_THREAD_MULTIPLE: two threads block in receives of one endpoint, which one of them is handed
// over.
TEST_P(P2p, threads_receive_at_one_endpoint_at_the_same_time) {
  run_endpoints(GetParam(), [](const Comm& comm) {
    constexpr int messages = 300;
    const auto each_of_two = [](const auto& body) {
      std::thread second([&body] { body(1); });
      body(0);
      second.join();
    };
    if (comm.rank() == 0) {
      each_of_two([&comm](int tag) {
        for (int n = 0; n < messages * (comm.size() - 1); ++n) {
          std::array<int, 3> in{-1, -1, -1};
          EP_Status status;
          check(EP_Recv(in.data(), 3, MPI_INT, EP_ANY_SOURCE, tag, comm.get(), &status));
          ASSERT_EQ(status.EP_TAG, tag);
          ASSERT_EQ(in, (std::array<int, 3>{status.EP_SOURCE, tag, 7}));
        }
      });
    } else {
      each_of_two([&comm](int tag) {
        const std::array<int, 3> out{comm.rank(), tag, 7};
        for (int n = 0; n < messages; ++n) {
          check(EP_Send(out.data(), 3, MPI_INT, 0, tag, comm.get()));
        }
      });
    }
  });
}

TEST_P(P2p, a_blocked_receive_reports_truncation_and_takes_any_datatype) {
  run_endpoints(GetParam(), [](const Comm& comm) {
    if (comm.rank() > 1) return;
    const std::array<int, 4> out{1, 2, 3, 4};
    for (int round = 0; round < 100; ++round) {
      if (comm.rank() == 1) {
        check(EP_Send(out.data(), 4, MPI_INT, 0, 5, comm.get()));
        check(EP_Send(out.data(), 2, MPI_INT, 0, 6, comm.get()));
        continue;
      }
      std::array<int, 5> in{-1, -1, -1, -1, -1};
      check(EP_Comm_set_errhandler(comm.get(), EP_ERRORS_RETURN));
      EXPECT_EQ(EP_Recv(in.data(), 3, MPI_INT, 1, 5, comm.get(), EP_STATUS_IGNORE),
                EP_ERR_TRUNCATE);
      EXPECT_EQ(in[3], -1) << "beyond the buffer";
      MPI_Datatype apart = MPI_DATATYPE_NULL;
      ASSERT_EQ(MPI_Type_vector(2, 1, 4, MPI_INT, &apart), MPI_SUCCESS);
      ASSERT_EQ(MPI_Type_commit(&apart), MPI_SUCCESS);
      in.fill(-1);
      check(EP_Recv(in.data(), 1, apart, 1, 6, comm.get(), EP_STATUS_IGNORE));
      EXPECT_EQ(in, (std::array<int, 5>{1, -1, -1, -1, 2}));
      ASSERT_EQ(MPI_Type_free(&apart), MPI_SUCCESS);
    }
  });
}

// Long messages wait for their receive and are copied once: here the receive comes first, then
// last.
TEST_P(P2p, long_messages_both_ways) {
  run_endpoints(GetParam(), [](const Comm& comm) {
    constexpr int count = 300'000;
    const int other = comm.rank() ^ 1;
    if (other >= comm.size()) return;
    std::vector<double> out(count);
    std::iota(out.begin(), out.end(), comm.rank() * 1.0e6);
    for (int round = 0; round < 4; ++round) {
      std::vector<double> in(count, -1);
      EP_Request send = EP_REQUEST_NULL;
      if ((round + comm.rank()) % 2 == 0) {
        check(EP_Isend(out.data(), count, MPI_DOUBLE, other, round, comm.get(), &send));
        check(EP_Recv(in.data(), count, MPI_DOUBLE, other, round, comm.get(), EP_STATUS_IGNORE));
      } else {
        EP_Request receive = EP_REQUEST_NULL;
        check(EP_Irecv(in.data(), count, MPI_DOUBLE, other, round, comm.get(), &receive));
        check(EP_Isend(out.data(), count, MPI_DOUBLE, other, round, comm.get(), &send));
        check(EP_Wait(&receive, EP_STATUS_IGNORE));
      }
      check(EP_Wait(&send, EP_STATUS_IGNORE));
      EXPECT_EQ(in.front(), other * 1.0e6);
      EXPECT_EQ(in.back(), other * 1.0e6 + count - 1);
    }
  });
}

TEST_P(P2p, a_long_send_waits_until_it_is_received) {
  run_endpoints(GetParam(), [](const Comm& comm) {
    std::vector<int> data(200'000, comm.rank());
    if (comm.rank() == 0) {
      EP_Request send = EP_REQUEST_NULL;
      check(EP_Isend(data.data(), 200'000, MPI_INT, 1, 1, comm.get(), &send));
      int flag = 1;
      check(EP_Test(&send, &flag, EP_STATUS_IGNORE));
      EXPECT_EQ(flag, 0) << "nobody can have received it";
      check(EP_Send(nullptr, 0, MPI_BYTE, 1, 2, comm.get()));
      check(EP_Wait(&send, EP_STATUS_IGNORE));
    } else if (comm.rank() == 1) {
      check(EP_Recv(nullptr, 0, MPI_BYTE, 0, 2, comm.get(), EP_STATUS_IGNORE));
      check(EP_Recv(data.data(), 200'000, MPI_INT, 0, 1, comm.get(), EP_STATUS_IGNORE));
      EXPECT_EQ(data.back(), 0);
    }
  });
}

// Small, long and header messages of one sender, received by wildcards in the order of sending.
TEST_P(P2p, wildcards_keep_the_order_of_each_sender) {
  run_endpoints(GetParam(), [](const Comm& comm) {
    constexpr int messages = 40;
    if (comm.rank() != 0) {
      std::vector<EP_Request> sends(messages, EP_REQUEST_NULL);
      std::vector<std::vector<int>> data;
      for (int i = 0; i < messages; ++i) {
        const int count = i % 3 == 0 ? 10'000 : 2;
        const int tag = i % 5 == 0 ? 2'000'000'000 - i : i;
        data.emplace_back(static_cast<std::size_t>(count), i);
        check(EP_Isend(data.back().data(), count, MPI_INT, 0, tag, comm.get(),
                       &sends[static_cast<std::size_t>(i)]));
      }
      check(EP_Waitall(messages, sends.data(), EP_STATUSES_IGNORE));
      return;
    }
    std::vector<int> next(static_cast<std::size_t>(comm.size()), 0);
    for (int i = 0; i < messages * (comm.size() - 1); ++i) {
      std::vector<int> in(10'000, -1);
      EP_Status status;
      check(EP_Recv(in.data(), 10'000, MPI_INT, EP_ANY_SOURCE, EP_ANY_TAG, comm.get(), &status));
      int& expected = next[static_cast<std::size_t>(status.EP_SOURCE)];
      EXPECT_EQ(in[0], expected) << "from " << status.EP_SOURCE;
      EXPECT_EQ(status.EP_TAG, expected % 5 == 0 ? 2'000'000'000 - expected : expected);
      int count = 0;
      check(EP_Get_count(&status, MPI_INT, &count));
      EXPECT_EQ(count, expected % 3 == 0 ? 10'000 : 2);
      ++expected;
    }
  });
}

TEST_P(P2p, posted_receives_match_in_order_of_posting) {
  run_endpoints(GetParam(), [](const Comm& comm) {
    if (comm.rank() == 0) {
      std::array<int, 4> in{};
      std::array<EP_Request, 4> requests{};
      check(EP_Irecv(&in[0], 1, MPI_INT, EP_ANY_SOURCE, 5, comm.get(), &requests[0]));
      check(EP_Irecv(&in[1], 1, MPI_INT, 1, 5, comm.get(), &requests[1]));
      check(EP_Irecv(&in[2], 1, MPI_INT, 1, EP_ANY_TAG, comm.get(), &requests[2]));
      check(EP_Irecv(&in[3], 1, MPI_INT, 1, 5, comm.get(), &requests[3]));
      check(EP_Send(nullptr, 0, MPI_BYTE, 1, 0, comm.get()));
      check(EP_Waitall(4, requests.data(), EP_STATUSES_IGNORE));
      EXPECT_EQ(in, (std::array<int, 4>{10, 11, 12, 13}));
    } else if (comm.rank() == 1) {
      check(EP_Recv(nullptr, 0, MPI_BYTE, 0, 0, comm.get(), EP_STATUS_IGNORE));
      for (int value = 10; value < 14; ++value) {
        check(EP_Send(&value, 1, MPI_INT, 0, 5, comm.get()));
      }
    }
  });
}

TEST_P(P2p, truncation_is_an_error_and_spares_what_follows_the_buffer) {
  for (const int sent : {4, 20'000}) {
    for (const int tag : {3, 2'000'000'000}) {
      run_endpoints(GetParam(), [sent, tag](const Comm& comm) {
        if (comm.rank() == 0) {
          const std::vector<int> out(static_cast<std::size_t>(sent), 42);
          check(EP_Send(out.data(), sent, MPI_INT, 1, tag, comm.get()));
        } else if (comm.rank() == 1) {
          std::array<int, 6> in{-1, -1, -1, -1, -1, -1};
          EP_Status status;
          EXPECT_EQ(EP_Recv(in.data(), 3, MPI_INT, 0, tag, comm.get(), &status), EP_ERR_TRUNCATE);
          EXPECT_EQ(status.ep_bytes, 4 * sent);
          EXPECT_NE(std::string(EP_Last_error()).find("is cut (the receive buffer has 12 bytes)"),
                    std::string::npos)
              << EP_Last_error();
          EXPECT_EQ(in[3], -1);
          EXPECT_EQ(in[5], -1);
        }
      });
    }
  }
}

TEST_P(P2p, derived_datatypes) {
  run_endpoints(GetParam(), [](const Comm& comm) {
    MPI_Datatype column = MPI_DATATYPE_NULL;
    ASSERT_EQ(MPI_Type_vector(2000, 1, 3, MPI_DOUBLE, &column), MPI_SUCCESS);
    ASSERT_EQ(MPI_Type_commit(&column), MPI_SUCCESS);
    std::vector<double> matrix(6000, -1);
    if (comm.rank() == 0) {
      std::iota(matrix.begin(), matrix.end(), 0.0);
      check(EP_Send(&matrix[1], 1, column, 1, 0, comm.get()));
      check(EP_Send(&matrix[2], 1, column, 1, 1, comm.get()));
      check(EP_Send(matrix.data(), 2000, MPI_DOUBLE, 1, 2, comm.get()));
    } else if (comm.rank() == 1) {
      std::vector<double> flat(2000);
      check(EP_Recv(flat.data(), 2000, MPI_DOUBLE, 0, 0, comm.get(), EP_STATUS_IGNORE));
      EXPECT_EQ(flat[1999], 1999 * 3 + 1);
      EP_Request request = EP_REQUEST_NULL;
      check(EP_Irecv(&matrix[0], 1, column, 0, 1, comm.get(), &request));
      check(EP_Wait(&request, EP_STATUS_IGNORE));
      EXPECT_EQ(matrix[3 * 1999], 1999 * 3 + 2);
      EXPECT_EQ(matrix[1], -1);
      check(EP_Recv(&matrix[0], 1, column, 0, 2, comm.get(), EP_STATUS_IGNORE));
      EXPECT_EQ(matrix[3 * 1999], 1999);
    }
    ASSERT_EQ(MPI_Type_free(&column), MPI_SUCCESS);
  });
}

TEST_P(P2p, to_self_and_to_nobody) {
  run_endpoints(GetParam(), [](const Comm& comm) {
    int out = comm.rank();
    int in = -1;
    check(EP_Send(&out, 1, MPI_INT, comm.rank(), 0, comm.get()));
    check(EP_Recv(&in, 1, MPI_INT, comm.rank(), 0, comm.get(), EP_STATUS_IGNORE));
    EXPECT_EQ(in, out);
    EP_Status status;
    check(EP_Send(&out, 1, MPI_INT, EP_PROC_NULL, 0, comm.get()));
    check(EP_Recv(&in, 1, MPI_INT, EP_PROC_NULL, 0, comm.get(), &status));
    EXPECT_EQ(status.EP_SOURCE, EP_PROC_NULL);
    EXPECT_EQ(status.ep_bytes, 0);
  });
}

TEST_P(P2p, tags_up_to_the_bound) {
  run_endpoints(GetParam(), [](const Comm& comm) {
    int tag_ub = 0;
    check(EP_Comm_tag_ub(comm.get(), &tag_ub));
    EXPECT_GE(tag_ub, EP_TAG_UB_MIN);
    for (const int tag : {0, 32767, 32768, 1 << 20, tag_ub}) {
      int in = -1;
      EP_Request request = EP_REQUEST_NULL;
      check(EP_Irecv(&in, 1, MPI_INT, EP_ANY_SOURCE, tag, comm.get(), &request));
      check(EP_Send(&tag, 1, MPI_INT, (comm.rank() + 1) % comm.size(), tag, comm.get()));
      EP_Status status;
      check(EP_Wait(&request, &status));
      EXPECT_EQ(in, tag);
      EXPECT_EQ(status.EP_TAG, tag);
    }
  });
}

TEST(P2pErrors, bad_arguments_are_told_apart) {
  run_endpoints(2, [](const Comm& comm) {
    int value = 0;
    EXPECT_EQ(EP_Send(&value, 1, MPI_INT, comm.size(), 0, comm.get()), EP_ERR_RANK);
    EXPECT_EQ(std::string(EP_Last_error()), "destination 2 (the group has 2 ranks).");
    EXPECT_EQ(EP_Send(&value, -1, MPI_INT, 0, 0, comm.get()), EP_ERR_COUNT);
    EXPECT_EQ(EP_Send(&value, 1, MPI_INT, 0, -1, comm.get()), EP_ERR_TAG);
    EXPECT_EQ(EP_Send(&value, 1, MPI_DATATYPE_NULL, 0, 0, comm.get()), EP_ERR_TYPE);
    EXPECT_EQ(EP_Send(nullptr, 1, MPI_INT, 0, 0, comm.get()), EP_ERR_BUFFER);
    EXPECT_EQ(EP_Recv(&value, 1, MPI_INT, 99, 0, comm.get(), EP_STATUS_IGNORE), EP_ERR_RANK);
    EXPECT_EQ(EP_Recv(&value, 1, MPI_INT, 0, -7, comm.get(), EP_STATUS_IGNORE), EP_ERR_TAG);
  });
}

}  // namespace
}  // namespace ep::test::p2p_test
