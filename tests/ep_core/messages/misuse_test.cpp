#include <gtest/gtest.h>

#include <array>
#include <functional>
#include <string>
#include <vector>

#include "layouts.hpp"

namespace ep::test::misuse_test {
namespace {

/// A wrong call and the class of error it must be.
struct Misuse {
  const char* what;
  int expected;
  std::function<int(EP_Comm)> call;
};

std::array<int, 4> data{};  // NOLINT: what the wrong calls could write to

std::vector<Misuse> wrong_messages() {
  int* const buf = data.data();
  EP_Status* const none = EP_STATUS_IGNORE;
  return {
      {"rank beyond", EP_ERR_RANK, [=](EP_Comm c) { return EP_Send(buf, 1, MPI_INT, 99, 0, c); }},
      {"rank below", EP_ERR_RANK, [=](EP_Comm c) { return EP_Ssend(buf, 1, MPI_INT, -9, 0, c); }},
      {"any source", EP_ERR_RANK,
       [=](EP_Comm c) { return EP_Rsend(buf, 1, MPI_INT, EP_ANY_SOURCE, 0, c); }},
      {"tag", EP_ERR_TAG, [=](EP_Comm c) { return EP_Bsend(buf, 1, MPI_INT, 0, -1, c); }},
      {"count", EP_ERR_COUNT, [=](EP_Comm c) { return EP_Send(buf, -1, MPI_INT, 0, 0, c); }},
      {"type", EP_ERR_TYPE, [=](EP_Comm c) { return EP_Send(buf, 1, MPI_DATATYPE_NULL, 0, 0, c); }},
      {"buffer", EP_ERR_BUFFER, [=](EP_Comm c) { return EP_Send(nullptr, 1, MPI_INT, 0, 0, c); }},
      {"receive rank", EP_ERR_RANK,
       [=](EP_Comm c) { return EP_Recv(buf, 1, MPI_INT, 99, 0, c, none); }},
      {"receive tag", EP_ERR_TAG,
       [=](EP_Comm c) { return EP_Recv(buf, 1, MPI_INT, 0, -7, c, none); }},
      {"receive count", EP_ERR_COUNT,
       [=](EP_Comm c) { return EP_Recv(buf, -1, MPI_INT, 0, 0, c, none); }},
      {"probe rank", EP_ERR_RANK, [=](EP_Comm c) { return EP_Probe(99, 0, c, none); }},
      {"request address", EP_ERR_ARG,
       [=](EP_Comm c) { return EP_Isend(buf, 1, MPI_INT, 0, 0, c, nullptr); }},
      {"flag address", EP_ERR_ARG, [=](EP_Comm c) { return EP_Iprobe(0, 0, c, nullptr, none); }},
      {"message address", EP_ERR_ARG, [=](EP_Comm c) { return EP_Mprobe(0, 0, c, nullptr, none); }},
      {"sendrecv rank", EP_ERR_RANK,
       [=](EP_Comm c) {
         return EP_Sendrecv(buf, 1, MPI_INT, 0, 0, buf, 1, MPI_INT, 99, 0, c, none);
       }},
      {"sendrecv tag", EP_ERR_TAG,
       [=](EP_Comm c) { return EP_Sendrecv_replace(buf, 1, MPI_INT, 0, -3, 0, 0, c, none); }},
      {"persistent rank", EP_ERR_RANK,
       [=](EP_Comm c) {
         EP_Request request = EP_REQUEST_NULL;
         return EP_Send_init(buf, 1, MPI_INT, 99, 0, c, &request);
       }},
      {"pack position", EP_ERR_ARG,
       [=](EP_Comm c) {
         int position = -1;
         return EP_Pack(buf, 1, MPI_INT, buf, 16, &position, c);
       }},
  };
}

std::vector<Misuse> wrong_communicators() {
  int* const out = data.data();
  return {
      {"split colour", EP_ERR_ARG,
       [](EP_Comm c) {
         EP_Comm part = EP_COMM_NULL;
         return EP_Comm_split(c, -5, 0, &part);
       }},
      {"split type", EP_ERR_ARG,
       [](EP_Comm c) {
         EP_Comm part = EP_COMM_NULL;
         return EP_Comm_split_type(c, 12345, 0, MPI_INFO_NULL, &part);
       }},
      {"too many endpoints", EP_ERR_ENDPOINTS,
       [](EP_Comm c) {
         std::array<EP_Comm, 1> part{};
         return EP_Comm_create_endpoints(c, 1'000'000, MPI_INFO_NULL, part.data());
       }},
      {"group", EP_ERR_GROUP,
       [](EP_Comm c) {
         EP_Comm part = EP_COMM_NULL;
         return EP_Comm_create(c, EP_GROUP_NULL, &part);
       }},
      {"group tag", EP_ERR_TAG,
       [](EP_Comm c) {
         EP_Comm part = EP_COMM_NULL;
         return EP_Comm_create_group(c, EP_GROUP_EMPTY, -1, &part);
       }},
      {"remote size", EP_ERR_COMM, [=](EP_Comm c) { return EP_Comm_remote_size(c, out); }},
      {"locality", EP_ERR_RANK, [=](EP_Comm c) { return EP_Comm_locality(c, 99, out); }},
      {"ring", EP_ERR_RANK, [](EP_Comm c) { return EP_Ring(c, 99); }},
      {"name", EP_ERR_ARG, [](EP_Comm c) { return EP_Comm_set_name(c, nullptr); }},
      {"size address", EP_ERR_ARG, [](EP_Comm c) { return EP_Comm_size(c, nullptr); }},
      {"address to disconnect", EP_ERR_ARG, [](EP_Comm) { return EP_Comm_disconnect(nullptr); }},
      {"root of a spawn", EP_ERR_ROOT,
       [](EP_Comm c) {
         EP_Comm children = EP_COMM_NULL;
         return EP_Comm_spawn("none", nullptr, 1, MPI_INFO_NULL, 99, c, &children, nullptr);
       }},
      {"compare", EP_ERR_COMM, [=](EP_Comm c) { return EP_Comm_compare(c, EP_COMM_NULL, out); }},
      {"topology", EP_ERR_TOPOLOGY, [=](EP_Comm c) { return EP_Cartdim_get(c, out); }},
      {"graph", EP_ERR_TOPOLOGY, [=](EP_Comm c) { return EP_Graphdims_get(c, out, out); }},
      {"keyval", EP_ERR_KEYVAL, [=](EP_Comm c) { return EP_Comm_set_attr(c, 3333, out); }},
      {"error handler", EP_ERR_ARG,
       [](EP_Comm c) { return EP_Comm_set_errhandler(c, EP_ERRHANDLER_NULL); }},
      {"error code", EP_ERR_ARG, [](EP_Comm c) { return EP_Comm_call_errhandler(c, -1); }},
  };
}

std::vector<Misuse> wrong_requests() {
  int* const out = data.data();
  EP_Status* const none = EP_STATUS_IGNORE;
  // An address that is no object of the library's.
  const EP_Request foreign = reinterpret_cast<EP_Request>(out);
  return {
      {"wait null address", EP_ERR_ARG, [=](EP_Comm) { return EP_Wait(nullptr, none); }},
      {"wait foreign", EP_ERR_REQUEST,
       [=](EP_Comm) {
         EP_Request request = foreign;
         return EP_Wait(&request, none);
       }},
      {"waitall count", EP_ERR_COUNT,
       [](EP_Comm) { return EP_Waitall(-1, nullptr, EP_STATUSES_IGNORE); }},
      {"start null", EP_ERR_REQUEST,
       [](EP_Comm) {
         EP_Request request = EP_REQUEST_NULL;
         return EP_Start(&request);
       }},
      {"start foreign", EP_ERR_REQUEST,
       [=](EP_Comm) {
         EP_Request request = foreign;
         return EP_Start(&request);
       }},
      {"cancel null", EP_ERR_REQUEST,
       [](EP_Comm) {
         EP_Request request = EP_REQUEST_NULL;
         return EP_Cancel(&request);
       }},
      {"free null", EP_ERR_REQUEST,
       [](EP_Comm) {
         EP_Request request = EP_REQUEST_NULL;
         return EP_Request_free(&request);
       }},
      {"get_status foreign", EP_ERR_REQUEST,
       [=](EP_Comm) {
         int flag = 0;
         return EP_Request_get_status(foreign, &flag, none);
       }},
      {"complete foreign", EP_ERR_REQUEST, [=](EP_Comm) { return EP_Grequest_complete(foreign); }},
      {"mrecv null", EP_ERR_REQUEST,
       [=](EP_Comm) {
         EP_Message message = EP_MESSAGE_NULL;
         return EP_Mrecv(out, 1, MPI_INT, &message, none);
       }},
      {"get_count address", EP_ERR_ARG,
       [=](EP_Comm) { return EP_Get_count(nullptr, MPI_INT, out); }},
      {"set_elements count", EP_ERR_COUNT,
       [](EP_Comm) {
         EP_Status status{};
         return EP_Status_set_elements(&status, MPI_INT, -1);
       }},
      {"free keyval", EP_ERR_KEYVAL,
       [](EP_Comm) {
         int keyval = EP_TAG_UB;
         return EP_Comm_free_keyval(&keyval);
       }},
  };
}

void expect_errors(const std::vector<Misuse>& table, EP_Comm comm) {
  for (const Misuse& misuse : table) {
    EXPECT_EQ(misuse.call(comm), misuse.expected) << misuse.what << ": " << EP_Last_error();
    EXPECT_FALSE(std::string(EP_Last_error()).empty());
  }
}

// Two things are wrong: either may be reported.
void expect_bad_communicator(const std::vector<Misuse>& table, EP_Comm comm) {
  for (const Misuse& misuse : table) {
    const int code = misuse.call(comm);
    EXPECT_TRUE(code == EP_ERR_COMM || code == misuse.expected) << misuse.what << ": " << code;
  }
}

class MisuseOf : public testing::TestWithParam<int> {};
INSTANTIATE_TEST_SUITE_P(Endpoints, MisuseOf, testing::Values(2, 3));

TEST_P(MisuseOf, messages_and_communicators_is_an_error_of_its_class) {
  run_endpoints(GetParam(), [](const Comm& comm) {
    expect_errors(wrong_messages(), comm.get());
    expect_errors(wrong_communicators(), comm.get());
    expect_errors(wrong_requests(), comm.get());
    // Nothing of it disturbed the communicator.
    int one = 1;
    int sum = 0;
    check(EP_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, comm.get()));
    EXPECT_EQ(sum, comm.size());
  });
}

TEST_P(MisuseOf, null_and_freed_communicators_is_an_error_everywhere) {
  run_endpoints(GetParam(), [](const Comm& comm) {
    EP_Comm freed = EP_COMM_NULL;
    check(EP_Comm_dup(comm.get(), &freed));
    const EP_Comm stale = freed;
    check(EP_Comm_free(&freed));
    for (const EP_Comm bad : {EP_COMM_NULL, stale}) {
      expect_bad_communicator(wrong_messages(), bad);
      expect_bad_communicator(wrong_communicators(), bad);
    }
  });
}

}  // namespace
}  // namespace ep::test::misuse_test
