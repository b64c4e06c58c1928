#include <gtest/gtest.h>

#include <array>
#include <vector>

#include "layouts.hpp"

namespace ep::test::request_test {
namespace {

class Requests : public testing::TestWithParam<int> {};
INSTANTIATE_TEST_SUITE_P(Endpoints, Requests, testing::Values(2, 3));

// Rank 1 answers each signal with one message of that tag.
void answer_signals(const Comm& comm, int count) {
  for (int i = 0; i < count; ++i) {
    int tag = 0;
    check(EP_Recv(&tag, 1, MPI_INT, 0, 100, comm.get(), EP_STATUS_IGNORE));
    check(EP_Send(&tag, 1, MPI_INT, 0, tag, comm.get()));
  }
}

void ask_for(const Comm& comm, int tag) { check(EP_Send(&tag, 1, MPI_INT, 1, 100, comm.get())); }

struct Three {
  std::array<int, 3> in{-1, -1, -1};
  std::array<EP_Request, 3> requests{};

  explicit Three(const Comm& comm) {
    for (int i = 0; i < 3; ++i) {
      const auto k = static_cast<std::size_t>(i);
      check(EP_Irecv(&in[k], 1, MPI_INT, 1, i, comm.get(), &requests[k]));
    }
  }
};

TEST_P(Requests, waitany_takes_the_one_that_is_complete) {
  run_endpoints(GetParam(), [](const Comm& comm) {
    if (comm.rank() == 1) answer_signals(comm, 3);
    if (comm.rank() != 0) return;
    Three three(comm);
    for (const int wanted : {1, 2, 0}) {
      ask_for(comm, wanted);
      int index = -1;
      EP_Status status;
      check(EP_Waitany(3, three.requests.data(), &index, &status));
      EXPECT_EQ(index, wanted);
      EXPECT_EQ(status.EP_TAG, wanted);
      EXPECT_EQ(three.in[static_cast<std::size_t>(wanted)], wanted);
    }
    int index = 0;
    check(EP_Waitany(3, three.requests.data(), &index, EP_STATUS_IGNORE));
    EXPECT_EQ(index, EP_UNDEFINED);
  });
}

TEST_P(Requests, testany_and_testsome_take_nothing_before_it_comes) {
  run_endpoints(GetParam(), [](const Comm& comm) {
    if (comm.rank() == 1) answer_signals(comm, 3);
    if (comm.rank() != 0) return;
    Three three(comm);
    int index = -1;
    int flag = 1;
    check(EP_Testany(3, three.requests.data(), &index, &flag, EP_STATUS_IGNORE));
    EXPECT_EQ(flag, 0);
    EXPECT_EQ(index, EP_UNDEFINED);
    int count = -1;
    std::array<int, 3> indices{};
    std::array<EP_Status, 3> statuses{};
    check(EP_Testsome(3, three.requests.data(), &count, indices.data(), statuses.data()));
    EXPECT_EQ(count, 0);
    ask_for(comm, 2);
    ask_for(comm, 1);
    for (int seen = 0; seen < 2; seen += count) {
      check(EP_Waitsome(3, three.requests.data(), &count, indices.data(), statuses.data()));
      ASSERT_GE(count, 1);
      EXPECT_EQ(statuses[0].EP_TAG, indices[0]);
    }
    check(EP_Testall(3, three.requests.data(), &flag, EP_STATUSES_IGNORE));
    EXPECT_EQ(flag, 0);
    ask_for(comm, 0);
    check(EP_Waitall(3, three.requests.data(), EP_STATUSES_IGNORE));
    EXPECT_EQ(three.in, (std::array<int, 3>{0, 1, 2}));
    check(EP_Testsome(3, three.requests.data(), &count, indices.data(), statuses.data()));
    EXPECT_EQ(count, EP_UNDEFINED);
  });
}

TEST_P(Requests, waitall_reports_each_error_in_its_status) {
  run_endpoints(GetParam(), [](const Comm& comm) {
    std::array<int, 2> data{1, 2};
    if (comm.rank() == 1) {
      check(EP_Send(data.data(), 2, MPI_INT, 0, 0, comm.get()));
      check(EP_Send(data.data(), 1, MPI_INT, 0, 1, comm.get()));
    }
    if (comm.rank() != 0) return;
    std::array<EP_Request, 2> requests{};
    std::array<EP_Status, 2> statuses{};
    check(EP_Irecv(&data[0], 1, MPI_INT, 1, 0, comm.get(), &requests[0]));
    check(EP_Irecv(&data[1], 1, MPI_INT, 1, 1, comm.get(), &requests[1]));
    EXPECT_EQ(EP_Waitall(2, requests.data(), statuses.data()), EP_ERR_IN_STATUS);
    EXPECT_EQ(statuses[0].EP_ERROR, EP_ERR_TRUNCATE);
    EXPECT_EQ(statuses[1].EP_ERROR, EP_SUCCESS);
    EXPECT_EQ(data[1], 1);
  });
}

// MPI-3.1, 3.2.5: the field is for functions of several requests.
constexpr int left_alone = 4711;

EP_Status fresh_status() { return {-9, -9, left_alone, -9, -9}; }

TEST_P(Requests, functions_of_one_request_leave_the_error_field_alone) {
  run_endpoints(GetParam(), [](const Comm& comm) {
    if (comm.rank() == 1) answer_signals(comm, 7);
    if (comm.rank() != 0) return;
    int in = 0;
    int flag = 0;
    int index = 0;
    EP_Request request = EP_REQUEST_NULL;
    EP_Message message = EP_MESSAGE_NULL;
    EP_Status status = fresh_status();
    const auto untouched = [&](const char* what, int tag) {
      EXPECT_EQ(status.EP_ERROR, left_alone) << what;
      EXPECT_EQ(status.EP_TAG, tag) << what;
      status = fresh_status();
    };
    for (const int tag : {0, 1, 2, 3, 4, 5, 6}) ask_for(comm, tag);
    check(EP_Probe(1, 0, comm.get(), &status));
    untouched("EP_Probe", 0);
    check(EP_Recv(&in, 1, MPI_INT, 1, 0, comm.get(), &status));
    untouched("EP_Recv", 0);
    EXPECT_EQ(EP_Recv(nullptr, 0, MPI_INT, 1, 1, comm.get(), &status), EP_ERR_TRUNCATE);
    untouched("EP_Recv that fails", 1);
    check(EP_Sendrecv(nullptr, 0, MPI_INT, EP_PROC_NULL, 0, &in, 1, MPI_INT, 1, 2, comm.get(),
                      &status));
    untouched("EP_Sendrecv", 2);
    check(EP_Mprobe(1, 3, comm.get(), &message, &status));
    untouched("EP_Mprobe", 3);
    check(EP_Mrecv(&in, 1, MPI_INT, &message, &status));
    untouched("EP_Mrecv", 3);
    check(EP_Irecv(&in, 1, MPI_INT, 1, 4, comm.get(), &request));
    while (flag == 0) check(EP_Request_get_status(request, &flag, &status));
    untouched("EP_Request_get_status", 4);
    check(EP_Wait(&request, &status));
    untouched("EP_Wait", 4);
    check(EP_Irecv(&in, 1, MPI_INT, 1, 5, comm.get(), &request));
    check(EP_Waitany(1, &request, &index, &status));
    untouched("EP_Waitany", 5);
    check(EP_Irecv(nullptr, 0, MPI_INT, 1, 6, comm.get(), &request));
    EXPECT_EQ(EP_Wait(&request, &status), EP_ERR_TRUNCATE);
    untouched("EP_Wait that fails", 6);
    // The empty status has a code (MPI-3.1, 3.7.3).
    const auto empty = [&](const char* what) {
      EXPECT_EQ(status.EP_ERROR, EP_SUCCESS) << what;
      EXPECT_EQ(status.EP_SOURCE, EP_ANY_SOURCE) << what;
      EXPECT_EQ(status.EP_TAG, EP_ANY_TAG) << what;
      status = fresh_status();
    };
    check(EP_Wait(&request, &status));
    empty("EP_Wait for nothing");
    check(EP_Test(&request, &flag, &status));
    empty("EP_Test of nothing");
    check(EP_Waitany(1, &request, &index, &status));
    empty("EP_Waitany of nothing");
    check(EP_Testany(1, &request, &index, &flag, &status));
    empty("EP_Testany of nothing");
    check(EP_Request_get_status(request, &flag, &status));
    empty("EP_Request_get_status of nothing");
  });
}

using Complete = int (*)(EP_Request* requests, int* count, int* indices, EP_Status* statuses);

// Rank 0: two messages that have come, and no third; receive `wrong` has no room.
void expect_error_fields(const Comm& comm, Complete complete, int wrong) {
  std::array<int, 2> in{};
  std::array<EP_Request, 3> requests{};
  requests[2] = EP_REQUEST_NULL;
  for (const int tag : {0, 1}) {
    const auto k = static_cast<std::size_t>(tag);
    check(EP_Irecv(&in[k], tag == wrong ? 0 : 1, MPI_INT, 1, tag, comm.get(), &requests[k]));
    ask_for(comm, tag);
    int flag = 0;
    while (flag == 0) check(EP_Request_get_status(requests[k], &flag, EP_STATUS_IGNORE));
  }
  std::array<EP_Status, 3> statuses{};
  statuses.fill(fresh_status());
  std::array<int, 3> indices{0, 1, 2};
  int count = -1;
  EXPECT_EQ(complete(requests.data(), &count, indices.data(), statuses.data()),
            wrong < 0 ? EP_SUCCESS : EP_ERR_IN_STATUS);
  ASSERT_GE(count, 2) << "defined whatever is returned";
  for (int i = 0; i < count; ++i) {
    const auto k = static_cast<std::size_t>(i);
    EXPECT_EQ(indices[k], i);
    EXPECT_EQ(statuses[k].EP_ERROR, i == wrong ? EP_ERR_TRUNCATE : EP_SUCCESS)
        << i << ", wrong " << wrong;
  }
}

TEST_P(Requests, functions_of_several_requests_set_the_error_field) {
  const Complete functions[] = {
      [](EP_Request* requests, int* count, int*, EP_Status* statuses) {
        *count = 3;
        return EP_Waitall(3, requests, statuses);
      },
      [](EP_Request* requests, int* count, int*, EP_Status* statuses) {
        *count = 3;
        int flag = 0;
        return EP_Testall(3, requests, &flag, statuses);
      },
      [](EP_Request* requests, int* count, int* indices, EP_Status* statuses) {
        return EP_Waitsome(3, requests, count, indices, statuses);
      },
      [](EP_Request* requests, int* count, int* indices, EP_Status* statuses) {
        return EP_Testsome(3, requests, count, indices, statuses);
      }};
  run_endpoints(GetParam(), [&functions](const Comm& comm) {
    for (const Complete complete : functions) {
      for (const int wrong : {-1, 0, 1}) {
        if (comm.rank() == 1) answer_signals(comm, 2);
        if (comm.rank() == 0) expect_error_fields(comm, complete, wrong);
      }
    }
  });
}

TEST_P(Requests, waitany_over_two_communicators) {
  run_endpoints(GetParam(), [](const Comm& comm) {
    const Comm other = comm.dup();
    if (comm.rank() == 1) {
      check(EP_Recv(nullptr, 0, MPI_BYTE, 0, 5, comm.get(), EP_STATUS_IGNORE));
      const int value = 77;
      check(EP_Send(&value, 1, MPI_INT, 0, 0, other.get()));
      check(EP_Send(&value, 1, MPI_INT, 0, 0, comm.get()));
    }
    if (comm.rank() != 0) return;
    std::array<int, 2> in{};
    std::array<EP_Request, 2> requests{};
    check(EP_Irecv(&in[0], 1, MPI_INT, 1, 0, comm.get(), &requests[0]));
    check(EP_Irecv(&in[1], 1, MPI_INT, 1, 0, other.get(), &requests[1]));
    check(EP_Send(nullptr, 0, MPI_BYTE, 1, 5, comm.get()));
    int first = -1;
    int second = -1;
    check(EP_Waitany(2, requests.data(), &first, EP_STATUS_IGNORE));
    check(EP_Waitany(2, requests.data(), &second, EP_STATUS_IGNORE));
    EXPECT_EQ(first + second, 1);
    EXPECT_EQ(in, (std::array<int, 2>{77, 77}));
  });
}

TEST_P(Requests, empty_lists_and_null_requests_are_complete) {
  run_endpoints(GetParam(), [](const Comm&) {
    int flag = 0;
    EP_Request none = EP_REQUEST_NULL;
    EP_Status status;
    check(EP_Wait(&none, &status));
    EXPECT_EQ(status.EP_SOURCE, EP_ANY_SOURCE);
    check(EP_Testall(0, nullptr, &flag, EP_STATUSES_IGNORE));
    EXPECT_EQ(flag, 1);
    EXPECT_EQ(EP_Waitall(-1, nullptr, EP_STATUSES_IGNORE), EP_ERR_COUNT);
  });
}

}  // namespace
}  // namespace ep::test::request_test
