#include "messages/shared_copy.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <thread>
#include <vector>

namespace ep::shared_copy_test {
namespace {

std::vector<std::byte> counted_bytes(std::size_t size) {
  std::vector<std::byte> bytes(size);
  for (std::size_t i = 0; i < size; ++i) bytes[i] = static_cast<std::byte>(i % 251);
  return bytes;
}

TEST(SharedCopy, copies_all_without_help) {
  for (const std::size_t size : {std::size_t{0}, std::size_t{1}, SharedCopy::least_bytes,
                                 SharedCopy::least_bytes + 1, 3 * SharedCopy::least_bytes - 1}) {
    SharedCopy copy;
    const std::vector<std::byte> from = counted_bytes(size);
    std::vector<std::byte> to(size + 1, std::byte{255});
    copy.make(to.data(), from.data(), size);
    EXPECT_EQ(to.back(), std::byte{255}) << "of " << size << " bytes";
    to.pop_back();
    EXPECT_EQ(to, from);
  }
}

// The waiting thread sees the end only after its own last piece, and begins the next copy with the
// same object, as a request is used again.
TEST(SharedCopy, a_waiting_thread_helps) {
  constexpr int copies = 300;
  SharedCopy copy;
  const std::vector<std::byte> from = counted_bytes(SharedCopy::least_bytes + 4097);
  std::vector<std::byte> to(from.size());
  std::atomic<int> made{0};
  std::atomic<int> wanted{0};
  std::thread maker([&] {
    for (int i = 1; i <= copies; ++i) {
      while (wanted.load() < i) std::this_thread::yield();
      copy.make(to.data(), from.data(), from.size());
      made.store(i);
    }
  });
  for (int i = 1; i <= copies; ++i) {
    std::fill(to.begin(), to.end(), std::byte{0});
    wanted.store(i);
    while (made.load() < i) copy.help();
    ASSERT_EQ(to, from) << "copy " << i;
  }
  maker.join();
}

TEST(SharedCopy, helps_nobody_when_there_is_nothing) {
  SharedCopy copy;
  copy.help();
  std::vector<std::byte> to(1);
  const std::vector<std::byte> from = counted_bytes(1);
  copy.make(to.data(), from.data(), 1);
  to[0] = std::byte{7};
  copy.help();
  EXPECT_EQ(to[0], std::byte{7});
}

}  // namespace
}  // namespace ep::shared_copy_test
