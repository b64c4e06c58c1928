#include "event/watch.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <csignal>
#include <ep/ep.hpp>
#include <string>
#include <utility>
#include <vector>

#include "config/error.hpp"

namespace epios::io::watch_test {
namespace {

using Kind = Actor::Kind;
using Clock = std::chrono::steady_clock;

/// One client per process.
ProcessTable process_table(const ep::Comm& processes) {
  ProcessTable out;
  out.components = {"ocean"};
  for (int p = 0; p < processes.size(); ++p) out.processes.push_back({0, p, 1, -1});
  return out;
}

Actor client(int rank) { return {Kind::client, 0, rank, -1}; }

/// For `seconds`; with a signal to this process when it has waited for a while.
void wait(const ep::Comm& processes, double seconds, bool signals = false) {
  const auto start = Clock::now();
  ep::wait_until(processes, {"some time to be over", -1, 0.02}, [&] {
    const double waited_s = std::chrono::duration<double>(Clock::now() - start).count();
    if (waited_s > 0.3 && std::exchange(signals, false)) {
      EXPECT_EQ(std::raise(SIGUSR1), 0);
    }
    return waited_s >= seconds;
  });
}

/// What this process says in `seconds` of a wait; the others wait for it.
std::string said(const ep::Comm& processes, double seconds, bool signals = false) {
  testing::internal::CaptureStderr();
  wait(processes, seconds, signals);
  ep::check(EP_Barrier(processes.get()));
  return testing::internal::GetCapturedStderr();
}

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST(WaitLimits, are_never_tiny) {
  EXPECT_GT((WaitLimits{0, 0}.first_word_s()), 1e100);
  EXPECT_GT((WaitLimits{-1, 5}.first_word_s()), 1e100);
  EXPECT_EQ((WaitLimits{1e-9, 0}.first_word_s()), 0.1);
  EXPECT_EQ((WaitLimits{30, 0.1}.first_word_s()), 0.1);
  EXPECT_EQ((WaitLimits{30, 20}.first_word_s()), 10);
  EXPECT_EQ((WaitLimits{30, 90}.first_word_s()), 30);
}

TEST(Watch, with_no_patience_at_all_says_nothing) {
  const ep::Comm processes = ep::Comm::from_mpi(MPI_COMM_WORLD);
  config::RunPage page({}, 0);
  Watch watch(processes, process_table(processes), page);
  Waiting waiting(watch);
  waiting.begin(client(processes.rank()), "room", "", client(0), {0, 0});
  EXPECT_EQ(said(processes, 0.3), "");
}

TEST(Watch, says_the_limit_that_the_user_gave) {
  const ep::Comm processes = ep::Comm::from_mpi(MPI_COMM_WORLD);
  config::RunPage page({}, 0);
  Watch watch(processes, process_table(processes), page);
  Waiting waiting(watch);
  waiting.begin(client(processes.rank()), "room", "", client(0), {30, 0.2, 0.1});
  wait(processes, 0.4);
  try {
    waiting.check();
    FAIL() << "nobody gave up";
  } catch (const Error& error) {
    EXPECT_TRUE(has(error.what(),
                    "(give_up_s of context xios is 0.2 s; clients wait 0.1 s longer than servers)"))
        << error.what();
  }
  ep::check(EP_Barrier(processes.get()));
}

TEST(Watch, says_for_whom_a_wait_is_that_goes_on) {
  const ep::Comm processes = ep::Comm::from_mpi(MPI_COMM_WORLD);
  config::RunPage page({}, 0);
  Watch watch(processes, process_table(processes), page);
  Waiting waiting(watch);
  for (const std::vector<Actor>& whom : {std::vector{client(1), client(2)}, {client(2)}}) {
    waiting.set(client(0), "room", whom, {30, 1e-9});
  }
  try {
    waiting.check();
    FAIL() << "nobody gave up";
  } catch (const Error& error) {
    EXPECT_TRUE(has(error.what(), " s for client 2 of 'ocean': room (")) << error.what();
  }
}

TEST(Watch, answers_a_signal_though_another_process_has_just_asked) {
  const ep::Comm processes = ep::Comm::from_mpi(MPI_COMM_WORLD);
  const int last = processes.size() - 1;
  config::RunPage page({}, 0);
  Watch watch(processes, process_table(processes), page);
  {
    Waiting waiting(watch);
    if (processes.rank() == 0) waiting.begin(client(0), "room", "", client(last), {0.1, 0});
    const std::string text = said(processes, 2.5);
    EXPECT_EQ(has(text, "client 0 of 'ocean' has waited for"), processes.rank() == 0) << text;
  }
  // Longer than any answer is waited for.
  const std::string text = said(processes, 3, processes.rank() == last);
  EXPECT_EQ(has(text, "somebody has asked by SIGUSR1"), processes.rank() == last) << text;
}

// A launcher hands it on to all of them.
TEST(Watch, answers_a_signal_to_all_processes_once) {
  const ep::Comm processes = ep::Comm::from_mpi(MPI_COMM_WORLD);
  config::RunPage page({}, 0);
  Watch watch(processes, process_table(processes), page);
  ep::check(EP_Barrier(processes.get()));
  const int said_here = has(said(processes, 3, true), "somebody has asked by SIGUSR1") ? 1 : 0;
  int all = 0;
  ep::check(EP_Allreduce(&said_here, &all, 1, MPI_INT, MPI_SUM, processes.get()));
  EXPECT_EQ(all, 1);
}

TEST(Watch, keeps_answers_short) {
  const ep::Comm processes = ep::Comm::from_mpi(MPI_COMM_WORLD);
  config::RunPage page({}, 0);
  Watch watch(processes, process_table(processes), page);
  Waiting waiting(watch);
  std::vector<Actor> whom;
  for (int rank = 0; rank < 1000; ++rank) whom.push_back(client(rank));
  waiting.set(client(processes.rank()), "the end", whom, {30, 0});
  const std::string text = said(processes, 3, processes.rank() == 0);
  if (processes.rank() != 0) return;
  EXPECT_TRUE(has(text, "for clients 0-63 of 'ocean': the end (and 936 others)")) << text;
}

TEST(Watch, tells_calls_of_the_endpoints_library_for_which_nobody_has_a_word) {
  const ep::Comm processes = ep::Comm::from_mpi(MPI_COMM_WORLD);
  if (processes.size() < 2) return;
  const int last = processes.size() - 1;
  config::RunPage page({}, 0);
  Watch watch(processes, process_table(processes), page);
  watch.know_thread(client(processes.rank()), {0.3, 0});
  ep::check(EP_Barrier(processes.get()));
  testing::internal::CaptureStderr();
  int number = processes.rank();
  if (processes.rank() == 0) {
    ep::check(EP_Recv(&number, 1, MPI_INT, last, 7, processes.get(), EP_STATUS_IGNORE));
  } else {
    wait(processes, 2.5);
    if (processes.rank() == last) {
      ep::check(EP_Send(&number, 1, MPI_INT, 0, 7, processes.get()));
    }
  }
  const std::string text = testing::internal::GetCapturedStderr();
  ep::check(EP_Barrier(processes.get()));
  if (processes.rank() != 0) return;
  EXPECT_TRUE(has(text, "client 0 of 'ocean' has waited for")) << text;
  EXPECT_TRUE(has(text, "s: a message")) << text;
  EXPECT_TRUE(has(text, " of rank " + std::to_string(last) + ", as rank 0 of ")) << text;
  EXPECT_TRUE(has(text, "(a call of the endpoints library)")) << text;
  // The others wait for a condition of the test's own.
  EXPECT_TRUE(has(text, "not waiting in EPIOS")) << text;
}

TEST(Watch, is_asked_by_one_of_many_that_wait_for_the_same) {
  const ep::Comm processes = ep::Comm::from_mpi(MPI_COMM_WORLD);
  config::RunPage page({}, 0);
  Watch watch(processes, process_table(processes), page);
  ep::check(EP_Barrier(processes.get()));
  Waiting waiting(watch);
  waiting.begin(client(processes.rank()), "room", "", client(0), {1, 0});
  wait(processes, 1.8);
  const int here = static_cast<int>(watch.queries());
  ep::check(EP_Barrier(processes.get()));
  int all = 0;
  ep::check(EP_Allreduce(&here, &all, 1, MPI_INT, MPI_SUM, processes.get()));
  EXPECT_EQ(all, 1);
}

}  // namespace
}  // namespace epios::io::watch_test
