#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "layouts.hpp"

namespace ep::test::handle_test {
namespace {

TEST(Handles, null_freed_and_foreign_communicators_are_errors) {
  run_endpoints(1, [](const Comm& comm) {
    int rank = 0;
    EXPECT_EQ(EP_Comm_rank(EP_COMM_NULL, &rank), EP_ERR_COMM);
    EXPECT_EQ(std::string(EP_Last_error()), "the communicator is EP_COMM_NULL.");
    EP_Comm freed = EP_COMM_NULL;
    check(EP_Comm_dup(comm.get(), &freed));
    const EP_Comm stale = freed;
    check(EP_Comm_free(&freed));
    EXPECT_EQ(freed, EP_COMM_NULL);
    EXPECT_EQ(EP_Comm_rank(stale, &rank), EP_ERR_COMM);
    EP_Comm again = stale;
    EXPECT_EQ(EP_Comm_free(&again), EP_ERR_COMM);
    int local = 0;
    EXPECT_EQ(EP_Comm_rank(reinterpret_cast<EP_Comm>(&local), &rank), EP_ERR_COMM);
    EXPECT_EQ(EP_Comm_rank(reinterpret_cast<EP_Comm>(std::uintptr_t{0x5a5a5a5a}), &rank),
              EP_ERR_COMM);
    EXPECT_EQ(EP_Comm_rank(comm.get(), nullptr), EP_ERR_ARG);
  });
}

TEST(Handles, completed_requests_and_received_messages_are_errors) {
  run_endpoints(1, [](const Comm& comm) {
    EP_Request request = EP_REQUEST_NULL;
    check(EP_Isend(nullptr, 0, MPI_BYTE, 0, 0, comm.get(), &request));
    EP_Request stale = request;
    check(EP_Wait(&request, EP_STATUS_IGNORE));
    EXPECT_EQ(EP_Wait(&stale, EP_STATUS_IGNORE), EP_ERR_REQUEST);
    EP_Message message = EP_MESSAGE_NULL;
    check(EP_Mprobe(0, 0, comm.get(), &message, EP_STATUS_IGNORE));
    EP_Message used = message;
    check(EP_Mrecv(nullptr, 0, MPI_BYTE, &message, EP_STATUS_IGNORE));
    EXPECT_EQ(EP_Mrecv(nullptr, 0, MPI_BYTE, &used, EP_STATUS_IGNORE), EP_ERR_REQUEST);
    EP_Message none = EP_MESSAGE_NULL;
    EXPECT_EQ(EP_Mrecv(nullptr, 0, MPI_BYTE, &none, EP_STATUS_IGNORE), EP_ERR_REQUEST);
  });
}

TEST(Handles, a_freed_communicator_lets_pending_operations_finish) {
  run_endpoints(2, [](const Comm& comm) {
    EP_Comm other = EP_COMM_NULL;
    check(EP_Comm_dup(comm.get(), &other));
    std::vector<int> data(50'000, comm.rank());
    EP_Request request = EP_REQUEST_NULL;
    if (comm.rank() == 0) {
      check(EP_Isend(data.data(), 50'000, MPI_INT, 1, 0, other, &request));
    } else {
      check(EP_Irecv(data.data(), 50'000, MPI_INT, 0, 0, other, &request));
    }
    check(EP_Comm_free(&other));
    check(EP_Wait(&request, EP_STATUS_IGNORE));
    EXPECT_EQ(data.back(), 0);
  });
}

}  // namespace
}  // namespace ep::test::handle_test
