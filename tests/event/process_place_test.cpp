// Where processes are, and whether they are there.
#include "event/process_place.hpp"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>

namespace epios::io::process_place_test {
namespace {

TEST(ProcessPlace, is_that_of_this_process) {
  const ProcessPlace place = own_place();
  EXPECT_EQ(place.pid, getpid());
  EXPECT_FALSE(place.node.empty());
  EXPECT_NE(place.program.find("event_test"), std::string::npos);
  EXPECT_FALSE(is_process_gone(place.pid));
}

TEST(ProcessPlace, is_on_the_node_that_a_test_pretends) {
  ASSERT_EQ(setenv("EPIOS_TEST_NODE", "n7", 1), 0);
  EXPECT_EQ(own_place().node, "n7");
  ASSERT_EQ(unsetenv("EPIOS_TEST_NODE"), 0);
  EXPECT_NE(own_place().node, "n7");
}

TEST(ProcessPlace, who_was_killed_is_gone_also_before_anybody_has_looked) {
  const pid_t child = fork();
  if (child == 0) {
    pause();
    _exit(0);
  }
  ASSERT_GT(child, 0);
  EXPECT_FALSE(is_process_gone(child));
  ASSERT_EQ(kill(child, SIGKILL), 0);
  siginfo_t info{};
  ASSERT_EQ(waitid(P_PID, static_cast<id_t>(child), &info, WEXITED | WNOWAIT), 0);
  EXPECT_TRUE(is_process_gone(child)) << "dead, and not looked at";
  ASSERT_EQ(waitpid(child, nullptr, 0), child);
  EXPECT_TRUE(is_process_gone(child));
}

}  // namespace
}  // namespace epios::io::process_place_test
