// Memory that processes of a node share without a name, and who can map it.
#include "progress/shared_pages.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

namespace ep::shared_pages_test {
namespace {

constexpr std::size_t bytes = 8192;

/// Returns whether a child, which is another user if `user` is not 0, can map the pages.
bool can_map(const PagesAddress& address, uid_t user) {
  const pid_t child = ::fork();
  if (child == 0) {
    if (user != 0 && (::setgid(user) != 0 || ::setuid(user) != 0)) ::_exit(3);
    const PeerPages pages(address, bytes);
    ::_exit(static_cast<bool>(pages) ? 1 : 0);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) <= 1) << status;
  return WIFEXITED(status) && WEXITSTATUS(status) == 1;
}

TEST(SharedPages, have_the_rights_of_their_owner_alone) {
  const SharedPages pages("test", bytes);
  struct stat about {};
  ASSERT_EQ(::fstat(pages.address().descriptor, &about), 0);
  EXPECT_EQ(about.st_mode & 07777U, 0600U);
  EXPECT_TRUE(can_map(pages.address(), 0));
}

// The address is only a number of a process and one of a descriptor, which anybody can guess.
TEST(SharedPages, cannot_be_mapped_by_another_user) {
  if (::geteuid() != 0) GTEST_SKIP() << "only root can become another user";
  const SharedPages pages("test", bytes);
  constexpr uid_t nobody = 65534;
  EXPECT_FALSE(can_map(pages.address(), nobody));
}

// A process that ends leaves its number to any other.
TEST(SharedPages, of_another_user_are_not_taken_for_those_of_a_peer) {
  if (::geteuid() != 0) GTEST_SKIP() << "only root can give files to another user";
  const SharedPages pages("test", bytes);
  ASSERT_EQ(::fchown(pages.address().descriptor, 65534, 65534), 0);
  EXPECT_FALSE(static_cast<bool>(PeerPages(pages.address(), bytes)));
}

}  // namespace
}  // namespace ep::shared_pages_test
