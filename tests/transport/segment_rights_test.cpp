// What other users of the node can do with the segments of a job, and a job with theirs. The cases
// with another user need root, who becomes one.
#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <ep/ep.hpp>
#include <filesystem>
#include <functional>
#include <string>

#include "memory.hpp"

namespace epios::io::segment_rights_test {
namespace {

using ::testing::HasSubstr;

constexpr uid_t nobody = 65534;
constexpr const char* needs_root = "only root can become another user";

std::string refusal(const std::string& name, std::size_t bytes) {
  try {
    Memory::open_segment(name, bytes, 0, bytes);
  } catch (const ep::Error& error) {
    return error.what();
  }
  return "no error";
}

/// Runs an action as user nobody, in a process of its own. Returns what the action returns, at most
/// 100, or -1.
int as_nobody(const std::function<int()>& action) {
  const pid_t child = ::fork();
  if (child == 0) {
    if (::setgid(nobody) != 0 || ::setuid(nobody) != 0) ::_exit(101);
    ::_exit(action());
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  return WIFEXITED(status) && WEXITSTATUS(status) <= 100 ? WEXITSTATUS(status) : -1;
}

/// A segment as somebody else would make it, removed with the object.
class Planted {
 public:
  Planted(std::string name, mode_t mode, uid_t owner) : name_(std::move(name)) {
    const int file = ::shm_open(name_.c_str(), O_RDWR | O_CREAT | O_EXCL, 0600);
    EXPECT_GE(file, 0);
    EXPECT_EQ(::ftruncate(file, static_cast<off_t>(page_bytes())), 0);
    EXPECT_EQ(::fchown(file, owner, static_cast<gid_t>(-1)), 0);
    EXPECT_EQ(::fchmod(file, mode), 0);
    ::close(file);
  }
  Planted(const Planted&) = delete;
  Planted(Planted&&) = delete;
  Planted& operator=(const Planted&) = delete;
  Planted& operator=(Planted&&) = delete;
  ~Planted() { ::shm_unlink(name_.c_str()); }
  const std::string& name() const { return name_; }
  bool is_there() const { return std::filesystem::exists("/dev/shm" + name_); }

 private:
  std::string name_;
};

TEST(SegmentRights, only_the_owner_may_open_a_segment_whatever_the_umask) {
  for (const mode_t mask : {mode_t{0}, mode_t{022}, mode_t{0777}}) {
    const mode_t before = ::umask(mask);
    const auto made = Memory::make_segment(page_bytes());
    ::umask(before);
    struct stat info {};
    ASSERT_EQ(::stat(("/dev/shm" + made->segment_name()).c_str(), &info), 0);
    EXPECT_EQ(info.st_mode & 07777U, 0600U);
    EXPECT_EQ(info.st_uid, ::geteuid());
  }
}

TEST(SegmentRights, another_user_cannot_open_a_segment_whose_name_he_sees) {
  if (::geteuid() != 0) GTEST_SKIP() << needs_root;
  const auto made = Memory::make_segment(page_bytes());
  const std::string path = "/dev/shm" + made->segment_name();
  EXPECT_EQ(as_nobody([&] { return ::open(path.c_str(), O_RDONLY) < 0 ? errno : 0; }), EACCES);
  EXPECT_EQ(as_nobody([&] { return ::unlink(path.c_str()) < 0 ? errno : 0; }), EPERM);
  // Nor by the descriptors and the memory of the process.
  const std::string files = "/proc/" + std::to_string(::getpid()) + "/fd";
  EXPECT_EQ(as_nobody([&] { return ::access(files.c_str(), R_OK) < 0 ? errno : 0; }), EACCES);
  const std::string memory = "/proc/" + std::to_string(::getpid()) + "/mem";
  EXPECT_EQ(as_nobody([&] { return ::open(memory.c_str(), O_RDONLY) < 0 ? errno : 0; }), EACCES);
}

// 64 bits of each name come from the kernel.
TEST(SegmentRights, names_cannot_be_guessed) {
  std::string before;
  for (int i = 0; i < 8; ++i) {
    const std::string name = Memory::make_segment(page_bytes())->segment_name();
    const std::string random = name.substr(name.rfind('-') + 1);
    EXPECT_EQ(random.size(), 16U) << name;
    EXPECT_EQ(random.find_first_not_of("0123456789abcdef"), std::string::npos) << name;
    EXPECT_NE(random, before);
    before = random;
  }
}

TEST(SegmentRights, a_segment_that_others_may_open_is_refused) {
  const Planted planted("/epios-0-planted-open", 0666, ::geteuid());
  EXPECT_THAT(
      refusal(planted.name(), page_bytes()),
      HasSubstr("the shared memory segment /epios-0-planted-open belongs to user " +
                std::to_string(::geteuid()) + " and has mode 0666 (expected user " +
                std::to_string(::geteuid()) + " and mode 0600). Has another user made it?"));
}

TEST(SegmentRights, a_segment_of_another_user_is_refused) {
  if (::geteuid() != 0) GTEST_SKIP() << needs_root;
  const Planted planted("/epios-0-planted-foreign", 0600, nobody);
  EXPECT_THAT(refusal(planted.name(), page_bytes()),
              HasSubstr("belongs to user 65534 and has mode 0600 (expected user 0"));
}

// Who cleans up what killed servers left removes no segment of others, even if he could.
TEST(SegmentRights, segments_of_other_users_are_not_cleared_up) {
  if (::geteuid() != 0) GTEST_SKIP() << needs_root;
  const Planted foreign("/epios-0-planted-kept", 0666, nobody);
  const Planted own("/epios-0-planted-own", 0600, 0);
  static_cast<void>(Memory::make_segment(page_bytes()));
  EXPECT_TRUE(foreign.is_there());
  EXPECT_FALSE(own.is_there());
}

TEST(SegmentRights, links_in_shared_memory_are_not_followed) {
  const auto made = Memory::make_segment(page_bytes());
  const std::string link = "/dev/shm/epios-0-planted-link";
  std::filesystem::create_symlink("/dev/shm" + made->segment_name(), link);
  EXPECT_THAT(refusal("/epios-0-planted-link", page_bytes()),
              HasSubstr("cannot be opened (Too many levels of symbolic links)"));
  std::filesystem::remove(link);
}

// The name comes in a message.
TEST(SegmentRights, a_name_that_no_server_gives_is_refused) {
  for (const char* name : {"", "/", "/else", "epios-1-2", "/epios/../x", "../../etc/passwd"}) {
    EXPECT_THAT(refusal(name, page_bytes()),
                HasSubstr("is not the name of a shared memory segment"))
        << name;
  }
  const auto made = Memory::make_segment(page_bytes());
  // Sizes that overflow when they are added.
  EXPECT_THROW(
      Memory::open_segment(made->segment_name(), page_bytes(), ~std::size_t{0} - 4095, 4096),
      ep::Error);
}

}  // namespace
}  // namespace epios::io::segment_rights_test
