// Wrong calls of windows: each is an error of a class and with a text, and what follows works.

#include <algorithm>
#include <array>
#include <functional>
#include <limits>
#include <vector>

#include "windows/window_layouts.hpp"

namespace ep::test::window_misuse_test {
namespace {

using Kind = TestWindow::Kind;

struct WrongCall {
  const char* text;
  int expected;
  std::function<int(EP_Win)> call;
};

std::array<long, 8> data{};    // NOLINT: what the wrong calls could write to
std::array<long, 8> others{};  // NOLINT

std::vector<WrongCall> outside_epochs() {
  const void* const from = data.data();
  void* const to = others.data();
  return {
      {"EP_Put to rank 0 in no epoch", EP_ERR_RMA_SYNC,
       [=](EP_Win w) { return EP_Put(from, 1, MPI_LONG, 0, 0, 1, MPI_LONG, w); }},
      {"EP_Get to rank 0 in no epoch", EP_ERR_RMA_SYNC,
       [=](EP_Win w) { return EP_Get(to, 1, MPI_LONG, 0, 0, 1, MPI_LONG, w); }},
      {"EP_Accumulate to rank 0", EP_ERR_RMA_SYNC,
       [=](EP_Win w) { return EP_Accumulate(from, 1, MPI_LONG, 0, 0, 1, MPI_LONG, MPI_SUM, w); }},
      {"EP_Fetch_and_op to rank 0", EP_ERR_RMA_SYNC,
       [=](EP_Win w) { return EP_Fetch_and_op(from, to, MPI_LONG, 0, 0, MPI_SUM, w); }},
      {"EP_Compare_and_swap to rank 0", EP_ERR_RMA_SYNC,
       [=](EP_Win w) { return EP_Compare_and_swap(from, from, to, MPI_LONG, 0, 0, w); }},
      {"EP_Win_unlock of rank 0 in no epoch (it is not locked)", EP_ERR_RMA_SYNC,
       [](EP_Win w) { return EP_Win_unlock(0, w); }},
      {"EP_Win_unlock_all in no epoch", EP_ERR_RMA_SYNC,
       [](EP_Win w) { return EP_Win_unlock_all(w); }},
      {"EP_Win_flush in no epoch (it needs one of EP_Win_lock", EP_ERR_RMA_SYNC,
       [](EP_Win w) { return EP_Win_flush(0, w); }},
      {"EP_Win_flush_local_all in no epoch", EP_ERR_RMA_SYNC,
       [](EP_Win w) { return EP_Win_flush_local_all(w); }},
      {"EP_Win_complete in no epoch. Call EP_Win_start first?", EP_ERR_RMA_SYNC,
       [](EP_Win w) { return EP_Win_complete(w); }},
      {"EP_Win_wait without an exposure. Call EP_Win_post first?", EP_ERR_RMA_SYNC,
       [](EP_Win w) { return EP_Win_wait(w); }},
      {"EP_Win_test without an exposure", EP_ERR_RMA_SYNC,
       [](EP_Win w) {
         int flag = 0;
         return EP_Win_test(w, &flag);
       }},
      {"lock type 77", EP_ERR_LOCKTYPE, [](EP_Win w) { return EP_Win_lock(77, 0, 0, w); }},
      {"target rank 99", EP_ERR_RANK,
       [](EP_Win w) { return EP_Win_lock(EP_LOCK_SHARED, 99, 0, w); }},
      {"assertion 1048576 of EP_Win_lock", EP_ERR_ASSERT,
       [](EP_Win w) { return EP_Win_lock(EP_LOCK_SHARED, 0, 1 << 20, w); }},
      {"assertion", EP_ERR_ASSERT, [](EP_Win w) { return EP_Win_lock_all(EP_MODE_NOPUT, w); }},
      {"group", EP_ERR_GROUP, [](EP_Win w) { return EP_Win_start(EP_GROUP_NULL, 0, w); }},
      {"null pointer", EP_ERR_ARG, [](EP_Win w) { return EP_Win_get_group(w, nullptr); }},
      {"null pointer", EP_ERR_ARG, [](EP_Win w) { return EP_Win_set_name(w, nullptr); }},
      {"null pointer", EP_ERR_ARG,
       [](EP_Win w) { return EP_Win_get_attr(w, EP_WIN_BASE, nullptr, nullptr); }},
      {"the window is EP_WIN_NULL", EP_ERR_WIN, [](EP_Win) { return EP_Win_sync(EP_WIN_NULL); }},
      {"the window handle is not valid", EP_ERR_WIN,
       [](EP_Win) { return EP_Win_sync(reinterpret_cast<EP_Win>(data.data())); }},
  };
}

std::vector<WrongCall> in_lock_all() {
  const void* const from = data.data();
  void* const to = others.data();
  return {
      {"target rank -5", EP_ERR_RANK,
       [=](EP_Win w) { return EP_Put(from, 1, MPI_LONG, -5, 0, 1, MPI_LONG, w); }},
      {"count -1 at the target of EP_Put", EP_ERR_COUNT,
       [=](EP_Win w) { return EP_Put(from, 1, MPI_LONG, 0, 0, -1, MPI_LONG, w); }},
      {"count -1 (negative)", EP_ERR_COUNT,
       [=](EP_Win w) { return EP_Put(from, -1, MPI_LONG, 0, 0, 1, MPI_LONG, w); }},
      {"null pointer for 1 elements", EP_ERR_BUFFER,
       [=](EP_Win w) { return EP_Get(nullptr, 1, MPI_LONG, 0, 0, 1, MPI_LONG, w); }},
      {"MPI_DATATYPE_NULL", EP_ERR_TYPE,
       [=](EP_Win w) { return EP_Put(from, 1, MPI_LONG, 0, 0, 1, MPI_DATATYPE_NULL, w); }},
      {"EP_Put of 16 bytes to where 8 bytes fit", EP_ERR_TRUNCATE,
       [=](EP_Win w) { return EP_Put(from, 2, MPI_LONG, 0, 0, 1, MPI_LONG, w); }},
      {"EP_Get of 16 bytes to where 8 bytes fit", EP_ERR_TRUNCATE,
       [=](EP_Win w) { return EP_Get(to, 1, MPI_LONG, 0, 0, 2, MPI_LONG, w); }},
      {"EP_Put at displacement 3 of rank 0 touches 16 bytes outside its segment (32 bytes in units "
       "of 8)",
       EP_ERR_RMA_RANGE, [=](EP_Win w) { return EP_Put(from, 2, MPI_LONG, 0, 3, 2, MPI_LONG, w); }},
      {"at displacement -1", EP_ERR_RMA_RANGE,
       [=](EP_Win w) { return EP_Get(to, 1, MPI_LONG, 0, -1, 1, MPI_LONG, w); }},
      {"outside its segment", EP_ERR_RMA_RANGE,
       [=](EP_Win w) { return EP_Get(to, 1, MPI_LONG, 0, MPI_Aint{1} << 62, 1, MPI_LONG, w); }},
      {"none of MPI's own", EP_ERR_OP,
       [=](EP_Win w) {
         return EP_Accumulate(from, 1, MPI_LONG, 0, 0, 1, MPI_LONG, MPI_OP_NULL, w);
       }},
      {"EP_Accumulate with MPI_NO_OP", EP_ERR_OP,
       [=](EP_Win w) { return EP_Accumulate(from, 1, MPI_LONG, 0, 0, 1, MPI_LONG, MPI_NO_OP, w); }},
      {"is not defined for MPI_DOUBLE", EP_ERR_OP,
       [=](EP_Win w) {
         return EP_Accumulate(from, 1, MPI_DOUBLE, 0, 0, 1, MPI_DOUBLE, MPI_BAND, w);
       }},
      {"the datatypes of origin and target do not consist of one", EP_ERR_TYPE,
       [=](EP_Win w) { return EP_Accumulate(from, 1, MPI_LONG, 0, 0, 1, MPI_DOUBLE, MPI_SUM, w); }},
      {"16 bytes of origin meet 8 bytes of the target", EP_ERR_TRUNCATE,
       [=](EP_Win w) { return EP_Accumulate(from, 2, MPI_LONG, 0, 0, 1, MPI_LONG, MPI_SUM, w); }},
      {"16 bytes of result meet 8", EP_ERR_TRUNCATE,
       [=](EP_Win w) {
         return EP_Get_accumulate(from, 1, MPI_LONG, to, 2, MPI_LONG, 0, 0, 1, MPI_LONG, MPI_SUM,
                                  w);
       }},
      {"EP_Compare_and_swap of MPI_DOUBLE", EP_ERR_TYPE,
       [=](EP_Win w) { return EP_Compare_and_swap(from, from, to, MPI_DOUBLE, 0, 0, w); }},
      {"EP_Fetch_and_op: two of its buffers overlap", EP_ERR_BUFFER,
       [=](EP_Win w) { return EP_Fetch_and_op(to, to, MPI_LONG, 0, 0, MPI_SUM, w); }},
      {"EP_Get_accumulate: two of its buffers overlap", EP_ERR_BUFFER,
       [=](EP_Win w) {
         return EP_Get_accumulate(&others[1], 2, MPI_LONG, to, 2, MPI_LONG, 0, 0, 2, MPI_LONG,
                                  MPI_SUM, w);
       }},
      {"EP_Compare_and_swap: two of its buffers overlap", EP_ERR_BUFFER,
       [=](EP_Win w) { return EP_Compare_and_swap(to, from, to, MPI_LONG, 0, 0, w); }},
      {"EP_IN_PLACE", EP_ERR_BUFFER,
       [=](EP_Win w) { return EP_Put(EP_IN_PLACE, 1, MPI_LONG, 0, 0, 1, MPI_LONG, w); }},
      {"EP_Win_lock in the epoch of EP_Win_lock_all. End that one first?", EP_ERR_RMA_SYNC,
       [](EP_Win w) { return EP_Win_lock(EP_LOCK_SHARED, 0, 0, w); }},
      {"EP_Win_lock_all in the epoch of EP_Win_lock_all", EP_ERR_RMA_SYNC,
       [](EP_Win w) { return EP_Win_lock_all(0, w); }},
      {"EP_Win_start in the epoch of EP_Win_lock_all", EP_ERR_RMA_SYNC,
       [](EP_Win w) { return EP_Win_start(EP_GROUP_EMPTY, 0, w); }},
      {"not made by EP_Win_allocate_shared", EP_ERR_RMA_FLAVOR,
       [](EP_Win w) {
         MPI_Aint size = 0;
         int unit = 0;
         void* base = nullptr;
         return EP_Win_shared_query(w, 0, &size, &unit, static_cast<void*>(&base));
       }},
      {"not made by EP_Win_create_dynamic", EP_ERR_RMA_FLAVOR,
       [=](EP_Win w) { return EP_Win_attach(w, to, 8); }},
  };
}

void try_all(const std::vector<WrongCall>& calls, EP_Win win) {
  for (const WrongCall& wrong : calls) {
    EXPECT_EQ(wrong.call(win), wrong.expected) << wrong.text << ": " << EP_Last_error();
    EXPECT_TRUE(says(wrong.text));
  }
}

class WindowMisuse : public testing::TestWithParam<int> {};
INSTANTIATE_TEST_SUITE_P(Endpoints, WindowMisuse, testing::Values(1, 3));

TEST_P(WindowMisuse, is_reported_with_class_and_text) {
  run_endpoints(std::max(GetParam(), processes()), [](const Comm& comm) {
    const TestWindow window(Kind::create, comm, 4);
    try_all(outside_epochs(), window.get());
    check(EP_Win_lock_all(0, window.get()));
    try_all(in_lock_all(), window.get());
    check(EP_Win_unlock_all(window.get()));
    try_all(outside_epochs(), window.get());
    check(EP_Barrier(comm.get()));
    for (int i = 0; i < 4; ++i) EXPECT_EQ(window.word(i), 0);
  });
}

TEST_P(WindowMisuse, of_locks) {
  run_endpoints(std::max(GetParam(), processes()), [](const Comm& comm) {
    const TestWindow window(Kind::create, comm, 4);
    const int last = comm.size() - 1;
    const long one = 1;
    EP_Request request = EP_REQUEST_NULL;
    check(EP_Win_lock(EP_LOCK_SHARED, last, 0, window.get()));
    EXPECT_EQ(EP_Win_lock(EP_LOCK_SHARED, last, 0, window.get()), EP_ERR_RMA_SYNC);
    EXPECT_TRUE(says("a second time"));
    if (last > 0) {
      EXPECT_EQ(EP_Put(&one, 1, MPI_LONG, 0, 0, 1, MPI_LONG, window.get()), EP_ERR_RMA_SYNC);
      EXPECT_TRUE(says("in the epoch of EP_Win_lock (which does not cover it)"));
      EXPECT_EQ(EP_Win_flush(0, window.get()), EP_ERR_RMA_SYNC);
      EXPECT_TRUE(says("EP_Win_flush of rank 0, which is not locked"));
      EXPECT_EQ(EP_Win_unlock(0, window.get()), EP_ERR_RMA_SYNC);
    }
    check(EP_Win_flush_all(window.get()));
    check(EP_Win_unlock(last, window.get()));
    check(EP_Win_fence(0, window.get()));
    EXPECT_EQ(EP_Rput(&one, 1, MPI_LONG, 0, 0, 1, MPI_LONG, window.get(), &request),
              EP_ERR_RMA_SYNC);
    EXPECT_TRUE(says("requests need an epoch of EP_Win_lock"));
    check(EP_Win_fence(EP_MODE_NOSUCCEED, window.get()));
  });
}

TEST_P(WindowMisuse, of_fences_is_reported_after_the_fence) {
  run_endpoints(std::max(GetParam(), processes()), [](const Comm& comm) {
    const TestWindow window(Kind::create, comm, 4);
    const long one = 1;
    EXPECT_EQ(EP_Win_fence(1 << 20, window.get()), EP_ERR_ASSERT);
    EXPECT_TRUE(says("of EP_Win_fence"));
    check(EP_Win_fence(0, window.get()));
    check(EP_Put(&one, 1, MPI_LONG, comm.rank(), 0, 1, MPI_LONG, window.get()));
    EXPECT_EQ(EP_Win_lock(EP_LOCK_SHARED, 0, 0, window.get()), EP_ERR_RMA_SYNC);
    EXPECT_TRUE(says("EP_Win_lock in the epoch of EP_Win_fence"));
    EXPECT_EQ(EP_Win_fence(EP_MODE_NOPRECEDE, window.get()), EP_ERR_RMA_SYNC);
    EXPECT_TRUE(says("EP_MODE_NOPRECEDE after an access"));
    check(EP_Win_fence(EP_MODE_NOSUCCEED, window.get()));
    EXPECT_EQ(EP_Put(&one, 1, MPI_LONG, 0, 0, 1, MPI_LONG, window.get()), EP_ERR_RMA_SYNC);
    check(EP_Win_lock_all(0, window.get()));
    EXPECT_EQ(EP_Win_fence(0, window.get()), EP_ERR_RMA_SYNC);
    EXPECT_TRUE(says("EP_Win_fence in the epoch of EP_Win_lock_all"));
    check(EP_Win_unlock_all(window.get()));
  });
}

TEST_P(WindowMisuse, of_free_is_an_error_everywhere_and_leaves_the_window) {
  run_endpoints(std::max(GetParam(), processes()), [](const Comm& comm) {
    const TestWindow window(Kind::allocate, comm, 4);
    if (comm.rank() == 0) check(EP_Win_lock(EP_LOCK_EXCLUSIVE, comm.size() - 1, 0, window.get()));
    EP_Win same = window.get();
    EXPECT_EQ(EP_Win_free(&same), EP_ERR_RMA_SYNC);
    EXPECT_TRUE(says("EP_Win_free: rank 0 is in the epoch of EP_Win_lock. End that one first?"));
    EXPECT_EQ(same, window.get());
    if (comm.rank() == 0) check(EP_Win_unlock(comm.size() - 1, window.get()));
    EXPECT_EQ(EP_Win_free(nullptr), EP_ERR_WIN);
  });
}

TEST_P(WindowMisuse, of_infos_by_one_endpoint_is_an_error_everywhere) {
  run_endpoints(std::max(GetParam(), processes()), [](const Comm& comm) {
    const TestWindow window(Kind::create, comm, 4);
    MPI_Info info = MPI_INFO_NULL;
    MPI_Info_create(&info);
    MPI_Info_set(info, "no_locks", comm.rank() == 0 ? "perhaps" : "true");
    EXPECT_EQ(EP_Win_set_info(window.get(), info), EP_ERR_INFO_VALUE);
    EXPECT_TRUE(says("EP_Win_set_info: info key no_locks has the value 'perhaps'"));
    MPI_Info_free(&info);
  });
}

TEST_P(WindowMisuse, of_sizes_that_no_machine_has) {
  run_endpoints(std::max(GetParam(), processes()), [](const Comm& comm) {
    const MPI_Aint size = comm.rank() == 0 ? std::numeric_limits<MPI_Aint>::max() : 8;
    EP_Win win = EP_WIN_NULL;
    void* base = nullptr;
    EXPECT_EQ(EP_Win_allocate(size, 1, MPI_INFO_NULL, comm.get(), static_cast<void*>(&base), &win),
              EP_ERR_NO_MEM);
    EXPECT_TRUE(says("rank 0 gives a size for which there is no memory"));
    EXPECT_EQ(
        EP_Win_allocate_shared(size, 1, MPI_INFO_NULL, comm.get(), static_cast<void*>(&base), &win),
        EP_ERR_NO_MEM);
    EXPECT_EQ(win, EP_WIN_NULL);
  });
}

int count_removed(EP_Win /*win*/, int /*keyval*/, void* value, void* /*extra*/) {
  ++*static_cast<int*>(value);
  return EP_SUCCESS;
}

TEST_P(WindowMisuse, of_free_leaves_the_attributes) {
  run_endpoints(std::max(GetParam(), processes()), [](const Comm& comm) {
    int keyval = EP_KEYVAL_INVALID;
    int removed = 0;
    check(EP_Win_create_keyval(EP_WIN_NULL_COPY_FN, count_removed, &keyval, nullptr));
    {
      const TestWindow window(Kind::create, comm, 1);
      check(EP_Win_set_attr(window.get(), keyval, &removed));
      if (comm.rank() == 0) check(EP_Win_lock_all(0, window.get()));
      EP_Win same = window.get();
      EXPECT_EQ(EP_Win_free(&same), EP_ERR_RMA_SYNC);
      EXPECT_EQ(removed, 0);
      if (comm.rank() == 0) check(EP_Win_unlock_all(window.get()));
    }
    EXPECT_EQ(removed, 1);
    check(EP_Win_free_keyval(&keyval));
  });
}

TEST_P(WindowMisuse, of_creation_by_one_endpoint_fails_everywhere) {
  run_endpoints(std::max(GetParam(), processes()), [](const Comm& comm) {
    const bool wrong = comm.rank() == comm.size() - 1;
    const std::string who = "rank " + std::to_string(comm.size() - 1) + " gives ";
    EP_Win win = EP_WIN_NULL;
    long word = 0;
    EXPECT_EQ(EP_Win_create(&word, wrong ? -8 : 8, 1, MPI_INFO_NULL, comm.get(), &win),
              EP_ERR_SIZE);
    EXPECT_TRUE(says("EP_Win_create: " + who + "a size that is negative"));
    EXPECT_EQ(EP_Win_create(&word, 8, wrong ? 0 : 1, MPI_INFO_NULL, comm.get(), &win), EP_ERR_DISP);
    EXPECT_TRUE(says(who + "a displacement unit that is not positive"));
    EXPECT_EQ(EP_Win_create(wrong ? nullptr : &word, 8, 1, MPI_INFO_NULL, comm.get(), &win),
              EP_ERR_BASE);
    EXPECT_TRUE(says(who + "a base that is a null pointer"));
    MPI_Info info = MPI_INFO_NULL;
    MPI_Info_create(&info);
    MPI_Info_set(info, wrong ? "accumulate_ordering" : "other_key", "sometimes");
    EXPECT_EQ(EP_Win_create_dynamic(info, comm.get(), &win), EP_ERR_INFO_VALUE);
    EXPECT_TRUE(says(who + "a known info key with a value that is not"));
    // (Open MPI takes no empty value into an info object.)
#ifdef OMPI_MAJOR_VERSION
    const std::vector<const char*> wrong_values{"true,false"};
#else
    const std::vector<const char*> wrong_values{"", "true,false"};
#endif
    for (const char* const wrong_value : wrong_values) {
      MPI_Info_set(info, "accumulate_ordering", "war,rar");
      MPI_Info_set(info, wrong ? "no_locks" : "other_key", wrong_value);
      EXPECT_EQ(EP_Win_create_dynamic(info, comm.get(), &win), EP_ERR_INFO_VALUE) << wrong_value;
    }
    MPI_Info_set(info, "no_locks", "false");
    MPI_Info_set(info, "accumulate_ordering", "none");
    MPI_Info_set(info, "same_size", "true");
    if (comm.size() > 1) {
      EXPECT_EQ(EP_Win_create(&word, wrong ? 4 : 8, 1, info, comm.get(), &win), EP_ERR_SIZE);
      EXPECT_TRUE(says("differs against info key same_size"));
    }
    MPI_Info_set(info, "no_locks", "true");
    check(EP_Win_create(&word, 8, 1, info, comm.get(), &win));
    MPI_Info_free(&info);
    check(EP_Win_set_errhandler(win, EP_ERRORS_RETURN));
    EXPECT_EQ(EP_Win_lock_all(0, win), EP_ERR_RMA_SYNC);
    EXPECT_TRUE(says("made with info key no_locks"));
    check(EP_Win_free(&win));
    EXPECT_EQ(EP_Win_create_client_server(&word, 8, 1, MPI_INFO_NULL, comm.get(), &win),
              EP_ERR_COMM);
    EXPECT_TRUE(says("of an intracommunicator"));
  });
}

}  // namespace
}  // namespace ep::test::window_misuse_test
