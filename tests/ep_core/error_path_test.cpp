// What becomes of errors of the MPI library: each reaches the endpoint that it concerns, as a class
// and a text, through its error handler; nobody waits for ever, and what follows works.

#include <gtest/gtest.h>

#include <array>
#include <barrier>
#include <ep/ep.hpp>
#include <functional>
#include <string>
#include <thread>
#include <vector>

#include "interposed.hpp"
#include "layouts.hpp"

namespace ep::test::error_path_test {
namespace {

constexpr int injected = MPI_ERR_NO_MEM;

bool says(const char* word) { return std::string(EP_Last_error()).find(word) != std::string::npos; }

int& handled() {
  thread_local int code = EP_SUCCESS;
  return code;
}

void note(EP_Comm* comm, int* code, ...) {
  static_cast<void>(comm);
  handled() = *code;
}

/// All errors of `comm` are noted from here on.
void note_errors(const Comm& comm) {
  handled() = EP_SUCCESS;
  EP_Errhandler handler = EP_ERRHANDLER_NULL;
  check(EP_Comm_create_errhandler(note, &handler));
  check(EP_Comm_set_errhandler(comm.get(), handler));
  check(EP_Errhandler_free(&handler));
}

/// Whether messages and collectives still work, for all.
void expect_health(const Comm& comm) {
  int sum = 0;
  const int mine = comm.rank();
  check(EP_Allreduce(&mine, &sum, 1, MPI_INT, MPI_SUM, comm.get()));
  EXPECT_EQ(sum, comm.size() * (comm.size() - 1) / 2);
  int in = -1;
  check(EP_Sendrecv(&mine, 1, MPI_INT, (mine + 1) % comm.size(), 9, &in, 1, MPI_INT, EP_ANY_SOURCE,
                    9, comm.get(), EP_STATUS_IGNORE));
  EXPECT_EQ(in, (mine + comm.size() - 1) % comm.size());
}

using Send = std::function<int(const void*, int, EP_Comm)>;

int standard(const void* data, int count, EP_Comm comm) {
  return EP_Send(data, count, MPI_INT, 1, 3, comm);
}
int synchronous(const void* data, int count, EP_Comm comm) {
  return EP_Ssend(data, count, MPI_INT, 1, 3, comm);
}
int buffered(const void* data, int count, EP_Comm comm) {
  std::vector<std::byte> memory(static_cast<std::size_t>(count) * sizeof(int) + 1000);
  check(EP_Buffer_attach(memory.data(), static_cast<int>(memory.size())));
  const int code = EP_Bsend(data, count, MPI_INT, 1, 3, comm);
  void* address = nullptr;
  int size = 0;
  check(EP_Buffer_detach(&address, &size));  // nothing is stuck in it
  return code;
}
int non_blocking(const void* data, int count, EP_Comm comm) {
  EP_Request request = EP_REQUEST_NULL;
  if (const int code = EP_Isend(data, count, MPI_INT, 1, 3, comm, &request); code != EP_SUCCESS) {
    return code;
  }
  const int code = EP_Wait(&request, EP_STATUS_IGNORE);
  EXPECT_EQ(request, EP_REQUEST_NULL);
  return code;
}
int persistent(const void* data, int count, EP_Comm comm) {
  EP_Request request = EP_REQUEST_NULL;
  check(EP_Send_init(data, count, MPI_INT, 1, 3, comm, &request));
  int code = EP_Start(&request);
  if (code == EP_SUCCESS) code = EP_Wait(&request, EP_STATUS_IGNORE);
  check(EP_Request_free(&request));
  return code;
}

/// Rank 0 sends `count` numbers to rank 1 and MPI_Isend number `nth` of that fails.
void fail_a_send(const Send& send, int count, int nth) {
  run_endpoints(2, [&](const Comm& comm) {
    std::vector<int> data(static_cast<std::size_t>(count), 7);
    note_errors(comm);
    check(EP_Barrier(comm.get()));
    if (comm.rank() == 0) {
      fail_calls(Raw::isend, nth, 1, injected);
      const int code = send(data.data(), count, comm.get());
      EXPECT_EQ(failures(), 1) << "of " << nth;
      let_all_work();
      EXPECT_EQ(code, injected);
      EXPECT_TRUE(says("MPI_Isend")) << EP_Last_error();
      EXPECT_EQ(handled(), injected);
    } else {
      const int code = EP_Recv(data.data(), count, MPI_INT, 0, 3, comm.get(), EP_STATUS_IGNORE);
      EXPECT_NE(code, EP_SUCCESS);
      EXPECT_EQ(handled(), code);
      EXPECT_TRUE(says("lost")) << EP_Last_error();
    }
    check(EP_Comm_set_errhandler(comm.get(), EP_ERRORS_RETURN));
    expect_health(comm);
  });
}

constexpr int small = 10;
constexpr int large = 100'000;

TEST(ErrorPaths, a_send_that_mpi_refuses_fails_at_both_ends) {
  if (processes() != 2) GTEST_SKIP() << "two processes";
  for (const Send& send :
       {Send(standard), Send(synchronous), Send(non_blocking), Send(persistent), Send(buffered)}) {
    for (const int count : {small, large}) fail_a_send(send, count, 1);
  }
}

TEST(ErrorPaths, a_body_that_mpi_refuses_fails_at_both_ends) {
  if (processes() != 2) GTEST_SKIP() << "two processes";
  fail_a_send(synchronous, large, 2);
}

TEST(ErrorPaths, an_acknowledgement_that_mpi_refuses_is_sent_again) {
  if (processes() != 2) GTEST_SKIP() << "two processes";
  run_endpoints(2, [](const Comm& comm) {
    int data = 5;
    check(EP_Barrier(comm.get()));
    if (comm.rank() == 0) {
      check(synchronous(&data, 1, comm.get()));
    } else {
      fail_calls(Raw::isend, 1, 1, injected);
      check(EP_Recv(&data, 1, MPI_INT, 0, 3, comm.get(), EP_STATUS_IGNORE));
      EXPECT_EQ(failures(), 1);
      let_all_work();
    }
    expect_health(comm);
  });
}

TEST(ErrorPaths, the_end_of_a_transfer_that_fails) {
  if (processes() != 2) GTEST_SKIP() << "two processes";
  for (const int failing : {0, 1}) {
    run_endpoints(2, [failing](const Comm& comm) {
      std::vector<int> data(large, 1);
      check(EP_Barrier(comm.get()));
      if (comm.rank() == failing) fail_calls(Raw::test, 1, 1, injected);
      const int code = comm.rank() == 0 ? standard(data.data(), large, comm.get())
                                        : EP_Recv(data.data(), large, MPI_INT, 0, 3, comm.get(),
                                                  EP_STATUS_IGNORE);
      if (comm.rank() == failing) {
        EXPECT_EQ(failures(), 1);
        EXPECT_EQ(code, injected);
        EXPECT_TRUE(says("MPI_Test")) << EP_Last_error();
        let_all_work();
      } else {
        EXPECT_EQ(code, EP_SUCCESS);
      }
      expect_health(comm);
    });
  }
}

/// Rank 1 receives `count` numbers, posted or unexpected, and `function` fails.
void fail_a_receive(Raw function, int count, bool posted, const char* text) {
  run_endpoints(2, [&](const Comm& comm) {
    std::vector<int> data(static_cast<std::size_t>(count), comm.rank());
    note_errors(comm);
    check(EP_Barrier(comm.get()));
    if (comm.rank() == 0) {
      check(EP_Recv(nullptr, 0, MPI_INT, 1, 4, comm.get(), EP_STATUS_IGNORE));
      check(EP_Send(data.data(), count, MPI_INT, 1, 3, comm.get()));
    } else {
      fail_calls(function, 1, 1, injected);
      check(EP_Send(nullptr, 0, MPI_INT, 0, 4, comm.get()));
      EP_Request request = EP_REQUEST_NULL;
      if (!posted) check(EP_Probe(0, 3, comm.get(), EP_STATUS_IGNORE));
      check(EP_Irecv(data.data(), count, MPI_INT, 0, 3, comm.get(), &request));
      EXPECT_EQ(EP_Wait(&request, EP_STATUS_IGNORE), injected);
      EXPECT_TRUE(says(text)) << EP_Last_error();
      EXPECT_EQ(handled(), injected);
      EXPECT_EQ(failures(), 1);
      let_all_work();
    }
    check(EP_Comm_set_errhandler(comm.get(), EP_ERRORS_RETURN));
    expect_health(comm);
  });
}

TEST(ErrorPaths, a_receive_that_mpi_refuses) {
  if (processes() != 2) GTEST_SKIP() << "two processes";
  for (const bool posted : {true, false}) {
    fail_a_receive(Raw::imrecv, large, posted, "MPI_Imrecv");
  }
  fail_a_receive(Raw::recv, small, false, "lost");
}

// Whoever drives the traffic meets the error of somebody else's message, but does not take it.
TEST(ErrorPaths, the_error_of_a_receive_reaches_its_own_endpoint) {
  if (processes() != 2) GTEST_SKIP() << "two processes";
  run_endpoints(4, [](const Comm& comm) {
    std::vector<int> data(large, 1);
    check(EP_Barrier(comm.get()));
    if (comm.rank() == 0) check(EP_Send(data.data(), large, MPI_INT, 2, 3, comm.get()));
    if (comm.rank() == 2) {
      fail_calls(Raw::imrecv, 1, 1, injected);
      EP_Request request = EP_REQUEST_NULL;
      check(EP_Irecv(data.data(), large, MPI_INT, 0, 3, comm.get(), &request));
      check(EP_Send(nullptr, 0, MPI_INT, 3, 4, comm.get()));
      check(EP_Recv(nullptr, 0, MPI_INT, 3, 5, comm.get(), EP_STATUS_IGNORE));
      EXPECT_EQ(EP_Wait(&request, EP_STATUS_IGNORE), injected);
      let_all_work();
    }
    if (comm.rank() == 3) {
      check(EP_Recv(nullptr, 0, MPI_INT, 2, 4, comm.get(), EP_STATUS_IGNORE));
      while (failures() == 0) check(EP_Progress(comm.get()));
      check(EP_Send(nullptr, 0, MPI_INT, 2, 5, comm.get()));
    }
    expect_health(comm);
  });
}

TEST(ErrorPaths, a_probe_that_fails_ends_the_call_and_takes_nothing) {
  if (processes() != 2) GTEST_SKIP() << "two processes";
  run_endpoints(2, [](const Comm& comm) {
    int data = -1;
    note_errors(comm);
    check(EP_Barrier(comm.get()));
    if (comm.rank() == 1) {
      fail_calls(Raw::iprobe, 1, 1, injected);
      EXPECT_EQ(EP_Recv(&data, 1, MPI_INT, 0, 3, comm.get(), EP_STATUS_IGNORE), injected);
      EXPECT_TRUE(says("MPI_Iprobe")) << EP_Last_error();
      EXPECT_EQ(handled(), injected);
      fail_calls(Raw::iprobe, 1, 1, injected);
      EXPECT_EQ(EP_Probe(0, 3, comm.get(), EP_STATUS_IGNORE), injected);
      fail_calls(Raw::iprobe, 1, 1, injected);
      EXPECT_EQ(EP_Progress(comm.get()), injected);
      EP_Request request = EP_REQUEST_NULL;
      check(EP_Irecv(&data, 1, MPI_INT, 0, 3, comm.get(), &request));
      const auto expect_refusal = [&](const std::function<int()>& call) {
        handled() = EP_SUCCESS;
        fail_calls(Raw::iprobe, 1, 1, injected);
        EXPECT_EQ(call(), injected);
        EXPECT_EQ(handled(), injected);
        EXPECT_NE(request, EP_REQUEST_NULL);
      };
      int flag = 0;
      int index = 0;
      expect_refusal([&] { return EP_Wait(&request, EP_STATUS_IGNORE); });
      expect_refusal([&] { return EP_Test(&request, &flag, EP_STATUS_IGNORE); });
      expect_refusal([&] { return EP_Waitall(1, &request, EP_STATUSES_IGNORE); });
      expect_refusal([&] { return EP_Testany(1, &request, &index, &flag, EP_STATUS_IGNORE); });
      expect_refusal([&] { return EP_Testsome(1, &request, &flag, &index, EP_STATUSES_IGNORE); });
      let_all_work();
      check(EP_Send(nullptr, 0, MPI_INT, 0, 4, comm.get()));
      check(EP_Wait(&request, EP_STATUS_IGNORE));
      EXPECT_EQ(data, 17);  // the first receive did not eat it
    } else {
      data = 17;
      check(EP_Recv(nullptr, 0, MPI_INT, 1, 4, comm.get(), EP_STATUS_IGNORE));
      check(EP_Send(&data, 1, MPI_INT, 1, 3, comm.get()));
    }
    check(EP_Comm_set_errhandler(comm.get(), EP_ERRORS_RETURN));
    expect_health(comm);
  });
}

// An error of the traffic does not complete a request.
int wait_stubbornly(EP_Request& request) {
  int first = EP_SUCCESS;
  while (request != EP_REQUEST_NULL) {
    const int code = EP_Wait(&request, EP_STATUS_IGNORE);
    if (first == EP_SUCCESS) first = code;
  }
  return first;
}

using Collective = std::function<int(const std::vector<int>&, std::vector<int>&, EP_Comm)>;

std::vector<Collective> collectives(int count) {
  return {
      [](auto&, auto&, EP_Comm comm) { return EP_Barrier(comm); },
      [=](auto&, auto& in, EP_Comm comm) { return EP_Bcast(in.data(), count, MPI_INT, 0, comm); },
      [=](auto& out, auto& in, EP_Comm comm) {
        return EP_Allreduce(out.data(), in.data(), count, MPI_INT, MPI_SUM, comm);
      },
      [=](auto& out, auto& in, EP_Comm comm) {
        return EP_Allgather(out.data(), count, MPI_INT, in.data(), count, MPI_INT, comm);
      },
      [=](auto& out, auto& in, EP_Comm comm) {
        return EP_Alltoall(out.data(), count, MPI_INT, in.data(), count, MPI_INT, comm);
      },
      [=](auto& out, auto& in, EP_Comm comm) {
        return EP_Scan(out.data(), in.data(), count, MPI_INT, MPI_SUM, comm);
      },
      [=](auto& out, auto& in, EP_Comm comm) {
        EP_Request request = EP_REQUEST_NULL;
        const int code =
            EP_Ialltoall(out.data(), count, MPI_INT, in.data(), count, MPI_INT, comm, &request);
        return code != EP_SUCCESS ? code : wait_stubbornly(request);
      }};
}

/// How the collectives of one endpoint went while `function` failed once in each process.
struct Outcome {
  int failures = 0;
  int errors = 0;
};

Outcome fail_in_collectives(const Comm& comm, std::barrier<>& siblings, Raw function, int count) {
  Outcome outcome;
  const auto total = static_cast<std::size_t>(comm.size() * count);
  for (const Collective& collective : collectives(count)) {
    const std::vector<int> out(total, 1);
    std::vector<int> in(total, 1);
    // One endpoint of each process arms the trap, after all are here and before any goes on.
    check(EP_Barrier(comm.get()));
    siblings.arrive_and_wait();
    if (comm.rank() % 2 == 0) fail_calls(function, 1, 1, injected);
    siblings.arrive_and_wait();
    const int code = collective(out, in, comm.get());
    EXPECT_TRUE(code == EP_SUCCESS || code == injected) << EP_Last_error();
    siblings.arrive_and_wait();
    outcome.failures += failures();
    outcome.errors += code != EP_SUCCESS ? 1 : 0;
    // The siblings share what became of a transfer; an error of the traffic is of who drove it.
    EXPECT_TRUE(code == injected || function == Raw::iprobe || failures() == 0);
    siblings.arrive_and_wait();
    if (comm.rank() % 2 == 0) let_all_work();
    siblings.arrive_and_wait();
    expect_health(comm);
  }
  return outcome;
}

// Four endpoints, two in a process: the siblings share the error.
TEST(ErrorPaths, collectives_end_everywhere) {
  if (processes() != 2) GTEST_SKIP() << "two processes";
  for (const int count : {2, 20'000}) {
    std::barrier<> siblings(2);
    run_endpoints(4, [&](const Comm& comm) {
      for (const Raw function : {Raw::isend, Raw::iprobe, Raw::imrecv}) {
        if (function == Raw::imrecv && count < 10'000) continue;  // small ones take MPI_Recv
        const Outcome mine = fail_in_collectives(comm, siblings, function, count);
        EXPECT_GT(mine.failures, 0);
        int errors = 0;
        check(EP_Allreduce(&mine.errors, &errors, 1, MPI_INT, MPI_SUM, comm.get()));
        EXPECT_GE(errors, mine.failures);
      }
    });
  }
}

// Process 1 sends its part when process 0 is already deaf.
TEST(ErrorPaths, a_collective_ends_when_mpi_delivers_nothing_any_more) {
  if (processes() != 2) GTEST_SKIP() << "two processes";
  std::barrier<> siblings(2);
  run_endpoints(4, [&](const Comm& comm) {
    const Comm broken = comm.dup();
    check(EP_Barrier(comm.get()));
    siblings.arrive_and_wait();
    if (comm.rank() == 0) {
      fail_calls(Raw::iprobe, 1, 1'000'000'000, injected);
      check(EP_Send(nullptr, 0, MPI_INT, 2, 8, comm.get()));
    }
    if (comm.rank() == 2) check(EP_Recv(nullptr, 0, MPI_INT, 0, 8, comm.get(), EP_STATUS_IGNORE));
    siblings.arrive_and_wait();
    const int code = EP_Barrier(broken.get());
    EXPECT_EQ(code, comm.rank() < 2 ? injected : EP_SUCCESS);
    EXPECT_EQ(says("MPI_Iprobe"), comm.rank() < 2) << EP_Last_error();
    siblings.arrive_and_wait();
    if (comm.rank() == 0) let_all_work();
    siblings.arrive_and_wait();
    expect_health(comm);
    expect_health(broken);
  });
}

TEST(ErrorPaths, what_a_new_communicator_needs) {
  for (const Raw function : {Raw::comm_idup, Raw::iallgather, Raw::ialltoall}) {
    for (const int nth : {1, 2}) {
      if (nth == 2 && function != Raw::iallgather) continue;
      const std::int64_t freed = calls(Raw::comm_free);
      fail_calls(function, nth, 1, injected);
      EP_Comm comm = EP_COMM_NULL;
      const int code = EP_Comm_from_mpi(MPI_COMM_WORLD, &comm);
      if (processes() > 1) {
        EXPECT_EQ(code, injected);
        EXPECT_EQ(comm, EP_COMM_NULL);
        EXPECT_TRUE(says("MPI_")) << EP_Last_error();
        EXPECT_EQ(failures(), 1);
        // No raw communicator is left behind.
        EXPECT_EQ(calls(Raw::comm_free) - freed, function == Raw::comm_idup ? 0 : 1);
      } else {
        EXPECT_EQ(code, EP_SUCCESS);  // needs none of them
        check(EP_Comm_free(&comm));
      }
      let_all_work();
    }
  }
  expect_health(Comm::from_mpi(MPI_COMM_WORLD));
}

TEST(ErrorPaths, what_a_raw_communicator_needs) {
  const Comm world = Comm::from_mpi(MPI_COMM_WORLD);
  note_errors(world);
  fail_calls(Raw::comm_idup, 1, 1, injected);
  MPI_Comm raw = MPI_COMM_NULL;
  EXPECT_EQ(EP_Comm_mpi(world.get(), &raw), injected);
  EXPECT_EQ(raw, MPI_COMM_NULL);
  EXPECT_TRUE(says("MPI_Comm_idup")) << EP_Last_error();
  EXPECT_EQ(handled(), injected);
  let_all_work();
  check(EP_Comm_mpi(world.get(), &raw));
  EXPECT_NE(raw, MPI_COMM_NULL);
  if (processes() == 1) return;
  // In another order than the wire's.
  const Comm turned = world.split(0, -world.rank());
  fail_calls(Raw::comm_create_group, 1, 1, injected);
  EXPECT_EQ(EP_Comm_mpi(turned.get(), &raw), injected);
  EXPECT_TRUE(says("MPI_Comm_create_group")) << EP_Last_error();
  let_all_work();
  check(EP_Comm_mpi(turned.get(), &raw));
}

// Sides that share no wire: MPI_Comm_create_group, once for both endpoints of a process.
TEST(ErrorPaths, what_an_intercommunicator_needs) {
  if (processes() != 2) GTEST_SKIP() << "two processes";
  const Comm self = Comm::from_mpi(MPI_COMM_SELF);
  const Comm world = Comm::from_mpi(MPI_COMM_WORLD);
  const std::vector<Comm> mine = self.create_endpoints(2);
  const auto create = [&](std::size_t i, EP_Comm* out) {
    return EP_Intercomm_create(mine[i].get(), 0, world.get(), 1 - world.rank(), 4, out);
  };
  for (const bool fails : {true, false}) {
    if (fails) fail_calls(Raw::comm_create_group, 1, 1, injected);
    std::array<EP_Comm, 2> out{EP_COMM_NULL, EP_COMM_NULL};
    std::array<int, 2> codes{};
    std::thread sibling([&] { codes[1] = create(1, &out[1]); });
    codes[0] = create(0, &out[0]);
    sibling.join();
    let_all_work();
    for (const std::size_t i : {0U, 1U}) {
      EXPECT_EQ(codes[i], fails ? injected : EP_SUCCESS);
      EXPECT_EQ(out[i] == EP_COMM_NULL, fails);
      if (out[i] != EP_COMM_NULL) check(EP_Comm_free(&out[i]));
    }
  }
}

TEST(ErrorPaths, datatypes_that_mpi_does_not_explain) {
  run_endpoints(2, [](const Comm& comm) {
    // A trap per process: one endpoint at a time.
    for (int turn = 0; turn < 2; ++turn) {
      check(EP_Barrier(comm.get()));
      if (comm.rank() != turn) continue;
      note_errors(comm);
      MPI_Datatype pairs = MPI_DATATYPE_NULL;
      ASSERT_EQ(MPI_Type_vector(3, 1, 2, MPI_INT, &pairs), MPI_SUCCESS);
      ASSERT_EQ(MPI_Type_commit(&pairs), MPI_SUCCESS);
      std::array<int, 6> data{};
      fail_calls(Raw::type_get_envelope, 1, 1, injected);
      // MPI's word on whether a handle is a datatype.
      EXPECT_EQ(EP_Send(data.data(), 1, pairs, comm.rank(), 0, comm.get()), EP_ERR_TYPE);
      EXPECT_TRUE(says("datatype is not valid")) << EP_Last_error();
      EXPECT_EQ(handled(), EP_ERR_TYPE);
      let_all_work();
      check(EP_Send(data.data(), 1, pairs, comm.rank(), 0, comm.get()));
      check(EP_Recv(data.data(), 1, pairs, comm.rank(), 0, comm.get(), EP_STATUS_IGNORE));
      ASSERT_EQ(MPI_Type_free(&pairs), MPI_SUCCESS);
      check(EP_Comm_set_errhandler(comm.get(), EP_ERRORS_RETURN));
    }
    expect_health(comm);
  });
}

// A call that fails before its endpoint takes part can be made again.
TEST(ErrorPaths, a_datatype_that_mpi_does_not_duplicate) {
  run_endpoints(2, [](const Comm& comm) {
    MPI_Datatype pairs = MPI_DATATYPE_NULL;
    ASSERT_EQ(MPI_Type_vector(2, 1, 2, MPI_INT, &pairs), MPI_SUCCESS);
    ASSERT_EQ(MPI_Type_commit(&pairs), MPI_SUCCESS);
    std::array<int, 4> data{comm.rank(), -1, comm.rank(), -1};
    EP_Request request = EP_REQUEST_NULL;
    if (comm.rank() == 0) {
      fail_calls(Raw::type_dup, 1, 1, injected);
      EXPECT_EQ(EP_Ibcast(data.data(), 1, pairs, 1, comm.get(), &request), injected);
      EXPECT_TRUE(says("MPI_Type_dup")) << EP_Last_error();
      EXPECT_EQ(request, EP_REQUEST_NULL);
      let_all_work();
    }
    check(EP_Barrier(comm.get()));  // or the other's call would be the one that fails
    check(EP_Ibcast(data.data(), 1, pairs, 1, comm.get(), &request));
    check(EP_Wait(&request, EP_STATUS_IGNORE));
    EXPECT_EQ(data, (std::array<int, 4>{1, -1, 1, -1}));
    ASSERT_EQ(MPI_Type_free(&pairs), MPI_SUCCESS);
  });
}

void add(void* in, void* inout, int* count, MPI_Datatype* type) {
  static_cast<void>(type);
  for (int i = 0; i < *count; ++i) static_cast<int*>(inout)[i] += static_cast<int*>(in)[i];
}

TEST(ErrorPaths, an_operation_that_fails) {
  MPI_Op op = MPI_OP_NULL;
  ASSERT_EQ(MPI_Op_create(add, 1, &op), MPI_SUCCESS);
  // Each process combines something of its own: the error comes from there, or from the peer.
  std::barrier<> siblings(2);
  run_endpoints(2 * processes(), [&](const Comm& comm) {
    const int mine = 1;
    int sum = 0;
    siblings.arrive_and_wait();
    if (comm.rank() % 2 == 0) fail_calls(Raw::reduce_local, 1, 1, injected);
    siblings.arrive_and_wait();
    EXPECT_EQ(EP_Allreduce(&mine, &sum, 1, MPI_INT, op, comm.get()), injected);
    EXPECT_TRUE(says("MPI_Reduce_local")) << EP_Last_error();
    EXPECT_EQ(failures(), 1);
    siblings.arrive_and_wait();
    if (comm.rank() % 2 == 0) let_all_work();
    siblings.arrive_and_wait();
    check(EP_Allreduce(&mine, &sum, 1, MPI_INT, op, comm.get()));
    EXPECT_EQ(sum, comm.size());
  });
  ASSERT_EQ(MPI_Op_free(&op), MPI_SUCCESS);
}

}  // namespace
}  // namespace ep::test::error_path_test
