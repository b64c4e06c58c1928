// Sends and receives in one: begun, and waited for as one request.
#include <gtest/gtest.h>

#include <cstdint>
#include <numeric>
#include <string>
#include <tuple>
#include <vector>

#include "layouts.hpp"

namespace ep::test::exchange_test {
namespace {

/// Endpoints, elements.
class Exchanges : public testing::TestWithParam<std::tuple<int, int>> {};
INSTANTIATE_TEST_SUITE_P(Sizes, Exchanges,
                         testing::Combine(testing::Values(1, 2, 3, 5),
                                          testing::Values(0, 1, 700, 60'000)));

std::vector<std::int64_t> row(int rank, int count) {
  std::vector<std::int64_t> out(static_cast<std::size_t>(count));
  std::iota(out.begin(), out.end(), 1'000'000LL * rank);
  return out;
}

struct Ring {
  int left;
  int right;

  explicit Ring(const Comm& comm)
      : left((comm.rank() + comm.size() - 1) % comm.size()),
        right((comm.rank() + 1) % comm.size()) {}
};

TEST_P(Exchanges, round_a_ring_in_all_forms) {
  const auto [endpoints, count] = GetParam();
  run_endpoints(endpoints, [count = count](const Comm& comm) {
    const Ring ring(comm);
    for (const bool large : {false, true}) {
      const std::vector<std::int64_t> out = row(comm.rank(), count);
      std::vector<std::int64_t> in(out.size(), -1);
      EP_Request request = EP_REQUEST_NULL;
      if (large) {
        check(EP_Isendrecv_c(out.data(), count, MPI_INT64_T, ring.right, 3, in.data(), count,
                             MPI_INT64_T, ring.left, 3, comm.get(), &request));
      } else {
        check(EP_Isendrecv(out.data(), count, MPI_INT64_T, ring.right, 3, in.data(), count,
                           MPI_INT64_T, ring.left, 3, comm.get(), &request));
      }
      EP_Status status{};
      check(EP_Wait(&request, &status));
      EXPECT_EQ(request, EP_REQUEST_NULL);
      EXPECT_EQ(in, row(ring.left, count));
      EXPECT_EQ(status.EP_SOURCE, ring.left);
      EXPECT_EQ(status.EP_TAG, 3);
      int received = -1;
      check(EP_Get_count(&status, MPI_INT64_T, &received));
      EXPECT_EQ(received, count);
    }
  });
}

TEST_P(Exchanges, in_one_buffer) {
  const auto [endpoints, count] = GetParam();
  run_endpoints(endpoints, [count = count](const Comm& comm) {
    const Ring ring(comm);
    std::vector<std::int64_t> data = row(comm.rank(), count);
    EP_Request request = EP_REQUEST_NULL;
    check(EP_Isendrecv_replace(data.data(), count, MPI_INT64_T, ring.right, 4, EP_ANY_SOURCE,
                               EP_ANY_TAG, comm.get(), &request));
    EP_Status status{};
    check(EP_Wait(&request, &status));
    EXPECT_EQ(data, row(ring.left, count));
    EXPECT_EQ(status.EP_SOURCE, ring.left);
    check(EP_Isendrecv_replace_c(data.data(), count, MPI_INT64_T, ring.right, 5, ring.left, 5,
                                 comm.get(), &request));
    check(EP_Wait(&request, EP_STATUS_IGNORE));
    EXPECT_EQ(data, row((ring.left + comm.size() - 1) % comm.size(), count));
  });
}

TEST_P(Exchanges, do_not_wait_for_the_other_end) {
  const auto [endpoints, count] = GetParam();
  if (endpoints < 2) GTEST_SKIP() << "with itself there is nobody to wait for";
  run_endpoints(endpoints, [count = count](const Comm& comm) {
    if (comm.rank() > 1) return;
    const int other = 1 - comm.rank();
    const std::vector<std::int64_t> out = row(comm.rank(), count);
    std::vector<std::int64_t> in(out.size(), -1);
    EP_Request request = EP_REQUEST_NULL;
    if (comm.rank() == 0) {
      check(EP_Isendrecv(out.data(), count, MPI_INT64_T, other, 6, in.data(), count, MPI_INT64_T,
                         other, 6, comm.get(), &request));
      int flag = 1;
      check(EP_Test(&request, &flag, EP_STATUS_IGNORE));
      EXPECT_EQ(flag, 0) << "nothing has been sent to it";
      check(EP_Send(nullptr, 0, MPI_BYTE, other, 7, comm.get()));
      check(EP_Wait(&request, EP_STATUS_IGNORE));
    } else {
      check(EP_Recv(nullptr, 0, MPI_BYTE, other, 7, comm.get(), EP_STATUS_IGNORE));
      check(EP_Sendrecv(out.data(), count, MPI_INT64_T, other, 6, in.data(), count, MPI_INT64_T,
                        other, 6, comm.get(), EP_STATUS_IGNORE));
    }
    EXPECT_EQ(in, row(other, count));
  });
}

TEST_P(Exchanges, nobody_is_complete_at_once) {
  run_endpoints(std::get<0>(GetParam()), [](const Comm& comm) {
    std::int64_t value = 5;
    EP_Request request = EP_REQUEST_NULL;
    check(EP_Isendrecv(&value, 1, MPI_INT64_T, EP_PROC_NULL, 0, &value, 0, MPI_INT64_T,
                       EP_PROC_NULL, 0, comm.get(), &request));
    int flag = 0;
    EP_Status status{};
    check(EP_Test(&request, &flag, &status));
    EXPECT_EQ(flag, 1);
    EXPECT_EQ(status.EP_SOURCE, EP_PROC_NULL);
  });
}

TEST_P(Exchanges, what_does_not_fit_is_the_error_of_the_wait) {
  const auto [endpoints, count] = GetParam();
  if (count == 0) GTEST_SKIP() << "nothing always fits";
  run_endpoints(endpoints, [count = count](const Comm& comm) {
    const Ring ring(comm);
    const std::vector<std::int64_t> out = row(comm.rank(), count);
    std::vector<std::int64_t> in(out.size(), -1);
    EP_Request request = EP_REQUEST_NULL;
    check(EP_Isendrecv(out.data(), count, MPI_INT64_T, ring.right, 8, in.data(), count - 1,
                       MPI_INT64_T, ring.left, 8, comm.get(), &request));
    EXPECT_EQ(EP_Wait(&request, EP_STATUS_IGNORE), EP_ERR_TRUNCATE);
    EXPECT_NE(std::string(EP_Last_error()).find("is cut"), std::string::npos) << EP_Last_error();
    EXPECT_EQ(in.back(), -1) << "written beyond the receive";
    check(EP_Barrier(comm.get()));
  });
}

TEST_P(Exchanges, wrong_arguments_start_nothing) {
  run_endpoints(std::get<0>(GetParam()), [](const Comm& comm) {
    std::int64_t value = 0;
    std::int64_t other = 0;
    EP_Request request = EP_REQUEST_NULL;
    const auto exchange = [&](int dest, int tag, int source) {
      return EP_Isendrecv(&value, 1, MPI_INT64_T, dest, tag, &other, 1, MPI_INT64_T, source, 0,
                          comm.get(), &request);
    };
    EXPECT_EQ(exchange(comm.size(), 0, 0), EP_ERR_RANK);
    EXPECT_EQ(exchange(0, -5, 0), EP_ERR_TAG);
    EXPECT_EQ(exchange(0, 0, comm.size()), EP_ERR_RANK);
    EXPECT_EQ(EP_Isendrecv(&value, 1, MPI_INT64_T, 0, 0, &value, 1, MPI_INT64_T, 0, 0, comm.get(),
                           &request),
              EP_ERR_BUFFER)
        << "one buffer for both";
    EXPECT_EQ(request, EP_REQUEST_NULL);
    EXPECT_EQ(EP_Send_c(&value, MPI_Count{1} << 61, MPI_INT64_T, 0, 0, comm.get()), EP_ERR_COUNT)
        << "more bytes than numbers hold";
    EXPECT_EQ(EP_Bcast_c(&value, MPI_Count{1} << 61, MPI_INT64_T, 0, comm.get()), EP_ERR_COUNT);
    EXPECT_EQ(EP_Gather_c(&value, 1, MPI_INT64_T, &value, MPI_Count{-1}, MPI_INT64_T, comm.rank(),
                          comm.get()),
              EP_ERR_COUNT);
  });
}

}  // namespace
}  // namespace ep::test::exchange_test
