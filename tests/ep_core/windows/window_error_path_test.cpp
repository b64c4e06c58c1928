// What becomes of errors of MPI's windows and of messages between windows, and that none is left.

#include <gtest/gtest.h>
#include <sys/resource.h>

#include <array>
#include <atomic>
#include <optional>

#include "interposed.hpp"
#include "windows/window_layouts.hpp"

namespace ep::test::window_error_path_test {
namespace {

using Kind = TestWindow::Kind;

constexpr int injected = MPI_ERR_NO_MEM;

int make(Kind kind, const Comm& comm, EP_Win* win) {
  static thread_local std::array<long, 4> memory{};
  void* base = memory.data();
  switch (kind) {
    case Kind::create:
      return EP_Win_create(base, sizeof memory, 8, MPI_INFO_NULL, comm.get(), win);
    case Kind::allocate:
      return EP_Win_allocate(32, 8, MPI_INFO_NULL, comm.get(), static_cast<void*>(&base), win);
    case Kind::shared:
      return EP_Win_allocate_shared(32, 8, MPI_INFO_NULL, comm.get(), static_cast<void*>(&base),
                                    win);
    case Kind::dynamic:
      return EP_Win_create_dynamic(MPI_INFO_NULL, comm.get(), win);
  }
  return EP_ERR_OTHER;
}

struct Making {
  Kind kind;
  Raw raw;
  const char* name;
  int nth;  ///< of the raw windows
};

std::int64_t raw_windows_made() {
  return calls(Raw::win_create) + calls(Raw::win_allocate) + calls(Raw::win_allocate_shared) +
         calls(Raw::win_create_dynamic);
}

// Two endpoints in each process: two raw windows, but one of shared memory.
TEST(WindowErrorPaths, a_raw_window_that_mpi_does_not_make_fails_the_call_everywhere) {
  if (processes() != 2) GTEST_SKIP() << "two processes";
  for (const Making& m :
       {Making{Kind::create, Raw::win_create, "MPI_Win_create", 1},
        Making{Kind::create, Raw::win_create, "MPI_Win_create", 2},
        Making{Kind::create, Raw::win_lock_all, "MPI_Win_lock_all", 2},
        Making{Kind::dynamic, Raw::win_create_dynamic, "MPI_Win_create_dynamic", 1}}) {
    run_endpoints(4, [&m](const Comm& comm) {
      check(EP_Barrier(comm.get()));
      if (comm.rank() == 0) fail_calls(m.raw, m.nth, 1, injected);
      check(EP_Barrier(comm.get()));
      EP_Win win = EP_WIN_NULL;
      EXPECT_EQ(make(m.kind, comm, &win), injected) << m.name;
      EXPECT_TRUE(says(m.name));
      EXPECT_EQ(win, EP_WIN_NULL);
      check(EP_Barrier(comm.get()));
      if (comm.rank() == 0) let_all_work();
      check(EP_Barrier(comm.get()));
      check(make(m.kind, comm, &win));
      check(EP_Win_free(&win));
    });
  }
}

// No file of this process may have more than a page: what it makes for others has none to map.
class NothingToShare {
 public:
  NothingToShare() {
    getrlimit(RLIMIT_FSIZE, &before_);
    const rlimit little{4096, before_.rlim_max};
    setrlimit(RLIMIT_FSIZE, &little);
  }
  NothingToShare(const NothingToShare&) = delete;
  NothingToShare(NothingToShare&&) = delete;
  NothingToShare& operator=(const NothingToShare&) = delete;
  NothingToShare& operator=(NothingToShare&&) = delete;
  ~NothingToShare() { setrlimit(RLIMIT_FSIZE, &before_); }

 private:
  rlimit before_{};
};

// MPI's own windows share memory by files, too, and neither its files nor ours may be longer than a
// page on one process.
TEST(WindowErrorPaths, where_no_process_may_make_files_windows_have_memory_of_each_process) {
  if (processes() != 2) GTEST_SKIP() << "two processes";
  run_endpoints(4, [](const Comm& comm) {
    std::optional<NothingToShare> nothing;
    if (comm.rank() == 0) nothing.emplace();
    check(EP_Barrier(comm.get()));
    const std::int64_t allocated = calls(Raw::win_allocate);
    long* base = nullptr;
    EP_Win win = EP_WIN_NULL;
    check(EP_Win_allocate(65536, 8, MPI_INFO_NULL, comm.get(), static_cast<void*>(&base), &win));
    EXPECT_EQ(calls(Raw::win_allocate), allocated);
    base[8191] = 10 + comm.rank();
    long got = 0;
    check(EP_Win_fence(0, win));
    check(EP_Get(&got, 1, MPI_LONG, (comm.rank() + 1) % comm.size(), 8191, 1, MPI_LONG, win));
    check(EP_Win_fence(0, win));
    EXPECT_EQ(got, 10 + (comm.rank() + 1) % comm.size());
    check(EP_Win_free(&win));
    nothing.reset();
    check(EP_Barrier(comm.get()));
  });
}

// Whether memory is shared is found by trying, and all processes agree on it.
TEST(WindowErrorPaths, memory_that_cannot_be_mapped_is_an_error_everywhere) {
  if (processes() != 2) GTEST_SKIP() << "two processes";
  run_endpoints(4, [](const Comm& comm) {
    std::optional<NothingToShare> nothing;
    check(EP_Barrier(comm.get()));
    if (comm.rank() == 0) nothing.emplace();
    check(EP_Barrier(comm.get()));
    long* base = nullptr;
    EP_Win win = EP_WIN_NULL;
    EXPECT_EQ(
        EP_Win_allocate_shared(8192, 8, MPI_INFO_NULL, comm.get(), static_cast<void*>(&base), &win),
        EP_ERR_RMA_SHARED);
    EXPECT_TRUE(says("that the first of them has made"));
    check(EP_Barrier(comm.get()));
    if (comm.rank() == 0) nothing.reset();
    check(EP_Barrier(comm.get()));
    check(EP_Win_allocate(8192, 8, MPI_INFO_NULL, comm.get(), static_cast<void*>(&base), &win));
    *base = 10 + comm.rank();
    long got = 0;
    check(EP_Win_fence(0, win));
    check(EP_Get(&got, 1, MPI_LONG, (comm.rank() + 1) % comm.size(), 0, 1, MPI_LONG, win));
    check(EP_Win_fence(0, win));
    EXPECT_EQ(got, 10 + (comm.rank() + 1) % comm.size());
    check(EP_Win_free(&win));
  });
}

// The one that is missing at a process cannot be freed elsewhere, the others are.
TEST(WindowErrorPaths, raw_windows_beside_one_that_failed_are_freed) {
  if (processes() != 2) GTEST_SKIP() << "two processes";
  run_endpoints(6, [](const Comm& comm) {
    const std::int64_t freed = calls(Raw::win_free);
    check(EP_Barrier(comm.get()));
    if (comm.rank() == 0) fail_calls(Raw::win_create, 2, 1, injected);
    check(EP_Barrier(comm.get()));
    EP_Win win = EP_WIN_NULL;
    EXPECT_EQ(make(Kind::create, comm, &win), injected);
    check(EP_Barrier(comm.get()));
    EXPECT_EQ(calls(Raw::win_free) - freed, 2);
    check(EP_Barrier(comm.get()));
    if (comm.rank() == 0) let_all_work();
  });
}

TEST(WindowErrorPaths, every_raw_window_is_freed) {
  const std::int64_t made = raw_windows_made();
  const std::int64_t freed = calls(Raw::win_free);
  run_endpoints(4, [](const Comm& comm) {
    for (const Kind kind : {Kind::create, Kind::allocate, Kind::shared, Kind::dynamic}) {
      EP_Win win = EP_WIN_NULL;
      check(make(kind, comm, &win));
      check(EP_Win_free(&win));
    }
  });
  EXPECT_EQ(raw_windows_made() - made, calls(Raw::win_free) - freed);
  EXPECT_EQ(raw_windows_made() - made, processes() == 1 ? 0 : 4) << "as many as endpoints, or none";
}

TEST(WindowErrorPaths, an_error_of_free_is_told_to_all_and_the_window_is_gone) {
  if (processes() != 2) GTEST_SKIP() << "two processes";
  run_endpoints(2, [](const Comm& comm) {
    EP_Win win = EP_WIN_NULL;
    check(make(Kind::create, comm, &win));
    check(EP_Win_set_errhandler(win, EP_ERRORS_RETURN));
    const EP_Win same = win;
    check(EP_Barrier(comm.get()));
    if (comm.rank() == 1) fail_calls(Raw::win_free, 1, 1, injected);
    check(EP_Barrier(comm.get()));
    EXPECT_EQ(EP_Win_free(&win), injected);
    EXPECT_TRUE(says("EP_Win_free: MPI_Win_free failed"));
    EXPECT_EQ(EP_Win_sync(same), EP_ERR_WIN);
    if (comm.rank() == 1) let_all_work();
  });
}

struct Moving {
  Raw raw;
  const char* name;
  std::function<int(EP_Win, long*)> call;
};

TEST(WindowErrorPaths, what_mpi_does_not_move_is_an_error_of_the_call) {
  if (processes() != 2) GTEST_SKIP() << "two processes";
  const std::vector<Moving> all{
      {Raw::put, "MPI_Put",
       [](EP_Win w, long* d) { return EP_Put(d, 1, MPI_LONG, 1, 0, 1, MPI_LONG, w); }},
      {Raw::get, "MPI_Get",
       [](EP_Win w, long* d) { return EP_Get(d, 1, MPI_LONG, 1, 0, 1, MPI_LONG, w); }},
      {Raw::rput, "MPI_Rput",
       [](EP_Win w, long* d) {
         EP_Request request = EP_REQUEST_NULL;
         return EP_Rput(d, 1, MPI_LONG, 1, 0, 1, MPI_LONG, w, &request);
       }},
      {Raw::rget, "MPI_Rget",
       [](EP_Win w, long* d) {
         EP_Request request = EP_REQUEST_NULL;
         return EP_Rget(d, 1, MPI_LONG, 1, 0, 1, MPI_LONG, w, &request);
       }},
      {Raw::win_flush, "MPI_Win_flush",
       [](EP_Win w, long* d) {
         check(EP_Put(d, 1, MPI_LONG, 1, 0, 1, MPI_LONG, w));
         return EP_Win_flush(1, w);
       }},
      {Raw::isend, "MPI_Isend",
       [](EP_Win w, long* d) {
         return EP_Accumulate(d, 1, MPI_LONG, 1, 0, 1, MPI_LONG, MPI_SUM, w);
       }},
      {Raw::isend, "MPI_Isend",
       [](EP_Win w, long* d) { return EP_Fetch_and_op(d, d + 1, MPI_LONG, 1, 0, MPI_SUM, w); }},
      {Raw::isend, "MPI_Isend",
       [](EP_Win w, long* d) {
         EP_Request request = EP_REQUEST_NULL;
         return EP_Raccumulate(d, 1, MPI_LONG, 1, 0, 1, MPI_LONG, MPI_SUM, w, &request);
       }},
      {Raw::isend, "MPI_Isend",
       [](EP_Win w, long* d) { return EP_Compare_and_swap(d, d, d + 1, MPI_LONG, 1, 0, w); }},
  };
  run_endpoints(2, [&all](const Comm& comm) {
    const TestWindow window(Kind::create, comm, 2);
    for (const Moving& moving : all) {
      if (comm.rank() == 0) {
        std::array<long, 2> data{5, 0};
        check(EP_Win_lock(EP_LOCK_SHARED, 1, 0, window.get()));
        fail_calls(moving.raw, 1, 1, injected);
        EXPECT_EQ(moving.call(window.get(), data.data()), injected) << moving.name;
        EXPECT_TRUE(says(moving.name));
        EXPECT_EQ(failures(), 1) << moving.name;
        let_all_work();
        const long one = 1;
        check(EP_Accumulate(&one, 1, MPI_LONG, 1, 1, 1, MPI_LONG, MPI_SUM, window.get()));
        check(EP_Win_unlock(1, window.get()));
      }
      check(EP_Barrier(comm.get()));
    }
    if (comm.rank() == 1) {
      EXPECT_EQ(window.word(1), static_cast<long>(all.size()));
    }
  });
}

TEST(WindowErrorPaths, a_lock_that_cannot_be_asked_for_or_answered_once) {
  if (processes() != 2) GTEST_SKIP() << "two processes";
  run_endpoints(2, [](const Comm& comm) {
    const TestWindow window(Kind::create, comm, 2);
    if (comm.rank() == 0) {
      fail_calls(Raw::isend, 1, 1, injected);
      EXPECT_EQ(EP_Win_lock(EP_LOCK_EXCLUSIVE, 1, 0, window.get()), injected);
      EXPECT_TRUE(says("MPI_Isend"));
      let_all_work();
      check(EP_Barrier(comm.get()));
      // Until the other is ready to fail: said without a message.
      while (std::atomic_ref<long>(window.word(0)).load() == 0) check(EP_Progress(comm.get()));
      check(EP_Win_lock(EP_LOCK_EXCLUSIVE, 1, 0, window.get()));
      check(EP_Win_unlock(1, window.get()));
      check(EP_Send(nullptr, 0, MPI_INT, 1, 0, comm.get()));
    } else {
      check(EP_Barrier(comm.get()));
      fail_calls(Raw::isend, 1, 1, injected);  // the answer, which is sent again
      const long ready = 1;
      check(EP_Win_lock(EP_LOCK_SHARED, 0, EP_MODE_NOCHECK, window.get()));
      check(EP_Put(&ready, 1, MPI_LONG, 0, 0, 1, MPI_LONG, window.get()));
      check(EP_Win_unlock(0, window.get()));
      check(EP_Recv(nullptr, 0, MPI_INT, 0, 0, comm.get(), EP_STATUS_IGNORE));
      EXPECT_EQ(failures(), 1);
      let_all_work();
    }
  });
}

}  // namespace
}  // namespace ep::test::window_error_path_test
