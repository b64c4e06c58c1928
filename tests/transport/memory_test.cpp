#include "memory.hpp"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/statvfs.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <ep/ep.hpp>
#include <stdexcept>
#include <string>

namespace epios::io::memory_test {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

std::string error_of(auto&& action) {
  try {
    action();
  } catch (const ep::Error& error) {
    return error.what();
  }
  return "no error";
}

bool name_exists(const std::string& name) {
  const int fd = ::shm_open(name.c_str(), O_RDONLY, 0);
  if (fd < 0) return false;
  ::close(fd);
  return true;
}

TEST(Memory, PrivateMemoryIsZeroed) {
  const auto memory = Memory::make_private(10'000);
  ASSERT_EQ(memory->size(), 10'000U);
  EXPECT_TRUE(std::all_of(memory->data(), memory->data() + memory->size(),
                          [](std::byte b) { return b == std::byte{0}; }));
  EXPECT_TRUE(memory->segment_name().empty());
}

TEST(Memory, TwoMappingsOfASegmentAreTheSameMemory) {
  const std::size_t page = page_bytes();
  const auto made = Memory::make_segment(3 * page);
  const auto opened = Memory::open_segment(made->segment_name(), 3 * page, page, page);
  ASSERT_NE(made->data(), opened->data());
  made->data()[page + 5] = std::byte{42};
  EXPECT_EQ(opened->data()[5], std::byte{42});
}

TEST(Memory, UnlinkRemovesTheNameAndKeepsTheMemory) {
  const auto made = Memory::make_segment(page_bytes());
  const std::string name = made->segment_name();
  const auto opened = Memory::open_segment(name, page_bytes(), 0, page_bytes());
  EXPECT_TRUE(name_exists(name));
  made->unlink();
  made->unlink();
  EXPECT_FALSE(name_exists(name));
  made->data()[0] = std::byte{7};
  EXPECT_EQ(opened->data()[0], std::byte{7});
}

TEST(Memory, DestructorRemovesTheName) {
  std::string name;
  {
    const auto made = Memory::make_segment(page_bytes());
    name = made->segment_name();
  }
  EXPECT_FALSE(name_exists(name));
}

// Makes a segment in a process of its own, which is killed when told, as servers sometimes are.
class OtherServer {
 public:
  OtherServer() {
    int ends[2];
    if (::pipe(ends) != 0) throw std::runtime_error("no pipe");
    pid_ = ::fork();
    if (pid_ == 0) {
      const auto memory = Memory::make_segment(page_bytes());
      const std::string& name = memory->segment_name();
      if (::write(ends[1], name.data(), name.size()) != static_cast<ssize_t>(name.size()))
        ::_exit(1);
      ::close(ends[1]);
      while (true) ::pause();
    }
    ::close(ends[1]);
    char byte = 0;
    while (::read(ends[0], &byte, 1) == 1) name_ += byte;
    ::close(ends[0]);
  }
  OtherServer(const OtherServer&) = delete;
  OtherServer(OtherServer&&) = delete;
  OtherServer& operator=(const OtherServer&) = delete;
  OtherServer& operator=(OtherServer&&) = delete;
  ~OtherServer() { kill(); }
  void kill() {
    if (pid_ <= 0) return;
    ::kill(pid_, SIGKILL);
    ::waitpid(pid_, nullptr, 0);
    pid_ = 0;
  }
  const std::string& segment_name() const { return name_; }

 private:
  pid_t pid_ = 0;
  std::string name_;
};

TEST(Memory, SegmentsOfKilledServersAreRemovedByTheNextAndOthersAreNot) {
  OtherServer killed;
  const OtherServer alive;
  ASSERT_TRUE(name_exists(killed.segment_name()));
  killed.kill();
  EXPECT_TRUE(name_exists(killed.segment_name()));
  const auto made = Memory::make_segment(page_bytes());
  EXPECT_FALSE(name_exists(killed.segment_name()));
  EXPECT_TRUE(name_exists(alive.segment_name()));
  EXPECT_TRUE(name_exists(made->segment_name()));
}

// Nor do those wait for a job that has servers of its own.
TEST(Memory, SegmentsOfKilledServersAreRemovedByJobsWithoutServers) {
  OtherServer killed;
  const OtherServer alive;
  killed.kill();
  ASSERT_TRUE(name_exists(killed.segment_name()));
  static_cast<void>(Memory::make_private(page_bytes()));
  EXPECT_FALSE(name_exists(killed.segment_name()));
  EXPECT_TRUE(name_exists(alive.segment_name()));
}

TEST(Memory, NamesAreUnique) {
  const auto a = Memory::make_segment(page_bytes());
  const auto b = Memory::make_segment(page_bytes());
  EXPECT_NE(a->segment_name(), b->segment_name());
}

// A segment with holes would end the server by SIGBUS in the middle of a run.
TEST(Memory, FullSharedMemoryIsAnErrorAtConstruction) {
  struct statvfs info {};
  ASSERT_EQ(::statvfs("/dev/shm", &info), 0);
  const std::size_t limit = info.f_blocks * info.f_frsize;
  if (limit == 0) GTEST_SKIP() << "/dev/shm has no limit here";
  EXPECT_THAT(
      error_of([&] { Memory::make_segment(limit + (std::size_t{1} << 30)); }),
      AllOf(StartsWith("a shared memory segment of "),
            HasSubstr(" cannot be reserved (No space left on device). Is /dev/shm too small, or "
                      "does it hold epios-* segments of killed jobs?")));
}

TEST(Memory, RefusesSegmentsThatAreGoneOrDifferent) {
  EXPECT_THAT(
      error_of([] { Memory::open_segment("/epios-0-none", 4096, 0, 4096); }),
      HasSubstr("/epios-0-none cannot be opened (No such file or directory). Has the server "
                "ended"));
  const auto made = Memory::make_segment(page_bytes());
  EXPECT_THAT(error_of([&] {
                Memory::open_segment(made->segment_name(), 2 * page_bytes(), 0, page_bytes());
              }),
              HasSubstr("Does it belong to another job?"));
}

TEST(Memory, RefusesMorePrivateMemoryThanThereIs) {
  EXPECT_THAT(error_of([] { Memory::make_private(std::size_t{1} << 60); }),
              HasSubstr("of channel memory cannot be mapped (Cannot allocate memory)"));
}

TEST(ProcessToken, IsTheSameEveryTime) {
  EXPECT_EQ(process_token(), process_token());
  EXPECT_EQ(process_token().pid, ::getpid());
}

}  // namespace
}  // namespace epios::io::memory_test
