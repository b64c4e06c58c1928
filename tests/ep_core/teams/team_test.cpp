// Teams: rounds, both models, errors, and what threads of a team do for others.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cstring>
#include <functional>
#include <numeric>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "files/shared_file.hpp"
#include "layouts.hpp"

namespace ep::test::team_test {
namespace {

using namespace std::chrono_literals;

enum class Model { asynchronous, synchronous };

/// A team as long as a test.
class TestTeam {
 public:
  explicit TestTeam(int size, Model model = Model::asynchronous) {
    MPI_Info info = MPI_INFO_NULL;
    if (model == Model::synchronous) {
      EXPECT_EQ(MPI_Info_create(&info), MPI_SUCCESS);
      EXPECT_EQ(MPI_Info_set(info, "synchronous", "true"), MPI_SUCCESS);
    }
    check(EP_Team_create(size, info, &team_));
    if (info == MPI_INFO_NULL) return;
    EXPECT_EQ(MPI_Info_free(&info), MPI_SUCCESS);
  }
  TestTeam(const TestTeam&) = delete;
  TestTeam(TestTeam&&) = delete;
  TestTeam& operator=(const TestTeam&) = delete;
  TestTeam& operator=(TestTeam&&) = delete;
  ~TestTeam() { EXPECT_EQ(EP_Team_free(team_), EP_SUCCESS) << EP_Last_error(); }

  EP_Team get() const { return team_; }

 private:
  EP_Team team_ = EP_TEAM_NULL;
};

void expect_error(int code, int expected, const std::string& text) {
  EXPECT_EQ(code, expected);
  EXPECT_EQ(std::string(EP_Last_error()), text);
}

void in_thread(const std::function<void()>& body) { std::thread(body).join(); }

/// `work` in the calling thread while `helpers` more threads of a team of its own wait to leave.
void with_helpers(int helpers, Model model, const std::function<void()>& work) {
  const TestTeam team(helpers + 1, model);
  std::atomic<int> joined{0};
  std::vector<std::thread> threads;
  for (int i = 0; i < helpers; ++i) {
    threads.emplace_back([&] {
      EXPECT_EQ(EP_Team_join(team.get()), EP_SUCCESS) << EP_Last_error();
      ++joined;
      EXPECT_EQ(EP_Team_leave(team.get()), EP_SUCCESS) << EP_Last_error();
    });
  }
  EXPECT_EQ(EP_Team_join(team.get()), EP_SUCCESS) << EP_Last_error();
  work();
  EXPECT_EQ(EP_Team_leave(team.get()), EP_SUCCESS) << EP_Last_error();
  for (std::thread& thread : threads) thread.join();
}

TEST(Team, a_handle_must_be_one) {
  const char* const text = "the team is not valid (EP_TEAM_NULL, freed, or not a team).";
  EP_Team team = EP_TEAM_NULL;
  expect_error(EP_Team_join(team), EP_ERR_ARG, text);
  expect_error(EP_Team_leave(team), EP_ERR_ARG, text);
  expect_error(EP_Team_break(team), EP_ERR_ARG, text);
  expect_error(EP_Team_free(team), EP_ERR_ARG, text);
  check(EP_Team_create(1, MPI_INFO_NULL, &team));
  check(EP_Team_free(team));
  expect_error(EP_Team_free(team), EP_ERR_ARG, text);
  expect_error(EP_Team_join(team), EP_ERR_ARG, text);
  int nothing = 0;
  expect_error(EP_Team_join(reinterpret_cast<EP_Team>(&nothing)), EP_ERR_ARG, text);
}

TEST(Team, creation_looks_at_its_arguments) {
  EP_Team team = EP_TEAM_NULL;
  expect_error(EP_Team_create(0, MPI_INFO_NULL, &team), EP_ERR_ARG,
               "EP_Team_create of 0 threads (at least 1).");
  expect_error(EP_Team_create(2, MPI_INFO_NULL, nullptr), EP_ERR_ARG,
               "an output argument is a null pointer.");
  MPI_Info info = MPI_INFO_NULL;
  ASSERT_EQ(MPI_Info_create(&info), MPI_SUCCESS);
  ASSERT_EQ(MPI_Info_set(info, "synchronous", "maybe"), MPI_SUCCESS);
  expect_error(EP_Team_create(2, info, &team), MPI_ERR_INFO_VALUE,
               "EP_Team_create: info key synchronous with the unknown value 'maybe' (known: true, "
               "false).");
  ASSERT_EQ(MPI_Info_set(info, "synchronous", "false"), MPI_SUCCESS);
  ASSERT_EQ(MPI_Info_set(info, "color", "blue"), MPI_SUCCESS);
  check(EP_Team_create(2, info, &team));
  check(EP_Team_free(team));
  ASSERT_EQ(MPI_Info_free(&info), MPI_SUCCESS);
}

TEST(Team, calls_out_of_turn_say_whose_fault_it_is) {
  const TestTeam team(2);
  const TestTeam other(2);
  expect_error(EP_Team_leave(team.get()), EP_ERR_OTHER,
               "EP_Team_leave by a thread that is in no team. Join first?");
  expect_error(EP_Team_break(team.get()), EP_ERR_OTHER,
               "EP_Team_break by a thread that is in no team. Join first?");
  check(EP_Team_join(team.get()));
  expect_error(EP_Team_join(team.get()), EP_ERR_OTHER,
               "EP_Team_join by a thread that is in this team. Leave it first?");
  expect_error(EP_Team_join(other.get()), EP_ERR_OTHER,
               "EP_Team_join by a thread that is in another team (one at a time). Leave that "
               "first?");
  expect_error(EP_Team_leave(other.get()), EP_ERR_OTHER,
               "EP_Team_leave by a thread that is in another team. Join first?");
  expect_error(EP_Team_break(other.get()), EP_ERR_OTHER,
               "EP_Team_break by a thread that is in another team. Join first?");
  expect_error(EP_Team_free(team.get()), EP_ERR_OTHER,
               "EP_Team_free of a team with 1 thread in it (each leaves or breaks out first).");
  check(EP_Team_break(team.get()));
  expect_error(EP_Team_break(team.get()), EP_ERR_OTHER,
               "EP_Team_break by a thread that is in no team. Join first?");
  expect_error(EP_Team_leave(team.get()), EP_ERR_OTHER,
               "EP_Team_leave by a thread that is in no team. Join first?");
}

TEST(Team, no_more_threads_than_its_size_join) {
  const TestTeam team(2);
  std::atomic<bool> full{false};
  std::thread other([&] {
    check(EP_Team_join(team.get()));
    full = true;
    while (full) std::this_thread::yield();
    check(EP_Team_break(team.get()));
  });
  check(EP_Team_join(team.get()));
  while (!full) std::this_thread::yield();
  in_thread([&] {
    expect_error(EP_Team_join(team.get()), EP_ERR_OTHER,
                 "EP_Team_join of a team that is full (2 threads). Create a larger one?");
  });
  expect_error(EP_Team_free(team.get()), EP_ERR_OTHER,
               "EP_Team_free of a team with 2 threads in it (each leaves or breaks out first).");
  full = false;
  other.join();
  in_thread([&] {
    EXPECT_EQ(EP_Team_join(team.get()), EP_SUCCESS) << "one broke out";
    EXPECT_EQ(EP_Team_break(team.get()), EP_SUCCESS);
  });
  check(EP_Team_leave(team.get()));
}

TEST(Team, leave_waits_for_those_who_joined) {
  const TestTeam team(3);
  std::atomic<int> joined{0};
  std::atomic<bool> last_leaves{false};
  check(EP_Team_join(team.get()));
  std::vector<std::thread> threads;
  for (int i = 0; i < 2; ++i) {
    threads.emplace_back([&] {
      check(EP_Team_join(team.get()));
      ++joined;
      check(EP_Team_leave(team.get()));
      EXPECT_TRUE(last_leaves);
    });
  }
  while (joined < 2) std::this_thread::yield();
  std::this_thread::sleep_for(20ms);
  last_leaves = true;
  check(EP_Team_leave(team.get()));
  for (std::thread& thread : threads) thread.join();
}

TEST(Team, nobody_waits_for_who_broke_out_or_ended) {
  const TestTeam team(3);
  check(EP_Team_join(team.get()));
  in_thread([&] {
    check(EP_Team_join(team.get()));
    check(EP_Team_break(team.get()));
  });
  in_thread([&] { check(EP_Team_join(team.get())); });
  check(EP_Team_leave(team.get()));
}

TEST(Team, fewer_threads_than_its_size_are_enough) {
  const TestTeam team(8);
  for (int round = 0; round < 3; ++round) {
    check(EP_Team_join(team.get()));
    check(EP_Team_leave(team.get()));
  }
}

TEST(Team, a_synchronous_team_joins_and_leaves_together) {
  constexpr int size = 4;
  constexpr int rounds = 50;
  const TestTeam team(size, Model::synchronous);
  std::atomic<int> came{0};
  std::atomic<int> goes{0};
  std::vector<std::thread> threads;
  for (int i = 0; i < size; ++i) {
    threads.emplace_back([&] {
      for (int round = 1; round <= rounds; ++round) {
        ++came;
        check(EP_Team_join(team.get()));
        EXPECT_GE(came.load(), size * round);
        ++goes;
        check(EP_Team_leave(team.get()));
        EXPECT_GE(goes.load(), size * round);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
}

TEST(Team, nobody_breaks_out_of_a_synchronous_team) {
  const TestTeam team(1, Model::synchronous);
  check(EP_Team_join(team.get()));
  expect_error(EP_Team_break(team.get()), EP_ERR_OTHER,
               "EP_Team_break of a synchronous team (all of its threads leave together). Call "
               "EP_Team_leave?");
  check(EP_Team_leave(team.get()));
}

TEST(Team, a_thread_that_ends_in_a_synchronous_team_is_an_error_of_the_others) {
  const TestTeam team(2, Model::synchronous);
  std::thread other([&] { check(EP_Team_join(team.get())); });
  check(EP_Team_join(team.get()));
  other.join();
  expect_error(EP_Team_leave(team.get()), EP_ERR_OTHER,
               "a thread ended inside a synchronous team (all of its threads leave together). Call "
               "EP_Team_leave in each?");
  // The next round is as good as any.
  std::thread another([&] {
    check(EP_Team_join(team.get()));
    check(EP_Team_leave(team.get()));
  });
  check(EP_Team_join(team.get()));
  check(EP_Team_leave(team.get()));
  another.join();
}

TEST(Team, the_watchdog_tells_of_threads_that_miss_in_a_synchronous_team) {
  const TestTeam team(2, Model::synchronous);
  testing::internal::CaptureStderr();
  check(EP_Set_watchdog(0.05));
  std::thread early([&] {
    check(EP_Team_join(team.get()));
    check(EP_Team_leave(team.get()));
  });
  std::this_thread::sleep_for(500ms);
  check(EP_Set_watchdog(60));
  check(EP_Team_join(team.get()));
  check(EP_Team_leave(team.get()));
  early.join();
  const std::string table = testing::internal::GetCapturedStderr();
  EXPECT_NE(table.find("a thread waits"), std::string::npos) << table;
  EXPECT_NE(table.find("s for all 2 threads of a synchronous team (EP_Team_join)"),
            std::string::npos)
      << table;
}

std::vector<double> uneven(std::size_t count, int seed) {
  std::mt19937_64 random(static_cast<unsigned>(seed));
  std::uniform_real_distribution<double> any(-1, 1);
  std::vector<double> values(count);
  std::generate(values.begin(), values.end(), [&] { return any(random); });
  return values;
}

/// Every third of 8 bytes.
class Strided {
 public:
  explicit Strided(int blocks) {
    check_mpi(MPI_Type_vector(blocks, 1, 3, MPI_DOUBLE, &type_));
    check_mpi(MPI_Type_commit(&type_));
  }
  Strided(const Strided&) = delete;
  Strided(Strided&&) = delete;
  Strided& operator=(const Strided&) = delete;
  Strided& operator=(Strided&&) = delete;
  ~Strided() { check_mpi(MPI_Type_free(&type_)); }
  MPI_Datatype get() const { return type_; }

 private:
  static void check_mpi(int code) { EXPECT_EQ(code, MPI_SUCCESS); }
  MPI_Datatype type_ = MPI_DATATYPE_NULL;
};

constexpr int blocks = 300'001;  // odd, and a few megabytes
constexpr std::size_t spread = 3 * static_cast<std::size_t>(blocks);

// The same calls with and without a team: not one bit differs.
template <class Body>
void expect_same_with_team(const Comm& comm, Body&& body) {
  const auto alone = body();
  for (const Model model : {Model::asynchronous, Model::synchronous}) {
    auto helped = alone;
    std::fill(helped.begin(), helped.end(), 0);
    with_helpers(2, model, [&] { helped = body(); });
    EXPECT_EQ(std::memcmp(helped.data(), alone.data(), alone.size() * sizeof alone[0]), 0)
        << "rank " << comm.rank();
  }
}

TEST(Team, packs_and_unpacks_the_same) {
  run_endpoints(2, [](const Comm& comm) {
    const Strided type(blocks);
    const std::vector<double> memory = uneven(spread, comm.rank());
    expect_same_with_team(comm, [&] {
      std::vector<double> packed(blocks);
      const int bytes = blocks * static_cast<int>(sizeof(double));
      int position = 0;
      check(EP_Pack(memory.data(), 1, type.get(), packed.data(), bytes, &position, comm.get()));
      std::vector<double> back(spread, -2.0);
      position = 0;
      check(EP_Unpack(packed.data(), bytes, &position, back.data(), 1, type.get(), comm.get()));
      for (std::size_t i = 0; i < spread; ++i) {
        const double expected = i % 3 == 0 ? memory[i] : -2.0;
        if (back[i] != expected) {
          ADD_FAILURE() << "element " << i << " is " << back[i] << ", not " << expected;
          break;
        }
      }
      return packed;
    });
  });
}

TEST(Team, messages_of_all_kinds_arrive_the_same) {
  run_endpoints(2, [](const Comm& comm) {
    const Strided type(blocks);
    const int other = 1 - comm.rank();
    const std::vector<double> memory = uneven(spread, comm.rank());
    expect_same_with_team(comm, [&] {
      std::vector<double> got(4 * spread, 0.5);
      double* to = got.data();
      const auto exchange = [&](int out, MPI_Datatype out_type, int in, MPI_Datatype in_type) {
        check(EP_Sendrecv(memory.data(), out, out_type, other, 0, to, in, in_type, other, 0,
                          comm.get(), EP_STATUS_IGNORE));
        to += spread;
      };
      exchange(static_cast<int>(spread), MPI_DOUBLE, static_cast<int>(spread), MPI_DOUBLE);
      exchange(1, type.get(), blocks, MPI_DOUBLE);
      exchange(blocks, MPI_DOUBLE, 1, type.get());
      exchange(1, type.get(), 1, type.get());
      return got;
    });
  });
}

TEST(Team, reductions_have_the_same_bits) {
  run_endpoints(3, [](const Comm& comm) {
    constexpr std::size_t count = 200'003;
    const std::vector<double> mine = uneven(count, 7 + comm.rank());
    expect_same_with_team(comm, [&] {
      std::vector<double> out(4 * count);
      check(EP_Allreduce(mine.data(), out.data(), count, MPI_DOUBLE, MPI_SUM, comm.get()));
      check(EP_Scan(mine.data(), out.data() + count, count, MPI_DOUBLE, MPI_SUM, comm.get()));
      check(EP_Reduce(mine.data(), out.data() + 2 * count, count, MPI_DOUBLE, MPI_PROD,
                      comm.size() - 1, comm.get()));
      std::copy(mine.begin(), mine.end(), out.begin() + 3 * count);
      check(EP_Reduce_local(out.data(), out.data() + 3 * count, count, MPI_DOUBLE, MPI_SUM));
      return out;
    });
  });
}

TEST(Team, collectives_that_move_have_the_same_bytes) {
  run_endpoints(3, [](const Comm& comm) {
    constexpr int each = 50'021;
    const auto size = static_cast<std::size_t>(comm.size());
    const std::vector<double> mine = uneven(size * each, 31 + comm.rank());
    expect_same_with_team(comm, [&] {
      std::vector<double> out(3 * size * each);
      double* to = out.data();
      check(EP_Alltoall(mine.data(), each, MPI_DOUBLE, to, each, MPI_DOUBLE, comm.get()));
      to += size * each;
      check(EP_Allgather(mine.data(), each, MPI_DOUBLE, to, each, MPI_DOUBLE, comm.get()));
      to += size * each;
      std::copy(mine.begin(), mine.end(), to);
      check(EP_Bcast(to, static_cast<int>(size) * each, MPI_DOUBLE, 1, comm.get()));
      return out;
    });
  });
}

TEST(Team, files_have_the_same_bytes) {
  run_endpoints(processes(), [](const Comm& comm) {
    const SharedFile shared(comm);
    constexpr int each = 1'200'007;
    const std::vector<double> mine = uneven(each, 77 + comm.rank());
    expect_same_with_team(comm, [&] {
      EP_File file = shared.open();
      check(EP_File_set_view(file, 0, MPI_DOUBLE, MPI_DOUBLE, "native", MPI_INFO_NULL));
      const MPI_Offset place = MPI_Offset{each} * comm.rank();
      check(EP_File_write_at_all(file, place, mine.data(), each, MPI_DOUBLE, EP_STATUS_IGNORE));
      std::vector<double> back(each);
      check(EP_File_read_at_all(file, place, back.data(), each, MPI_DOUBLE, EP_STATUS_IGNORE));
      EXPECT_EQ(back, mine);
      check(EP_File_close(&file));
      return back;
    });
  });
}

// What an endpoint outside any team communicates, a team helps with that waits.
TEST(Team, helps_endpoints_that_are_in_no_team) {
  const TestTeam team(2);
  std::atomic<bool> over{false};
  std::thread helper([&] {
    check(EP_Team_join(team.get()));
    check(EP_Team_leave(team.get()));
  });
  std::thread holder([&] {
    check(EP_Team_join(team.get()));
    while (!over) std::this_thread::sleep_for(1ms);
    check(EP_Team_leave(team.get()));
  });
  run_endpoints(2, [](const Comm& comm) {
    constexpr int count = 1'000'003;
    std::vector<double> all(count, comm.rank() + 0.25);
    if (comm.rank() == 0) {
      check(EP_Send(all.data(), count, MPI_DOUBLE, 1, 0, comm.get()));
    } else {
      check(EP_Recv(all.data(), count, MPI_DOUBLE, 0, 0, comm.get(), EP_STATUS_IGNORE));
    }
    EXPECT_EQ(std::count(all.begin(), all.end(), 0.25), count);
  });
  over = true;
  helper.join();
  holder.join();
}

}  // namespace
}  // namespace ep::test::team_test
