// Windows as objects: how they are made, asked and freed.

#include <algorithm>
#include <array>
#include <cstdint>

#include "windows/window_layouts.hpp"

namespace ep::test::window_test {
namespace {

using Kind = TestWindow::Kind;

class Windows : public WindowLayouts {};
INSTANTIATE_TEST_SUITE_P(Kinds, Windows, testing::ValuesIn(window_layouts()), name_of_layout);

int endpoints_of(const std::pair<Kind, int>& layout) {
  return std::max(layout.second, processes());
}

template <class T>
T* attribute_of(EP_Win win, int keyval) {
  T* value = nullptr;
  int flag = 0;
  check(EP_Win_get_attr(win, keyval, static_cast<void*>(&value), &flag));
  EXPECT_EQ(flag, 1);
  return value;
}

TEST_P(Windows, have_the_predefined_attributes) {
  const Kind kind = GetParam().first;
  run_endpoints(endpoints_of(GetParam()), [kind](const Comm& comm) {
    const TestWindow window(kind, comm, 5);
    constexpr std::array flavors{EP_WIN_FLAVOR_CREATE, EP_WIN_FLAVOR_ALLOCATE, EP_WIN_FLAVOR_SHARED,
                                 EP_WIN_FLAVOR_DYNAMIC};
    EXPECT_EQ(*attribute_of<int>(window.get(), EP_WIN_CREATE_FLAVOR),
              flavors[static_cast<std::size_t>(kind)]);
    EXPECT_EQ(*attribute_of<int>(window.get(), EP_WIN_MODEL), EP_WIN_UNIFIED);
    const bool dynamic = kind == Kind::dynamic;
    EXPECT_EQ(attribute_of<long>(window.get(), EP_WIN_BASE), dynamic ? nullptr : window.words());
    EXPECT_EQ(*attribute_of<MPI_Aint>(window.get(), EP_WIN_SIZE), dynamic ? 0 : 40);
    EXPECT_EQ(*attribute_of<int>(window.get(), EP_WIN_DISP_UNIT), dynamic ? 1 : 8);
  });
}

TEST_P(Windows, have_group_name_handle_for_fortran_and_hints) {
  const Kind kind = GetParam().first;
  run_endpoints(endpoints_of(GetParam()), [kind](const Comm& comm) {
    const TestWindow window(kind, comm, 1);
    EP_Group of_window = EP_GROUP_NULL;
    EP_Group of_comm = EP_GROUP_NULL;
    int relation = EP_UNEQUAL;
    check(EP_Win_get_group(window.get(), &of_window));
    check(EP_Comm_group(comm.get(), &of_comm));
    check(EP_Group_compare(of_window, of_comm, &relation));
    EXPECT_EQ(relation, EP_IDENT);
    check(EP_Group_free(&of_window));
    check(EP_Group_free(&of_comm));

    std::array<char, EP_MAX_OBJECT_NAME> name{};
    int length = -1;
    check(EP_Win_get_name(window.get(), name.data(), &length));
    EXPECT_EQ(length, 0);
    check(EP_Win_set_name(window.get(), "ice"));
    check(EP_Win_get_name(window.get(), name.data(), &length));
    EXPECT_STREQ(name.data(), "ice");

    EXPECT_EQ(EP_Win_f2c(EP_Win_c2f(window.get())), window.get());
    EXPECT_EQ(EP_Win_c2f(EP_WIN_NULL), 0);

    MPI_Info info = MPI_INFO_NULL;
    std::array<char, 64> value{};
    int flag = 0;
    check(EP_Win_get_info(window.get(), &info));
    MPI_Info_get(info, "accumulate_ordering", 63, value.data(), &flag);
    EXPECT_STREQ(value.data(), "rar,raw,war,waw");
    MPI_Info_get(info, "no_locks", 63, value.data(), &flag);
    EXPECT_STREQ(value.data(), "false");
    MPI_Info_set(info, "accumulate_ops", "same_op");
    MPI_Info_set(info, "no_locks", "true");
    check(EP_Win_set_info(window.get(), info));
    MPI_Info_free(&info);
    check(EP_Win_get_info(window.get(), &info));
    MPI_Info_get(info, "accumulate_ops", 63, value.data(), &flag);
    EXPECT_STREQ(value.data(), "same_op");
    MPI_Info_get(info, "no_locks", 63, value.data(), &flag);
    EXPECT_STREQ(value.data(), "false") << "fixed when the window was made";
    MPI_Info_free(&info);
    MPI_Info_create(&info);
    MPI_Info_set(info, "colour", "blue");
    check(EP_Win_set_info(window.get(), info));
    MPI_Info_free(&info);
    check(EP_Win_get_info(window.get(), &info));
    MPI_Info_get(info, "accumulate_ops", 63, value.data(), &flag);
    EXPECT_STREQ(value.data(), "same_op") << "what a new info does not name stays";
    MPI_Info_get(info, "colour", 63, value.data(), &flag);
    EXPECT_STREQ(value.data(), "blue");
    MPI_Info_free(&info);
  });
}

struct Removed {
  std::vector<int> values;
  int refuse = EP_SUCCESS;
};

int remove(EP_Win /*win*/, int /*keyval*/, void* value, void* extra) {
  auto& removed = *static_cast<Removed*>(extra);
  removed.values.push_back(*static_cast<int*>(value));
  return removed.refuse;
}

TEST_P(Windows, have_attributes_of_the_program) {
  const Kind kind = GetParam().first;
  run_endpoints(endpoints_of(GetParam()), [kind](const Comm& comm) {
    Removed removed;
    std::array<int, 3> values{1, 2, 3};
    int keyval = EP_KEYVAL_INVALID;
    check(EP_Win_create_keyval(EP_WIN_DUP_FN, remove, &keyval, &removed));
    {
      const TestWindow window(kind, comm, 1);
      int* value = nullptr;
      int flag = 1;
      check(EP_Win_get_attr(window.get(), keyval, static_cast<void*>(&value), &flag));
      EXPECT_EQ(flag, 0);
      check(EP_Win_set_attr(window.get(), keyval, &values[0]));
      check(EP_Win_set_attr(window.get(), keyval, &values[1]));
      EXPECT_EQ(removed.values, std::vector<int>{1});
      EXPECT_EQ(attribute_of<int>(window.get(), keyval), &values[1]);
      removed.refuse = EP_ERR_OTHER;
      EXPECT_EQ(EP_Win_delete_attr(window.get(), keyval), EP_ERR_OTHER);
      EXPECT_TRUE(says("the delete function of keyval"));
      removed.refuse = EP_SUCCESS;
      check(EP_Win_delete_attr(window.get(), keyval));
      check(EP_Win_set_attr(window.get(), keyval, &values[2]));
      const int freed = keyval;
      check(EP_Win_free_keyval(&keyval));
      EXPECT_EQ(keyval, EP_KEYVAL_INVALID);
      EXPECT_EQ(EP_Win_set_attr(window.get(), freed, &values[0]), EP_ERR_KEYVAL);
      EXPECT_EQ(EP_Win_set_attr(window.get(), EP_WIN_BASE, &values[0]), EP_ERR_KEYVAL);
    }
    EXPECT_EQ(removed.values, (std::vector<int>{1, 2, 2, 3})) << "freeing deletes";
  });
}

struct Seen {
  EP_Win win = EP_WIN_NULL;
  int code = EP_SUCCESS;
};
Seen& seen() {
  thread_local Seen last;
  return last;
}
void note(EP_Win* win, int* code, ...) { seen() = {*win, *code}; }
void note_comm(EP_Comm* /*comm*/, int* code, ...) { seen() = {EP_WIN_NULL, *code}; }

void change_code(EP_Win* /*win*/, int* code, ...) { *code = EP_ERR_INTERN; }

TEST_P(Windows, have_error_handlers_of_their_own) {
  const Kind kind = GetParam().first;
  run_endpoints(endpoints_of(GetParam()), [kind](const Comm& comm) {
    const TestWindow window(kind, comm, 1);
    EP_Errhandler handler = EP_ERRHANDLER_NULL;
    EP_Errhandler other = EP_ERRHANDLER_NULL;
    check(EP_Win_create_errhandler(note, &handler));
    check(EP_Win_set_errhandler(window.get(), handler));
    check(EP_Win_get_errhandler(window.get(), &other));
    EXPECT_EQ(other, handler);
    check(EP_Errhandler_free(&other));
    EXPECT_EQ(EP_Comm_set_errhandler(comm.get(), handler), EP_ERR_ARG);
    EXPECT_TRUE(says("was made for windows"));
    check(EP_Errhandler_free(&handler));
    check(EP_Win_call_errhandler(window.get(), EP_ERR_RMA_SYNC));
    EXPECT_EQ(seen().win, window.get());
    EXPECT_EQ(seen().code, EP_ERR_RMA_SYNC);
    EXPECT_EQ(EP_Win_flush_all(window.get()), EP_ERR_RMA_SYNC);
    seen() = {};
    EXPECT_EQ(EP_Win_unlock_all(window.get()), EP_ERR_RMA_SYNC);
    EXPECT_EQ(seen().win, window.get());
    check(EP_Comm_create_errhandler(note_comm, &handler));
    EXPECT_EQ(EP_Win_set_errhandler(window.get(), handler), EP_ERR_ARG);
    EXPECT_TRUE(says("was made for communicators"));
    check(EP_Errhandler_free(&handler));
    check(EP_Win_create_errhandler(change_code, &handler));
    check(EP_Win_set_errhandler(window.get(), handler));
    check(EP_Errhandler_free(&handler));
    EXPECT_EQ(EP_Win_unlock_all(window.get()), EP_ERR_INTERN) << "what the handler made of it";
    check(EP_Win_set_errhandler(window.get(), EP_ERRORS_RETURN));
  });
}

TEST_P(Windows, outlive_their_communicator_and_cover_a_part_of_the_job) {
  const Kind kind = GetParam().first;
  run_endpoints(endpoints_of(GetParam()), [kind](const Comm& comm) {
    const Comm half = comm.split(comm.rank() % 2, -comm.rank());
    const TestWindow window(kind, half, 2);
    const int peer = half.size() - 1 - half.rank();
    const long mine = comm.rank() + 1;
    check(EP_Win_fence(0, window.get()));
    check(EP_Put(&mine, 1, MPI_LONG, peer, window.at(peer, 1), 1, MPI_LONG, window.get()));
    check(EP_Win_fence(0, window.get()));
    int other = -1;
    check(EP_Sendrecv(&comm, 0, MPI_INT, EP_PROC_NULL, 0, &other, 0, MPI_INT, EP_PROC_NULL, 0,
                      comm.get(), EP_STATUS_IGNORE));
    EXPECT_EQ((window.word(1) - 1) % 2, comm.rank() % 2);
    EXPECT_GT(window.word(1), 0);
  });
}

TEST(SharedWindows, are_one_block_or_have_gaps) {
  run_endpoints(std::max(4, processes()), [](const Comm& comm) {
    for (const bool gaps : {false, true}) {
      MPI_Info info = MPI_INFO_NULL;
      MPI_Info_create(&info);
      MPI_Info_set(info, "alloc_shared_noncontig", gaps ? "true" : "false");
      const MPI_Aint bytes = comm.rank() == 0 ? 0 : 3 + comm.rank();
      char* base = nullptr;
      EP_Win win = EP_WIN_NULL;
      check(EP_Win_allocate_shared(bytes, 1, info, comm.get(), static_cast<void*>(&base), &win));
      MPI_Info_free(&info);
      std::fill_n(base, bytes, static_cast<char>('a' + comm.rank()));
      check(EP_Win_fence(0, win));
      const char* expected = nullptr;
      for (int rank = 0; rank < comm.size(); ++rank) {
        MPI_Aint size = -1;
        int unit = 0;
        char* there = nullptr;
        check(EP_Win_shared_query(win, rank, &size, &unit, static_cast<void*>(&there)));
        EXPECT_EQ(size, rank == 0 ? 0 : 3 + rank);
        EXPECT_EQ(unit, 1);
        EXPECT_EQ(std::string(there, static_cast<std::size_t>(size)),
                  std::string(static_cast<std::size_t>(size), static_cast<char>('a' + rank)));
        if (gaps) {
          EXPECT_EQ(reinterpret_cast<std::uintptr_t>(there) % 64, 0U);
        } else if (expected != nullptr) {
          EXPECT_EQ(there, expected);
        }
        expected = there + size;
      }
      MPI_Aint size = -1;
      int unit = 0;
      char* first = nullptr;
      check(EP_Win_shared_query(win, EP_PROC_NULL, &size, &unit, static_cast<void*>(&first)));
      EXPECT_EQ(size, 4);
      check(EP_Win_fence(EP_MODE_NOSUCCEED, win));
      check(EP_Win_free(&win));
    }
  });
}

TEST(ManyWindows, of_endpoints_of_one_process_may_overlap) {
  static std::array<long, 8> shared{};  // NOLINT: what the segments of all lie in
  shared.fill(0);
  run_endpoints(std::max(3, processes()), [](const Comm& comm) {
    EP_Win win = EP_WIN_NULL;
    check(
        EP_Win_create(shared.data(), sizeof shared, sizeof(long), MPI_INFO_NULL, comm.get(), &win));
    check(EP_Win_lock_all(0, win));
    const long one = 1;
    for (int rank = 0; rank < comm.size(); ++rank) {
      check(EP_Accumulate(&one, 1, MPI_LONG, rank, 2, 1, MPI_LONG, MPI_SUM, win));
    }
    check(EP_Win_unlock_all(win));
    check(EP_Barrier(comm.get()));
    int here = 0;
    for (int rank = 0; rank < comm.size(); ++rank) {
      int locality = 0;
      check(EP_Comm_locality(comm.get(), rank, &locality));
      if (locality == EP_LOCALITY_PROCESS) ++here;
    }
    EXPECT_EQ(shared[2], static_cast<long>(here) * comm.size());
    check(EP_Win_free(&win));
  });
}

TEST(DynamicWindows, attach_and_detach) {
  run_endpoints(std::max(2, processes()), [](const Comm& comm) {
    EP_Win win = EP_WIN_NULL;
    check(EP_Win_create_dynamic(MPI_INFO_NULL, comm.get(), &win));
    check(EP_Win_set_errhandler(win, EP_ERRORS_RETURN));
    std::array<long, 16> memory{};
    check(EP_Win_attach(win, memory.data(), 64));
    EXPECT_EQ(EP_Win_attach(win, &memory[4], 64), EP_ERR_RMA_ATTACH);
    EXPECT_TRUE(says("overlap what is attached"));
    check(EP_Win_attach(win, &memory[8], 64));
    check(EP_Win_detach(win, memory.data()));
    EXPECT_EQ(EP_Win_detach(win, memory.data()), EP_ERR_RMA_ATTACH);
    EXPECT_TRUE(says("nothing is attached"));
    const long one = 1;
    const auto gone = reinterpret_cast<MPI_Aint>(memory.data());
    std::vector<MPI_Aint> all(static_cast<std::size_t>(comm.size()));
    check(EP_Allgather(&gone, 1, MPI_AINT, all.data(), 1, MPI_AINT, comm.get()));
    const int next = (comm.rank() + 1) % comm.size();
    check(EP_Win_lock(EP_LOCK_SHARED, next, 0, win));
    int code = EP_Accumulate(&one, 1, MPI_LONG, next, all[static_cast<std::size_t>(next)], 1,
                             MPI_LONG, MPI_SUM, win);
    if (code == EP_SUCCESS) code = EP_Win_flush(next, win);  // found out by the target's process
    EXPECT_EQ(code, EP_ERR_RMA_RANGE);
    EXPECT_TRUE(says("not attached there"));
    check(EP_Win_flush(next, win));
    check(EP_Win_unlock(next, win));
    check(EP_Barrier(comm.get()));
    check(EP_Win_detach(win, &memory[8]));
    check(EP_Win_free(&win));
  });
}

TEST(ManyWindows, may_be_made_and_freed_for_ever) {
  run_endpoints(std::max(2, processes()), [](const Comm& comm) {
  // MPICH has 2046 contexts. Open MPI has many more, and waits for the other process some fifteen
  // times per window, each of which takes a turn of a busy machine. More processes than cores spin
  // and would take minutes.
#ifdef OMPI_MAJOR_VERSION
    constexpr int many = 200;
#else
    constexpr int many = 2500;
#endif
    const int times = processes() <= 2 ? many : 10;
    long word = 0;
    for (int i = 0; i < times; ++i) {
      EP_Win win = EP_WIN_NULL;
      check(EP_Win_create(&word, sizeof word, 1, MPI_INFO_NULL, comm.get(), &win));
      check(EP_Win_free(&win));
    }
  });
}

}  // namespace
}  // namespace ep::test::window_test
