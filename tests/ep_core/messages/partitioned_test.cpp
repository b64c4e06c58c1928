// Messages in parts that several threads fill.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <numeric>
#include <string>
#include <thread>
#include <tuple>
#include <utility>
#include <vector>

#include "layouts.hpp"

namespace ep::test::partitioned_test {
namespace {

using Values = std::vector<std::int64_t>;

Values filled(int round, int count) {
  Values out(static_cast<std::size_t>(count));
  std::iota(out.begin(), out.end(), 1'000'000LL * round);
  return out;
}

/// A request as long as a test.
class PartitionedRequest {
 public:
  static PartitionedRequest sender(const Values& data, int parts, int dest, int tag,
                                   const Comm& comm) {
    PartitionedRequest out;
    const auto each = static_cast<MPI_Count>(data.size()) / parts;
    check(EP_Psend_init(data.data(), parts, each, MPI_INT64_T, dest, tag, comm.get(), MPI_INFO_NULL,
                        &out.request));
    return out;
  }
  static PartitionedRequest receiver(Values& data, int parts, int source, int tag,
                                     const Comm& comm) {
    PartitionedRequest out;
    const auto each = static_cast<MPI_Count>(data.size()) / parts;
    check(EP_Precv_init(data.data(), parts, each, MPI_INT64_T, source, tag, comm.get(),
                        MPI_INFO_NULL, &out.request));
    return out;
  }
  PartitionedRequest(const PartitionedRequest&) = delete;
  PartitionedRequest& operator=(const PartitionedRequest&) = delete;
  PartitionedRequest(PartitionedRequest&& other) noexcept
      : request(std::exchange(other.request, EP_REQUEST_NULL)) {}
  PartitionedRequest& operator=(PartitionedRequest&&) = delete;
  ~PartitionedRequest() {
    if (request == EP_REQUEST_NULL) return;
    EXPECT_EQ(EP_Request_free(&request), EP_SUCCESS);
  }

  void start() { check(EP_Start(&request)); }
  void wait() { check(EP_Wait(&request, EP_STATUS_IGNORE)); }

  EP_Request request = EP_REQUEST_NULL;

 private:
  PartitionedRequest() = default;
};

/// Endpoints; parts of the sender, of the receiver; elements.
class Partitioned : public testing::TestWithParam<std::tuple<int, int, int, int>> {
 protected:
  static int endpoints() { return std::get<0>(GetParam()); }
  static int sent() { return std::get<1>(GetParam()); }
  static int received() { return std::get<2>(GetParam()); }
  static int elements() { return std::get<3>(GetParam()); }
};
INSTANTIATE_TEST_SUITE_P(Divisions, Partitioned,
                         testing::Values(std::tuple(1, 4, 4, 40), std::tuple(2, 1, 1, 1),
                                         std::tuple(2, 4, 4, 0), std::tuple(2, 4, 4, 4'000),
                                         std::tuple(3, 6, 4, 48'000), std::tuple(2, 1, 7, 70'000),
                                         std::tuple(3, 5, 1, 100'000),
                                         std::tuple(2, 3'000, 50, 6'000)));

TEST_P(Partitioned, a_ring_of_messages_filled_backwards_again_and_again) {
  run_endpoints(endpoints(), [](const Comm& comm) {
    const int right = (comm.rank() + 1) % comm.size();
    const int left = (comm.rank() + comm.size() - 1) % comm.size();
    Values out(static_cast<std::size_t>(elements()));
    Values in(out.size(), -1);
    PartitionedRequest send = PartitionedRequest::sender(out, sent(), right, 7, comm);
    PartitionedRequest receive = PartitionedRequest::receiver(in, received(), left, 7, comm);
    for (int round = 0; round < 5; ++round) {
      std::fill(in.begin(), in.end(), -1);
      // In some rounds the receiver comes first, in some the sender is done before.
      if (round % 2 == 0) receive.start();
      send.start();
      const Values next = filled(10 * round + comm.rank(), elements());
      const std::size_t each = out.size() / static_cast<std::size_t>(sent());
      for (int part = sent() - 1; part >= 0; --part) {
        const auto first = static_cast<std::ptrdiff_t>(each) * part;
        std::copy_n(next.begin() + first, each, out.begin() + first);
        check(EP_Pready(part, send.request));
      }
      if (round % 2 != 0) receive.start();
      EP_Status status{};
      check(EP_Wait(&receive.request, &status));
      EXPECT_EQ(in, filled(10 * round + left, elements()));
      EXPECT_EQ(status.EP_SOURCE, left);
      EXPECT_EQ(status.EP_TAG, 7);
      EXPECT_EQ(status.ep_bytes, 8LL * elements());
      send.wait();
    }
  });
}

TEST_P(Partitioned, parts_are_there_when_the_library_says_so) {
  if (endpoints() < 2) GTEST_SKIP() << "needs another";
  run_endpoints(endpoints(), [](const Comm& comm) {
    if (comm.rank() > 1) return;
    Values data = filled(comm.rank() == 0 ? 3 : 0, elements());
    if (comm.rank() == 0) {
      PartitionedRequest send = PartitionedRequest::sender(data, sent(), 1, 0, comm);
      send.start();
      for (int part = 0; part < sent(); ++part) {
        // Each only after the receiver has asked for it.
        check(EP_Recv(nullptr, 0, MPI_BYTE, 1, 1, comm.get(), EP_STATUS_IGNORE));
        check(EP_Pready(part, send.request));
        if (sent() > 100) {
          check(EP_Pready_range(1, sent() - 1, send.request));
          break;
        }
      }
      send.wait();
      return;
    }
    PartitionedRequest receive = PartitionedRequest::receiver(data, received(), 0, 0, comm);
    receive.start();
    int flag = 1;
    check(EP_Parrived(receive.request, received() - 1, &flag));
    EXPECT_EQ(flag, 0) << "nothing was sent yet";
    const int asks = sent() > 100 ? 1 : sent();
    for (int part = 0; part < asks; ++part) {
      check(EP_Send(nullptr, 0, MPI_BYTE, 0, 1, comm.get()));
      // What of ours that part completes.
      const int end = sent() > 100 ? received() : received() * (part + 1) / sent();
      const Values expected = filled(3, elements());
      for (int mine = 0; mine < end; ++mine) {
        do {
          check(EP_Parrived(receive.request, mine, &flag));
        } while (flag == 0);
        const int last = elements() / received() * (mine + 1) - 1;
        if (elements() > 0) {
          ASSERT_EQ(data[static_cast<std::size_t>(last)], expected[static_cast<std::size_t>(last)]);
        }
      }
    }
    receive.wait();
    check(EP_Parrived(receive.request, 0, &flag));
    EXPECT_EQ(flag, 1) << "not active";
    EXPECT_EQ(data, filled(3, elements()));
  });
}

// Who has seen every part need not wait any more: the last one is seen when all is done.
TEST_P(Partitioned, one_test_is_enough_when_all_parts_have_been_seen) {
  if (endpoints() < 2) GTEST_SKIP() << "needs another";
  run_endpoints(endpoints(), [](const Comm& comm) {
    if (comm.rank() > 1) return;
    Values data = filled(1, elements());
    PartitionedRequest request = comm.rank() == 0
                                     ? PartitionedRequest::sender(data, sent(), 1, 3, comm)
                                     : PartitionedRequest::receiver(data, received(), 0, 3, comm);
    for (int round = 0; round < 50; ++round) {
      request.start();
      if (comm.rank() == 0) {
        check(EP_Pready_range(0, sent() - 1, request.request));
        request.wait();
        continue;
      }
      int flag = 0;
      for (int part = 0; part < received(); ++part) {
        for (flag = 0; flag == 0;) check(EP_Parrived(request.request, part, &flag));
        check(EP_Parrived(request.request, part / 2, &flag));
        EXPECT_EQ(flag, 1) << "part " << part / 2 << " had come in round " << round;
      }
      check(EP_Test(&request.request, &flag, EP_STATUS_IGNORE));
      EXPECT_EQ(flag, 1) << "round " << round;
      if (flag == 0) request.wait();
    }
  });
}

TEST_P(Partitioned, many_threads_fill_one_message) {
  if (endpoints() < 2 || sent() > 100) GTEST_SKIP() << "for few parts and another endpoint";
  run_endpoints(endpoints(), [](const Comm& comm) {
    if (comm.rank() > 1) return;
    Values data(static_cast<std::size_t>(elements()), -1);
    if (comm.rank() == 1) {
      PartitionedRequest receive = PartitionedRequest::receiver(data, received(), 0, 2, comm);
      for (int round = 0; round < 20; ++round) {
        receive.start();
        receive.wait();
        ASSERT_EQ(data, filled(round, elements()));
      }
      return;
    }
    PartitionedRequest send = PartitionedRequest::sender(data, sent(), 1, 2, comm);
    for (int round = 0; round < 20; ++round) {
      send.start();
      std::vector<std::thread> threads;
      for (int part = 0; part < sent(); ++part) {
        threads.emplace_back([&, part] {
          const Values all = filled(round, elements());
          const std::ptrdiff_t each = elements() / sent();
          std::copy_n(all.begin() + each * part, each, data.begin() + each * part);
          EXPECT_EQ(EP_Pready(part, send.request), EP_SUCCESS);
        });
      }
      for (std::thread& thread : threads) thread.join();
      send.wait();
    }
  });
}

// The owner waits while others mark, and frees the request as soon as it may.
TEST_P(Partitioned, the_owner_need_not_know_when_the_last_part_is_marked) {
  if (endpoints() < 2 || sent() > 100) GTEST_SKIP() << "for few parts and another endpoint";
  run_endpoints(endpoints(), [](const Comm& comm) {
    if (comm.rank() > 1) return;
    for (int round = 0; round < 30; ++round) {
      Values data = filled(comm.rank() == 0 ? round : -1, elements());
      if (comm.rank() == 1) {
        PartitionedRequest receive = PartitionedRequest::receiver(data, received(), 0, 3, comm);
        receive.start();
        receive.wait();
        ASSERT_EQ(data, filled(round, elements()));
        continue;
      }
      std::vector<std::thread> threads;
      {
        PartitionedRequest send = PartitionedRequest::sender(data, sent(), 1, 3, comm);
        send.start();
        for (int part = 0; part < sent(); ++part) {
          threads.emplace_back(
              [part, request = send.request] { EXPECT_EQ(EP_Pready(part, request), EP_SUCCESS); });
        }
        send.wait();
      }
      for (std::thread& thread : threads) thread.join();
    }
  });
}

class PartitionedPairs : public testing::TestWithParam<int> {};
INSTANTIATE_TEST_SUITE_P(Endpoints, PartitionedPairs, testing::Values(2, 3));

TEST_P(PartitionedPairs, match_by_tag_and_in_the_order_they_were_made) {
  run_endpoints(GetParam(), [](const Comm& comm) {
    if (comm.rank() > 1) return;
    constexpr std::array<int, 4> tags_of_sender{5, 6, 5, 6};
    constexpr std::array<int, 4> tags_of_receiver{6, 6, 5, 5};
    std::array<Values, 4> data{Values(8, -1), Values(8, -1), Values(8, -1), Values(8, -1)};
    std::vector<PartitionedRequest> all;
    for (std::size_t i = 0; i < 4; ++i) {
      if (comm.rank() == 0) {
        data[i] = filled(static_cast<int>(i), 8);
        all.push_back(PartitionedRequest::sender(data[i], 2, 1, tags_of_sender[i], comm));
      } else {
        all.push_back(PartitionedRequest::receiver(data[i], 4, 0, tags_of_receiver[i], comm));
      }
    }
    for (PartitionedRequest& one : all) one.start();
    if (comm.rank() == 0) {
      const std::array<int, 2> both{1, 0};
      for (PartitionedRequest& one : all) check(EP_Pready_list(2, both.data(), one.request));
    }
    for (PartitionedRequest& one : all) one.wait();
    if (comm.rank() == 1) {
      EXPECT_EQ(data[0], filled(1, 8));
      EXPECT_EQ(data[1], filled(3, 8));
      EXPECT_EQ(data[2], filled(0, 8));
      EXPECT_EQ(data[3], filled(2, 8));
    }
  });
}

TEST_P(PartitionedPairs, of_derived_datatypes) {
  run_endpoints(GetParam(), [](const Comm& comm) {
    if (comm.rank() > 1) return;
    // Every second number, in six parts of three at the sender and two of nine at the receiver.
    MPI_Datatype spread = MPI_DATATYPE_NULL;
    ASSERT_EQ(MPI_Type_create_resized(MPI_INT64_T, 0, 16, &spread), MPI_SUCCESS);
    ASSERT_EQ(MPI_Type_commit(&spread), MPI_SUCCESS);
    Values data(36, -1);
    EP_Request request = EP_REQUEST_NULL;
    if (comm.rank() == 0) {
      std::iota(data.begin(), data.end(), 0);
      check(EP_Psend_init(data.data(), 6, 3, spread, 1, 0, comm.get(), MPI_INFO_NULL, &request));
    } else {
      check(EP_Precv_init(data.data(), 2, 9, spread, 0, 0, comm.get(), MPI_INFO_NULL, &request));
    }
    ASSERT_EQ(MPI_Type_free(&spread), MPI_SUCCESS);
    check(EP_Start(&request));
    if (comm.rank() == 0) check(EP_Pready_range(0, 5, request));
    check(EP_Wait(&request, EP_STATUS_IGNORE));
    for (std::size_t i = 0; i < data.size() && comm.rank() == 1; ++i) {
      EXPECT_EQ(data[i], i % 2 == 0 ? static_cast<std::int64_t>(i) : -1);
    }
    check(EP_Request_free(&request));
  });
}

TEST_P(PartitionedPairs, sizes_that_differ_are_the_receiver_s_error) {
  run_endpoints(GetParam(), [](const Comm& comm) {
    if (comm.rank() > 1) return;
    for (const int sent : {12, 6}) {
      Values data(static_cast<std::size_t>(comm.rank() == 0 ? sent : 8), -1);
      if (comm.rank() == 0) {
        PartitionedRequest send = PartitionedRequest::sender(data, 3, 1, 0, comm);
        send.start();
        check(EP_Pready_range(0, 2, send.request));
        send.wait();
        continue;
      }
      data.resize(9, 77);
      EP_Request request = EP_REQUEST_NULL;
      check(
          EP_Precv_init(data.data(), 2, 4, MPI_INT64_T, 0, 0, comm.get(), MPI_INFO_NULL, &request));
      check(EP_Start(&request));
      EXPECT_EQ(EP_Wait(&request, EP_STATUS_IGNORE), sent > 8 ? EP_ERR_TRUNCATE : EP_ERR_COUNT);
      EXPECT_EQ(data.back(), 77) << "written beyond the receive";
      check(EP_Request_free(&request));
    }
  });
}

TEST_P(PartitionedPairs, wrong_use_is_an_error) {
  run_endpoints(GetParam(), [](const Comm& comm) {
    Values data(8, 0);
    EP_Request send = EP_REQUEST_NULL;
    EP_Request receive = EP_REQUEST_NULL;
    const auto make_send = [&](int parts, MPI_Count count, int dest, int tag) {
      return EP_Psend_init(data.data(), parts, count, MPI_INT64_T, dest, tag, comm.get(),
                           MPI_INFO_NULL, &send);
    };
    EXPECT_EQ(make_send(0, 1, 0, 0), EP_ERR_ARG);
    EXPECT_EQ(make_send(1, -1, 0, 0), EP_ERR_COUNT);
    EXPECT_EQ(make_send(4, MPI_Count{1} << 62, 0, 0), EP_ERR_COUNT) << "more than numbers hold";
    EXPECT_EQ(make_send(1, MPI_Count{1} << 61, 0, 0), EP_ERR_COUNT) << "more bytes than they hold";
    EXPECT_EQ(make_send(1, 1, comm.size(), 0), EP_ERR_RANK);
    EXPECT_EQ(make_send(1, 1, 0, -1), EP_ERR_TAG);
    const auto make_receive = [&](int source, int tag) {
      return EP_Precv_init(data.data(), 1, 1, MPI_INT64_T, source, tag, comm.get(), MPI_INFO_NULL,
                           &receive);
    };
    EXPECT_EQ(make_receive(EP_ANY_SOURCE, 0), EP_ERR_RANK);
    EXPECT_EQ(make_receive(0, EP_ANY_TAG), EP_ERR_TAG);
    check(make_send(2, 1, EP_PROC_NULL, 0));
    check(make_receive(EP_PROC_NULL, 0));
    EXPECT_EQ(EP_Pready(0, send), EP_ERR_REQUEST) << "not active";
    check(EP_Start(&send));
    EXPECT_EQ(EP_Pready(2, send), EP_ERR_ARG);
    check(EP_Pready(1, send));
    EXPECT_EQ(EP_Pready(1, send), EP_ERR_ARG) << "twice";
    int early = 1;
    check(EP_Test(&send, &early, EP_STATUS_IGNORE));
    EXPECT_EQ(early, 0) << "also to nobody, a send has all parts";
    check(EP_Pready(0, send));
    check(EP_Wait(&send, EP_STATUS_IGNORE));
    int flag = 0;
    EXPECT_EQ(EP_Pready(0, receive), EP_ERR_REQUEST);
    EXPECT_EQ(EP_Parrived(send, 0, &flag), EP_ERR_REQUEST);
    EXPECT_EQ(EP_Parrived(receive, 1, &flag), EP_ERR_ARG);
    check(EP_Start(&receive));
    check(EP_Parrived(receive, 0, &flag));
    EXPECT_EQ(flag, 1) << "of nobody everything is there";
    check(EP_Wait(&receive, EP_STATUS_IGNORE));
    check(EP_Request_free(&send));
    check(EP_Request_free(&receive));
  });
}

}  // namespace
}  // namespace ep::test::partitioned_test
