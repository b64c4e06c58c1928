#include <gtest/gtest.h>

#include <array>
#include <string>
#include <vector>

#include "layouts.hpp"

namespace ep::test::error_test {
namespace {

struct Seen {
  EP_Comm comm = EP_COMM_NULL;
  int code = EP_SUCCESS;
  int calls = 0;
};

// A handler has no argument of its own, so each thread looks at its own.
Seen& seen() {
  thread_local Seen what;
  return what;
}

void note(EP_Comm* comm, int* code, ...) {  // NOLINT: the signature of MPI
  seen() = {*comm, *code, seen().calls + 1};
}

class Errors : public testing::TestWithParam<int> {};
INSTANTIATE_TEST_SUITE_P(Endpoints, Errors, testing::Values(2, 3, 4));

TEST_P(Errors, endpoints_of_one_communicator_have_handlers_of_their_own) {
  run_endpoints(GetParam(), [](const Comm& comm) {
    seen() = {};
    EP_Errhandler handler = EP_ERRHANDLER_NULL;
    check(EP_Comm_create_errhandler(note, &handler));
    const bool notes = comm.rank() % 2 == 0;
    if (notes) check(EP_Comm_set_errhandler(comm.get(), handler));
    EP_Errhandler current = EP_ERRHANDLER_NULL;
    check(EP_Comm_get_errhandler(comm.get(), &current));
    EXPECT_EQ(current, notes ? handler : EP_ERRORS_RETURN);
    check(EP_Errhandler_free(&current));
    check(EP_Errhandler_free(&handler));
    EXPECT_EQ(handler, EP_ERRHANDLER_NULL);
    EXPECT_EQ(EP_Send(nullptr, 0, MPI_INT, comm.size(), 0, comm.get()), EP_ERR_RANK);
    EXPECT_EQ(seen().calls, notes ? 1 : 0);
    EXPECT_EQ(seen().comm, notes ? comm.get() : EP_COMM_NULL);
    EXPECT_EQ(seen().code, notes ? EP_ERR_RANK : EP_SUCCESS);
  });
}

TEST_P(Errors, a_new_communicator_inherits_the_handler) {
  run_endpoints(GetParam(), [](const Comm& comm) {
    seen() = {};
    EP_Errhandler handler = EP_ERRHANDLER_NULL;
    check(EP_Comm_create_errhandler(note, &handler));
    check(EP_Comm_set_errhandler(comm.get(), handler));
    check(EP_Errhandler_free(&handler));
    const Comm other = comm.dup();
    const Comm part = other.split(0, -comm.rank());
    EXPECT_EQ(EP_Send(nullptr, 0, MPI_INT, 0, -5, part.get()), EP_ERR_TAG);
    EXPECT_EQ(seen().comm, part.get());
    check(EP_Comm_set_errhandler(part.get(), EP_ERRORS_RETURN));
    EXPECT_EQ(EP_Send(nullptr, 0, MPI_INT, 0, -5, part.get()), EP_ERR_TAG);
    EXPECT_EQ(seen().calls, 1);
  });
}

TEST_P(Errors, a_failed_request_meets_the_handler_of_its_communicator) {
  run_endpoints(GetParam(), [](const Comm& comm) {
    if (comm.rank() > 1) return;
    std::array<int, 2> data{1, 2};
    if (comm.rank() == 1) {
      for (const int tag : {0, 1, 2}) check(EP_Send(data.data(), 2, MPI_INT, 0, tag, comm.get()));
      return;
    }
    seen() = {};
    EP_Errhandler handler = EP_ERRHANDLER_NULL;
    check(EP_Comm_create_errhandler(note, &handler));
    check(EP_Comm_set_errhandler(comm.get(), handler));
    check(EP_Errhandler_free(&handler));
    EP_Request request = EP_REQUEST_NULL;
    check(EP_Irecv(data.data(), 1, MPI_INT, 1, 0, comm.get(), &request));
    EXPECT_EQ(EP_Wait(&request, EP_STATUS_IGNORE), EP_ERR_TRUNCATE);
    EXPECT_EQ(seen().code, EP_ERR_TRUNCATE);
    check(EP_Irecv(data.data(), 1, MPI_INT, 1, 1, comm.get(), &request));
    EXPECT_EQ(EP_Waitall(1, &request, EP_STATUSES_IGNORE), EP_ERR_IN_STATUS);
    EXPECT_EQ(seen().code, EP_ERR_TRUNCATE) << "that of the request (MPI-3.1, 8.3.1)";
    EP_Message message = EP_MESSAGE_NULL;
    check(EP_Mprobe(1, 2, comm.get(), &message, EP_STATUS_IGNORE));
    EXPECT_EQ(EP_Mrecv(data.data(), 1, MPI_INT, &message, EP_STATUS_IGNORE), EP_ERR_TRUNCATE);
    EXPECT_EQ(seen().comm, comm.get());
    EXPECT_EQ(seen().calls, 3);
  });
}

// A handler that gives errors a code of the program's.
void translate(EP_Comm* comm, int* code, ...) {  // NOLINT: the signature of MPI
  note(comm, code);
  *code = EP_ERR_INTERN;
}

void use_translation(const Comm& comm) {
  seen() = {};
  EP_Errhandler handler = EP_ERRHANDLER_NULL;
  check(EP_Comm_create_errhandler(translate, &handler));
  check(EP_Comm_set_errhandler(comm.get(), handler));
  check(EP_Errhandler_free(&handler));
}

TEST_P(Errors, a_code_that_the_handler_changes_is_what_the_call_returns) {
  run_endpoints(GetParam(), [](const Comm& comm) {
    use_translation(comm);
    EXPECT_EQ(EP_Send(nullptr, 0, MPI_INT, comm.size(), 0, comm.get()), EP_ERR_INTERN);
    EXPECT_EQ(seen().code, EP_ERR_RANK);
    int rank = -1;
    EXPECT_EQ(EP_Comm_rank(comm.get(), nullptr), EP_ERR_INTERN);
    check(EP_Comm_rank(comm.get(), &rank));
    check(EP_Comm_call_errhandler(comm.get(), EP_ERR_TOPOLOGY));
    EXPECT_EQ(seen().calls, 3);
    check(EP_Comm_set_errhandler(comm.get(), EP_ERRORS_RETURN));
  });
}

// MPI-3.1, 8.3.1: of a call that returns EP_ERR_IN_STATUS, the handler changes what is in the
// status.
TEST_P(Errors, each_failed_request_meets_its_handler_which_changes_its_status) {
  run_endpoints(GetParam(), [](const Comm& parent) {
    const Comm one = parent.dup();
    const Comm two = parent.dup();
    if (parent.rank() > 1) return;
    std::array<int, 2> data{1, 2};
    if (parent.rank() == 1) {
      for (const Comm* comm : {&one, &two}) {
        check(EP_Send(data.data(), 2, MPI_INT, 0, 0, comm->get()));
        check(EP_Send(data.data(), 1, MPI_INT, 0, 1, comm->get()));
      }
      return;
    }
    use_translation(two);
    std::array<EP_Request, 4> requests{};
    std::array<EP_Status, 4> statuses{};
    for (std::size_t i = 0; i < 4; ++i) {
      check(EP_Irecv(data.data(), 1, MPI_INT, 1, static_cast<int>(i % 2),
                     i < 2 ? one.get() : two.get(), &requests[i]));
    }
    EXPECT_EQ(EP_Waitall(4, requests.data(), statuses.data()), EP_ERR_IN_STATUS);
    EXPECT_EQ(statuses[0].EP_ERROR, EP_ERR_TRUNCATE);
    EXPECT_EQ(statuses[1].EP_ERROR, EP_SUCCESS);
    EXPECT_EQ(statuses[2].EP_ERROR, EP_ERR_INTERN);
    EXPECT_EQ(statuses[3].EP_ERROR, EP_SUCCESS);
    EXPECT_EQ(seen().calls, 1);
    EXPECT_EQ(seen().comm, two.get());
    EXPECT_EQ(seen().code, EP_ERR_TRUNCATE);
  });
}

TEST(ErrorHandlers, the_first_one_is_fatal) {
  EP_Comm self = EP_COMM_NULL;
  check(EP_Comm_from_mpi(MPI_COMM_SELF, &self));
  EP_Errhandler handler = EP_ERRHANDLER_NULL;
  check(EP_Comm_get_errhandler(self, &handler));
  EXPECT_EQ(handler, EP_ERRORS_ARE_FATAL);
  check(EP_Comm_free(&self));
}

TEST(ErrorHandlers, bad_handlers_are_errors) {
  const Comm self = Comm::from_mpi(MPI_COMM_SELF);
  EP_Errhandler handler = EP_ERRHANDLER_NULL;
  EXPECT_EQ(EP_Comm_create_errhandler(nullptr, &handler), EP_ERR_ARG);
  EXPECT_EQ(EP_Comm_set_errhandler(self.get(), EP_ERRHANDLER_NULL), EP_ERR_ARG);
  check(EP_Comm_create_errhandler(note, &handler));
  EP_Errhandler stale = handler;
  check(EP_Errhandler_free(&handler));
  EXPECT_EQ(EP_Comm_set_errhandler(self.get(), stale), EP_ERR_ARG);
  EXPECT_EQ(EP_Errhandler_free(&stale), EP_ERR_ARG);
  EXPECT_EQ(EP_Comm_get_errhandler(self.get(), nullptr), EP_ERR_ARG);
}

TEST(ErrorHandlers, can_be_called) {
  const Comm self = Comm::from_mpi(MPI_COMM_SELF);
  seen() = {};
  EP_Errhandler handler = EP_ERRHANDLER_NULL;
  check(EP_Comm_create_errhandler(note, &handler));
  check(EP_Comm_set_errhandler(self.get(), handler));
  check(EP_Errhandler_free(&handler));
  check(EP_Comm_call_errhandler(self.get(), EP_ERR_TOPOLOGY));
  EXPECT_EQ(seen().code, EP_ERR_TOPOLOGY);
  EXPECT_EQ(EP_Comm_call_errhandler(EP_COMM_NULL, EP_ERR_TOPOLOGY), EP_ERR_COMM);
}

std::string text_of(int code) {
  std::array<char, EP_MAX_ERROR_STRING> text{};
  int length = -1;
  check(EP_Error_string(code, text.data(), &length));
  EXPECT_EQ(std::string(text.data()).size(), static_cast<std::size_t>(length));
  return text.data();
}

int class_of(int code) {
  int error_class = -1;
  check(EP_Error_class(code, &error_class));
  return error_class;
}

TEST(ErrorCodes, classes_have_texts) {
  EXPECT_EQ(class_of(EP_ERR_TRUNCATE), EP_ERR_TRUNCATE);
  EXPECT_EQ(class_of(EP_ERR_ENDPOINTS), EP_ERR_ENDPOINTS);
  EXPECT_NE(text_of(EP_ERR_RANK).find("rank"), std::string::npos);
  EXPECT_NE(text_of(EP_ERR_ENDPOINTS).find("Endpoints"), std::string::npos);
  int error_class = 0;
  EXPECT_EQ(EP_Error_class(-3, &error_class), EP_ERR_ARG);
}

TEST(ErrorCodes, programs_add_their_own) {
  int error_class = 0;
  int code = 0;
  check(EP_Add_error_class(&error_class));
  check(EP_Add_error_code(error_class, &code));
  EXPECT_GT(error_class, EP_ERR_LASTCODE);
  EXPECT_GT(code, error_class);
  EXPECT_EQ(class_of(code), error_class);
  EXPECT_EQ(class_of(error_class), error_class);
  EXPECT_EQ(text_of(code), "");
  check(EP_Add_error_string(code, "the ocean froze"));
  EXPECT_EQ(text_of(code), "the ocean froze");
  EXPECT_EQ(EP_Add_error_string(EP_ERR_RANK, "no"), EP_ERR_ARG);
  EXPECT_EQ(EP_Add_error_code(code, &code), EP_ERR_ARG);
  EXPECT_EQ(EP_Error_class(code + 1, &code), EP_ERR_ARG);
}

}  // namespace
}  // namespace ep::test::error_test
