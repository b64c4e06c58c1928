#include <gtest/gtest.h>

#include <array>
#include <thread>

#include "layouts.hpp"

namespace ep::test::generalized_test {
namespace {

struct Operation {
  int queries = 0;
  int frees = 0;
  int cancels = 0;
  int was_complete = -1;
};

int query(void* extra, EP_Status* status) {
  ++static_cast<Operation*>(extra)->queries;
  status->EP_SOURCE = 4;
  status->EP_TAG = 5;
  EP_Status_set_cancelled(status, 0);
  return EP_Status_set_elements(status, MPI_INT, 6);
}
int release(void* extra) {
  ++static_cast<Operation*>(extra)->frees;
  return EP_SUCCESS;
}
int cancel(void* extra, int complete) {
  ++static_cast<Operation*>(extra)->cancels;
  static_cast<Operation*>(extra)->was_complete = complete;
  return EP_SUCCESS;
}

TEST(Generalized, another_thread_completes_what_one_waits_for) {
  run_endpoints(2, [](const Comm& comm) {
    Operation operation;
    std::array<EP_Request, 2> requests{};
    int in = -1;
    check(EP_Grequest_start(query, release, cancel, &operation, &requests[0]));
    check(EP_Irecv(&in, 1, MPI_INT, comm.rank(), 0, comm.get(), &requests[1]));
    int flag = 1;
    EP_Request same = requests[0];
    check(EP_Test(&same, &flag, EP_STATUS_IGNORE));
    EXPECT_EQ(flag, 0);
    check(EP_Send(&flag, 1, MPI_INT, comm.rank(), 0, comm.get()));
    std::thread worker([&] { check(EP_Grequest_complete(same)); });
    std::array<EP_Status, 2> statuses{};
    check(EP_Waitall(2, requests.data(), statuses.data()));
    worker.join();
    int count = 0;
    check(EP_Get_count(statuses.data(), MPI_INT, &count));
    EXPECT_EQ(count, 6);
    EXPECT_EQ(statuses[0].EP_TAG, 5);
    EXPECT_EQ(operation.queries, 1);
    EXPECT_EQ(operation.frees, 1);
    EXPECT_EQ(requests[0], EP_REQUEST_NULL);
  });
}

TEST(Generalized, cancel_and_free_call_the_program) {
  Operation operation;
  EP_Request request = EP_REQUEST_NULL;
  check(EP_Grequest_start(query, release, cancel, &operation, &request));
  const EP_Request handle = request;
  check(EP_Cancel(&request));
  EXPECT_EQ(operation.cancels, 1);
  EXPECT_EQ(operation.was_complete, 0);
  check(EP_Request_free(&request));
  EXPECT_EQ(operation.frees, 0) << "still in progress";
  check(EP_Grequest_complete(handle));
  EXPECT_EQ(operation.frees, 1);
  EXPECT_EQ(operation.queries, 0);
  EXPECT_EQ(EP_Grequest_complete(EP_REQUEST_NULL), EP_ERR_REQUEST);
  EXPECT_EQ(EP_Grequest_start(nullptr, release, cancel, &operation, &request), EP_ERR_ARG);
}

// What the program's functions return is the error of their request, in its status.
TEST(Generalized, errors_of_the_query_and_the_free_function_are_in_the_status) {
  run_endpoints(1, [](const Comm&) {
    const auto fails = [](void*, EP_Status*) { return static_cast<int>(EP_ERR_OTHER); };
    const auto fails_to_free = [](void*) { return static_cast<int>(EP_ERR_ARG); };
    Operation operation;
    std::array<EP_Request, 3> requests{};
    check(EP_Grequest_start(fails, release, cancel, &operation, &requests[0]));
    check(EP_Grequest_start(query, fails_to_free, cancel, &operation, &requests[1]));
    check(EP_Grequest_start(query, release, cancel, &operation, &requests[2]));
    for (EP_Request request : requests) check(EP_Grequest_complete(request));
    std::array<EP_Status, 3> statuses{};
    EXPECT_EQ(EP_Waitall(3, requests.data(), statuses.data()), EP_ERR_IN_STATUS);
    EXPECT_EQ(statuses[0].EP_ERROR, EP_ERR_OTHER);
    EXPECT_EQ(statuses[1].EP_ERROR, EP_ERR_ARG);
    EXPECT_EQ(statuses[2].EP_ERROR, EP_SUCCESS);
  });
}

}  // namespace
}  // namespace ep::test::generalized_test
