// What becomes of errors on the way of messages between processes of a node.

#include <gtest/gtest.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <ep/ep.hpp>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>
#include <vector>

#include "interposed.hpp"
#include "layouts.hpp"

namespace {
std::atomic<bool> refuses_reads{false};   // NOLINT: a hook
std::atomic<bool> refuses_writes{false};  // NOLINT: a hook
std::atomic<int> writes{0};               // NOLINT: a hook
// A read waits for a file, which a write of the other process makes.
std::atomic<const std::filesystem::path*> read_after{nullptr};      // NOLINT: a hook
std::atomic<const std::filesystem::path*> made_by_writes{nullptr};  // NOLINT: a hook
std::atomic<std::size_t> most_per_copy{1 << 30};                    // NOLINT: a hook

bool comes_into_being(const std::filesystem::path& path) {
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(20);
  while (!std::filesystem::exists(path) && std::chrono::steady_clock::now() < end) {
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  return std::filesystem::exists(path);
}
}  // namespace

// In front of the system's: it may refuse, or read less than it was asked for.
extern "C" ssize_t process_vm_readv(pid_t process, const iovec* here, unsigned long here_count,
                                    const iovec* there, unsigned long there_count,
                                    unsigned long flags) {
  if (refuses_reads) {
    errno = EPERM;
    return -1;
  }
  if (const auto* const file = read_after.exchange(nullptr); file != nullptr) {
    EXPECT_TRUE(comes_into_being(*file)) << "the sender has written nothing";
  }
  iovec into = *here;
  into.iov_len = std::min(into.iov_len, most_per_copy.load());
  return syscall(SYS_process_vm_readv, process, &into, here_count, there, there_count, flags);
}

extern "C" ssize_t process_vm_writev(pid_t process, const iovec* here, unsigned long here_count,
                                     const iovec* there, unsigned long there_count,
                                     unsigned long flags) {
  ++writes;
  if (const auto* const file = made_by_writes.exchange(nullptr); file != nullptr) {
    std::ofstream(*file) << "written";
  }
  if (refuses_writes) {
    errno = EPERM;
    return -1;
  }
  iovec from = *here;
  from.iov_len = std::min(from.iov_len, most_per_copy.load());
  return syscall(SYS_process_vm_writev, process, &from, here_count, there, there_count, flags);
}

namespace ep::test::shm_error_test {
namespace {

constexpr int count = 100'000;
constexpr int short_count = 10'000;  // read as a whole

bool is_off(const char* name) {
  const char* const value = std::getenv(name);
  return value != nullptr && std::string(value) == "0";
}

/// Rank 0 sends to rank 1, and what has come afterwards still does.
struct Outcome {
  int send = EP_SUCCESS;
  int receive = EP_SUCCESS;
  std::string text;  ///< of the receive
  bool is_equal = false;
};
Outcome exchange(const Comm& comm, int length = count) {
  Outcome out;
  std::vector<int> data(static_cast<std::size_t>(length), 7);
  if (comm.rank() == 0) {
    out.send = EP_Send(data.data(), length, MPI_INT, 1, 3, comm.get());
  } else {
    std::vector<int> in(static_cast<std::size_t>(length));
    out.receive = EP_Recv(in.data(), length, MPI_INT, 0, 3, comm.get(), EP_STATUS_IGNORE);
    if (out.receive != EP_SUCCESS) out.text = EP_Last_error();
    out.is_equal = in == data;
  }
  return out;
}

bool can_read_each_other() {
  return processes() == 2 && !is_off("EP_SHM") && !is_off("EP_TEST_SHM_READ");
}

TEST(ShmErrors, what_cannot_be_read_any_more_is_written_by_its_sender) {
  if (!can_read_each_other()) GTEST_SKIP();
  run_endpoints(2, [](const Comm& comm) {
    refuses_reads = comm.rank() == 1;
    for (const int length : {short_count, count, 50 * count}) {
      check(EP_Barrier(comm.get()));
      const Outcome out = exchange(comm, length);
      EXPECT_EQ(out.send, EP_SUCCESS);
      EXPECT_EQ(out.receive, EP_SUCCESS) << out.text;
      EXPECT_TRUE(comm.rank() == 0 || out.is_equal) << length;
    }
    check(EP_Barrier(comm.get()));
    EXPECT_TRUE(comm.rank() == 1 || writes > 0);
    refuses_reads = false;
  });
}

TEST(ShmErrors, what_cannot_be_written_is_read_by_its_receiver) {
  if (!can_read_each_other()) GTEST_SKIP();
  run_endpoints(2, [](const Comm& comm) {
    refuses_writes = true;
    for (int i = 0; i < 20; ++i) {
      check(EP_Barrier(comm.get()));
      const Outcome out = exchange(comm, 50 * count);
      EXPECT_EQ(out.receive, EP_SUCCESS) << out.text;
      EXPECT_TRUE(comm.rank() == 0 || out.is_equal);
    }
    check(EP_Barrier(comm.get()));
    refuses_writes = false;
  });
}

TEST(ShmErrors, what_nobody_can_copy_any_more_is_the_receivers_error) {
  if (!can_read_each_other()) GTEST_SKIP();
  run_endpoints(2, [](const Comm& comm) {
    for (const int length : {short_count, count, 50 * count}) {
      refuses_reads = comm.rank() == 1;
      refuses_writes = true;
      check(EP_Barrier(comm.get()));
      const Outcome failed = exchange(comm, length);
      EXPECT_EQ(failed.send, EP_SUCCESS);  // its buffer is free again
      if (comm.rank() == 1) {
        EXPECT_EQ(failed.receive, EP_ERR_OTHER);
        EXPECT_NE(failed.text.find("cannot be read"), std::string::npos) << failed.text;
      }
      check(EP_Barrier(comm.get()));
      refuses_reads = false;
      refuses_writes = false;
      const Outcome good = exchange(comm, length);
      EXPECT_EQ(good.receive, EP_SUCCESS);
      EXPECT_TRUE(comm.rank() == 0 || good.is_equal);
    }
  });
}

namespace fs = std::filesystem;

/// Of this pair alone, the same on both ranks.
fs::path file_of_pair(const Comm& comm) {
  std::int64_t first = getpid();
  check(EP_Bcast(&first, 1, MPI_INT64_T, 0, comm.get()));
  return fs::temp_directory_path() / ("ep_shm_" + std::to_string(first));
}

TEST(ShmErrors, both_copy_a_long_body) {
  if (!can_read_each_other() || is_off("EP_TEST_SHM_WRITE")) GTEST_SKIP();
  run_endpoints(2, [](const Comm& comm) {
    const fs::path written = file_of_pair(comm);
    for (const bool refused : {false, true}) {
      refuses_writes = refused;
      if (comm.rank() == 0) made_by_writes = &written;
      if (comm.rank() == 1) read_after = &written;
      const Outcome out = exchange(comm, 50 * count);
      EXPECT_EQ(out.receive, EP_SUCCESS) << out.text;
      EXPECT_TRUE(comm.rank() == 0 || out.is_equal);
      check(EP_Barrier(comm.get()));
      EXPECT_TRUE(comm.rank() == 1 || fs::remove(written));
      check(EP_Barrier(comm.get()));
    }
    refuses_writes = false;
  });
}

// The sender calls nothing until a file says that the receiver has it.
TEST(ShmErrors, a_body_does_not_wait_for_a_sender_that_computes) {
  if (!can_read_each_other()) GTEST_SKIP();
  run_endpoints(2, [](const Comm& comm) {
    std::vector<int> data(std::size_t{50} * count, 7);
    const auto length = static_cast<int>(data.size());
    const fs::path received = file_of_pair(comm);
    if (comm.rank() == 1) {
      std::vector<int> in(data.size());
      check(EP_Recv(in.data(), length, MPI_INT, 0, 3, comm.get(), EP_STATUS_IGNORE));
      EXPECT_EQ(in, data);
      std::ofstream(received) << "received";
      return;
    }
    EP_Request request = EP_REQUEST_NULL;
    check(EP_Isend(data.data(), length, MPI_INT, 1, 3, comm.get(), &request));
    EXPECT_TRUE(comes_into_being(received)) << "nothing came while the sender called nothing";
    check(EP_Wait(&request, EP_STATUS_IGNORE));
    fs::remove(received);
  });
}

// The receiver begins to receive and calls nothing until a file says that the sender is free.
TEST(ShmErrors, a_sender_does_not_wait_for_a_receiver_that_computes) {
  if (!can_read_each_other()) GTEST_SKIP();
  run_endpoints(2, [](const Comm& comm) {
    std::vector<int> data(std::size_t{50} * count, comm.rank() == 0 ? 7 : 0);
    const auto length = static_cast<int>(data.size());
    const fs::path sent = file_of_pair(comm);
    for (int turn = 0; turn < 5; ++turn) {
      if (comm.rank() == 0) {
        check(EP_Send(data.data(), length, MPI_INT, 1, 3, comm.get()));
        std::ofstream(sent) << "sent";
      } else {
        check(EP_Probe(0, 3, comm.get(), EP_STATUS_IGNORE));
        EP_Request request = EP_REQUEST_NULL;
        check(EP_Irecv(data.data(), length, MPI_INT, 0, 3, comm.get(), &request));
        EXPECT_TRUE(comes_into_being(sent)) << "the sender waited for a call of its receiver";
        check(EP_Wait(&request, EP_STATUS_IGNORE));
        EXPECT_EQ(std::count(data.begin(), data.end(), 7), length);
        fs::remove(sent);
      }
      check(EP_Barrier(comm.get()));
    }
  });
}

// One call of EP_Test copies all that can be copied.
TEST(ShmErrors, a_look_copies_as_much_as_it_can) {
  if (!can_read_each_other()) GTEST_SKIP();
  run_endpoints(2, [](const Comm& comm) {
    std::vector<int> data(std::size_t{50} * count, comm.rank() == 0 ? 7 : 0);
    const auto length = static_cast<int>(data.size());
    const fs::path received = file_of_pair(comm);
    EP_Request request = EP_REQUEST_NULL;
    if (comm.rank() == 0) {
      check(EP_Barrier(comm.get()));  // the receive is posted
      check(EP_Isend(data.data(), length, MPI_INT, 1, 3, comm.get(), &request));
      EXPECT_TRUE(comes_into_being(received));
      fs::remove(received);
    } else {
      check(EP_Irecv(data.data(), length, MPI_INT, 0, 3, comm.get(), &request));
      check(EP_Barrier(comm.get()));
      std::this_thread::sleep_for(std::chrono::milliseconds(50));  // it is sent
      int flag = 0;
      for (int look = 0; look < 2; ++look) check(EP_Test(&request, &flag, EP_STATUS_IGNORE));
      EXPECT_NE(flag, 0);
      std::ofstream(received) << "received";
    }
    check(EP_Wait(&request, EP_STATUS_IGNORE));
  });
}

// More at a time than there are pages for copies that both make.
TEST(ShmErrors, many_long_bodies_at_once_are_whole) {
  if (!can_read_each_other()) GTEST_SKIP();
  run_endpoints(2, [](const Comm& comm) {
    constexpr int messages = 40;
    std::vector<std::vector<int>> data(messages);
    std::vector<EP_Request> requests(messages, EP_REQUEST_NULL);
    for (int i = 0; i < messages; ++i) {
      auto& block = data[static_cast<std::size_t>(i)];
      block.assign(static_cast<std::size_t>(20'000 + i * 7'919), comm.rank() == 0 ? i : -1);
      const auto length = static_cast<int>(block.size());
      EP_Request& request = requests[static_cast<std::size_t>(i)];
      if (comm.rank() == 0) {
        check(EP_Isend(block.data(), length, MPI_INT, 1, i, comm.get(), &request));
      } else {
        check(EP_Irecv(block.data(), length, MPI_INT, 0, i, comm.get(), &request));
      }
    }
    check(EP_Waitall(messages, requests.data(), EP_STATUSES_IGNORE));
    for (int i = 0; i < messages; ++i) {
      const auto& block = data[static_cast<std::size_t>(i)];
      EXPECT_EQ(std::count(block.begin(), block.end(), i), static_cast<long>(block.size())) << i;
    }
  });
}

TEST(ShmErrors, a_copy_in_pieces_is_whole) {
  if (!can_read_each_other()) GTEST_SKIP();
  run_endpoints(2, [](const Comm& comm) {
    most_per_copy = 4099;
    const Outcome out = exchange(comm);
    EXPECT_EQ(out.send, EP_SUCCESS);
    EXPECT_TRUE(comm.rank() == 0 || out.is_equal);
    check(EP_Barrier(comm.get()));
    most_per_copy = 1 << 30;
  });
}

// The header has gone beside MPI.
TEST(ShmErrors, a_body_that_mpi_refuses_fails_at_both_ends) {
  if (processes() != 2 || is_off("EP_SHM") || !is_off("EP_TEST_SHM_READ")) {
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
}  // namespace ep::test::shm_error_test
