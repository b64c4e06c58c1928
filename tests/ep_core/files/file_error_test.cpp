// What becomes of errors of the system: each is an error with a text at whoever it concerns, of
// collective calls at all endpoints, and nobody waits for ever.

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/resource.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <ep/ep.hpp>
#include <string>
#include <vector>

#include "files/failing_system.hpp"
#include "files/shared_file.hpp"
#include "layouts.hpp"

namespace ep::test::file_error_test {
namespace {

constexpr int endpoints = 4;

bool in_first_process(const Comm& comm) {
  int locality = 0;
  check(EP_Comm_locality(comm.get(), 0, &locality));
  return locality == EP_LOCALITY_PROCESS;
}

/// While it lives, calls of the system fail as told in the process of rank 0. Collective.
class FaultScope {
 public:
  FaultScope(const Comm& comm, SystemCall call, int nth, int times, int error) : comm_(comm) {
    check(EP_Barrier(comm.get()));
    if (comm.rank() == 0) fail_system_calls(call, nth, times, error);
    check(EP_Barrier(comm.get()));
  }
  FaultScope(const FaultScope&) = delete;
  FaultScope(FaultScope&&) = delete;
  FaultScope& operator=(const FaultScope&) = delete;
  FaultScope& operator=(FaultScope&&) = delete;
  ~FaultScope() {
    EP_Barrier(comm_.get());
    if (comm_.rank() == 0) {
      EXPECT_GT(system_failures(), 0) << "nothing was called";
      let_system_work();
    }
    EP_Barrier(comm_.get());
  }

 private:
  const Comm& comm_;
};

// Blocks of 4 KiB by turns, so that all write all over the file.
void set_turns(EP_File file, const Comm& comm) {
  MPI_Datatype turns = MPI_DATATYPE_NULL;
  MPI_Datatype once = MPI_DATATYPE_NULL;
  MPI_Type_contiguous(4096, MPI_BYTE, &once);
  MPI_Type_create_resized(once, 0, MPI_Aint{4096} * comm.size(), &turns);
  MPI_Type_commit(&turns);
  check(EP_File_set_view(file, MPI_Offset{4096} * comm.rank(), MPI_BYTE, turns, "native",
                         MPI_INFO_NULL));
  MPI_Type_free(&turns);
  MPI_Type_free(&once);
}

constexpr int length = 4096 * 1500;

std::vector<char> data_of(const Comm& comm) {
  return std::vector<char>(length, static_cast<char>('a' + comm.rank()));
}

void expect_turns(const SharedFile& shared, const Comm& comm) {
  const std::vector<unsigned char> all = shared.bytes();
  ASSERT_EQ(all.size(), static_cast<std::size_t>(comm.size()) * length);
  for (std::size_t i = 0; i < all.size(); i += 512) {
    ASSERT_EQ(all[i], 'a' + i / 4096 % static_cast<std::size_t>(comm.size())) << i;
  }
}

TEST(FileSystem, short_and_interrupted_calls_go_on) {
  run_endpoints(endpoints, [](const Comm& comm) {
    const SharedFile shared(comm);
    EP_File file = shared.open();
    set_turns(file, comm);
    const std::vector<char> mine = data_of(comm);
    std::vector<char> back(mine.size());
    EP_Status status{};
    for (const int error : {0, EINTR}) {
      {
        const FaultScope faults(comm, SystemCall::write, 1, 5, error);
        check(EP_File_write_at_all(file, 0, mine.data(), length, MPI_BYTE, &status));
        EXPECT_EQ(count_of(status, MPI_BYTE), length);
        check(EP_File_write_at(file, 0, mine.data(), length, MPI_BYTE, &status));
        EXPECT_EQ(count_of(status, MPI_BYTE), length);
      }
      expect_turns(shared, comm);
      const FaultScope faults(comm, SystemCall::read, 1, 5, error);
      check(EP_File_read_at_all(file, 0, back.data(), length, MPI_BYTE, &status));
      EXPECT_EQ(count_of(status, MPI_BYTE), length);
      EXPECT_EQ(back, mine);
      check(EP_File_read_at(file, 0, back.data(), length, MPI_BYTE, &status));
      EXPECT_EQ(back, mine);
    }
    check(EP_File_close(&file));
  });
}

TEST(FileSystem, a_full_disk_under_a_collective_write_is_an_error_at_all) {
  run_endpoints(endpoints, [](const Comm& comm) {
    const SharedFile shared(comm);
    EP_File file = shared.open();
    set_turns(file, comm);
    const std::vector<char> mine = data_of(comm);
    for (const int nth : {1, 2}) {
      const FaultScope faults(comm, SystemCall::write, nth, 1000, ENOSPC);
      EP_Status status{};
      EXPECT_EQ(EP_File_write_at_all(file, 0, mine.data(), length, MPI_BYTE, &status),
                EP_ERR_NO_SPACE);
      EXPECT_TRUE(last_error_says({"cannot write", shared.name().c_str(), "at byte", "for rank",
                                   "No space left on device", "Free space there?"}));
      EXPECT_LT(count_of(status, MPI_BYTE), length) << "what was written";
      EP_Request request = EP_REQUEST_NULL;
      check(EP_File_iwrite_at_all(file, 0, mine.data(), length, MPI_BYTE, &request));
      EXPECT_EQ(EP_Wait(&request, &status), EP_ERR_NO_SPACE);
      EXPECT_TRUE(last_error_says({"No space left on device"}));
      check(EP_File_write_at_all_begin(file, 0, mine.data(), length, MPI_BYTE));
      EXPECT_EQ(EP_File_write_at_all_end(file, mine.data(), &status), EP_ERR_NO_SPACE);
      EXPECT_EQ(EP_File_write_ordered(file, mine.data(), length, MPI_BYTE, &status),
                EP_ERR_NO_SPACE);
    }
    // Nothing stays: what follows works.
    check(EP_File_write_at_all(file, 0, mine.data(), length, MPI_BYTE, EP_STATUS_IGNORE));
    check(EP_File_set_size(file, MPI_Offset{comm.size()} * length));
    expect_turns(shared, comm);
    check(EP_File_close(&file));
  });
}

TEST(FileSystem, a_failed_independent_write_is_the_writers_alone) {
  run_endpoints(endpoints, [](const Comm& comm) {
    const SharedFile shared(comm);
    EP_File file = shared.open();
    const std::vector<char> mine(1000, 'x');
    const FaultScope faults(comm, SystemCall::write, 1, 1000, EDQUOT);
    EP_Status status{};
    const int code =
        EP_File_write_at(file, 1000 * comm.rank(), mine.data(), 1000, MPI_BYTE, &status);
    EXPECT_EQ(code, in_first_process(comm) ? EP_ERR_QUOTA : EP_SUCCESS);
    EXPECT_EQ(count_of(status, MPI_BYTE), in_first_process(comm) ? 0 : 1000);
    if (in_first_process(comm)) {
      const std::string place = "at byte " + std::to_string(1000 * comm.rank()) + " for rank " +
                                std::to_string(comm.rank());
      EXPECT_TRUE(last_error_says({place.c_str(), "Free space of this user?"}));
    }
    check(EP_File_close(&file));
  });
}

TEST(FileSystem, failed_reads_and_their_classes) {
  run_endpoints(endpoints, [](const Comm& comm) {
    const SharedFile shared(comm);
    EP_File file = shared.open();
    set_turns(file, comm);
    std::vector<char> mine = data_of(comm);
    check(EP_File_write_at_all(file, 0, mine.data(), length, MPI_BYTE, EP_STATUS_IGNORE));
    const FaultScope faults(comm, SystemCall::read, 1, 1000, EIO);
    EXPECT_EQ(EP_File_read_at_all(file, 0, mine.data(), length, MPI_BYTE, EP_STATUS_IGNORE),
              EP_ERR_IO);
    EXPECT_TRUE(last_error_says({"cannot read", "Input/output error", "Is the disk well?"}));
    check(EP_File_close(&file));
  });
}

TEST(FileSystem, failing_sync_size_and_close_are_errors_at_all) {
  run_endpoints(endpoints, [](const Comm& comm) {
    const SharedFile shared(comm);
    EP_File file = shared.open();
    {
      const FaultScope faults(comm, SystemCall::fsync, 1, 1, EIO);
      EXPECT_EQ(EP_File_sync(file), EP_ERR_IO);
      EXPECT_TRUE(last_error_says({"cannot bring to the disk", "Input/output error"}));
    }
    check(EP_File_sync(file));
    {
      const FaultScope faults(comm, SystemCall::truncate, 1, 1, EFBIG);
      EXPECT_EQ(EP_File_set_size(file, 10), EP_ERR_NO_SPACE);
      EXPECT_TRUE(last_error_says({"cannot resize", "File too large", "ulimit -f"}));
    }
    const FaultScope faults(comm, SystemCall::close, 1, 1, EIO);
    EXPECT_EQ(EP_File_close(&file), EP_ERR_IO);
    EXPECT_TRUE(last_error_says({"cannot close", shared.name().c_str()}));
    EXPECT_EQ(file, EP_FILE_NULL);
  });
}

TEST(FileSystem, a_failing_open_at_one_closes_all) {
  run_endpoints(endpoints, [](const Comm& comm) {
    const SharedFile shared(comm);
    constexpr int mode = EP_MODE_RDWR | EP_MODE_CREATE;
    struct Case {
      int error;
      int error_class;
    };
    // The first call makes the file, another opens it.
    for (const int nth : {1, 2}) {
      for (const Case& one : {Case{EACCES, EP_ERR_ACCESS}, Case{EROFS, EP_ERR_READ_ONLY},
                              Case{EBUSY, EP_ERR_FILE_IN_USE}, Case{ENAMETOOLONG, EP_ERR_BAD_FILE},
                              Case{ENXIO, EP_ERR_IO}, Case{EMFILE, EP_ERR_OTHER}}) {
        EP_File file = EP_FILE_NULL;
        const FaultScope faults(comm, SystemCall::open, nth, 1, one.error);
        EXPECT_EQ(EP_File_open(comm.get(), shared.name().c_str(), mode, MPI_INFO_NULL, &file),
                  one.error_class);
        EXPECT_TRUE(last_error_says({"cannot open", shared.name().c_str()}));
        EXPECT_EQ(file, EP_FILE_NULL);
        shared.barrier();
        EXPECT_FALSE(shared.exists());
      }
    }
    EP_File file = shared.open();
    check(EP_File_close(&file));
  });
}

TEST(FileSystem, a_shared_pointer_that_cannot_be_kept) {
  if (processes() == 1) GTEST_SKIP() << "a number in memory";
  run_endpoints(endpoints, [](const Comm& comm) {
    const SharedFile shared(comm);
    EP_File file = shared.open();
    const FaultScope faults(comm, SystemCall::open, 1, 1000, EACCES);
    const char byte = 'x';
    const int code = EP_File_write_shared(file, &byte, 1, MPI_CHAR, EP_STATUS_IGNORE);
    EXPECT_EQ(code, in_first_process(comm) ? EP_ERR_ACCESS : EP_SUCCESS);
    EXPECT_EQ(EP_File_write_ordered(file, &byte, 1, MPI_CHAR, EP_STATUS_IGNORE), EP_ERR_ACCESS);
    EXPECT_TRUE(last_error_says({"cannot keep the shared pointer in", ".data.shared-pointer."}));
    check(EP_File_close(&file));
  });
}

/// A limit on the size of files of this process, as it has on a full disk: for real.
class SizeLimit {
 public:
  explicit SizeLimit(rlim_t bytes) {
    std::signal(SIGXFSZ, SIG_IGN);
    getrlimit(RLIMIT_FSIZE, &before_);
    rlimit now = before_;
    now.rlim_cur = bytes;
    setrlimit(RLIMIT_FSIZE, &now);
  }
  SizeLimit(const SizeLimit&) = delete;
  SizeLimit(SizeLimit&&) = delete;
  SizeLimit& operator=(const SizeLimit&) = delete;
  SizeLimit& operator=(SizeLimit&&) = delete;
  ~SizeLimit() { setrlimit(RLIMIT_FSIZE, &before_); }

 private:
  rlimit before_{};
};

TEST(FileSystem, a_limit_of_the_system_in_the_middle_of_a_write) {
  const SizeLimit limit(6 * 1024 * 1024);
  run_endpoints(endpoints, [](const Comm& comm) {
    const SharedFile shared(comm);
    EP_File file = shared.open();
    set_turns(file, comm);
    const std::vector<char> mine = data_of(comm);
    EP_Status status{};
    EXPECT_EQ(EP_File_write_at_all(file, 0, mine.data(), length, MPI_BYTE, &status),
              EP_ERR_NO_SPACE);
    EXPECT_TRUE(last_error_says({"at byte 6291456", "File too large"}));
    EXPECT_EQ(count_of(status, MPI_BYTE), 6 * 1024 * 1024 / endpoints);
    EXPECT_EQ(shared.bytes().size(), 6U * 1024 * 1024);
    check(EP_File_close(&file));
  });
}

}  // namespace
}  // namespace ep::test::file_error_test
