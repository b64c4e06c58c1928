// The receiver's side of a copy by two processes, whose sender is killed in the middle of a chunk.

#include "shm/joint_copy.hpp"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <numeric>
#include <optional>
#include <vector>

namespace ep::joint_copy_test {
namespace {

class Copy final : public JointCopy {
 public:
  using JointCopy::JointCopy;
  bool has_ended = false;
  bool is_whole = false;

 private:
  void end(bool whole) noexcept override {
    has_ended = true;
    is_whole = whole;
  }
};

/// A process that has taken the last chunk of a body and does not go on.
class StuckSender {
 public:
  explicit StuckSender(CopyPage& page, std::uint32_t turn, const BodyChunks& chunks) {
    int ready[2] = {};
    if (pipe(ready) != 0) return;
    process_ = fork();
    if (process_ == 0) {
      const char taken = page.take_back(turn, chunks.count()) != CopyPage::none ? 'y' : 'n';
      if (write(ready[1], &taken, 1) == 1) pause();
      _exit(1);
    }
    char taken = 'n';
    has_piece_ = process_ > 0 && read(ready[0], &taken, 1) == 1 && taken == 'y';
    close(ready[0]);
    close(ready[1]);
  }
  StuckSender(const StuckSender&) = delete;
  StuckSender& operator=(const StuckSender&) = delete;
  ~StuckSender() {
    if (process_ <= 0) return;  // kill(-1) would be everybody
    kill_it();
    waitpid(process_, nullptr, 0);
  }

  pid_t process() const { return process_; }
  bool has_piece() const { return has_piece_; }
  /// Nobody has asked after it then: a launcher may take its time. If it has_piece().
  void kill_it() const { kill(process_, SIGKILL); }

 private:
  pid_t process_ = -1;
  bool has_piece_ = false;
};

TEST(JointCopy, ends_when_the_sender_is_killed_in_the_middle_of_a_piece) {
  std::vector<std::uint32_t> body(std::size_t{1} << 18U);
  std::iota(body.begin(), body.end(), 1U);
  Inbox inbox;
  std::optional<CopyLease> lease = inbox.begin_copy();
  ASSERT_TRUE(lease);
  const BodyChunks chunks(std::as_bytes(std::span(body)).size());
  const StuckSender sender(lease->page(), lease->turn(), chunks);  // has the body, too
  ASSERT_TRUE(sender.has_piece());
  const auto address = reinterpret_cast<std::uintptr_t>(body.data());
  const PeerMemory memory(sender.process(), address, body[0] | std::uint64_t{body[1]} << 32U);
  if (!memory) GTEST_SKIP() << "this system permits no process to read another";

  std::vector<std::uint32_t> into(body.size());
  auto* const copy = new Copy(std::move(*lease), memory,
                              {address, std::as_writable_bytes(std::span(into))}, nullptr, 1);
  constexpr int many_looks = 10'000;
  for (int i = 0; i < many_looks; ++i) copy->advance();
  EXPECT_FALSE(copy->has_ended) << "a sender that computes may come back";
  sender.kill_it();
  for (int i = 0; i < 1000 * many_looks && !copy->has_ended; ++i) copy->advance();
  EXPECT_TRUE(copy->has_ended);
  EXPECT_FALSE(copy->is_whole);
  const std::size_t read = chunks.begin(chunks.count() - 1) / sizeof(std::uint32_t);
  EXPECT_TRUE(
      std::equal(body.begin(), body.begin() + static_cast<std::ptrdiff_t>(read), into.begin()));
  copy->unpin();
}

}  // namespace
}  // namespace ep::joint_copy_test
