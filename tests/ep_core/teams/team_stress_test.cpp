// Threads join, leave and break out of teams in every order, while endpoints inside and outside
// teams communicate: all arrives, nobody waits for ever.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "layouts.hpp"

namespace ep::test::team_stress_test {
namespace {

unsigned seed() {
  const char* const text = std::getenv("EP_TEST_SEED");
  return text != nullptr ? static_cast<unsigned>(std::stoul(text)) : 1;
}

/// Threads that come and go until the end of the scope.
class Restless {
 public:
  Restless(EP_Team team, int threads) : team_(team) {
    for (int i = 0; i < threads; ++i) {
      threads_.emplace_back([this, i] { come_and_go(seed() + static_cast<unsigned>(i)); });
    }
  }
  Restless(const Restless&) = delete;
  Restless(Restless&&) = delete;
  Restless& operator=(const Restless&) = delete;
  Restless& operator=(Restless&&) = delete;
  ~Restless() {
    over_ = true;
    for (std::thread& thread : threads_) thread.join();
  }

 private:
  void come_and_go(unsigned number) {
    std::mt19937 random(number);
    while (!over_) {
      const int joined = EP_Team_join(team_);
      if (joined != EP_SUCCESS) {
        EXPECT_EQ(std::string(EP_Last_error()).find("EP_Team_join of a team that is full"), 0U)
            << EP_Last_error();
        std::this_thread::yield();
        continue;
      }
      if (random() % 4 == 0) std::this_thread::yield();
      const bool breaks = random() % 3 == 0;
      EXPECT_EQ(breaks ? EP_Team_break(team_) : EP_Team_leave(team_), EP_SUCCESS)
          << EP_Last_error();
    }
  }

  EP_Team team_;
  std::atomic<bool> over_{false};
  std::vector<std::thread> threads_;
};

constexpr int rounds = 30;
constexpr int count = 100'003;  // not far above what a team is asked for

void pass_on(const Comm& comm, MPI_Datatype strided, int round) {
  const int next = (comm.rank() + 1) % comm.size();
  const int previous = (comm.rank() + comm.size() - 1) % comm.size();
  std::vector<int> out(2 * count, comm.rank() + round);
  std::vector<int> in(2 * count, -1);
  check(EP_Sendrecv(out.data(), 1, strided, next, round, in.data(), 1, strided, previous, round,
                    comm.get(), EP_STATUS_IGNORE));
  EXPECT_EQ(std::count(in.begin(), in.end(), previous + round), count) << "round " << round;
  EXPECT_EQ(std::count(in.begin(), in.end(), -1), count) << "round " << round;
}

void add_up(const Comm& comm, int round) {
  std::vector<double> mine(count, comm.rank() + 0.125 * round);
  std::vector<double> sum(count);
  check(EP_Allreduce(mine.data(), sum.data(), count, MPI_DOUBLE, MPI_SUM, comm.get()));
  const int size = comm.size();
  const double expected = 0.5 * size * (size - 1) + 0.125 * round * size;
  EXPECT_EQ(std::count(sum.begin(), sum.end(), expected), count) << "round " << round;
}

TEST(TeamStress, threads_come_and_go_while_endpoints_communicate) {
  EP_Team open = EP_TEAM_NULL;
  check(EP_Team_create(3, MPI_INFO_NULL, &open));
  {
    // One more than there is room for.
    const Restless threads(open, 4);
    run_endpoints(3, [](const Comm& comm) {
      MPI_Datatype strided = MPI_DATATYPE_NULL;
      ASSERT_EQ(MPI_Type_vector(count, 1, 2, MPI_INT, &strided), MPI_SUCCESS);
      ASSERT_EQ(MPI_Type_commit(&strided), MPI_SUCCESS);
      for (int round = 0; round < rounds; ++round) {
        pass_on(comm, strided, round);
        add_up(comm, round);
      }
      ASSERT_EQ(MPI_Type_free(&strided), MPI_SUCCESS);
    });
  }
  check(EP_Team_free(open));
}

// Each endpoint communicates inside a team of its own, whose other thread comes and goes.
TEST(TeamStress, endpoints_communicate_inside_their_teams) {
  run_endpoints(2, [](const Comm& comm) {
    EP_Team own = EP_TEAM_NULL;
    check(EP_Team_create(2, MPI_INFO_NULL, &own));
    {
      const Restless other(own, 1);
      for (int round = 0; round < rounds; ++round) {
        const int joined = EP_Team_join(own);
        EXPECT_EQ(joined, EP_SUCCESS) << EP_Last_error();
        add_up(comm, round);
        const int left = round % 5 == 4 ? EP_Team_break(own) : EP_Team_leave(own);
        EXPECT_EQ(left, EP_SUCCESS) << EP_Last_error();
      }
    }
    check(EP_Team_free(own));
  });
}

// Teams are made and freed while others look for one that helps.
TEST(TeamStress, teams_are_born_and_freed_while_others_look_for_help) {
  std::atomic<bool> over{false};
  std::thread maker([&] {
    while (!over) {
      EP_Team team = EP_TEAM_NULL;
      check(EP_Team_create(2, MPI_INFO_NULL, &team));
      check(EP_Team_join(team));
      check(EP_Team_leave(team));
      check(EP_Team_free(team));
    }
  });
  run_endpoints(2, [](const Comm& comm) {
    for (int round = 0; round < rounds; ++round) add_up(comm, round);
  });
  over = true;
  maker.join();
}

}  // namespace
}  // namespace ep::test::team_stress_test
