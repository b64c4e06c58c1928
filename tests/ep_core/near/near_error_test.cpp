// What becomes of errors on the way of messages between processes of a node.

#include <gtest/gtest.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstdlib>
#include <ep/ep.hpp>
#include <string>
#include <vector>

#include "interposed.hpp"
#include "layouts.hpp"

namespace {
std::atomic<bool> refuses_reads{false};           // NOLINT: a hook
std::atomic<std::size_t> most_per_read{1 << 30};  // NOLINT: a hook
}  // namespace

// In front of the system's: it may refuse, or read less than it was asked for.
extern "C" ssize_t process_vm_readv(pid_t process, const iovec* here, unsigned long here_count,
                                    const iovec* there, unsigned long there_count,
                                    unsigned long flags) {
  if (refuses_reads) {
    errno = EPERM;
    return -1;
  }
  iovec into = *here;
  into.iov_len = std::min(into.iov_len, most_per_read.load());
  return syscall(SYS_process_vm_readv, process, &into, here_count, there, there_count, flags);
}

namespace ep::test {
namespace {

constexpr int count = 100'000;

bool is_off(const char* name) {
  const char* const wish = std::getenv(name);
  return wish != nullptr && std::string(wish) == "0";
}

/// Rank 0 sends to rank 1, and what has come afterwards still does.
struct Outcome {
  int send = EP_SUCCESS;
  int receive = EP_SUCCESS;
  std::string text;  ///< of the receive
  bool is_equal = false;
};
Outcome exchange(const Comm& comm) {
  Outcome out;
  std::vector<int> data(count, 7);
  if (comm.rank() == 0) {
    out.send = EP_Send(data.data(), count, MPI_INT, 1, 3, comm.get());
  } else {
    std::vector<int> in(count);
    out.receive = EP_Recv(in.data(), count, MPI_INT, 0, 3, comm.get(), EP_STATUS_IGNORE);
    if (out.receive != EP_SUCCESS) out.text = EP_Last_error();
    out.is_equal = in == data;
  }
  return out;
}

TEST(NearErrors, a_read_that_is_refused_later_is_the_receivers_error) {
  if (processes() != 2 || is_off("EP_NEAR") || is_off("EP_TEST_NEAR_READ")) GTEST_SKIP();
  run_endpoints(2, [](const Comm& comm) {
    refuses_reads = comm.rank() == 1;
    check(EP_Barrier(comm.get()));
    const Outcome failed = exchange(comm);
    EXPECT_EQ(failed.send, EP_SUCCESS);  // its buffer is free again
    if (comm.rank() == 1) {
      EXPECT_EQ(failed.receive, EP_ERR_OTHER);
      EXPECT_NE(failed.text.find("cannot be read"), std::string::npos) << failed.text;
    }
    refuses_reads = false;
    const Outcome good = exchange(comm);
    EXPECT_EQ(good.receive, EP_SUCCESS);
    EXPECT_TRUE(comm.rank() == 0 || good.is_equal);
  });
}

TEST(NearErrors, a_read_in_pieces_is_whole) {
  if (processes() != 2 || is_off("EP_NEAR") || is_off("EP_TEST_NEAR_READ")) GTEST_SKIP();
  run_endpoints(2, [](const Comm& comm) {
    most_per_read = 4099;
    const Outcome out = exchange(comm);
    EXPECT_EQ(out.send, EP_SUCCESS);
    EXPECT_TRUE(comm.rank() == 0 || out.is_equal);
    check(EP_Barrier(comm.get()));
    most_per_read = 1 << 30;
  });
}

// The header has gone beside MPI.
TEST(NearErrors, a_body_that_mpi_refuses_fails_at_both_ends) {
  if (processes() != 2 || is_off("EP_NEAR") || !is_off("EP_TEST_NEAR_READ")) {
    GTEST_SKIP() << "where no process reads another's memory";
  }
  run_endpoints(2, [](const Comm& comm) {
    check(EP_Barrier(comm.get()));
    if (comm.rank() == 0) fail_calls(Raw::isend, 1, 1, MPI_ERR_NO_MEM);
    const Outcome failed = exchange(comm);
    if (comm.rank() == 0) {
      EXPECT_EQ(failed.send, MPI_ERR_NO_MEM);
      EXPECT_EQ(failures(), 1);
      let_all_work();
    } else {
      EXPECT_NE(failed.receive, EP_SUCCESS);
      EXPECT_NE(failed.text.find("lost"), std::string::npos) << failed.text;
    }
    const Outcome good = exchange(comm);
    EXPECT_TRUE(comm.rank() == 0 || good.is_equal);
  });
}

}  // namespace
}  // namespace ep::test
