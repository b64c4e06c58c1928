// Data movement in windows of every kind and its synchronisation.

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <numeric>
#include <string>
#include <thread>

#include "windows/window_layouts.hpp"

namespace ep::test::rma_test {
namespace {

using Kind = TestWindow::Kind;

class Rma : public WindowLayouts {};
INSTANTIATE_TEST_SUITE_P(Kinds, Rma, testing::ValuesIn(window_layouts()), name_of_layout);

void run_windows(const std::pair<Kind, int>& layout, int words,
                 const std::function<void(const Comm&, const TestWindow&)>& body) {
  run_endpoints(std::max(layout.second, processes()), [&](const Comm& comm) {
    const TestWindow window(layout.first, comm, words);
    body(comm, window);
    check(EP_Barrier(comm.get()));
  });
}

TEST_P(Rma, put_and_get_between_fences) {
  run_windows(GetParam(), 8, [](const Comm& comm, const TestWindow& window) {
    const int n = comm.size();
    const int next = (comm.rank() + 1) % n;
    const std::array<long, 2> values{comm.rank() + 10L, comm.rank() + 20L};
    check(EP_Win_fence(EP_MODE_NOPRECEDE, window.get()));
    check(EP_Put(values.data(), 2, MPI_LONG, next, window.at(next, 3), 2, MPI_LONG, window.get()));
    check(EP_Win_fence(0, window.get()));
    const int before = (comm.rank() + n - 1) % n;
    EXPECT_EQ(window.word(3), before + 10);
    EXPECT_EQ(window.word(4), before + 20);
    EXPECT_EQ(window.word(2), 0);
    EXPECT_EQ(window.word(5), 0);
    std::array<long, 2> read{};
    check(
        EP_Get(read.data(), 2, MPI_LONG, before, window.at(before, 3), 2, MPI_LONG, window.get()));
    check(EP_Win_fence(EP_MODE_NOSUCCEED, window.get()));
    const int before2 = (before + n - 1) % n;
    EXPECT_EQ(read[0], before2 + 10);
    EXPECT_EQ(read[1], before2 + 20);
  });
}

TEST_P(Rma, derived_datatypes_on_both_sides) {
  run_windows(GetParam(), 64, [](const Comm& comm, const TestWindow& window) {
    MPI_Datatype every_second = MPI_DATATYPE_NULL;
    MPI_Datatype every_third = MPI_DATATYPE_NULL;
    MPI_Type_vector(6, 1, 2, MPI_LONG, &every_second);
    MPI_Type_vector(3, 2, 6, MPI_LONG, &every_third);
    MPI_Type_commit(&every_second);
    MPI_Type_commit(&every_third);
    const int next = (comm.rank() + 1) % comm.size();
    const int before = (comm.rank() + comm.size() - 1) % comm.size();
    std::array<long, 16> values{};
    std::iota(values.begin(), values.end(), 100L * comm.rank());
    check(EP_Win_fence(0, window.get()));
    check(EP_Put(values.data(), 1, every_second, next, window.at(next, 1), 1, every_third,
                 window.get()));
    MPI_Type_free(&every_third);
    check(EP_Win_fence(0, window.get()));
    const std::array<int, 6> places{1, 2, 7, 8, 13, 14};
    for (std::size_t i = 0; i < places.size(); ++i) {
      EXPECT_EQ(window.word(places[i]), 100 * before + 2 * static_cast<long>(i));
    }
    EXPECT_EQ(std::count(window.words(), window.words() + 64, 0L), 64 - 6 + (before == 0 ? 1 : 0));
    std::array<long, 16> read{};
    check(
        EP_Get(read.data(), 1, every_second, next, window.at(next, 1), 6, MPI_LONG, window.get()));
    MPI_Type_free(&every_second);
    check(EP_Win_fence(EP_MODE_NOSUCCEED, window.get()));
    EXPECT_EQ(read[0], 100 * comm.rank());
    EXPECT_EQ(read[2], 100 * comm.rank() + 2);
    EXPECT_EQ(read[1], 0);
  });
}

TEST_P(Rma, post_start_complete_wait) {
  run_windows(GetParam(), 8, [](const Comm& comm, const TestWindow& window) {
    // Even ranks write to odd ones next to them, in both directions of the pair.
    const int peer = comm.rank() ^ 1;
    if (peer >= comm.size()) return;
    EP_Group all = EP_GROUP_NULL;
    EP_Group one = EP_GROUP_NULL;
    check(EP_Win_get_group(window.get(), &all));
    check(EP_Group_incl(all, 1, &peer, &one));
    for (long round = 1; round <= 3; ++round) {
      const long value = round * 100 + comm.rank();
      check(EP_Win_post(one, 0, window.get()));
      check(EP_Win_start(one, 0, window.get()));
      check(EP_Put(&value, 1, MPI_LONG, peer, window.at(peer, 1), 1, MPI_LONG, window.get()));
      check(EP_Win_complete(window.get()));
      if (round == 2) {
        int flag = 0;
        while (flag == 0) check(EP_Win_test(window.get(), &flag));
      } else {
        check(EP_Win_wait(window.get()));
      }
      EXPECT_EQ(window.word(1), round * 100 + peer);
    }
    check(EP_Group_free(&one));
    check(EP_Group_free(&all));
  });
}

// Rank 0 exposes to all others, and the last of them accesses late.
TEST(RmaWatchdog, names_who_has_not_come) {
  testing::internal::CaptureStderr();
  check(EP_Set_watchdog(0.1));
  run_windows({TestWindow::Kind::create, 4}, 4, [](const Comm& comm, const TestWindow& window) {
    EP_Group all = EP_GROUP_NULL;
    EP_Group first = EP_GROUP_NULL;
    EP_Group others = EP_GROUP_NULL;
    const int zero = 0;
    check(EP_Comm_group(comm.get(), &all));
    check(EP_Group_incl(all, 1, &zero, &first));
    check(EP_Group_excl(all, 1, &zero, &others));
    if (comm.rank() == 0) {
      check(EP_Win_post(others, 0, window.get()));
      check(EP_Win_wait(window.get()));
    } else {
      if (comm.rank() == 2) std::this_thread::sleep_for(std::chrono::milliseconds(600));
      check(EP_Win_start(first, 0, window.get()));
      check(EP_Win_complete(window.get()));
    }
    for (EP_Group group : {all, first, others}) check(EP_Group_free(&group));
  });
  check(EP_Set_watchdog(60));
  const std::string text = testing::internal::GetCapturedStderr();
  int process = 0;
  ASSERT_EQ(MPI_Comm_rank(MPI_COMM_WORLD, &process), MPI_SUCCESS);
  if (process != 0) return;
  const std::string expected = "for all origins to complete (EP_Win_wait), still to come: rank 2\n";
  EXPECT_NE(text.find(expected), std::string::npos) << text;
}

TEST_P(Rma, accumulates_of_all_at_one_target_add_up) {
  run_windows(GetParam(), 4, [](const Comm& comm, const TestWindow& window) {
    const long one = 1;
    const double quarter = 0.25;
    check(EP_Win_lock_all(0, window.get()));
    constexpr int times = 50;
    for (int i = 0; i < times; ++i) {
      check(
          EP_Accumulate(&one, 1, MPI_LONG, 0, window.at(0, 0), 1, MPI_LONG, MPI_SUM, window.get()));
      check(EP_Accumulate(&quarter, 1, MPI_DOUBLE, 0, window.at(0, 1), 1, MPI_DOUBLE, MPI_SUM,
                          window.get()));
    }
    const long mine = comm.rank() + 1;
    check(
        EP_Accumulate(&mine, 1, MPI_LONG, 0, window.at(0, 2), 1, MPI_LONG, MPI_MAX, window.get()));
    check(EP_Win_flush(0, window.get()));
    check(EP_Win_unlock_all(window.get()));
    check(EP_Barrier(comm.get()));
    if (comm.rank() != 0) return;
    EXPECT_EQ(window.word(0), times * comm.size());
    double sum = 0;
    std::memcpy(&sum, window.words() + 1, sizeof sum);
    EXPECT_EQ(sum, quarter * times * comm.size());
    EXPECT_EQ(window.word(2), comm.size());
  });
}

TEST_P(Rma, locks_exclude_each_other) {
  run_windows(GetParam(), 4, [](const Comm& comm, const TestWindow& window) {
    const int target = comm.size() - 1;
    const int times = processes() <= 2 ? 20 : 5;
    for (int i = 0; i < times; ++i) {
      check(EP_Win_lock(EP_LOCK_EXCLUSIVE, target, 0, window.get()));
      long value = 0;
      check(EP_Get(&value, 1, MPI_LONG, target, window.at(target, 0), 1, MPI_LONG, window.get()));
      check(EP_Win_flush(target, window.get()));
      ++value;
      check(EP_Put(&value, 1, MPI_LONG, target, window.at(target, 0), 1, MPI_LONG, window.get()));
      check(EP_Win_unlock(target, window.get()));
    }
    check(EP_Barrier(comm.get()));
    if (comm.rank() == target) {
      EXPECT_EQ(window.word(0), times * comm.size());
    }
  });
}

// Would have found that lock_all did not lock memory of other processes that it writes directly
// (EP_Win_allocate on one node): it then read what the holder of an exclusive lock had half done.
TEST_P(Rma, an_exclusive_lock_excludes_lock_all) {
  run_windows(GetParam(), 4, [](const Comm& comm, const TestWindow& window) {
    EP_Win const win = window.get();
    constexpr int times = 5;
    for (int i = 0; i < times; ++i) {
      std::array<long, 2> seen{-1, -2};
      if (comm.rank() == 0) {
        check(EP_Win_lock(EP_LOCK_EXCLUSIVE, 0, 0, win));
        check(EP_Barrier(comm.get()));
        window.word(0) += 1;
        for (int call = 0; call < 1000; ++call) {
          int flag = 0;
          check(EP_Iprobe(0, 0, comm.get(), &flag, EP_STATUS_IGNORE));
        }
        window.word(1) += 1;
        check(EP_Win_unlock(0, win));
      } else {
        check(EP_Barrier(comm.get()));
        check(EP_Win_lock_all(0, win));
        check(EP_Get(seen.data(), 2, MPI_LONG, 0, window.at(0, 0), 2, MPI_LONG, win));
        check(EP_Win_unlock_all(win));
        EXPECT_EQ(seen[0], i + 1);
        EXPECT_EQ(seen[1], i + 1);
      }
      check(EP_Barrier(comm.get()));
    }
  });
}

// Would have found that threads of one endpoint raced for its list of targets and for the bytes of
// puts and gets with gaps: values were lost and the heap was damaged.
TEST_P(Rma, threads_of_one_endpoint_access_at_the_same_time) {
  constexpr int threads = 3;
  constexpr int times = 5;
  const int words = 1 + 2 * threads * std::max(7, processes());
  run_windows(GetParam(), words, [](const Comm& comm, const TestWindow& window) {
    EP_Win const win = window.get();
    MPI_Datatype spread = MPI_DATATYPE_NULL;
    check(MPI_Type_vector(2, 1, 2, MPI_LONG, &spread));
    check(MPI_Type_commit(&spread));
    const auto access = [&](int thread, int target) {
      const auto expect = [](int code) { EXPECT_EQ(code, EP_SUCCESS) << EP_Last_error(); };
      const MPI_Aint own = window.at(target, 1 + 2 * (comm.rank() * threads + thread));
      const long one = 1;
      expect(EP_Accumulate(&one, 1, MPI_LONG, target, window.at(target, 0), 1, MPI_LONG, MPI_SUM,
                           win));
      const std::array<long, 3> out{comm.rank() + 10L, -1, thread + 20L};
      expect(EP_Put(out.data(), 1, spread, target, own, 2, MPI_LONG, win));
      expect(EP_Win_flush(target, win));
      std::array<long, 3> in{-2, -2, -2};
      expect(EP_Get(in.data(), 1, spread, target, own, 2, MPI_LONG, win));
      expect(EP_Win_flush(target, win));
      EXPECT_EQ(in, (std::array<long, 3>{out[0], -2, out[2]}));
    };
    check(EP_Win_lock_all(0, win));
    std::vector<std::thread> all;
    for (int thread = 0; thread < threads; ++thread) {
      all.emplace_back([&, thread] {
        for (int i = 0; i < times * comm.size(); ++i) access(thread, (i + thread) % comm.size());
      });
    }
    for (std::thread& thread : all) thread.join();
    check(EP_Win_unlock_all(win));
    check(EP_Barrier(comm.get()));
    EXPECT_EQ(window.word(0), times * threads * comm.size());
    check(MPI_Type_free(&spread));
  });
}

TEST_P(Rma, fetch_and_op_and_compare_and_swap) {
  run_windows(GetParam(), 4, [](const Comm& comm, const TestWindow& window) {
    check(EP_Win_lock_all(0, window.get()));
    const long one = 1;
    long ticket = -1;
    check(EP_Fetch_and_op(&one, &ticket, MPI_LONG, 0, window.at(0, 0), MPI_SUM, window.get()));
    check(EP_Win_flush_local(0, window.get()));
    std::vector<long> tickets(static_cast<std::size_t>(comm.size()));
    check(EP_Allgather(&ticket, 1, MPI_LONG, tickets.data(), 1, MPI_LONG, comm.get()));
    std::sort(tickets.begin(), tickets.end());
    for (int i = 0; i < comm.size(); ++i) EXPECT_EQ(tickets[static_cast<std::size_t>(i)], i);
    // Each takes its turn: rank r waits for the word to be r.
    const long mine = comm.rank();
    const long next = mine + 1;
    long seen = -1;
    while (seen != mine) {
      check(EP_Compare_and_swap(&next, &mine, &seen, MPI_LONG, 0, window.at(0, 1), window.get()));
      check(EP_Win_flush(0, window.get()));
    }
    check(EP_Barrier(comm.get()));
    check(EP_Fetch_and_op(nullptr, &seen, MPI_LONG, 0, window.at(0, 1), MPI_NO_OP, window.get()));
    check(EP_Win_unlock_all(window.get()));
    EXPECT_EQ(seen, comm.size());
  });
}

TEST_P(Rma, get_accumulate_of_many_elements_in_order) {
  run_windows(GetParam(), 5000, [](const Comm& comm, const TestWindow& window) {
    const int next = (comm.rank() + 1) % comm.size();
    constexpr int count = 4000;  // several messages
    std::vector<long> values(count);
    std::vector<long> before(count, -1);
    std::vector<long> later(count, -1);
    std::iota(values.begin(), values.end(), 1000L * comm.rank());
    check(EP_Win_lock(EP_LOCK_SHARED, next, 0, window.get()));
    check(EP_Accumulate(values.data(), count, MPI_LONG, next, window.at(next, 5), count, MPI_LONG,
                        MPI_REPLACE, window.get()));
    check(EP_Get_accumulate(values.data(), count, MPI_LONG, before.data(), count, MPI_LONG, next,
                            window.at(next, 5), count, MPI_LONG, MPI_SUM, window.get()));
    check(EP_Get_accumulate(nullptr, 0, MPI_LONG, later.data(), count, MPI_LONG, next,
                            window.at(next, 5), count, MPI_LONG, MPI_NO_OP, window.get()));
    check(EP_Win_unlock(next, window.get()));
    EXPECT_EQ(before, values);
    for (long& value : values) value *= 2;
    EXPECT_EQ(later, values);
  });
}

TEST_P(Rma, pairs_and_derived_types_of_accumulates) {
  run_windows(GetParam(), 64, [](const Comm& comm, const TestWindow& window) {
    struct Pair {
      double value;
      int place;
    };
    MPI_Datatype apart = MPI_DATATYPE_NULL;
    MPI_Type_vector(2, 1, 2, MPI_DOUBLE_INT, &apart);
    MPI_Type_commit(&apart);
    const std::array<Pair, 2> mine{{{comm.rank() + 0.5, comm.rank()}, {-1.0 - comm.rank(), 7}}};
    std::array<Pair, 2> before{{{-9, -9}, {-9, -9}}};
    check(EP_Win_lock_all(0, window.get()));
    check(EP_Get_accumulate(mine.data(), 2, MPI_DOUBLE_INT, before.data(), 2, MPI_DOUBLE_INT, 0,
                            window.at(0, 8), 1, apart, MPI_MAXLOC, window.get()));
    check(EP_Win_unlock_all(window.get()));
    MPI_Type_free(&apart);
    check(EP_Barrier(comm.get()));
    EXPECT_GE(before[0].value, 0);
    EXPECT_EQ(before[1].value, 0);
    if (comm.rank() != 0) return;
    std::array<Pair, 3> result{};
    std::memcpy(result.data(), window.words() + 8, sizeof result);
    EXPECT_EQ(result[0].value, comm.size() - 0.5);
    EXPECT_EQ(result[0].place, comm.size() - 1);
    EXPECT_EQ(result[2].value, 0);
    EXPECT_EQ(result[1].value, 0) << "between the elements";
  });
}

TEST_P(Rma, requests_complete) {
  run_windows(GetParam(), 4000, [](const Comm& comm, const TestWindow& window) {
    const int next = (comm.rank() + 1) % comm.size();
    const long mine = comm.rank() + 5;
    long read = -1;
    std::vector<long> many(3000, 2);
    std::vector<long> fetched(3000, -1);
    check(EP_Win_lock_all(0, window.get()));
    std::array<EP_Request, 3> requests{};
    check(EP_Rput(&mine, 1, MPI_LONG, next, window.at(next, 0), 1, MPI_LONG, window.get(),
                  &requests[0]));
    check(EP_Raccumulate(many.data(), 3000, MPI_LONG, next, window.at(next, 1), 3000, MPI_LONG,
                         MPI_SUM, window.get(), &requests[1]));
    check(EP_Rget_accumulate(many.data(), 3000, MPI_LONG, fetched.data(), 3000, MPI_LONG, next,
                             window.at(next, 1), 3000, MPI_LONG, MPI_PROD, window.get(),
                             &requests[2]));
    check(EP_Waitall(3, requests.data(), EP_STATUSES_IGNORE));
    EXPECT_EQ(fetched, many);
    check(EP_Win_flush_all(window.get()));
    EP_Request request = EP_REQUEST_NULL;
    check(
        EP_Rget(&read, 1, MPI_LONG, next, window.at(next, 0), 1, MPI_LONG, window.get(), &request));
    check(EP_Wait(&request, EP_STATUS_IGNORE));
    EXPECT_EQ(read, mine);
    check(EP_Rput(&mine, 1, MPI_LONG, EP_PROC_NULL, 0, 1, MPI_LONG, window.get(), &request));
    check(EP_Wait(&request, EP_STATUS_IGNORE));
    check(EP_Win_unlock_all(window.get()));
    check(EP_Barrier(comm.get()));
    EXPECT_EQ(window.word(1), 4);
    EXPECT_EQ(window.word(3000), 4);
    EXPECT_EQ(window.word(3001), 0);
  });
}

TEST_P(Rma, a_target_that_waits_elsewhere_is_served) {
  run_windows(GetParam(), 4, [](const Comm& comm, const TestWindow& window) {
    // All but the last sleep in a barrier meanwhile.
    if (comm.rank() == comm.size() - 1) {
      check(EP_Win_lock(EP_LOCK_EXCLUSIVE, 0, 0, window.get()));
      const long value = 3;
      check(EP_Put(&value, 1, MPI_LONG, 0, window.at(0, 0), 1, MPI_LONG, window.get()));
      check(EP_Accumulate(&value, 1, MPI_LONG, 0, window.at(0, 1), 1, MPI_LONG, MPI_SUM,
                          window.get()));
      check(EP_Win_unlock(0, window.get()));
    }
    check(EP_Barrier(comm.get()));
    if (comm.rank() == 0) {
      EXPECT_EQ(window.word(0), 3);
      EXPECT_EQ(window.word(1), 3);
    }
  });
}

// The stress test of the design: what is done to one word in three ways adds up exactly.
TEST_P(Rma, fetch_and_op_swaps_and_locks_on_words_of_one_target_are_exact) {
  run_windows(GetParam(), 4, [](const Comm& comm, const TestWindow& window) {
    const int rounds = processes() <= 2 ? 40 : 12;
    EP_Win const win = window.get();
    for (int round = 0; round < rounds; ++round) {
      const int target = round % comm.size();
      const long one = 1;
      long before = 0;
      check(EP_Win_lock(EP_LOCK_SHARED, target, 0, win));
      check(EP_Fetch_and_op(&one, &before, MPI_LONG, target, window.at(target, 0), MPI_SUM, win));
      check(EP_Win_flush(target, win));
      long expected = before + 1;
      while (true) {
        const long wanted = expected + 1;
        long seen = 0;
        check(EP_Compare_and_swap(&wanted, &expected, &seen, MPI_LONG, target, window.at(target, 0),
                                  win));
        check(EP_Win_flush(target, win));
        if (seen == expected) break;
        expected = seen;
      }
      check(EP_Win_unlock(target, win));
      check(EP_Win_lock(EP_LOCK_EXCLUSIVE, target, 0, win));
      check(EP_Get(&before, 1, MPI_LONG, target, window.at(target, 0), 1, MPI_LONG, win));
      check(EP_Win_flush(target, win));
      ++before;
      check(EP_Put(&before, 1, MPI_LONG, target, window.at(target, 0), 1, MPI_LONG, win));
      check(EP_Win_unlock(target, win));
    }
    check(EP_Barrier(comm.get()));
    long mine = window.word(0);
    long all = 0;
    check(EP_Allreduce(&mine, &all, 1, MPI_LONG, MPI_SUM, comm.get()));
    EXPECT_EQ(all, 3L * rounds * comm.size());
  });
}

// Few bytes are one element for who accumulates the same ones: a structure is never half another's.
TEST_P(Rma, up_to_sixteen_bytes_are_replaced_and_read_as_one) {
  run_windows(GetParam(), 16, [](const Comm& comm, const TestWindow& window) {
    EP_Win const win = window.get();
    struct Unit {
      int bytes;
      int word;   // of the window, which begins on a multiple of 16 bytes or not
      int first;  // in it
    };
    std::array<unsigned char, 16> mine{};
    mine.fill(static_cast<unsigned char>(comm.rank() + 1));
    check(EP_Win_lock_all(0, win));
    for (const Unit unit :
         {Unit{16, 0, 0}, {8, 2, 0}, {4, 3, 0}, {2, 4, 0}, {3, 5, 1}, {13, 7, 5}}) {
      MPI_Datatype place = MPI_DATATYPE_NULL;
      const MPI_Aint displacement = unit.first;
      check(MPI_Type_create_hindexed_block(1, unit.bytes, &displacement, MPI_BYTE, &place));
      check(MPI_Type_commit(&place));
      for (int i = 0; i < 60; ++i) {
        std::array<unsigned char, 16> before{};
        const MPI_Op op = i % 3 == 2 ? MPI_NO_OP : MPI_REPLACE;
        check(EP_Get_accumulate(mine.data(), unit.bytes, MPI_BYTE, before.data(), unit.bytes,
                                MPI_BYTE, 0, window.at(0, unit.word), 1, place, op, win));
        check(EP_Win_flush(0, win));
        for (int byte = 1; byte < unit.bytes; ++byte) {
          ASSERT_EQ(before[static_cast<std::size_t>(byte)], before[0]) << unit.bytes << " bytes";
        }
      }
      check(MPI_Type_free(&place));
    }
    check(EP_Win_unlock_all(win));
  });
}

// Would have found that EP_Compare_and_swap refused MPI_UNSIGNED_LONG_LONG and short integers of
// Fortran.
TEST_P(Rma, integers_of_all_kinds_are_swapped) {
  run_windows(GetParam(), 4, [](const Comm& comm, const TestWindow& window) {
    EP_Win const win = window.get();
    check(EP_Win_lock_all(0, win));
    for (MPI_Datatype type : {MPI_UNSIGNED_LONG_LONG, MPI_INTEGER1, MPI_INTEGER2, MPI_INTEGER8}) {
      const long value = comm.rank() + 1;
      const long zero = 0;
      long seen = 0;
      const int me = comm.rank();
      check(EP_Compare_and_swap(&value, &zero, &seen, type, me, window.at(me, 0), win));
      check(EP_Compare_and_swap(&zero, &value, &seen, type, me, window.at(me, 0), win));
      check(EP_Win_flush(me, win));
      EXPECT_EQ(seen, value);
    }
    check(EP_Win_unlock_all(win));
  });
}

TEST_P(Rma, characters_are_numbers) {
  run_windows(GetParam(), 4, [](const Comm& comm, const TestWindow& window) {
    EP_Win const win = window.get();
    const char one = 1;
    const std::array<char, 3> many{1, 2, 100};
    char seen = 0;
    check(EP_Win_lock_all(0, win));
    check(EP_Fetch_and_op(&one, &seen, MPI_CHAR, 0, window.at(0, 0), MPI_SUM, win));
    check(EP_Accumulate(many.data(), 3, MPI_CHAR, 0, window.at(0, 1), 3, MPI_CHAR, MPI_MAX, win));
    check(EP_Accumulate(many.data(), 3, MPI_CHAR, 0, window.at(0, 2), 3, MPI_CHAR, MPI_SUM, win));
    check(EP_Win_flush(0, win));
    check(EP_Barrier(comm.get()));
    const auto all = static_cast<char>(comm.size());
    const auto other = static_cast<char>(comm.rank() + 50);
    check(EP_Compare_and_swap(&other, &all, &seen, MPI_CHAR, 0, window.at(0, 0), win));
    check(EP_Win_unlock_all(win));
    EXPECT_TRUE(seen == all || seen >= 50) << int{seen};
    check(EP_Barrier(comm.get()));
    if (comm.rank() != 0) return;
    std::array<char, 24> bytes{};
    std::memcpy(bytes.data(), window.words(), sizeof bytes);
    EXPECT_GE(bytes[0], 50);
    EXPECT_EQ(bytes[10], 100);
    EXPECT_EQ(bytes[16], all);
    EXPECT_EQ(bytes[17], static_cast<char>(2 * all));
    EXPECT_EQ(bytes[18], static_cast<char>(100 * all));
  });
}

// Three endpoints in the first process, none in the second, one in each further one.
TEST(RmaOfUnequalProcesses, is_exact_in_windows_of_all_kinds) {
  const auto count = [](int process, int /*all*/) {
    return process == 0 ? 3 : process == 1 ? 0 : 1;
  };
  run_endpoints(count, [](const Comm& comm) {
    for (const auto kind : {TestWindow::Kind::create, TestWindow::Kind::allocate,
                            TestWindow::Kind::shared, TestWindow::Kind::dynamic}) {
      const TestWindow window(kind, comm, 3);
      EP_Win const win = window.get();
      const int right = (comm.rank() + 1) % comm.size();
      const int left = (comm.rank() + comm.size() - 1) % comm.size();
      const long mine = comm.rank() + 1;
      check(EP_Win_fence(0, win));
      check(EP_Put(&mine, 1, MPI_LONG, right, window.at(right, 0), 1, MPI_LONG, win));
      for (int rank = 0; rank < comm.size(); ++rank) {
        check(
            EP_Accumulate(&mine, 1, MPI_LONG, rank, window.at(rank, 1), 1, MPI_LONG, MPI_SUM, win));
      }
      check(EP_Win_fence(EP_MODE_NOSUCCEED, win));
      EXPECT_EQ(window.word(0), left + 1);
      EXPECT_EQ(window.word(1), comm.size() * (comm.size() + 1) / 2);
      check(EP_Win_lock(EP_LOCK_EXCLUSIVE, 0, 0, win));
      long value = 0;
      check(EP_Get(&value, 1, MPI_LONG, 0, window.at(0, 2), 1, MPI_LONG, win));
      check(EP_Win_flush(0, win));
      value += mine;
      check(EP_Put(&value, 1, MPI_LONG, 0, window.at(0, 2), 1, MPI_LONG, win));
      check(EP_Win_unlock(0, win));
      check(EP_Barrier(comm.get()));
      if (comm.rank() == 0) {
        EXPECT_EQ(window.word(2), comm.size() * (comm.size() + 1) / 2);
      }
      check(EP_Barrier(comm.get()));
    }
  });
}

// The other process computes, and looks at its memory alone.
TEST(ShmWindows, are_locked_and_written_while_the_target_is_in_no_call) {
  const char* const shm = std::getenv("EP_SHM");
  if (processes() != 2 || (shm != nullptr && std::string(shm) == "0")) {
    GTEST_SKIP() << "two processes that share memory";
  }
  run_endpoints(2, [](const Comm& comm) {
    const TestWindow window(Kind::allocate, comm, 1);
    if (comm.rank() == 1) {
      long* const word = window.words();
      const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(20);
      while (std::atomic_ref(*word).load() == 0 && std::chrono::steady_clock::now() < deadline) {
        std::this_thread::yield();
      }
      EXPECT_EQ(*word, 7);
    } else {
      check(EP_Win_lock_all(0, window.get()));  // nothing is accessed: nobody is asked
      check(EP_Win_unlock_all(window.get()));
      const long value = 7;
      check(EP_Win_lock_all(EP_MODE_NOCHECK, window.get()));
      check(EP_Put(&value, 1, MPI_LONG, 1, 0, 1, MPI_LONG, window.get()));
      check(EP_Win_flush(1, window.get()));
      check(EP_Win_unlock_all(window.get()));
    }
    check(EP_Barrier(comm.get()));
  });
}

}  // namespace
}  // namespace ep::test::rma_test
