// Attachment: EP_NUM_ENDPOINTS=3 in every process (tests/ep_core/CMakeLists.txt). main of this test
// is tests/mpi_main.cpp, whose EP_Init_thread creates the start communicators.
#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <ep/ep.hpp>
#include <numeric>
#include <thread>
#include <vector>

#include "layouts.hpp"

namespace ep::attachment_test {
namespace {

constexpr int per_process = 3;

int rank_in(EP_Comm comm) {
  int rank = -1;
  check(EP_Comm_rank(comm, &rank));
  return rank;
}

int size_of(EP_Comm comm) {
  int size = -1;
  check(EP_Comm_size(comm, &size));
  return size;
}

/// Each in a new thread attached to endpoint 0, 1, 2 of this process.
template <class Body>
void attached_threads(Body body) {
  std::vector<std::thread> threads;
  for (int e = 0; e < per_process; ++e) {
    threads.emplace_back([&body, e] {
      try {
        check(EP_Thread_attach(e, EP_COMM_CLIQUE));
        body(e);
      } catch (const std::exception& error) {
        ADD_FAILURE() << "endpoint " << e << ": " << error.what();
      }
    });
  }
  for (auto& thread : threads) thread.join();
}

int process_rank() { return rank_in(EP_COMM_WORLD); }

TEST(Attachment, TheStartCommunicatorsAreOrderedByClique) {
  EXPECT_EQ(size_of(EP_COMM_WORLD), test::processes());
  EXPECT_EQ(size_of(EP_COMM_ENDPOINTS), per_process * test::processes());
  const int process = process_rank();
  attached_threads([process](int e) {
    EXPECT_EQ(rank_in(EP_COMM_ENDPOINTS), per_process * process + e);
    EXPECT_EQ(rank_in(EP_COMM_CLIQUE), e);
    EXPECT_EQ(size_of(EP_COMM_CLIQUE), per_process);
    EXPECT_EQ(rank_in(EP_COMM_SELF), 0);
    EXPECT_EQ(size_of(EP_COMM_SELF), 1);
  });
}

TEST(Attachment, TheStartingThreadIsTheFirstEndpoint) {
  EXPECT_EQ(rank_in(EP_COMM_CLIQUE), 0);
  int endpoint = -1;
  check(EP_Thread_attached(&endpoint));
  EXPECT_EQ(endpoint, 0);
}

TEST(Attachment, WorldHasTheFirstEndpointsOnly) {
  attached_threads([](int e) {
    int rank = -1;
    EXPECT_EQ(EP_Comm_rank(EP_COMM_WORLD, &rank), e == 0 ? EP_SUCCESS : EP_ERR_COMM);
  });
}

TEST(Attachment, AnUnknownThreadIsToldToAttach) {
  std::thread([] {
    int rank = -1;
    EXPECT_EQ(EP_Comm_rank(EP_COMM_ENDPOINTS, &rank), EP_ERR_COMM);
    EXPECT_NE(std::string(EP_Last_error()).find("Call EP_Thread_attach"), std::string::npos);
    int endpoint = 0;
    check(EP_Thread_attached(&endpoint));
    EXPECT_EQ(endpoint, EP_UNDEFINED);
  }).join();
}

TEST(Attachment, CollectivesRunOverAllAttachedThreads) {
  attached_threads([](int) {
    const int mine = rank_in(EP_COMM_ENDPOINTS);
    std::vector<int> all(static_cast<std::size_t>(size_of(EP_COMM_ENDPOINTS)), -1);
    check(EP_Allgather(&mine, 1, MPI_INT, all.data(), 1, MPI_INT, EP_COMM_ENDPOINTS));
    std::vector<int> expected(all.size());
    std::iota(expected.begin(), expected.end(), 0);
    EXPECT_EQ(all, expected);
  });
}

TEST(Attachment, AThreadMovesAtWill) {
  std::thread([] {
    for (const int e : {2, 0, 1, 2}) {
      check(EP_Thread_attach(e, EP_COMM_CLIQUE));
      EXPECT_EQ(rank_in(EP_COMM_CLIQUE), e);
      const int first = rank_in(EP_COMM_ENDPOINTS) - e;
      // The same endpoint by its rank among all.
      check(EP_Thread_attach(first + 1, EP_COMM_ENDPOINTS));
      EXPECT_EQ(rank_in(EP_COMM_CLIQUE), 1);
    }
  }).join();
}

TEST(Attachment, ADerivedHandleStaysWithItsEndpoint) {
  std::vector<EP_Comm> copies(per_process, EP_COMM_NULL);
  attached_threads([&copies](int e) {
    check(EP_Comm_dup(EP_COMM_ENDPOINTS, &copies[static_cast<std::size_t>(e)]));
  });
  std::thread([&copies] {
    check(EP_Thread_attach(2, EP_COMM_CLIQUE));
    EXPECT_EQ(rank_in(copies[0]) % per_process, 0);
    EXPECT_EQ(rank_in(copies[1]) % per_process, 1);
    // And names its endpoint in an attachment.
    check(EP_Thread_attach(rank_in(copies[1]), copies[0]));
    EXPECT_EQ(rank_in(EP_COMM_CLIQUE), 1);
  }).join();
  for (EP_Comm& copy : copies) check(EP_Comm_free(&copy));
}

// Handlers have no argument of their own, so each thread looks at its own.
EP_Comm& told() {
  thread_local EP_Comm comm = EP_COMM_NULL;
  return comm;
}
void note_comm(EP_Comm* comm, int* /*code*/, ...) { told() = *comm; }  // NOLINT: MPI's signature

TEST(Attachment, AHandlerIsToldTheHandleItWasSetOn) {
  attached_threads([](int e) {
    EP_Errhandler handler = EP_ERRHANDLER_NULL;
    check(EP_Comm_create_errhandler(note_comm, &handler));
    for (EP_Comm comm : {EP_COMM_WORLD, EP_COMM_ENDPOINTS, EP_COMM_CLIQUE, EP_COMM_SELF}) {
      if (comm == EP_COMM_WORLD && e != 0) continue;
      EP_Errhandler before = EP_ERRHANDLER_NULL;
      check(EP_Comm_get_errhandler(comm, &before));
      check(EP_Comm_set_errhandler(comm, handler));
      EXPECT_EQ(EP_Send(nullptr, 0, MPI_INT, -7, 0, comm), EP_ERR_RANK);
      EXPECT_EQ(told(), comm);
      // An error of a request knows its communicator only.
      int in = 0;
      EP_Request request = EP_REQUEST_NULL;
      check(EP_Irecv(&in, 0, MPI_INT, rank_in(comm), 0, comm, &request));
      check(EP_Send(&in, 1, MPI_INT, rank_in(comm), 0, comm));
      told() = EP_COMM_NULL;
      EXPECT_EQ(EP_Wait(&request, EP_STATUS_IGNORE), EP_ERR_TRUNCATE);
      EXPECT_EQ(told(), comm);
      check(EP_Comm_set_errhandler(comm, before));
      check(EP_Errhandler_free(&before));
    }
    check(EP_Errhandler_free(&handler));
  });
}

TEST(Attachment, TheStartCommunicatorsHaveNames) {
  attached_threads([](int e) {
    const auto name_of = [](EP_Comm comm) {
      std::array<char, EP_MAX_OBJECT_NAME> name{};
      int length = 0;
      check(EP_Comm_get_name(comm, name.data(), &length));
      return std::string(name.data());
    };
    EXPECT_EQ(name_of(EP_COMM_ENDPOINTS), "EP_COMM_ENDPOINTS");
    EXPECT_EQ(name_of(EP_COMM_CLIQUE), "EP_COMM_CLIQUE");
    EXPECT_EQ(name_of(EP_COMM_SELF), "EP_COMM_SELF");
    EXPECT_EQ(e == 0 ? name_of(EP_COMM_WORLD) : "EP_COMM_WORLD", "EP_COMM_WORLD");
    EP_Comm copy = EP_COMM_NULL;
    check(EP_Comm_dup(EP_COMM_SELF, &copy));
    EXPECT_EQ(name_of(copy), "");
    check(EP_Comm_free(&copy));
  });
}

TEST(Attachment, FailuresAreOfOneClassAndMoveNobody) {
  const int mine = rank_in(EP_COMM_ENDPOINTS);
  EXPECT_EQ(EP_Thread_attach(per_process, EP_COMM_CLIQUE), EP_ERR_ENDPOINTS);
  EXPECT_EQ(EP_Thread_attach(-1, EP_COMM_CLIQUE), EP_ERR_ENDPOINTS);
  EXPECT_EQ(EP_Thread_attach(0, EP_COMM_NULL), EP_ERR_ENDPOINTS);
  if (test::processes() > 1) {
    const int other = mine == 0 ? per_process : 0;
    EXPECT_EQ(EP_Thread_attach(other, EP_COMM_ENDPOINTS), EP_ERR_ENDPOINTS);
    EXPECT_NE(std::string(EP_Last_error()).find("another clique"), std::string::npos);
  }
  const Comm base = Comm::from_mpi(MPI_COMM_WORLD);
  const std::vector<Comm> by_handle = base.create_endpoints(2);
  EXPECT_EQ(EP_Thread_attach(by_handle[0].rank(), by_handle[0].get()), EP_ERR_ENDPOINTS);
  EXPECT_EQ(rank_in(EP_COMM_ENDPOINTS), mine);
}

TEST(Attachment, AScopeGoesBack) {
  std::thread([] {
    {
      const AttachScope outer(1);
      {
        const AttachScope inner(2);
        EXPECT_EQ(rank_in(EP_COMM_CLIQUE), 2);
      }
      EXPECT_EQ(rank_in(EP_COMM_CLIQUE), 1);
    }
    int endpoint = 0;
    check(EP_Thread_attached(&endpoint));
    EXPECT_EQ(endpoint, EP_UNDEFINED);
  }).join();
}

TEST(Attachment, AnEndpointWithoutThreadStopsNobodyElse) {
  std::vector<int> big(100'000, 7);
  EP_Request request = EP_REQUEST_NULL;
  // Endpoint 2 of this process has no thread: the non-blocking send returns, so does the exchange
  // of the others.
  const int last = rank_in(EP_COMM_ENDPOINTS) + 2;
  check(EP_Isend(big.data(), 100'000, MPI_INT, last, 5, EP_COMM_ENDPOINTS, &request));
  std::thread([] {
    check(EP_Thread_attach(1, EP_COMM_CLIQUE));
    const int word = 3;
    check(EP_Send(&word, 1, MPI_INT, 0, 6, EP_COMM_CLIQUE));
  }).join();
  int word = 0;
  check(EP_Recv(&word, 1, MPI_INT, 1, 6, EP_COMM_CLIQUE, EP_STATUS_IGNORE));
  EXPECT_EQ(word, 3);
  int done = 1;
  check(EP_Test(&request, &done, EP_STATUS_IGNORE));
  EXPECT_EQ(done, 0);
  std::thread([] {
    check(EP_Thread_attach(2, EP_COMM_CLIQUE));
    std::vector<int> in(100'000);
    check(EP_Recv(in.data(), 100'000, MPI_INT, EP_ANY_SOURCE, 5, EP_COMM_ENDPOINTS,
                  EP_STATUS_IGNORE));
    EXPECT_EQ(in.back(), 7);
  }).join();
  check(EP_Wait(&request, EP_STATUS_IGNORE));
}

int noted_code = EP_SUCCESS;
void note_code(EP_Comm*, int* code, ...) { noted_code = *code; }  // NOLINT: the signature of MPI

TEST(Attachment, ErrorsOnPredefinedHandlesMeetTheHandlerOfTheEndpoint) {
  EP_Errhandler handler = EP_ERRHANDLER_NULL;
  check(EP_Comm_create_errhandler(note_code, &handler));
  check(EP_Comm_set_errhandler(EP_COMM_CLIQUE, handler));
  EXPECT_EQ(EP_Send(nullptr, 0, MPI_INT, per_process, 0, EP_COMM_CLIQUE), EP_ERR_RANK);
  EXPECT_EQ(noted_code, EP_ERR_RANK);
  check(EP_Comm_set_errhandler(EP_COMM_CLIQUE, EP_ERRORS_RETURN));
  check(EP_Errhandler_free(&handler));
}

// Its leaders' ranks decide which side carries a process: they are those of the attached endpoints.
TEST(Attachment, APredefinedHandleServesAsPeer) {
  const int last = size_of(EP_COMM_ENDPOINTS) - 1;
  attached_threads([last](int) {
    const int me = rank_in(EP_COMM_ENDPOINTS);
    const int side = me % 2;
    Comm all;
    Comm local;
    {
      EP_Comm handle = EP_COMM_NULL;
      check(EP_Comm_dup(EP_COMM_ENDPOINTS, &handle));
      all = Comm(handle);
      check(EP_Comm_split(EP_COMM_ENDPOINTS, side, me, &handle));
      local = Comm(handle);
    }
    // The last of each side leads, so that no leader's rank is 0.
    const int leader = (last - (last + side) % 2) / 2;
    const int remote_leader = last - (last + 1 - side) % 2;
    std::vector<int> owners;
    for (const EP_Comm peer : {EP_COMM_ENDPOINTS, all.get()}) {
      EP_Comm handle = EP_COMM_NULL;
      check(EP_Intercomm_create(local.get(), leader, peer, remote_leader, 4, &handle));
      const Comm inter(handle);
      EXPECT_EQ(inter.remote_size(), last / 2 + (side == 1 || last % 2 == 1 ? 1 : 0));
      for (int rank = 0; rank < inter.size(); ++rank) {
        int owner = -1;
        check(EP_Intercomm_owner(inter.get(), rank, &owner));
        owners.push_back(owner);
      }
      int sum = 0;
      check(EP_Allreduce(&me, &sum, 1, MPI_INT, MPI_SUM, inter.get()));
      int expected = 0;
      for (int rank = 1 - side; rank <= last; rank += 2) expected += rank;
      EXPECT_EQ(sum, expected);
    }
    const std::size_t half = owners.size() / 2;
    for (std::size_t i = 0; i < half; ++i) EXPECT_EQ(owners[i], owners[i + half]);
  });
}

TEST(Attachment, TheLevelHoldsForEveryEndpoint) {
  attached_threads([](int) {
    int level = -1;
    check(EP_Query_thread(&level));
    EXPECT_EQ(level, MPI_THREAD_MULTIPLE);
  });
}

TEST(Attachment, ThePredefinedHandlesCannotBeFreed) {
  EP_Comm world = EP_COMM_WORLD;
  check(EP_Comm_set_errhandler(world, EP_ERRORS_RETURN));
  EXPECT_EQ(EP_Comm_free(&world), EP_ERR_COMM);
  check(EP_Comm_set_errhandler(world, EP_ERRORS_ARE_FATAL));
}

/// A kernel written for many endpoints: sums one number of each endpoint of all cliques, with a
/// thread per endpoint. Called by one thread per process.
long sum_over_all_endpoints() {
  std::atomic<long> sum{-1};
  attached_threads([&sum](int e) {
    const long mine = rank_in(EP_COMM_ENDPOINTS) + 1;
    long total = 0;
    check(EP_Allreduce(&mine, &total, 1, MPI_LONG, MPI_SUM, EP_COMM_ENDPOINTS));
    if (e == 0) sum = total;
  });
  return sum;
}

// Porting, third scenario: code that knows of one rank per process calls such a kernel.
TEST(Porting, UnawareCodeCallsALibraryThatUsesAllEndpoints) {
  const int rank = rank_in(EP_COMM_WORLD);
  const int size = size_of(EP_COMM_WORLD);
  long sum = sum_over_all_endpoints();
  const long n = static_cast<long>(size) * per_process;
  EXPECT_EQ(sum, n * (n + 1) / 2);
  // And goes on as before.
  check(EP_Bcast(&sum, 1, MPI_LONG, size - 1, EP_COMM_WORLD));
  EXPECT_EQ(rank_in(EP_COMM_WORLD), rank);
  EXPECT_EQ(sum, n * (n + 1) / 2);
}

/// A library called in parallel by one thread per rank of `comm`: does not know, nor need to, how
/// ranks are spread over processes.
int ring_sum(EP_Comm comm) {
  const int rank = rank_in(comm);
  const int size = size_of(comm);
  int sum = rank;
  int carried = rank;
  for (int step = 1; step < size; ++step) {
    EP_Request request = EP_REQUEST_NULL;
    const int out = carried;
    check(EP_Isend(&out, 1, MPI_INT, (rank + 1) % size, step, comm, &request));
    check(EP_Recv(&carried, 1, MPI_INT, (rank + size - 1) % size, step, comm, EP_STATUS_IGNORE));
    check(EP_Wait(&request, EP_STATUS_IGNORE));
    sum += carried;
  }
  return sum;
}

// Second scenario.
TEST(Porting, ALibraryComputesTheSameForAnyNumberOfEndpointsPerClique) {
  const int processes = test::processes();
  EXPECT_EQ(ring_sum(EP_COMM_WORLD), processes * (processes - 1) / 2);
  attached_threads([processes](int) {
    const int n = per_process * processes;
    EXPECT_EQ(ring_sum(EP_COMM_ENDPOINTS), n * (n - 1) / 2);
    EXPECT_EQ(ring_sum(EP_COMM_CLIQUE), per_process * (per_process - 1) / 2);
  });
}

// First scenario: one clique shares memory, the endpoints exchange only what others need.
TEST(Porting, EndpointsOfACliqueShareTheirMemory) {
  std::vector<long> shared(per_process, 0);
  attached_threads([&shared](int e) {
    shared[static_cast<std::size_t>(e)] = rank_in(EP_COMM_ENDPOINTS);
    check(EP_Barrier(EP_COMM_CLIQUE));
    const long here = std::accumulate(shared.begin(), shared.end(), 0L);
    long all = 0;
    if (e != 0) return;
    check(EP_Allreduce(&here, &all, 1, MPI_LONG, MPI_SUM, EP_COMM_WORLD));
    const long n = size_of(EP_COMM_ENDPOINTS);
    EXPECT_EQ(all, n * (n - 1) / 2);
  });
}

}  // namespace
}  // namespace ep::attachment_test
